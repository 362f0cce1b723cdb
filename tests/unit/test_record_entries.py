"""What is written down of a reply, and that it reads back as the same reply."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbask import Ask, Option, Question
from nbask.builders import request_form
from nbask.kinds import Answer, wire_answer
from nbask.reading import read_answers
from nbask.record.answers import checked, written
from nbask.record.entries import NotReplayed, entry_of, is_kept, reply_of
from nbask.replies import (
    Answered,
    Cancelled,
    Declined,
    Discussed,
    Reply,
    TimedOut,
    Unavailable,
    Withdrawn,
    fallback_of,
)

words = st.text(min_size=1, max_size=12).filter(str.strip)
texts = st.text(max_size=12)


@st.composite
def asks(draw: st.DrawFn) -> Ask:
    return Ask(
        [draw(questions(f"id{number}")) for number in range(draw(st.integers(1, 4)))],
        message=draw(st.none() | texts),
    )


@st.composite
def questions(draw: st.DrawFn, name: str) -> Question:
    kind = draw(
        st.sampled_from(
            ["choice", "many", "confirm", "text", "secret", "integer", "number", "date", "datetime", "list"]
        )
    )
    rest: dict[str, Any] = {"id": name, "notes": draw(st.booleans()), "required": draw(st.booleans())}
    if kind in ("choice", "many"):
        labels = draw(st.lists(words, min_size=1, max_size=5, unique=True))
        options = [Option(label, value=object()) if draw(st.booleans()) else Option(label) for label in labels]
        low = draw(st.sampled_from([None, 0, 1])) if kind == "many" else None
        return Question(draw(words), options, many=kind == "many", min=low, **rest)
    if kind == "secret":
        return Question(draw(words), secret=True, **rest)
    if kind == "list":
        return Question(draw(words), kind=kind, min=draw(st.sampled_from([None, 0])), **rest)
    return Question(draw(words), kind=kind, **rest)


@st.composite
def wires(draw: st.DrawFn, question: Question) -> Any:
    """What a front might send for a question."""
    notes = draw(st.none() | words) if question.notes else None
    if question.options:
        most = len(question.options) if question.many else 1
        picked = draw(st.lists(st.sampled_from(question.option_ids), max_size=most, unique=True))
        typed = draw(st.none() | words) if question.other and (question.many or not picked) else None
        if question.kind == "confirm":
            return wire_answer(picked or [question.option_ids[0]], notes=notes)
        return wire_answer(picked, typed, None, notes)
    values = {
        "text": words,
        "integer": st.integers().map(str),
        "number": (st.floats(allow_nan=False, allow_infinity=False) | st.integers()).map(str),
        "date": st.dates().map(str),
        "datetime": st.datetimes(timezones=st.none() | st.just(dt.timezone(dt.timedelta(hours=2)))).map(str),
        "list": st.lists(words, max_size=3),
    }
    return wire_answer(value=draw(values[question.kind]), notes=notes)


@st.composite
def answered(draw: st.DrawFn) -> tuple[Ask, Answered] | None:
    ask = draw(asks())
    given = {one.id: draw(wires(one)) for one in ask.questions if one.required or draw(st.booleans())}
    try:
        return ask, Answered(answers=read_answers(ask, given), via="card")
    except ValueError:
        return None


def through_a_file(ask: Ask, reply: Reply) -> Reply:
    """The reply, written down as JSON and read back."""
    entry = entry_of(ask, reply, "mark", 1)
    (read,) = json.loads(written([entry]))["answers"]
    return reply_of(ask, checked(Path("x"), [read])[0])


@given(answered().filter(bool))
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_any_answer_to_any_question_reads_back_the_same_or_is_asked_again_for_its_secret(case: Any) -> None:
    ask, reply = case
    kept = [one for one in ask.questions if one.secret and (one.required or one.id in reply.answers)]
    if kept:
        with pytest.raises(NotReplayed, match="keeps no secrets") as missing:
            through_a_file(ask, reply)
        assert missing.value.fault is False
    else:
        assert through_a_file(ask, reply) == replace(reply, via="replay")


@st.composite
def drafts(draw: st.DrawFn) -> tuple[Ask, Any]:
    ask = draw(asks())
    some = [one for one in ask.questions if not one.secret and draw(st.booleans())]
    return ask, {"answers": {one.id: draw(wires(one)) for one in some}, "message": draw(st.none() | words)}


@given(drafts())
@settings(deadline=None)
def test_any_draft_of_an_ask_whose_time_ran_out_reads_back_the_same(case: Any) -> None:
    ask, draft = case
    back = through_a_file(ask, TimedOut(draft=draft, via="card"))
    expected = draft if draft["answers"] or draft["message"] else None
    assert back == TimedOut(draft=expected, via="replay")


@pytest.mark.parametrize("value", [None, 5, ["a", 5]], ids=str)
def test_of_a_draft_that_no_file_can_have_the_note_is_kept(value: Any) -> None:
    draft: Any = {"answers": {"q1": {**wire_answer(notes="so far"), "value": value}}, "message": None}
    entry = entry_of(Ask(Question("A?")), TimedOut(draft=draft), "m", 1)
    assert entry["questions"][0].get("draft") == {"notes": "so far"}


def test_an_emptied_field_stays_emptied_in_a_draft() -> None:
    ask = Ask([Question("A?", ["x"], default="x"), Question("B?", default="b")])
    draft: Any = {"answers": {"q1": wire_answer(), "q2": wire_answer(value="")}, "message": None}
    assert through_a_file(ask, TimedOut(draft=draft)) == TimedOut(draft=draft, via="replay")


@pytest.mark.parametrize("reply", [Discussed(text="why?"), Discussed(), Declined(), Cancelled(), TimedOut()], ids=str)
def test_every_other_ending_of_a_persons_reads_back_the_same(reply: Any) -> None:
    assert through_a_file(Ask(Question("A?", ["x"])), reply) == replace(reply, via="replay")


@pytest.mark.parametrize("reply", [Unavailable(), Withdrawn(), Cancelled(by="interrupt")], ids=str)
def test_what_tells_of_the_place_or_of_the_run_is_not_recorded(reply: Reply) -> None:
    assert not is_kept(reply)


def test_an_ask_whose_time_ran_out_falls_back_on_the_defaults_of_today() -> None:
    ask = Ask(Question("A?", ["x", "y"], default="y"), when_unanswered="default")
    reply = through_a_file(ask, TimedOut(fallback={"q1": Answer("x", ("x",))}))
    assert reply == TimedOut(fallback=fallback_of(ask), via="replay")
    assert reply.fallback["q1"].value == "y"  # type: ignore[union-attr]


def test_what_is_written_can_be_read_by_a_person() -> None:
    ask = Ask([Question("Which?", [Option("Red", value=object())], notes=True), Question("Since?", kind="date")])
    answers = {"q1": Answer(object(), ("Red",), notes="for now"), "q2": Answer(dt.date(2026, 3, 1))}
    assert entry_of(ask, Answered(answers=answers), "abc", 2) == {
        "fingerprint": "abc",
        "occurrence": 2,
        "reply": "answered",
        "questions": [
            {
                "id": "q1",
                "kind": "choice",
                "text": "Which?",
                "options": ["Red"],
                "answer": {"selected": ["Red"], "notes": "for now"},
            },
            {"id": "q2", "kind": "date", "text": "Since?", "answer": {"value": "2026-03-01"}},
        ],
    }


def test_a_note_alone_is_written_as_a_note_and_nothing_more() -> None:
    ask = Ask([Question("Which?", ["Red"], notes=True, required=False), Question("Name?")])
    answers = read_answers(ask, {"q1": wire_answer(notes="neither"), "q2": wire_answer(value="Ann")})
    which, name = entry_of(ask, Answered(answers=answers), "abc", 1)["questions"]
    assert (which.get("answer"), name.get("answer")) == ({"notes": "neither"}, {"value": "Ann"})


def test_no_secret_is_written_down_however_the_ask_ended() -> None:
    ask = Ask([Question("The key?", secret=True), Question("Name?", required=False)])
    draft: Any = {"answers": {"q1": wire_answer(value="hunter2")}, "message": None}
    for reply in (Answered(answers={"q1": Answer("hunter2"), "q2": Answer("x")}), TimedOut(draft=draft)):
        assert "hunter2" not in json.dumps(entry_of(ask, reply, "mark", 1))


def test_an_optional_secret_that_was_left_empty_is_no_reason_to_ask_again() -> None:
    ask = Ask([Question("The key?", secret=True, required=False), Question("Name?")])
    assert through_a_file(ask, Answered(answers={"q2": Answer("x")})).values == {"q2": "x"}  # type: ignore[union-attr]


def test_an_option_gives_the_object_it_stands_for_today() -> None:
    first, today = ([Option("Red", value=object())] for _ in range(2))
    entry = entry_of(Ask(Question("A?", first)), Answered(answers={"q1": Answer(first[0].value, ("Red",))}), "m", 1)
    assert reply_of(Ask(Question("A?", today)), entry).value is today[0].value  # type: ignore[union-attr]


def test_a_number_may_be_written_as_one_by_hand() -> None:
    ask = Ask(Question("How many?", kind="integer"))
    entry: Any = {
        "reply": "answered",
        "questions": [{"id": "q1", "kind": "integer", "text": "", "answer": {"value": 3}}],
    }
    assert reply_of(ask, entry).value == 3  # type: ignore[union-attr]


EVERY = [
    Question("A?", ["x", "y"]),
    Question("A?", ["x", "y"], many=True, max=1),
    *(
        Question("A?", kind=kind)
        for kind in ("confirm", "text", "integer", "number", "date", "datetime", "list", "consent")
    ),
    Question("A?", secret=True),
]
edited = st.fixed_dictionaries(
    {},
    optional={
        "selected": st.lists(st.sampled_from(["x", "y", "Yes", "z"]) | texts, max_size=3),
        "other": texts,
        "value": st.integers() | st.floats() | st.booleans() | texts | st.lists(texts, max_size=3),
        "notes": texts,
    },
)


@given(st.sampled_from(EVERY), st.sampled_from(["answered", "timed_out"]), st.sampled_from(["answer", "draft"]), edited)
@settings(deadline=None, max_examples=400)
def test_whatever_was_edited_in_a_file_is_replayed_or_refused_in_a_sentence(
    question: Question, kind: str, name: str, said: Any
) -> None:
    ask = Ask(question)
    entry: Any = {"fingerprint": "m", "occurrence": 1, "reply": kind}
    entry["questions"] = [{"id": "q1", "kind": question.kind, "text": "A?", name: said}]
    try:
        reply = reply_of(ask, checked(Path("x"), [entry])[0])
    except NotReplayed as refused:
        assert "'A?'" in str(refused) or "secret" in str(refused)
    else:
        assert reply.via == "replay"


SCHEMA = {"properties": {"city": {"type": "string"}, "days": {"type": "integer", "maximum": 3}}, "required": ["city"]}


@pytest.mark.parametrize(
    ("ask", "said", "why"),
    [
        (Ask(Question("A?", ["x", "y"])), {"selected": ["z"]}, "no option 'z'"),
        (Ask(Question("A?", ["x", "y"])), {"selected": ["x", "y"]}, "one answer, not several"),
        (Ask(Question("A?", ["x"], other=False)), {"other": "z"}, "no answer in other words"),
        (Ask(Question("A?", ["x"])), {"value": "x"}, "by picking"),
        (Ask(Question("A?", ["x"])), {}, "needs an answer"),
        (Ask(Question("A?", ["x", "y"], many=True, max=1)), {"selected": ["x", "y"]}, "at most 1"),
        (Ask(Question("A?", kind="integer", max=3)), {"value": "4"}, "At most 3"),
        (Ask(Question("A?", kind="integer")), {"value": "4.5"}, "not a whole number"),
        (Ask(Question("A?", kind="date")), {"value": "soon"}, "not a date"),
        (Ask(Question("A?", kind="list")), {"value": "x"}, "list of texts"),
        (Ask(Question("A?", pattern="^a")), {"value": "b"}, "must match"),
        (Ask(Question("A?")), {"value": True}, "not what the field holds"),
        (Ask(Question("A?")), {"selected": ["x"]}, "no option 'x'"),
        (Ask(Question("A?", required=False)), {"value": ""}, "Nothing is answered yet"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_answer_that_no_longer_fits_is_refused_with_the_question_and_the_reason(
    ask: Ask, said: Any, why: str
) -> None:
    entry: Any = {"reply": "answered", "questions": [{"id": "q1", "kind": "", "text": "", "answer": said}]}
    with pytest.raises(NotReplayed, match=rf"'A\?' that no longer fits: .*{why}") as refused:
        reply_of(ask, entry)
    assert refused.value.fault


def test_a_forms_answers_must_fit_the_form_of_today() -> None:
    ask = request_form("Where to?", SCHEMA).ask
    entry = entry_of(ask, Answered(answers={"city": Answer("Rome"), "days": Answer(9)}), "m", 1)
    with pytest.raises(NotReplayed, match=r"'Where to\?' that no longer fits: At most 3"):
        reply_of(ask, entry)


def test_a_label_with_half_a_character_is_found_by_what_its_receipt_says() -> None:
    ask = Ask(Question("Which?", ["a\ud800", "b"]))
    said: Any = {"id": "q1", "kind": "choice", "text": "Which?", "answer": {"selected": ["a\ufffd"]}}
    reply = reply_of(ask, {"fingerprint": "f", "occurrence": 1, "reply": "answered", "questions": [said]})
    assert isinstance(reply, Answered)
    assert reply.value == "a\ud800"
