"""The receipt: what is in it, and what is not."""

from __future__ import annotations

import datetime as dt
import json
from html.parser import HTMLParser
from typing import Any, get_args

import pytest

from nbask import Ask, Option, Question
from nbask.kinds import Answer
from nbask.receipts import duration, receipt, receipt_html
from nbask.replies import (
    Answered,
    Cancelled,
    Declined,
    Discussed,
    Reply,
    TimedOut,
    Unavailable,
    Withdrawn,
    ending,
)
from nbask.wire import RECEIPT as MIME

ASK = Ask(Question("Red or blue?", ["Red", "Blue", "Green"], notes=True), asker="Claude", id="abc")
RED = Answer("Red", ("Red",))
SAID: list[tuple[Reply, str]] = [
    (Answered(answers={"q1": RED}), "Red"),
    (Answered(answers={"q1": Answer("mine", (), "mine")}), "mine"),
    (Answered(answers={}), "not answered"),
    (Discussed(text="why?"), "the person wants to discuss it first: why?"),
    (Declined(), "the person declined to answer"),
    (Cancelled(), "the person dismissed the question"),
    (Cancelled(by="interrupt"), "the kernel was interrupted"),
    (TimedOut(), "the time for it ran out"),
    (TimedOut(fallback={"q1": RED}), "the time for it ran out; the default was used: Red"),
    (Unavailable(reason="nobody is here"), "nobody is here"),
    (Unavailable(reason="nobody is here", fallback={"q1": RED}), "nobody is here; the default was used: Red"),
    (Withdrawn(reason="it found out"), "it was withdrawn, because it found out"),
]


class Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[tuple[str, dict[str, Any]]] = []
        self.path: list[dict[str, Any]] = []
        self.lines = [""]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.path.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        self.path.pop()
        if tag in ("div", "li", "summary") and self.lines[-1]:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        self.texts.append((data, self.path[-1]))
        self.lines[-1] += data


def html(ask: Ask, reply: Reply, ended: float = 0.0) -> str:
    return receipt(ask, reply, ended)["text/html"]


def words(ask: Ask, reply: Reply) -> str:
    return " | ".join(Reader(html(ask, reply)).lines)


@pytest.mark.parametrize(("reply", "said"), SAID, ids=lambda value: str(value)[:50])
def test_a_receipt_says_how_the_ask_ended(reply: Reply, said: str) -> None:
    assert receipt(ASK, reply, 0.0)["text/plain"] == f"Red or blue? → {said}"
    assert f"Claude asked: Red or blue? | {said}".casefold() in words(ASK, reply).casefold()


def test_every_kind_of_reply_has_a_receipt() -> None:
    assert {type(reply) for reply, _ in SAID} == set(get_args(Reply))


def test_a_receipt_says_how_long_it_took_and_by_which_way() -> None:
    assert "answered in 1:12 · via card" in words(ASK, Answered(answers={"q1": RED}, via="card", elapsed=72.4))
    assert "ended after 0:03 · via text" in words(ASK, Declined(via="text", elapsed=3))


def test_an_answer_that_nobody_gave_is_never_said_to_be_answered() -> None:
    for reply, _ in SAID:
        assert ("answered in" in words(ASK, reply)) is bool(reply)


def test_a_note_is_in_the_receipt() -> None:
    reply = Answered(answers={"q1": Answer("Red", ("Red",), notes="but darker")})
    assert "Note: but darker" in words(ASK, reply)
    assert receipt(ASK, reply, 0)[MIME]["questions"][0]["answer"]["notes"] == "but darker"


ENDED = 1_800_000_000.0
MOMENT = dt.datetime.fromtimestamp(ENDED, dt.timezone.utc).astimezone()
WHEN = f"{MOMENT.day} {MOMENT:%b %Y, %H:%M}"
TWO = Ask([Question("A?", ["Red", "Blue"], notes=True), Question("B?", required=False)], asker="Claude")


