"""What a view draws: text stays text, markdown is made safe, and the times are the desk's."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from nbask import Ask, Asker, Option, Question
from nbask.desk import PAUSE, Desk
from nbask.forms import form_from
from nbask.fronts.drawing import draw, open_phase
from nbask.fronts.text import prompt_for
from nbask.kinds import Answer
from nbask.receipts import receipt
from nbask.replies import Answered, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.schema import UndrawableSchema
from nbask.testing import FakeClock
from nbask.text import printable

CORPUS: list[str] = json.loads((Path(__file__).parents[1] / "wire" / "xss.json").read_text(encoding="utf-8"))
LIVE_TAGS = {
    *("script", "img", "svg", "iframe", "object", "embed", "form", "input", "button", "style", "link", "meta", "base"),
    *("video", "audio", "source", "math", "template", "textarea", "select", "image", "marquee", "body", "noscript"),
}


class Reader(HTMLParser):
    """The tags of some HTML with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def assert_dead(html: str) -> None:
    for tag, attributes in Reader(html).tags:
        assert tag not in LIVE_TAGS
        assert not [name for name in attributes if name.startswith(("on", "src", "form", "xlink"))]
        assert (attributes.get("href") or "https://").lower().startswith(("https://", "http://", "mailto:"))


def drawn(ask: Ask) -> Any:
    return draw(Desk(FakeClock(1000)).open(ask))


def html_in(value: Any) -> list[str]:
    """All of what a view would set as HTML."""
    if isinstance(value, dict):
        own = [value["html"]] if value.get("kind") == "html" and "html" in value else []
        return own + [found for one in value.values() for found in html_in(one)]
    return [found for one in value for found in html_in(one)] if isinstance(value, list) else []


def test_there_are_at_least_sixty_vectors() -> None:
    assert len(set(CORPUS)) >= 60


def schema(**field: Any) -> Any:
    return {"type": "object", "properties": {"x": {"type": "string", **field}}}


def question_of(shape: Any, default: Any = None) -> Question:
    return form_from(shape, default).questions[0]


# Each builds a question with the text somewhere, and says where on the wire that text must be, as it is.
PLAIN: dict[str, Callable[[str], tuple[Question, Callable[[Any], Any]]]] = {
    "question": lambda text: (Question(text, ["A"]), lambda wire: wire["text"]),
    "header": lambda text: (Question("A?", header=text), lambda wire: wire["header"]),
    "label": lambda text: (Question("A?", [text]), lambda wire: wire["options"][0]["label"]),
    "option's description": lambda text: (Question("A?", {"A": text}), lambda wire: wire["options"][0]["description"]),
    "description": lambda text: (Question("A?", description=text), lambda wire: wire["description"]),
    "placeholder": lambda text: (Question("A?", placeholder=text), lambda wire: wire["placeholder"]),
    "default": lambda text: (Question("A?", default=text), lambda wire: wire["default"]["value"]),
    "default entry": lambda text: (
        Question("A?", kind="list", default=[text]),
        lambda wire: wire["default"]["value"][0],
    ),
    "default under Other": lambda text: (
        Question("A?", [text, "B"], default=text),
        lambda wire: wire["options"][0]["label"],
    ),
    "Other's label": lambda text: (Question("A?", ["A"], other_label=text), lambda wire: wire["other_label"]),
    "warning": lambda text: (Question("A?", warnings=(text,)), lambda wire: wire["warnings"][0]),
    "address": lambda text: (Question("A?", kind="consent", url=text), lambda wire: wire["url"]),
    "confirm's words": lambda text: (Question("A?", [text, "No"], kind="confirm"), lambda w: w["options"][0]["label"]),
    "schema's title": lambda text: (question_of(schema(title=text)), lambda wire: wire["text"]),
    "schema's description alone": lambda text: (question_of(schema(description=text)), lambda wire: wire["text"]),
    "schema's description": lambda text: (
        question_of(schema(title="T", description=text)),
        lambda wire: wire["description"],
    ),
    "schema's default": lambda text: (question_of(schema(default=text)), lambda wire: wire["default"]["value"]),
    "caller's default": lambda text: (
        question_of(schema(), {"x": text}),
        lambda wire: wire["default"]["value"],
    ),
    "schema's property": lambda text: (
        form_from({"properties": {text: {"type": "string"}}}).questions[0],
        lambda wire: wire["text"],
    ),
    "enum's title": lambda text: (
        question_of(schema(oneOf=[{"const": "a", "title": text}])),
        lambda wire: wire["options"][0]["label"],
    ),
    "enum's value": lambda text: (question_of(schema(enum=[text])), lambda wire: wire["options"][0]["label"]),
    "enum's name": lambda text: (
        question_of(schema(enum=["a"], enumNames=[text])),
        lambda wire: wire["options"][0]["label"],
    ),
    "item's title": lambda text: (
        form_from(
            {"properties": {"x": {"type": "array", "items": {"anyOf": [{"const": "a", "title": text}]}}}}
        ).questions[0],
        lambda wire: wire["options"][0]["label"],
    ),
}


