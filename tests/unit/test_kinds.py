"""The rules of each kind: answers read from and written to the wire."""

from __future__ import annotations

import copy
import datetime as dt
import json
from decimal import Decimal
from enum import Enum
from typing import Any

import pytest

from nbask import Option, Question, ask, ask_text
from nbask.kinds import KINDS, Answer, InvalidAnswer, kind_named, wire_answer
from nbask.replies import Answered
from nbask.testing import scripted
from nbask.text import DOTS

CHOICE = Question("Which?", ["A", "B", "C"], notes=True)
CLOSED = Question("Which?", ["A", "B"], other=False)
MANY = Question("Which?", ["A", "B", "C"], many=True, min=1, max=3, notes=True)
FREE = Question("Which?", ["A", "B"], many=True, min=0, notes=True)
CONFIRM = Question("Go?", kind="confirm", notes=True)
TEXT = Question("Name?", notes=True)
NO_LINES = Question("Which tags?", kind="list", min=0, notes=True)


class Colour(Enum):
    RED = 1


def read(question: Question, *args: Any, **kwargs: Any) -> Answer | None:
    return question.rules.read(question, wire_answer(*args, **kwargs))


@pytest.mark.parametrize(
    ("question", "given", "answer"),
    [
        (CHOICE, wire_answer(["o2"]), Answer("B", ("B",))),
        (CHOICE, wire_answer(other="mine"), Answer("mine", (), "mine")),
        (CHOICE, wire_answer(["o1"], notes="so"), Answer("A", ("A",), None, "so")),
        (CHOICE, wire_answer(["o1"], notes=" \n"), Answer("A", ("A",))),
        (CHOICE, wire_answer(["o1"], other="  "), Answer("A", ("A",))),
        (MANY, wire_answer(["o3", "o1"]), Answer(["A", "C"], ("A", "C"))),
        (MANY, wire_answer(["o1"], other="mine"), Answer(["A", "mine"], ("A",), "mine")),
        (MANY, wire_answer(other="mine"), Answer(["mine"], (), "mine")),
        (FREE, wire_answer(), Answer([])),
        (FREE, wire_answer(notes="neither"), Answer([], notes="neither")),
        (MANY, wire_answer(notes="not yet"), Answer(None, notes="not yet")),
        (CHOICE, wire_answer(other="mine", notes="so"), Answer("mine", (), "mine", "so")),
        (CONFIRM, wire_answer(["o1"]), Answer(True, ("Yes",))),
        (CONFIRM, wire_answer(["o2"], notes="no!"), Answer(False, ("No",), None, "no!")),
        (TEXT, wire_answer(value=" exp-1\n"), Answer(" exp-1\n")),
        (TEXT, wire_answer(value="x", notes="so"), Answer("x", notes="so")),
        (NO_LINES, wire_answer(value=[], notes="none apply"), Answer([], notes="none apply")),
    ],
)
def test_what_fits_is_read(question: Question, given: Any, answer: Answer) -> None:
    assert question.rules.read(question, given) == answer


@pytest.mark.parametrize("question", [CHOICE, CLOSED, MANY, CONFIRM, TEXT])
def test_nothing_said_is_no_answer(question: Question) -> None:
    assert read(question) is None


@pytest.mark.parametrize(
    ("question", "given"),
    [(CHOICE, wire_answer(other=" \t\n")), (MANY, wire_answer(other="")), (TEXT, wire_answer(value="   "))],
)
def test_white_space_is_no_answer(question: Question, given: Any) -> None:
    assert question.rules.read(question, given) is None