@pytest.mark.parametrize(
    ("ask", "reply", "lines"),
    [
        (
            ASK,
            Answered(answers={"q1": RED}, via="card", elapsed=42.6),
            [
                *("Claude asked: Red or blue?", "Red", "2 options not chosen", "Blue", "Green"),
                f"answered in 0:42 · via card · {WHEN}",
            ],
        ),
        (
            Ask(Question("Name?"), message="**First**", plain=True),
            Answered(answers={"q1": Answer("ann")}),
            ["This notebook asked: Name?", "ann", "What was said above it", f"**First**answered in 0:00 · {WHEN}"],
        ),
        (
            Ask(Question("Name?")),
            Declined(via="text", elapsed=5),
            ["This notebook asked: Name?", "The person declined to answer", f"ended after 0:05 · via text · {WHEN}"],
        ),
        (Ask(Question("Name?")), Unavailable(reason="nobody"), ["This notebook asked: Name?", "Nobody", WHEN]),
        (
            TWO,
            Answered(answers={"q1": Answer("Red", ("Red",), notes="warm")}),
            ["Claude asked: 2 questions", "A?Red", "Note: warm", "B?not answered", f"answered in 0:00 · {WHEN}"],
        ),
        (
            TWO,
            Declined(),
            [
                *("Claude asked: 2 questions", "The person declined to answer", "The questions", "A?", "B?"),
                f"ended after 0:00 · {WHEN}",
            ],
        ),
    ],
    ids=["answered", "with a message", "declined", "nobody", "several", "several declined"],
)
def test_a_receipt_reads_from_its_question_to_its_moment(ask: Ask, reply: Reply, lines: list[str]) -> None:
    assert Reader(html(ask, reply, ENDED)).lines[:-1] == lines
    assert receipt_html(ask, reply, ENDED) == {"kind": "html", "html": html(ask, reply, ENDED)}


def test_the_record_has_seconds_to_the_millisecond() -> None:
    assert receipt(ASK, Declined(elapsed=1.23456), 0.0)[MIME]["seconds"] == 1.235


def test_a_note_to_a_secret_that_was_not_told_is_no_record_of_it() -> None:
    ask = Ask(Question("Key?", secret=True, required=False, notes=True))
    reply = Answered(answers={"q1": Answer(None, notes="ask Ann")})
    assert receipt(ask, reply, 0.0)[MIME]["questions"] == [{"id": "q1", "kind": "text", "text": "Key?", "answer": None}]


def test_options_that_were_not_chosen_are_folded_away() -> None:
    assert "2 options not chosen | Blue | Green" in words(ASK, Answered(answers={"q1": RED}))
    assert "3 options not chosen | Red | Blue | Green" in words(ASK, Declined())
    assert "1 option not chosen" in words(
        Ask(Question("A?", ["A", "B"])), Answered(answers={"q1": Answer("A", ("A",))})
    )
    assert "not chosen" not in words(Ask(Question("A?")), Declined())


def test_a8_each_of_several_questions_has_its_own_line() -> None:
    ask = Ask([Question("One?", ["A"], required=False), Question("Two?", ["A"]), Question("Three?", required=False)])
    reply = Answered(answers={"q2": Answer("abc", (), "abc")})
    assert receipt(ask, reply, 0)["text/plain"] == "One? → not answered; Two? → abc; Three? → not answered"
    assert [one["answer"] is None for one in receipt(ask, reply, 0)[MIME]["questions"]] == [True, False, True]


def test_an_answered_optional_question_of_the_defaults_is_not_claimed() -> None:
    ask = Ask([Question("One?", default="x"), Question("Two?", required=False)], when_unanswered="default")
    reply = Unavailable(reason="nobody", fallback={"q1": Answer("x")})
    assert receipt(ask, reply, 0)["text/plain"] == "One? → nobody; the default was used: x; Two? → nobody"