@pytest.mark.parametrize("field", PLAIN)
def test_a25_c30_text_reaches_a_view_as_text_and_in_no_html(field: str) -> None:
    for vector in CORPUS:
        question, place = PLAIN[field](vector)
        wire = drawn(Ask(question))
        assert place(wire["questions"][0]) == vector
        assert html_in(wire) == []
        assert json.loads(json.dumps(wire)) == wire


@pytest.mark.parametrize("field", ["asker", "detail", "submit"])
def test_a25_c30_the_askers_words_are_text(field: str) -> None:
    for vector in CORPUS:
        rest: dict[str, Any] = {"submit": vector} if field == "submit" else {}
        asker = Asker(vector) if field == "asker" else Asker("Server", vector)
        wire = drawn(Ask(Question("A?"), asker=asker, **rest))
        assert vector in (wire["submit"], wire["asker"]["label"], wire["asker"]["detail"])
        assert html_in(wire) == []


@pytest.mark.parametrize("field", ["message", "preview", "object"])
def test_a25_c30_what_is_set_as_html_is_dead(field: str) -> None:
    class Thing:
        def __init__(self, text: str) -> None:
            self.text = text

        def _repr_markdown_(self) -> str:
            return self.text

    for vector in CORPUS:
        if field == "message":
            ask = Ask(Question("A?"), message=vector, layout="form")
        else:
            ask = Ask(Question("A?", [Option("A", preview=vector if field == "preview" else Thing(vector))]))
        (html,) = html_in(drawn(ask))
        assert_dead(html)


ANSWERED: dict[str, Callable[[str], tuple[Question | Ask, Reply]]] = {
    "text": lambda text: (Question("A?"), Answered(answers={"q1": Answer(text)})),
    "list": lambda text: (Question("A?", kind="list"), Answered(answers={"q1": Answer([text, text])})),
    "note": lambda text: (Question("A?"), Answered(answers={"q1": Answer("x", notes=text)})),
    "note alone": lambda text: (Question("A?"), Answered(answers={"q1": Answer(None, notes=text)})),
    "other": lambda text: (Question("A?", ["A"]), Answered(answers={"q1": Answer(text, (), text)})),
    "question": lambda text: (Question(text), Declined()),
    "message": lambda text: (Ask(Question("A?"), message=text), Declined()),
    "form's question": lambda text: (Ask(Question("A?"), message=text, layout="form"), Declined()),
    "discussed": lambda text: (Question("A?"), Discussed(text=text)),
    "reason": lambda text: (Question("A?"), Unavailable(reason=text)),
    "withdrawn": lambda text: (Question("A?"), Withdrawn(reason=text)),
    "default": lambda text: (Question("A?"), TimedOut(fallback={"q1": Answer(text)})),
    "several": lambda text: (
        Ask([Question(text), Question("B?", [text])]),
        Answered(answers={"q1": Answer(text), "q2": Answer(text, (text,), notes=text)}),
    ),
    "several defaults": lambda text: (
        Ask([Question(text), Question("B?")]),
        Unavailable(reason=text, fallback={"q1": Answer(text), "q2": Answer([text])}),
    ),
    "address": lambda text: (Question("Open?", kind="consent", url=text), Declined()),
    "asker": lambda text: (Ask(Question("A?"), asker=Asker(text, text)), Declined(via=text)),
}


@pytest.mark.parametrize("field", ANSWERED)
def test_a25_c30_no_vector_lives_in_a_receipt(field: str) -> None:
    for vector in CORPUS:
        asked, reply = ANSWERED[field](vector)
        assert_dead(receipt(asked if isinstance(asked, Ask) else Ask(asked), reply, 0.0)["text/html"])