@pytest.mark.parametrize(
    ("question", "given", "says"),
    [
        (CHOICE, wire_answer(["o1", "o2"]), "one answer, not several"),
        (CHOICE, wire_answer(["o1"], other="mine"), "one answer, not several"),
        (CHOICE, wire_answer(["o9"]), "no option 'o9'"),
        (CHOICE, wire_answer(["A"]), "no option 'A'"),
        (CHOICE, wire_answer(["o1", "o1"]), "picked twice"),
        (CLOSED, wire_answer(other="mine"), "no answer in other words"),
        (MANY, wire_answer(["o1", "o2", "o3"], other="mine"), "at most 3; 4 chosen"),
        (MANY, wire_answer(["o1", "o1"]), "picked twice"),
        (Question("Which?", ["A", "B"], many=True, min=2), wire_answer(["o1"]), "at least 2; 1 chosen"),
        (CONFIRM, wire_answer(["o1", "o2"]), "one answer"),
        (CONFIRM, wire_answer(other="maybe"), "no answer in other words"),
        (TEXT, wire_answer(["o1"], value="x"), "nothing to pick"),
        (TEXT, wire_answer(other="x"), "nothing to pick"),
        (TEXT, wire_answer(value=5), "not what the field holds"),
        (TEXT, wire_answer(value=["x"]), "not what the field holds"),
    ],
)
def test_what_does_not_fit_is_a_sentence_for_the_person(question: Question, given: Any, says: str) -> None:
    with pytest.raises(InvalidAnswer, match=says):
        question.rules.read(question, given)


def test_a_refusal_does_not_repeat_a_huge_value() -> None:
    with pytest.raises(InvalidAnswer) as refusal:
        read(TEXT, value=["x" * 100_000])
    assert len(str(refusal.value)) < 1000


@pytest.mark.parametrize("question", [Question("A?", ["A"]), Question("A?"), Question("A?", kind="confirm")])
def test_a_note_counts_only_where_the_question_takes_notes(question: Question) -> None:
    given = wire_answer(value="x", notes="psst") if question.kind == "text" else wire_answer(["o1"], notes="psst")
    answer = question.rules.read(question, given)
    assert answer is not None
    assert answer.notes is None


def test_the_very_object_given_as_option_is_returned() -> None:
    given = [object(), object()]
    answer = read(Question("Which?", given), ["o2"])
    assert answer is not None
    assert answer.value is given[1]


def test_an_options_value_is_returned_in_place_of_its_label() -> None:
    value = {"k": 3}
    answer = read(Question("Which?", [Option("A", value=value)]), ["o1"])
    assert answer is not None
    assert answer.value is value
    assert answer.selected == ("A",)


@pytest.mark.parametrize(
    ("question", "plain", "given"),
    [
        (CHOICE, "B", wire_answer(["o2"])),
        (CHOICE, "mine", wire_answer(other="mine")),
        (MANY, ["A", "C"], wire_answer(["o1", "o3"])),
        (MANY, ("A", "mine"), wire_answer(["o1"], other="mine")),
        (FREE, [], wire_answer()),
        (CONFIRM, True, wire_answer(["o1"])),
        (CONFIRM, "No", wire_answer(["o2"])),
        (TEXT, "x", wire_answer(value="x")),
        (Question("A?", Colour), Colour.RED, wire_answer(["o1"])),
        (Question("A?", [1, 2]), 2, wire_answer(["o2"])),
        (Question("A?", ["1", "2"]), 2, wire_answer(["o2"])),
        (
            Question("A?", [Option("Green", value=0), Option("Crimson", value=Colour.RED.value)]),
            Colour.RED,
            wire_answer(["o2"]),
        ),
    ],
)
def test_a_plain_value_is_written(question: Question, plain: Any, given: Any) -> None:
    assert question.rules.write(question, plain) == given


