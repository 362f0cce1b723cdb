"""The kinds of question: what each allows, and how an answer to it is read and written.

This is the one place in the kernel that a new kind touches (its drawing is one file
under `js/src/views/`): write a :class:`Kind` and name it in :data:`KINDS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, cast

from nbask.wire import AnswerWire

if TYPE_CHECKING:
    from nbask.questions import Option, Question


@dataclass(frozen=True)
class Answer:
    """What was said to one question.

    Args:
        value: What the asking code gets: a label or an option's `value`, a list of them, a bool or a text;
            None where there is a note alone.
        selected: Labels of the picked options, exactly as they were given.
        other: What was typed in the Other row, or None.
        notes: The note to the asker, or None.
    """

    value: Any
    selected: tuple[str, ...] = ()
    other: str | None = None
    notes: str | None = None

    @property
    def is_note_alone(self) -> bool:
        """Whether a note was left and the question was not answered."""
        return self.value is None and self.notes is not None and not self.selected and self.other is None

    @property
    def words(self) -> str:
        """The answer as a person reads it."""
        if self.is_note_alone:
            return "not answered"
        said = [*self.selected, *([self.other] if self.other is not None else [])]
        return ", ".join(said) or ("none" if self.value == [] else str(self.value))


class InvalidAnswer(ValueError):
    """An answer does not fit its question; the message is a sentence for the person who gave it."""


class Kind(Protocol):
    """The rules of one kind of question."""

    def check(self, question: Question) -> None:
        """Refuse a question that cannot be asked, with a `ValueError` naming the value and the mend."""
        ...

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        """Read an answer from the wire; None where nothing was said. Raises :class:`InvalidAnswer`."""
        ...

    def write(self, question: Question, plain: Any) -> AnswerWire:
        """Write a plain Python value (a default, a scripted answer) as the wire has it. Raises `InvalidAnswer`."""
        ...


def wire_answer(
    selected: Iterable[str] = (), other: str | None = None, value: object = None, notes: str | None = None
) -> AnswerWire:
    """An :class:`~nbask.wire.AnswerWire` with every name present."""
    return {"selected": list(selected), "other": other, "value": value, "notes": notes}


class Choice:
    """One option or many, and maybe an answer in the person's own words."""

    def check(self, question: Question) -> None:
        labels = _distinct_labels(question)
        if not labels:
            raise ValueError(f"{question.text!r} has no options; give at least one, or ask for a text")
        if not question.many and (question.min is not None or question.max is not None):
            raise ValueError(f"{question.text!r} has min or max but takes one pick; add many=True")
        _check_bounds(question, len(labels))
        _check_default(self, question)

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        picked = _picked(question, given)
        other = _said(given["other"])
        if other is not None and not question.other:
            raise InvalidAnswer("This question takes no answer in other words; pick an option.")
        notes = _said(given["notes"]) if question.notes else None
        labels = tuple(option.label for option in picked)
        if question.many:
            count = len(picked) + (other is not None)
            if not count:  # "none of them" is an answer only where the asker allows it by min=0
                return Answer([], notes=notes) if question.min == 0 else _note_alone(notes)
            _check_count(question, count)
            values = [option.result for option in picked] + ([other] if other is not None else [])
            return Answer(values, labels, other, notes)
        if len(picked) + (other is not None) > 1:
            raise InvalidAnswer("This question takes one answer, not several.")
        if picked:
            return Answer(picked[0].result, labels, None, notes)
        return _note_alone(notes) if other is None else Answer(other, (), other, notes)

    def write(self, question: Question, plain: Any) -> AnswerWire:
        if question.many and isinstance(plain, str | bytes):
            raise InvalidAnswer(f"{plain!r} answers a question that takes several; give a list, such as [{plain!r}]")
        items = _items(question, plain)
        ids = {option.label: option_id for option_id, option in zip(question.option_ids, question.options, strict=True)}
        labels = [_label(item) for item in items]
        typed = [label for label in labels if label not in ids]
        if len(typed) > 1 or (typed and not question.other):
            raise InvalidAnswer(f"{typed[0]!r} is no option of {question.text!r}; the options are {_listed(ids)}")
        return wire_answer([ids[label] for label in labels if label in ids], typed[0] if typed else None)


