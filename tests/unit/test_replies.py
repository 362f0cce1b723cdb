"""The closed union of replies."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any, get_args

import pytest

from nbask import Ask, NoAnswer, Question
from nbask.kinds import Answer
from nbask.replies import (
    Answered,
    Cancelled,
    Declined,
    Discussed,
    Reply,
    TimedOut,
    Unavailable,
    Withdrawn,
    defaults_of,
    ending,
)
from nbask.wire import ReplyKind

ASK = Ask([Question("Red or blue?", ["Red", "Blue"]), Question("Name?")])
ENDINGS: list[tuple[Reply, str]] = [
    (Answered(answers={"q1": Answer("Red", ("Red",))}), "the person answered"),
    (Discussed(), "the person wants to discuss it first"),
    (Discussed(text="why?"), "the person wants to discuss it first: why?"),
    (Declined(), "the person declined to answer"),
    (Cancelled(), "the person dismissed the question"),
    (Cancelled(by="interrupt"), "the kernel was interrupted"),
    (TimedOut(), "the time for it ran out"),
    (Unavailable(reason="nobody is here"), "nobody is here"),
    (Withdrawn(reason="it found out"), "it was withdrawn, because it found out"),
]


def test_the_union_is_closed_and_its_kinds_are_the_wires() -> None:
    assert {kind.kind for kind in get_args(Reply)} == set(get_args(ReplyKind))
    assert len(get_args(Reply)) == 7


@pytest.mark.parametrize("kind", get_args(Reply), ids=lambda kind: kind.kind)
def test_only_an_answer_is_true(kind: Any) -> None:
    assert bool(kind()) is (kind is Answered)


@pytest.mark.parametrize(("reply", "words"), ENDINGS, ids=lambda value: str(value)[:30])
def test_a_non_answer_says_what_was_asked_and_how_it_ended(reply: Reply, words: str) -> None:
    error = NoAnswer(reply, ASK)
    assert str(error) == f"no answer to 'Red or blue?' / 'Name?': {words}"
    assert (error.reply, error.ask) == (reply, ASK)


def test_every_kind_has_an_ending() -> None:
    assert {type(reply) for reply, _ in ENDINGS} == set(get_args(Reply))
    assert all(isinstance(ending(kind()), str) for kind in get_args(Reply))


@pytest.mark.parametrize("kind", get_args(Reply), ids=lambda kind: kind.kind)
def test_a_reply_is_frozen_and_says_by_which_way_it_came(kind: Any) -> None:
    reply = kind(via="card", elapsed=2.0)
    assert (reply.via, reply.elapsed) == ("card", 2.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        reply.via = "text"


@pytest.mark.parametrize("kind", [kind for kind in get_args(Reply) if kind is not Answered], ids=lambda kind: kind.kind)
def test_no_other_kind_carries_an_answer(kind: Any) -> None:
    assert not hasattr(kind(), "answers")
    assert not hasattr(kind(), "value")


def test_one_answer_is_the_value() -> None:
    assert Answered(answers={"a": Answer(5)}).value == 5


@pytest.mark.parametrize("count", [0, 2])
def test_several_answers_are_not_one_value(count: int) -> None:
    reply = Answered(answers={str(number): Answer(number) for number in range(count)})
    with pytest.raises(ValueError, match=f"{count} questions were answered"):
        _ = reply.value


def test_answers_are_found_by_question_id() -> None:
    reply = Answered(answers={"a": Answer(1), "b": Answer(2)})
    assert (reply["b"], reply.values) == (2, {"a": 1, "b": 2})
    with pytest.raises(KeyError):
        _ = reply["c"]


def test_defaults_are_answers_of_the_questions_that_have_one() -> None:
    thing = object()
    ask = Ask(
        [
            Question("A?", [thing, "B"], default=thing),
            Question("B?"),
            Question("C?", kind="confirm", default=False),
            Question("D?", ["A", "B"], many=True, default=["B", "A"]),
        ]
    )
    assert {name: answer.value for name, answer in defaults_of(ask).items()} == {
        "q1": thing,
        "q3": False,
        "q4": ["A", "B"],
    }


def test_a26_words_to_discuss_are_no_consent() -> None:
    reply = Discussed(text="yes, but wait, explain first", via="card")
    assert not reply
    assert not hasattr(reply, "value")


@pytest.mark.parametrize(("reply", "ends"), ENDINGS[1:])
def test_no_answer_comes_back_from_a_worker_process(reply: Any, ends: str) -> None:
    """An exception that cannot be unpickled breaks a pool of processes, or hangs it."""
    again = pickle.loads(pickle.dumps(NoAnswer(reply, ASK)))
    assert (again.reply, again.ask, str(again)) == (reply, ASK, f"no answer to {ASK.quoted}: {ends}")


def test_where_nobody_could_be_asked_the_traceback_ends_with_what_helps() -> None:
    gone, declined = NoAnswer(Unavailable(), ASK), NoAnswer(Declined(), ASK)
    (note,) = gone.__notes__
    assert "NBASK_ANSWERS=FILE" in note
    assert 'when_unanswered="default"' in note
    assert not hasattr(declined, "__notes__")
