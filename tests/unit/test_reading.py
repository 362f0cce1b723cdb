"""A front's message is input, not truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbask import Ask, Option, Question
from nbask.kinds import wire_answer
from nbask.reading import WORDS, Refused, read_answers, read_draft, read_reply
from nbask.replies import Answered, Cancelled, Declined, Discussed

ASK = Ask(
    [
        Question("One?", ["A", "B"], notes=True),
        Question("Many?", ["A", "B", "C"], many=True, min=1, max=2, id="many"),
        Question("Go?", kind="confirm"),
        Question("Name?", id="name", required=False),
    ],
    id="the-ask",
)
ALL = {"q1": wire_answer(["o1"]), "many": wire_answer(["o2"]), "q3": wire_answer(["o2"])}
Message = Callable[..., dict[str, Any]]

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8)
json = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
words = st.text(min_size=1, max_size=12).filter(str.strip)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    kind = draw(st.sampled_from(["choice", "many", "confirm", "text"]))
    text, notes, required = draw(words), draw(st.booleans()), draw(st.booleans())
    rest: dict[str, Any] = {"notes": notes, "required": required}
    if kind == "text":
        return Question(text, multiline=draw(st.booleans()), **rest)
    labels = draw(st.lists(words, min_size=2, max_size=2 if kind == "confirm" else 6, unique=True))
    if kind == "confirm":
        return Question(text, [Option(labels[0], value=True), Option(labels[1], value=False)], kind="confirm", **rest)
    other = draw(st.booleans())
    options = [Option(label, value=object()) if draw(st.booleans()) else Option(label) for label in labels]
    if kind == "choice":
        return Question(text, options, other=other, **rest)
    low = draw(st.none() | st.integers(0, len(labels)))
    high = draw(st.none() | st.integers(max(low or 1, 1), len(labels)))
    return Question(text, options, many=True, min=low, max=high, other=other, **rest)


@st.composite
def answered(draw: st.DrawFn, question: Question) -> tuple[Any, Any]:
    """A plain value that fits the question, and what the asking code gets for it."""
    labels = [option.label for option in question.options]
    if question.kind == "text":
        text = draw(words)
        return text, text
    if question.kind == "confirm":
        yes = draw(st.booleans())
        return yes, yes
    typed = draw(words.filter(lambda text: text not in labels))
    if not question.many:
        picked = draw(st.sampled_from(question.options))
        return (typed, typed) if question.other and draw(st.booleans()) else (picked.label, picked.result)
    high = int(question.max or len(labels))
    low = 1 if question.min is None else int(question.min)
    chosen = draw(st.permutations(range(len(labels))))[: draw(st.integers(low, high))]
    add = bool(question.other) and len(chosen) < high and draw(st.booleans())
    plain = [labels[number] for number in chosen] + [typed] * add
    return plain, [question.options[number].result for number in sorted(chosen)] + [typed] * add


@st.composite
def asks_and_answers(draw: st.DrawFn) -> tuple[Ask, dict[str, Any], dict[str, Any]]:
    ask = Ask(draw(st.lists(questions(), min_size=1, max_size=4)))
    pairs = {question.id: draw(answered(question)) for question in ask.questions}
    return ask, {name: pair[0] for name, pair in pairs.items()}, {name: pair[1] for name, pair in pairs.items()}


@given(asks_and_answers())
@settings(deadline=None)
def test_any_fitting_answer_to_any_question_goes_through_the_wire_and_back(case: Any) -> None:
    ask, plain, values = case
    written = {question.id: question.rules.write(question, plain[question.id]) for question in ask.questions}
    reply = read_reply(
        ask, {"type": "reply", "ask": ask.id, "action": "submit", "answers": written, "message": None}, "x"
    )
    assert isinstance(reply, Answered)
    assert reply.values == values


def fits(question: Question, answer: Any) -> bool:
    """Whether an answer fits, said anew and not by the code under test."""
    results = [option.result for option in question.options]
    if question.kind == "text":
        return isinstance(answer.value, str) and bool(answer.value.strip()) and not answer.selected
    if question.kind == "confirm":
        return answer.value in (True, False) and len(answer.selected) == 1 and answer.other is None
    if not question.many:
        return (
            answer.value in results if answer.other is None else bool(question.other and answer.value == answer.other)
        )
    low, high = question.min or 0, question.max or len(results) + 1
    picks = answer.value if answer.other is None else answer.value[:-1]
    return (
        low <= len(answer.value) <= high
        and (bool(answer.value) or question.min == 0)
        and all(pick in results for pick in picks)
        and (answer.other is None or bool(question.other))
    )


@given(json)
@settings(deadline=None, max_examples=300)
def test_any_json_at_all_is_refused_and_never_breaks(message: Any) -> None:
    with pytest.raises(Refused):
        read_reply(ASK, message, "card")


def test_half_a_character_that_was_typed_is_read_as_the_mark_that_stands_for_it() -> None:
    ask = Ask(Question("Name?", notes=True))
    answers = {"q1": wire_answer(value="a\ud800", notes="\ud83d\ude00")}
    message = {"type": "reply", "ask": ask.id, "action": "submit", "answers": answers, "message": None}
    reply = read_reply(ask, message, "card")
    assert isinstance(reply, Answered)
    assert (reply.value, reply.answers["q1"].notes) == ("a\ufffd", "😀")
    assert read_draft({"answers": answers, "message": "\udc00"}) == {
        "answers": {"q1": wire_answer(value="a\ufffd", notes="😀")},
        "message": "\ufffd",
    }


def read_or_refuse(message: Any) -> Any:
    try:
        return read_reply(ASK, message, "card")
    except Refused as refusal:
        return refusal


option_ids = st.sampled_from(["o1", "o2", "o3", "o4", "o9", "A", ""])
wire_like = st.fixed_dictionaries(
    {
        "selected": st.lists(option_ids, max_size=4) | json,
        "other": st.none() | st.text(max_size=5) | json,
        "value": st.none() | st.text(max_size=5) | json,
        "notes": st.none() | st.text(max_size=5) | json,
    },
    optional={"stray": json},
)
message_like = st.fixed_dictionaries(
    {
        "type": st.just("reply") | json,
        "ask": st.just("the-ask") | json,
        "action": st.just("submit") | st.sampled_from(["submit", "discuss", "decline", "cancel"]) | json,
        "answers": st.dictionaries(st.sampled_from(["q1", "many", "q3", "name", "q9"]), wire_like, max_size=4) | json,
        "message": st.none() | st.text(max_size=5) | json,
    },
    optional={"stray": json},
)


@given(message_like)
@settings(deadline=None, max_examples=400)
def test_a_message_that_is_nearly_right_is_read_only_if_it_fits(message: Any) -> None:
    reply = read_or_refuse(message)
    if isinstance(reply, Refused):
        assert str(reply)
        assert set(reply.errors) <= {"q1", "many", "q3", "name"}
        return
    assert (
        message["action"]
        == {Answered: "submit", Discussed: "discuss", Declined: "decline", Cancelled: "cancel"}[type(reply)]
    )
    if isinstance(reply, Answered):
        assert {"q1", "many", "q3"} <= set(reply.answers)
        assert all(
            fits(question, reply.answers[question.id]) for question in ASK.questions if question.id in reply.answers
        )


def submitted(**change: Any) -> dict[str, Any]:
    return {"type": "reply", "ask": "the-ask", "action": "submit", "answers": ALL, "message": None} | change


def q1(**change: Any) -> dict[str, Any]:
    return submitted(answers=ALL | {"q1": wire_answer(["o1"]) | change})


DEEP: Any = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "message",
    [
        submitted(stray=1),
        submitted(type="answer"),
        submitted(action="approve"),
        submitted(action=None),
        submitted(answers=[]),
        submitted(answers={"q1": None}),
        submitted(answers={1: wire_answer(["o1"])}),
        submitted(answers={"q1": {"selected": ["o1"]}}),
        submitted(message=5),
        submitted(ask=None),
        q1(stray=1),
        q1(selected="o1"),
        q1(selected=[1]),
        q1(selected=("o1",)),
        q1(other=5),
        q1(notes=["x"]),
        q1(selected=DEEP),
        submitted(answers=DEEP),
        {key: value for key, value in submitted().items() if key != "message"},
        None,
        "reply",
        b"reply",
        DEEP,
        submitted(answers=ALL | {"q9": wire_answer(["o1"])}),
    ],
)
def test_a_malformed_reply_is_refused(message: Any) -> None:
    with pytest.raises(Refused) as refusal:
        read_reply(ASK, message, "card")
    assert refusal.value.code == "malformed"


def test_a_foreign_reply_is_refused() -> None:
    with pytest.raises(Refused) as refusal:
        read_reply(ASK, submitted(ask="another"), "card")
    assert refusal.value.code == "foreign"


@pytest.mark.parametrize(
    ("answers", "errors"),
    [
        ({}, {"q1": "needs an answer", "many": "needs an answer", "q3": "needs an answer"}),
        (ALL | {"q1": wire_answer(["o9"])}, {"q1": "no option 'o9'"}),
        (ALL | {"q1": wire_answer(["o1", "o1"])}, {"q1": "picked twice"}),
        (ALL | {"q1": wire_answer(["o1"], other="x")}, {"q1": "one answer"}),
        (ALL | {"q1": wire_answer(other="  ")}, {"q1": "needs an answer"}),
        (ALL | {"many": wire_answer(["o1", "o2", "o3"])}, {"many": "at most 2"}),
        (ALL | {"q3": wire_answer()}, {"q3": "needs an answer"}),
        (ALL | {"name": wire_answer(value=5)}, {"name": "not what the field holds"}),
        (ALL | {"name": wire_answer(value=DEEP)}, {"name": "not what the field holds"}),
        (ALL | {"q1": wire_answer(["o9"]), "q3": wire_answer(["o7"])}, {"q1": "no option", "q3": "no option"}),
    ],
    ids=["nothing", "unknown option", "twice", "pick and other", "blank other", "max", "none", "number", "deep", "two"],
)
def test_answers_that_do_not_fit_are_refused_question_by_question(answers: Any, errors: dict[str, str]) -> None:
    with pytest.raises(Refused) as refusal:
        read_reply(ASK, submitted(answers=answers), "card")
    assert refusal.value.code == "invalid"
    assert set(refusal.value.errors) == set(errors)
    assert all(text in refusal.value.errors[name] for name, text in errors.items())


def test_a_huge_answer_is_read_whole() -> None:
    text = "x" * 2_000_000
    reply = read_reply(ASK, submitted(answers=ALL | {"name": wire_answer(value=text)}), "card")
    assert isinstance(reply, Answered)
    assert reply["name"] == text


def test_an_answer_says_which_front_it_came_by() -> None:
    reply = read_reply(ASK, submitted(), "inbox")
    assert isinstance(reply, Answered)
    assert reply.via == "inbox"


def test_a_form_whose_check_is_broken_refuses_the_answers_and_logs_why(
    reply_to: Message, caplog: pytest.LogCaptureFixture
) -> None:
    def check(values: Any) -> Any:
        raise ZeroDivisionError("a validator divides by nothing")

    ask = Ask(Question("How many?", id="count"), form=check)
    with pytest.raises(Refused, match="could not be checked") as refusal:
        read_reply(ask, reply_to(ask, {"count": wire_answer(value="0")}), "card")
    assert (refusal.value.code, refusal.value.errors) == ("invalid", {})
    assert "a validator divides by nothing" in caplog.text


@pytest.mark.parametrize(
    ("action", "message", "reply"),
    [
        ("discuss", " why? ", Discussed(text="why?", via="card")),
        ("discuss", None, Discussed(via="card")),
        ("decline", None, Declined(via="card")),
        ("cancel", None, Cancelled(via="card")),
    ],
)
def test_an_action_without_answers_is_its_reply(action: str, message: str | None, reply: Any) -> None:
    assert read_reply(ASK, submitted(action=action, message=message, answers={}), "card") == reply


@pytest.mark.parametrize("action", ["discuss", "decline", "cancel"])
def test_a26_picks_beside_another_action_are_no_answer(action: str) -> None:
    assert not read_reply(ASK, submitted(action=action, message="yes"), "card")


def test_a3_a_submit_with_nothing_picked_is_no_answer(reply_to: Message) -> None:
    ask = Ask(Question("Which DB?", ["Postgres", "SQLite"]))
    with pytest.raises(Refused) as refusal:
        read_reply(ask, reply_to(ask, {"q1": wire_answer()}), "card")
    assert refusal.value.errors == {"q1": "This question needs an answer."}


@pytest.mark.parametrize("answers", [{}, {"q1": wire_answer(), "q2": wire_answer()}])
def test_a3_an_empty_submit_is_no_answer_even_where_nothing_is_required(reply_to: Message, answers: Any) -> None:
    ask = Ask([Question("A?", ["A"], required=False), Question("B?", required=False)])
    with pytest.raises(Refused, match="Nothing is answered yet") as refusal:
        read_reply(ask, reply_to(ask, answers), "card")
    assert refusal.value.code == "invalid"


def test_a4_what_was_typed_beside_picks_is_delivered(reply_to: Message) -> None:
    ask = Ask(Question("Checks?", ["Lint", "Types"], many=True))
    reply = read_reply(ask, reply_to(ask, {"q1": wire_answer(["o1"], other="also run on ARM")}), "card")
    assert isinstance(reply, Answered)
    answer = reply.answers["q1"]
    assert (answer.selected, answer.other, answer.value) == (("Lint",), "also run on ARM", ["Lint", "also run on ARM"])


def test_a17_each_question_has_its_own_answer_or_none(reply_to: Message) -> None:
    ask = Ask([Question(text, ["A", "B"], required=False) for text in ("One?", "Two?", "Three?")])
    reply = read_reply(ask, reply_to(ask, {"q2": wire_answer(other="abc")}), "card")
    assert isinstance(reply, Answered)
    assert reply.values == {"q2": "abc"}


def test_a23_equal_texts_keep_their_own_answers(reply_to: Message) -> None:
    ask = Ask([Question("Name?", id="a"), Question("Name?", id="b")])
    reply = read_reply(ask, reply_to(ask, {"a": wire_answer(value="Ann"), "b": wire_answer(value="Bo")}), "card")
    assert isinstance(reply, Answered)
    assert reply.values == {"a": "Ann", "b": "Bo"}


def test_nothing_of_a_fitting_submit_is_lost_not_even_a_note_without_a_pick(reply_to: Message) -> None:
    ask = Ask([Question("One?", ["A", "B"]), Question("Two?", ["A", "B"], required=False, notes=True)])
    given_ = {"q1": wire_answer(["o1"]), "q2": wire_answer(notes="neither, see the log")}
    reply = read_reply(ask, reply_to(ask, given_), "card")
    assert "neither, see the log" in repr(reply)


@pytest.mark.parametrize("code", WORDS)
def test_a_refusal_crosses_the_wire_with_words(code: Any) -> None:
    wire = Refused(code, errors={"q1": "no"}).wire("the-ask")
    assert wire == {"type": "refused", "ask": "the-ask", "code": code, "message": WORDS[code], "errors": {"q1": "no"}}


@given(json)
@settings(deadline=None)
def test_any_draft_is_read_or_dropped(draft: Any) -> None:
    assert read_draft(draft) is None


@pytest.mark.parametrize(
    "draft", [DEEP, {"answers": {}, "message": None, "x": 1}, {"answers": {"q1": {}}, "message": None}]
)
def test_a_malformed_draft_is_dropped(draft: Any) -> None:
    assert read_draft(draft) is None


def test_a_draft_is_kept_as_it_is() -> None:
    draft = {"answers": {"q1": wire_answer(["o9"], other="")}, "message": "half a"}
    assert read_draft(draft) == draft


def test_answers_are_read_in_the_order_of_the_questions() -> None:
    assert list(read_answers(ASK, dict(reversed(ALL.items())))) == ["q1", "many", "q3"]