def test_a25_a_hostile_schema_in_the_text_front_is_text() -> None:
    for vector in CORPUS:
        question = question_of(schema(title=vector, enum=["a"], enumNames=[vector]))
        assert printable(vector) in prompt_for(Ask(question), question)


@pytest.mark.parametrize("vector", CORPUS)
def test_a25_a_vector_as_a_whole_schema_is_refused_in_words(vector: str) -> None:
    for shape in (vector, {"type": vector, "properties": {}}, {"properties": {"x": {"type": vector}}},
                  {"properties": {"x": {"$ref": vector}}}, {"properties": {"x": vector}}):  # fmt: skip
        with pytest.raises(UndrawableSchema):
            form_from(shape)


# Words and times


def test_b21_an_address_is_drawn_whole_with_the_askers_warnings_before_ours() -> None:
    url = "http://user@xn--pple-43d.example/link?a=1&b=%2F#f"
    (wire,) = drawn(Ask(Question("Open?", kind="consent", url=url, warnings=("Mind the gap.",))))["questions"]
    assert wire["url"] == url
    assert wire["warnings"][0] == "Mind the gap."
    assert len(wire["warnings"]) == 4


def test_half_a_character_is_drawn_as_one_that_a_message_can_carry() -> None:
    half = "a\ud800"
    option = Option(half, half, preview=half)
    question = Question(half, [option], header=half, description=half, default=half)
    for ask in (Ask([question, Question(half, url=half, kind="consent")], message=half, asker=Asker(half, half)),
                Ask(question, message=half, plain=True)):  # fmt: skip
        said = json.dumps(drawn(ask), ensure_ascii=False).encode().decode()
        assert "a\ufffd" in said
        reply = Answered(answers={"q1": Answer(half, (half,), half, half)})
        json.dumps(receipt(ask, reply, 0.0), ensure_ascii=False).encode()
    assert ask.questions[0].options[0].label == half


def test_half_a_character_names_no_answer_since_a_page_could_not_send_it_back() -> None:
    with pytest.raises(ValueError, match="half a character; name the answer otherwise"):
        Question("Q?", id="a\ud800")
    with pytest.raises(UndrawableSchema, match="half a character"):
        form_from({"properties": {"\udfff": {"type": "string"}}})


def test_a_form_is_drawn_on_one_page_with_its_own_words() -> None:
    wire = drawn(Ask(Question("A?"), message="Where to?", layout="form", submit="Send", pausable=False, timeout=5))
    assert (wire["layout"], wire["submit"], wire["pausable"], wire["notify"]) == ("form", "Send", False, False)
    assert (wire["opened"], wire["deadline"]) == (1_000_000, 1_005_000)


@pytest.mark.parametrize("notify", [True, False])
def test_whether_to_notify_is_drawn(notify: bool) -> None:
    assert draw(Desk(FakeClock()).open(Ask(Question("A?"))), notify)["notify"] is notify


def test_an_open_phase_has_the_deadline_as_it_stands_now() -> None:
    clock = FakeClock(1000)
    desk = Desk(clock)
    pending = desk.open(Ask(Question("A?"), timeout=60.5))
    assert open_phase(pending) == {"state": "open", "deadline": 1_060_500, "paused_until": None}
    clock.advance(1)
    desk.keep_draft(pending.ask.id, {"answers": {}, "message": None})
    pause = int(1000 * PAUSE)
    assert open_phase(pending) == {"state": "open", "deadline": 1_060_500 + pause, "paused_until": 1_001_000 + pause}
    clock.advance(PAUSE)
    assert open_phase(pending)["paused_until"] is None


def test_an_open_phase_without_a_deadline_has_none() -> None:
    assert open_phase(Desk(FakeClock()).open(Ask(Question("A?")))) == {
        "state": "open",
        "deadline": None,
        "paused_until": None,
    }


def test_bounds_on_the_wire_are_numbers_that_json_has() -> None:
    shape = {"properties": {"x": {"type": "number", "minimum": 0.5, "maximum": 10**400}}}
    try:
        question = form_from(shape).questions[0]
    except UndrawableSchema:
        return
    json.dumps(drawn(Ask(question)), allow_nan=False)