class Array:
    """What compares element by element, as numpy's arrays do, and is neither true nor false."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Any:
        return self

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an array is ambiguous")


def test_an_option_is_meant_by_its_value() -> None:
    array = Array()
    question = Question("Which?", [Option("High", value="l2"), Option("One", value=1), Option("Data", value=array)])
    assert question.rules.write(question, "l" + str(2)) == wire_answer(["o1"])
    assert question.rules.write(question, 1) == wire_answer(["o2"])
    assert question.rules.write(question, array) == wire_answer(["o3"])
    # One that is equal and of another type is another, and what cannot be compared is not asked whether it is equal.
    for other in (True, Array()):
        with pytest.raises(InvalidAnswer, match="is no option of 'Which[?]'; the options are 'High', 'One', 'Data'"):
            question.rules.write(question, other)


@pytest.mark.parametrize("value", [("mean", "std"), dt.date(2026, 3, 1), Decimal("1.5"), frozenset("a"), None], ids=str)
def test_an_option_is_meant_by_a_value_that_equals_its_own(value: Any) -> None:
    question = Question("Which?", [Option("Other one", value=("mean", "mad")), Option("This one", value=value)])
    assert question.rules.write(question, copy.deepcopy(value)) == wire_answer(["o2"])
    assert Question("Which?", question.options, default=copy.deepcopy(value)).default == value


def test_a_tuple_is_one_of_several_tuples_and_no_list_of_picks() -> None:
    pairs = [("a", "b"), ("c", "d")]
    with scripted(lambda asked: asked.questions[0].default):
        assert ask("Which pair?", pairs, default=("c", "d")) is pairs[1]
    with pytest.raises(ValueError, match=r"default is \('a', 'd'\): .* takes one"):
        ask("Which pair?", pairs, default=("a", "d"))


def test_only_words_are_an_answer_in_other_words() -> None:
    """A bool, or a reply's class by mistake, would be typed for the person as its `repr`."""
    for slip in (True, Answered, 7, None):
        with pytest.raises(InvalidAnswer, match="is no option of 'Which[?]'"):
            CHOICE.rules.write(CHOICE, slip)
    assert CHOICE.rules.write(CHOICE, "D") == wire_answer(other="D")


def test_of_many_options_the_first_are_named_and_the_rest_counted() -> None:
    with pytest.raises(ValueError, match="'0', '1', .*, '19' and 480 more$"):
        Question("Which?", range(500), default="five hundred", other=False)
    with pytest.raises(ValueError, match="'0', '1', .*, '19' and 2 more$"):
        Question("Which?", range(22), default="22", other=False)
    with pytest.raises(ValueError, match="'0', '1', .*, '19', '20'$"):
        Question("Which?", range(21), default="21", other=False)


def test_thousands_of_picks_are_read_and_written_as_they_are_few() -> None:
    question = Question("Which?", range(3000), many=True, default=range(2000))
    written = question.rules.write(question, question.default)
    assert len(written["selected"]) == 2000
    answer = question.rules.read(question, wire_answer(reversed(written["selected"])))
    assert answer is not None
    assert answer.value == list(range(2000))


@pytest.mark.parametrize(
    ("question", "plain", "says"),
    [
        (CLOSED, "C", "'C' is no option"),
        (MANY, "A", "give a list"),
        (MANY, ["x", "y"], "'x' is no option"),
        (MANY, 5, "5"),
        (CHOICE, ["A"], "takes one"),
        (CONFIRM, "maybe", "give True, False or one of 'Yes', 'No'"),
        (CONFIRM, 1, "1 does not answer"),
        (TEXT, True, "give a text"),
    ],
)
def test_a_plain_value_that_does_not_fit_is_refused(question: Question, plain: Any, says: str) -> None:
    with pytest.raises(InvalidAnswer, match=says):
        question.rules.write(question, plain)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer("A", ("A",)), "A"),
        (Answer(object(), ("A", "B"), "mine"), "A, B, mine"),
        (Answer([]), "none"),
        (Answer("text"), "text"),
        (Answer(True, ("Yes",)), "Yes"),
        (Answer(True), "agreed"),
        (Answer(None, notes="later"), "not answered"),
    ],
)
def test_an_answer_reads_as_words(answer: Answer, words: str) -> None:
    assert answer.words == words


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_found_by_its_name(name: str) -> None:
    assert kind_named(name) is KINDS[name]


def test_a_secret_is_itself_but_shows_as_dots_where_it_is_echoed() -> None:
    """A cell that ends with `ask_text(..., secret=True)` saves what it echoes."""
    question = Question("Key?", secret=True)
    with scripted({"Key?": "hunter2"}):
        key = ask_text("Key?", secret=True)
    assert (key, f"{key}", json.dumps(key), key + "!") == ("hunter2", "hunter2", '"hunter2"', "hunter2!")
    assert repr(key) == repr(DOTS)
    read = question.rules.read(question, wire_answer(value="hunter2"))
    assert read is not None
    assert "hunter2" not in repr(Answered(answers={"q1": read}))