@pytest.mark.parametrize(("reply", "_said"), SAID, ids=lambda value: str(value)[:50])
def test_the_record_has_always_the_same_names(reply: Reply, _said: str) -> None:
    record = receipt(ASK, reply, 0.0)[MIME]
    assert set(record) == {
        *("v", "ask", "fingerprint", "kind", "by", "via", "at", "seconds", "asker", "text", "questions", "defaults")
    }
    assert (record["v"], record["kind"], record["asker"], record["at"]) == (
        1,
        reply.kind,
        "Claude",
        "1970-01-01T00:00:00Z",
    )
    (question,) = record["questions"]
    assert set(question) == {"id", "kind", "text", "answer"}
    assert (question["answer"] is not None) == (isinstance(reply, Answered) and bool(reply.answers))
    assert json.loads(json.dumps(record)) == record


@pytest.mark.parametrize(
    ("answer", "recorded"),
    [
        (Answer("Red", ("Red",)), {"selected": ["Red"], "other": None, "value": None, "notes": None}),
        (Answer("mine", (), "mine"), {"selected": [], "other": "mine", "value": None, "notes": None}),
        (Answer("typed"), {"selected": [], "other": None, "value": "typed", "notes": None}),
        (Answer([]), {"selected": [], "other": None, "value": None, "notes": None}),
        (
            Answer(["Red", "mine"], ("Red",), "mine", "so"),
            {"selected": ["Red"], "other": "mine", "value": None, "notes": "so"},
        ),
    ],
)
def test_what_was_said_is_recorded(answer: Answer, recorded: dict[str, Any]) -> None:
    assert receipt(ASK, Answered(answers={"q1": answer}), 0)[MIME]["questions"][0]["answer"] == recorded


def test_what_was_said_to_discuss_is_recorded() -> None:
    assert receipt(ASK, Discussed(text="why?"), 0)[MIME]["text"] == "why?"


@pytest.mark.parametrize(
    "value", ["s3cret-token", {"s3cret-token": 1}, type("T", (), {"__repr__": lambda _: "s3cret-token"})()]
)
def test_an_options_value_is_never_recorded(value: Any) -> None:
    ask = Ask(Question("Which?", [Option("A", value=value), "B"]))
    bundle = receipt(ask, Answered(answers={"q1": Answer(value, ("A",))}), 0)
    assert "s3cret-token" not in json.dumps(bundle)


def test_drafts_previews_and_descriptions_are_not_in_a_receipt() -> None:
    ask = Ask(Question("Which?", [Option("A", "the-description", preview="the-preview")], placeholder="the-hint"))
    reply = TimedOut(draft={"answers": {}, "message": "the-draft"})
    assert not [
        word
        for word in ("description", "preview", "hint", "draft")
        if f"the-{word}" in json.dumps(receipt(ask, reply, 0))
    ]


def test_a_receipt_needs_at_most_3_kb_beside_the_text() -> None:
    labels = [f"option {number}" for number in range(4)]
    ask = Ask([Question(f"Question {number}?", labels, notes=True) for number in range(4)], asker="Claude")
    answers = {f"q{number}": Answer(labels[0], (labels[0],), notes="a note") for number in range(1, 5)}
    bundle = receipt(ask, Answered(answers=answers, via="card"), 0)
    said = sum(len(question.text) + len("a note") + sum(map(len, labels)) for question in ask.questions)
    assert len(bundle["text/html"]) - said < 3 * 1024


def test_one_question_needs_at_most_3_kb_in_all_forms() -> None:
    assert len(json.dumps(receipt(ASK, Answered(answers={"q1": RED}, via="card"), 0))) < 3 * 1024


def test_a11_a_long_text_is_whole_in_the_receipt() -> None:
    ask = Ask(Question("q" * 600 + "?", ["l" * 120 + "!", "B"]))
    bundle = receipt(ask, Answered(answers={"q1": Answer("l" * 120 + "!", ("l" * 120 + "!",))}), 0)
    assert all(
        "q" * 600 + "?" in bundle[form] and "l" * 120 + "!" in bundle[form] for form in ("text/html", "text/plain")
    )


