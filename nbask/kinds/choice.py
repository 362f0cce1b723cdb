"""Choices: one option or many, and yes or no."""

from __future__ import annotations

from collections.abc import Container, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from nbask.kinds.base import (
    Answer,
    InvalidAnswer,
    check_counts,
    check_default,
    check_order,
    first_repeated,
    listed,
    note_alone,
    note_of,
    said,
    wire_answer,
)
from nbask.wire import AnswerWire

if TYPE_CHECKING:
    from nbask.options import Option
    from nbask.questions import Question


class Choice:
    """One option or many, and maybe an answer in the person's own words."""

    def check(self, question: Question) -> None:
        labels = _distinct_labels(question)
        if not labels:
            raise ValueError(f"{question.text!r} has no options; give at least one, or ask for a text")
        if not question.many and (question.min is not None or question.max is not None):
            raise ValueError(f"{question.text!r} has min or max but takes one pick; add many=True")
        _check_bounds(question, len(labels))
        check_default(self, question)

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        picked = _picked(question, given)
        other = said(given["other"])
        if other is not None and not question.other:
            raise InvalidAnswer("This question takes no answer in other words; pick an option.")
        notes = note_of(question, given)
        labels = tuple(option.label for option in picked)
        if question.many:
            count = len(picked) + (other is not None)
            if not count:  # "none of them" is an answer only where the asker allows it by min=0
                return Answer([], notes=notes) if question.min == 0 else note_alone(notes)
            _check_count(question, count)
            values = [option.result for option in picked] + ([other] if other is not None else [])
            return Answer(values, labels, other, notes)
        if len(picked) + (other is not None) > 1:
            raise InvalidAnswer("This question takes one answer, not several.")
        if picked:
            return Answer(picked[0].result, labels, None, notes)
        return note_alone(notes) if other is None else Answer(other, (), other, notes)

    def write(self, question: Question, plain: Any) -> AnswerWire:
        if question.many and isinstance(plain, str | bytes):
            raise InvalidAnswer(f"{plain!r} answers a question that takes several; give a list, such as [{plain!r}]")
        items = _items(question, plain)
        ids = {option.label: option_id for option_id, option in zip(question.option_ids, question.options, strict=True)}
        labels = [_label(question, ids, item) for item in items]
        typed = [item for item, label in zip(items, labels, strict=True) if label is None]
        if len(typed) > 1 or (typed and not (question.other and isinstance(typed[0], str))):
            raise InvalidAnswer(f"{typed[0]!r} is no option of {question.text!r}; the options are {listed(ids)}")
        return wire_answer([ids[label] for label in labels if label is not None], typed[0] if typed else None)


class Confirm:
    """Yes or no, in the caller's words: the first option means yes."""

    def check(self, question: Question) -> None:
        if len(_distinct_labels(question)) != 2:
            raise ValueError(f"{question.text!r} confirms with {len(question.options)} options; give two")
        if question.many or question.other:
            raise ValueError(f"{question.text!r} is a yes or no; it takes neither many nor other")
        check_default(self, question)

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        return Choice().read(question, given)

    def write(self, question: Question, plain: Any) -> AnswerWire:
        for option_id, option in zip(question.option_ids, question.options, strict=True):
            if (isinstance(plain, bool) and plain is option.result) or plain == option.label:
                return wire_answer([option_id])
        labels = listed(option.label for option in question.options)
        raise InvalidAnswer(f"{plain!r} does not answer {question.text!r}; give True, False or one of {labels}")


def _distinct_labels(question: Question) -> list[str]:
    labels = [option.label for option in question.options]
    if (twice := first_repeated(labels)) is not None:
        raise ValueError(f"option {twice!r} of {question.text!r} is given twice; give each option its own label")
    return labels


def _check_bounds(question: Question, options: int) -> None:
    check_order(question)
    check_counts(question, "picks")
    most = options + bool(question.other)
    for name, bound in (("min", question.min), ("max", question.max)):
        if bound is not None and bound > most:
            raise ValueError(f"{name} is {bound} but {question.text!r} has only {most} answers to pick; lower it")


def _check_count(question: Question, count: int) -> None:
    low, high = question.min, question.max
    if low is not None and count < low:
        raise InvalidAnswer(f"Choose at least {low}; {count} chosen.")
    if high is not None and count > high:
        raise InvalidAnswer(f"Choose at most {high}; {count} chosen.")


def _picked(question: Question, given: AnswerWire) -> list[Option]:
    ids = given["selected"]
    if given["value"] is not None:
        raise InvalidAnswer("This question is answered by picking.")
    if len(set(ids)) != len(ids):
        raise InvalidAnswer("An option was picked twice.")
    options = dict(zip(question.option_ids, question.options, strict=True))
    for option_id in ids:
        if option_id not in options:
            raise InvalidAnswer(f"There is no option {option_id[:40]!r}.")
    # In the order of the options, whatever the order of the clicks: the same picks are the same answer.
    clicked = set(ids)
    return [option for option_id, option in options.items() if option_id in clicked]


def _items(question: Question, plain: Any) -> list[Any]:
    if question.many:
        if not isinstance(plain, Iterable):
            raise InvalidAnswer(f"{plain!r} answers a question that takes several; give a list, such as [{plain!r}]")
        return list(cast("Iterable[Any]", plain))
    if isinstance(plain, list | tuple) and not any(_means(option, plain) for option in question.options):
        raise InvalidAnswer(f"{plain!r} answers a question that takes one; give the one")
    return [plain]


def _label(question: Question, labels: Container[str], item: Any) -> str | None:
    """The label of the option that is meant: by its label, by its value, or by what its label was made of."""
    if isinstance(item, str) and item in labels:
        return item
    if isinstance(item, Enum) and item.name in labels:
        return item.name
    # It may be an option's value: True for "Yes", "l2" for "High".
    if (meant := next((option.label for option in question.options if _means(option, item)), None)) is not None:
        return meant
    if isinstance(item, Enum):
        return _label(question, labels, item.value)
    return str(item) if str(item) in labels else None


def _means(option: Option, item: Any) -> bool:
    # True is no 1, and values may be of any type: comparing arrays gives arrays, of which none is true or false.
    try:
        return option.result is item or (type(option.result) is type(item) and bool(option.result == item))
    except Exception:  # noqa: BLE001 - whatever a caller's type makes of being compared
        return False