class Confirm:
    """Yes or no, in the caller's words: the first option means yes."""

    def check(self, question: Question) -> None:
        if len(_distinct_labels(question)) != 2:
            raise ValueError(f"{question.text!r} confirms with {len(question.options)} options; give two")
        if question.many or question.other:
            raise ValueError(f"{question.text!r} is a yes or no; it takes neither many nor other")
        _check_default(self, question)

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        return _CHOICE.read(question, given)

    def write(self, question: Question, plain: Any) -> AnswerWire:
        for option_id, option in zip(question.option_ids, question.options, strict=True):
            if (isinstance(plain, bool) and plain is option.result) or plain == option.label:
                return wire_answer([option_id])
        labels = _listed(option.label for option in question.options)
        raise InvalidAnswer(f"{plain!r} does not answer {question.text!r}; give True, False or one of {labels}")


class Text:
    """An answer in words, on one line or several."""

    def check(self, question: Question) -> None:
        if question.options:
            raise ValueError(f"{question.text!r} is a text but has options; leave them out, or ask a choice")
        if question.many or question.min is not None or question.max is not None:
            raise ValueError(f"{question.text!r} is a text; many, min and max belong to a choice")
        _check_default(self, question)

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        if given["selected"] or given["other"] is not None:
            raise InvalidAnswer("This question takes a text; it has nothing to pick.")
        text = given["value"]
        if text is not None and not isinstance(text, str):
            raise InvalidAnswer("This question takes a text.")
        notes = _said(given["notes"]) if question.notes else None
        return _note_alone(notes) if text is None or not text.strip() else Answer(text, notes=notes)

    def write(self, question: Question, plain: Any) -> AnswerWire:
        if not isinstance(plain, str):
            raise InvalidAnswer(f"{plain!r} does not answer {question.text!r}; give a text")
        return wire_answer(value=plain)


_CHOICE = Choice()
KINDS: dict[str, Kind] = {"choice": _CHOICE, "confirm": Confirm(), "text": Text()}


def kind_named(name: str) -> Kind:
    """The rules of the kind with this name.

    Raises:
        ValueError: There is no such kind.
    """
    if name not in KINDS:
        raise ValueError(f"kind is {name!r}; use one of {_listed(KINDS)}")
    return KINDS[name]


def _check_default(kind: Kind, question: Question) -> None:
    if question.default is None:
        return
    try:
        written = kind.write(question, question.default)
        if written["other"] is not None:
            options = _listed(option.label for option in question.options)
            raise InvalidAnswer(f"{written['other']!r} is no option of {question.text!r}; the options are {options}")
        if kind.read(question, written) is None and question.many and question.required:
            raise InvalidAnswer(f"it picks nothing; pick at least {question.min or 1}, leave it out, or add min=0")
    except InvalidAnswer as error:
        raise ValueError(f"default is {question.default!r}: {error}") from None


def _distinct_labels(question: Question) -> list[str]:
    labels = [option.label for option in question.options]
    for position, label in enumerate(labels):
        if label in labels[:position]:
            raise ValueError(f"option {label!r} of {question.text!r} is given twice; give each option its own label")
    return labels


def _check_bounds(question: Question, options: int) -> None:
    low, high = question.min, question.max
    if low is not None and high is not None and low > high:
        raise ValueError(f"min is {low} and max is {high}; min must not be above max")
    most = options + bool(question.other)
    for name, bound in (("min", low), ("max", high)):
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
    if len(set(ids)) != len(ids):
        raise InvalidAnswer("An option was picked twice.")
    picked = [(option_id, question.option(option_id)) for option_id in ids]
    for option_id, option in picked:
        if option is None:
            raise InvalidAnswer(f"There is no option {option_id!r}.")
    # In the order of the options, whatever the order of the clicks: the same picks are the same answer.
    return [option for option_id, option in zip(question.option_ids, question.options, strict=True) if option_id in ids]


def _note_alone(notes: str | None) -> Answer | None:
    """A note without an answer: it is passed on, and is no decision."""
    return None if notes is None else Answer(None, notes=notes)


def _items(question: Question, plain: Any) -> list[Any]:
    if question.many:
        if not isinstance(plain, Iterable):
            raise InvalidAnswer(f"{plain!r} answers a question that takes several; give a list, such as [{plain!r}]")
        return list(cast("Iterable[Any]", plain))
    if isinstance(plain, list | tuple):
        raise InvalidAnswer(f"{plain!r} answers a question that takes one; give the one")
    return [plain]


def _said(text: str | None) -> str | None:
    return text if text is not None and text.strip() else None


def _label(item: Any) -> str:
    return item.name if isinstance(item, Enum) else str(item)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