def test_a24_every_text_has_its_own_direction() -> None:
    ask = Ask(Question("هل نستخدم pandas 2.2؟", ["نعم", "לא"], notes=True), asker="מודל")
    reply = Answered(answers={"q1": Answer("نعم", ("نعم",), notes="שלום")})
    texts = Reader(html(ask, reply)).texts
    spoken = [(text, attributes) for text, attributes in texts if not text.isascii()]
    assert len(spoken) >= 4
    assert all(attributes.get("dir") == "auto" for _, attributes in spoken)


def test_a24_the_asker_and_the_question_do_not_share_a_direction() -> None:
    ask = Ask(Question("هل نستخدم pandas؟"), asker="Claude")
    (line,) = [text for text, _ in Reader(html(ask, Declined())).texts if "pandas" in text]
    assert "Claude" not in line


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00"),
        (59.99, "0:59"),
        (60, "1:00"),
        (3599, "59:59"),
        (3600, "1:00:00"),
        (-5, "0:00"),
        (100_000, "27:46:40"),
    ],
)
def test_a_duration_reads_like_a_clock(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_receipt_can_be_found_by_its_asks_id() -> None:
    assert 'class="nbask-receipt nbask-abc"' in html(ASK, Declined())


FIELDS: dict[str, tuple[Question, Any, str, Any]] = {
    "integer": (Question("How many?", kind="integer"), 2**53, str(2**53), 2**53),
    "past what front ends save": (Question("How many?", kind="integer"), 2**60, str(2**60), str(2**60)),
    "zero": (Question("How many?", kind="integer"), 0, "0", 0),
    "number": (Question("How much?", kind="number"), 2.5, "2.5", 2.5),
    "date": (Question("Which day?", kind="date"), dt.date(2026, 3, 1), "2026-03-01", "2026-03-01"),
    "datetime": (
        Question("When?", kind="datetime"),
        dt.datetime(2026, 3, 1, 14, 30),
        "2026-03-01 14:30",
        "2026-03-01T14:30:00",
    ),
    "list": (Question("Which tags?", kind="list"), ["a", "b"], "a, b", ["a", "b"]),
    "empty list": (Question("Which tags?", kind="list", min=0), [], "none", None),
    "text": (Question("Name?"), "exp-1", "exp-1", "exp-1"),
}


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("several", [False, True])
def test_every_kind_of_field_is_said_and_recorded(name: str, several: bool) -> None:
    question, value, said, recorded = FIELDS[name]
    ask = Ask([question, Question("Else?", required=False)] if several else question)
    bundle = receipt(ask, Answered(answers={"q1": Answer(value)}), 0.0)
    assert f"{question.text} → {said}" in bundle["text/plain"]
    assert said in words(ask, Answered(answers={"q1": Answer(value)}))
    first = bundle[MIME]["questions"][0]
    assert (first["kind"], first["answer"]["value"]) == (question.kind, recorded)
    assert json.loads(json.dumps(bundle, allow_nan=False)) == bundle


def test_a_consent_says_that_it_was_given_and_to_what() -> None:
    ask = Ask(Question("Open this page?", kind="consent", url="https://example.org/link?a=1&b=2"), asker="bank-server")
    bundle = receipt(ask, Answered(answers={"q1": Answer(True)}), 0.0)
    assert "True" not in bundle["text/plain"]
    assert "True" not in bundle["text/html"]
    assert bundle[MIME]["questions"][0]["answer"]["value"] is True
    assert "https://example.org/link?a=1&b=2" in words(ask, Answered(answers={"q1": Answer(True)}))


FORM = Ask(
    [
        Question("City", id="city"),
        Question("Days", kind="integer", id="days", required=False),
        Question("Level", [Option("Low", value="l1"), Option("High", value="l2")], other=False, id="level"),
        Question("Token", secret=True, id="token", required=False),
    ],
    message="Where *to*?",
    layout="form",
    asker="weather",
)
FILLED = {"city": Answer("Arcachon"), "level": Answer("l2", ("High",)), "token": Answer("hunter2")}


def test_a_form_says_its_question_and_each_field() -> None:
    bundle = receipt(FORM, Answered(answers=FILLED), 0.0)
    assert bundle["text/plain"].endswith("City → Arcachon; Days → not answered; Level → High; Token → ••••••••")
    assert "weather asked: Where *to*?" in words(FORM, Answered(answers=FILLED))
    assert "What was said above it" not in bundle["text/html"]


@pytest.mark.parametrize("reply", [reply for reply, _ in SAID if not reply], ids=lambda value: str(value)[:40])
@pytest.mark.parametrize(
    "ask",
    [
        FORM,
        Ask(Question("Open?", kind="consent", url="https://a.example"), message="Look"),
        Ask(Question("Delete?", kind="confirm", danger=True)),
        Ask(Question("Key?", secret=True)),
        Ask([Question("One?", kind="date", id="q1"), Question("Two?", kind="list")]),
    ],
    ids=["form", "consent", "danger", "secret", "several"],
)
def test_every_kind_of_ask_has_a_receipt_of_every_ending(ask: Ask, reply: Reply) -> None:
    bundle = receipt(ask, reply, 0.0)
    assert bundle[MIME]["kind"] == reply.kind
    assert [one["answer"] for one in bundle[MIME]["questions"]] == [None] * len(ask.questions)
    said = ending(reply)
    assert said in bundle["text/plain"]
    assert said.casefold() in words(ask, reply).casefold()
    assert "answered in" not in bundle["text/html"]
    assert json.loads(json.dumps(bundle)) == bundle


@pytest.mark.parametrize("kind", ["timed_out", "unavailable"])
def test_defaults_of_several_questions_are_said_one_by_one_and_as_defaults(kind: str) -> None:
    fallback = {"city": Answer("Rome"), "level": Answer("l1", ("Low",))}
    reply: Reply = TimedOut(fallback=fallback) if kind == "timed_out" else Unavailable(fallback=fallback)
    said = words(FORM, reply)
    for part in ("the defaults were used", "Rome", "Low", "not answered"):
        assert part in said
    assert receipt(FORM, reply, 0.0)[MIME]["defaults"]["city"]["value"] == "Rome"


def test_several_answers_stand_beside_their_questions_in_order() -> None:
    cells = [text for text, _ in Reader(html(FORM, Answered(answers=FILLED))).texts]
    kept = [text for text in cells if text in ("City", "Arcachon", "Level", "High")]
    assert kept == ["City", "Arcachon", "Level", "High"]


def test_what_stood_above_a_question_is_kept_folded() -> None:
    shown = html(Ask(Question("Go?"), message="# Plan\n\n- one"), Declined())
    assert "<details" in shown
    assert "<h1>Plan</h1>" in shown


@pytest.mark.parametrize("name", [*FIELDS, "form", "a form that was declined"])
def test_a_receipt_of_every_kind_needs_at_most_3_kb(name: str) -> None:
    if name in FIELDS:
        question, value, _, _ = FIELDS[name]
        bundle = receipt(Ask(question), Answered(answers={"q1": Answer(value)}), 0.0)
    else:
        bundle = receipt(FORM, Answered(answers=FILLED, elapsed=72) if name == "form" else Declined(via="card"), 0.0)
    assert len(json.dumps(bundle, ensure_ascii=False)) < 3 * 1024


def test_a_form_costs_600_bytes_a_field_at_most() -> None:
    def size(fields: int) -> int:
        questions = [Question(f"Field {number}", id=f"f{number}") for number in range(10, 10 + fields)]
        answers = {question.id: Answer("x" * 10) for question in questions}
        bundle = receipt(
            Ask(questions, message="Where to?", layout="form", id="abc"), Answered(answers=answers, via="card"), 0.0
        )
        return len(json.dumps(bundle, ensure_ascii=False))

    assert size(12) - size(2) < 10 * 600
    assert size(2) < 3 * 1024
