"""The scripted person, which is public: for tests of agents and notebooks."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

import nbask
from nbask import Ask, NoAnswer, Question, aio, ask, ask_questions, confirm
from nbask.desk import Clock
from nbask.kinds import Answer
from nbask.replies import Answered, Declined, Discussed
from nbask.testing import FakeClock, Unscripted, scripted

Runner = Callable[..., Future[Any]]


def test_a_function_gets_the_ask_and_answers_it() -> None:
    with scripted(lambda asked: asked.questions[0].options[-1].label):
        assert ask("Which?", ["A", "B", "Z"]) == "Z"


def test_a_function_may_answer_with_a_reply() -> None:
    with scripted(lambda asked: Discussed(text="why?")), pytest.raises(NoAnswer, match="discuss it first: why"):
        ask("Which?", ["A"])


def test_a_script_may_hold_replies() -> None:
    with scripted({"Go?": Declined()}), pytest.raises(NoAnswer, match="declined"):
        confirm("Go?")


def test_an_asks_message_finds_a_dict_of_answers() -> None:
    questions = [Question("A?", ["x", "y"], id="a"), Question("B?", id="b", required=False)]
    with scripted({"Two things": {"a": "y"}}):
        assert ask_questions(questions, message="Two things").values == {"a": "y"}


def test_a_question_scripted_as_none_is_left_unanswered() -> None:
    with scripted({"A?": "x", "B?": None}):
        assert ask_questions([Question("A?"), Question("B?", required=False)]).values == {"q1": "x"}


@pytest.mark.parametrize(
    ("script", "asked", "says"),
    [
        ({"Other?": "A"}, Ask(Question("Which?", ["A"])), r"no script for the question 'Which\?'.*'Other\?'"),
        ({}, Ask(Question("Which?", ["A"])), r"'Which\?'"),
        ({"Which?": "C"}, Ask(Question("Which?", ["A"], other=False)), r"'C'.*'Which\?'"),
        ({"Which?": ["A", "B"]}, Ask(Question("Which?", ["A", "B"], many=True, max=1)), "at most 1"),
        ({"Which?": "A"}, Ask(Question("Which?", ["A", "B"], many=True)), r"give a list"),
        ({"Which?": 5}, Ask(Question("Which?", ["A", "B"], many=True)), "5"),
        ({"Which?": ["A"]}, Ask(Question("Which?", ["A", "B"])), r"\['A'\]"),
        ({"Which?": None}, Ask(Question("Which?", ["A"])), "needs an answer"),
        ({"Go?": "perhaps"}, Ask(Question("Go?", kind="confirm")), "'perhaps'"),
        ({"Name?": 5}, Ask(Question("Name?")), "give a text"),
        ({"Name?": " "}, Ask(Question("Name?")), "needs an answer"),
        (lambda asked: {"q9": "x"}, Ask(Question("Name?")), "'q9'"),
        (lambda asked: "x", Ask([Question("A?"), Question("B?")]), "takes a dict of question id"),
        ({"A?": "x", 3: "y"}, Ask(Question("B?")), r"'B\?'"),
    ],
)
def test_an_ask_without_a_fitting_script_fails_with_its_text(script: Any, asked: Ask, says: str) -> None:
    with scripted(script), pytest.raises(Unscripted, match=says):
        nbask.put(asked)


def test_the_inner_script_wins_and_the_outer_one_returns() -> None:
    with scripted({"A?": "outer"}):
        with scripted({"A?": "inner"}):
            assert ask("A?", ["x"]) == "inner"
        assert ask("A?", ["x"]) == "outer"


def test_after_the_script_nobody_answers() -> None:
    with scripted({"A?": "x"}):
        pass
    with pytest.raises(NoAnswer):
        ask("A?", ["x"])


def test_a_script_ends_with_an_error_too() -> None:
    with pytest.raises(ZeroDivisionError), scripted({"A?": "x"}):
        raise ZeroDivisionError
    with pytest.raises(NoAnswer):
        ask("A?", ["x"])


def test_the_asks_that_came_are_kept_in_order() -> None:
    with scripted({"A?": "x", "B?": "y"}) as asks:
        ask("A?", ["x"])
        ask("B?", ["y"], asker="Claude")
    assert [(one.questions[0].text, one.who) for one in asks] == [("A?", "This notebook"), ("B?", "Claude")]


def test_threads_are_answered_from_the_script(in_thread: Runner) -> None:
    barrier = threading.Barrier(8)

    def work(number: int) -> Any:
        barrier.wait(5)
        return ask(f"{number}?", ["x"])

    with scripted(lambda asked: f"answer to {asked.questions[0].text}"):
        answers = [future.result(5) for future in [in_thread(work, number) for number in range(8)]]
    assert answers == [f"answer to {number}?" for number in range(8)]


def test_tasks_are_answered_from_the_script() -> None:
    async def main() -> list[Any]:
        return await asyncio.gather(*(aio.ask(f"{number}?", ["x"]) for number in range(5)))

    with scripted(lambda asked: asked.questions[0].text):
        assert asyncio.run(main()) == [f"{number}?" for number in range(5)]


def test_a_scripted_answer_came_by_the_script() -> None:
    with scripted({"A?": "x"}):
        reply = nbask.put(Ask(Question("A?")))
    assert reply.via == "script"


def test_a_reply_is_passed_on_as_it_is() -> None:
    reply = Answered(answers={"q1": Answer("x")}, via="mine")
    with scripted(lambda asked: reply):
        assert nbask.put(Ask(Question("A?"))) == reply


def test_a_fake_clock_moves_only_when_told() -> None:
    clock = FakeClock(7)
    assert isinstance(clock, Clock)
    assert (clock.wall(), clock.steady()) == (7, 7)
    clock.advance(0.5)
    assert (clock.wall(), clock.steady()) == (7.5, 7.5)


@pytest.mark.parametrize(
    ("question", "plain", "value"),
    [
        (Question("A?", kind="integer"), 2**60, 2**60),
        (Question("A?", kind="number"), 2.5, 2.5),
        (Question("A?", kind="date"), dt.date(2026, 3, 1), dt.date(2026, 3, 1)),
        (Question("A?", kind="date"), "2026-03-01", dt.date(2026, 3, 1)),
        (Question("A?", kind="datetime"), dt.datetime(2026, 3, 1, 14, 30), dt.datetime(2026, 3, 1, 14, 30)),
        (Question("A?", kind="list"), ["a", "b"], ["a", "b"]),
        (Question("A?", kind="consent"), True, True),
        (Question("A?", secret=True), "hunter2", "hunter2"),
    ],
    ids=lambda value: value.kind if isinstance(value, Question) else "",
)
def test_every_kind_is_scripted_by_a_plain_value(question: Question, plain: Any, value: Any) -> None:
    with scripted({"A?": plain}):
        assert nbask.put(Ask(question)).value == value  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("question", "plain", "says"),
    [
        (Question("A?", kind="integer"), "3", "give a number"),
        (Question("A?", kind="integer", max=3), 4, "At most 3"),
        (Question("A?", kind="date"), "soon", "give a date"),
        (Question("A?", kind="list"), "a", "give a list"),
        (Question("A?", kind="consent"), False, "give True"),
        (Question("A?", kind="consent", url="javascript:x"), True, "cannot be opened"),
    ],
    ids=lambda value: value.kind if isinstance(value, Question) else "",
)
def test_a_scripted_value_that_does_not_fit_its_kind_fails_with_the_text(
    question: Question, plain: Any, says: str
) -> None:
    with scripted({"A?": plain}), pytest.raises(Unscripted, match=says) as error:
        nbask.put(Ask(question))
    assert "'A?'" in str(error.value)


def test_of_several_questions_the_one_without_a_script_is_named() -> None:
    with (
        scripted({"A?": "x"}),
        pytest.raises(Unscripted, match=r"^no script for the question 'B\?'; the script has \['A\?'\]$"),
    ):
        ask_questions([Question("A?"), Question("B?")])


@pytest.mark.parametrize("script", ["Red", ["Red"], None, 5], ids=str)
def test_a_script_that_is_none_is_refused_before_anything_is_asked(script: Any) -> None:
    with pytest.raises(ValueError, match="^the script is .*; give a dict of question to answer, or a function"):
        scripted(script).__enter__()
