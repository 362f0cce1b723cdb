"""What a kind of question is, what an answer is, and what the kinds share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from nbask.wire import AnswerWire

if TYPE_CHECKING:
    from nbask.questions import Question


_LISTED = 20
"""Names that a message lists, of more."""


@dataclass(frozen=True)
class Answer:
    """What was said to one question.

    Args:
        value: What the asking code gets: a label or an option's `value`, a list of them, a bool, a text, a
            number, a date; None where there is a note alone.
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
        value: object = self.value
        if not said and isinstance(value, list):
            said = [str(one) for one in cast("list[Any]", value)]
            return ", ".join(said) or "none"
        if not said and value is True:
            return "agreed"
        return ", ".join(said) or str(value)


class InvalidAnswer(ValueError):
    """An answer does not fit its question; the message is a sentence for the person who gave it."""


class InvalidForm(ValueError):
    """Answers do not fit together; `errors` has a sentence for each question id, `""` for the form as a whole."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        self.errors = dict(errors)
        super().__init__("; ".join(self.errors.values()))


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


class FieldKind:
    """A kind that is answered by filling in one field, whose value crosses the wire as text.

    A subclass says what the text means in :meth:`parse`, and how a value is written in :meth:`text_of`.
    """

    what = "text"
    hint = "Your answer"

    def check(self, question: Question) -> None:
        if question.options:
            raise ValueError(f"{question.text!r} is a {self.what} but has options; leave them out, or ask a choice")
        if question.many or question.other:
            raise ValueError(f"{question.text!r} is a {self.what}; many and other belong to a choice")
        check_order(question)
        self.check_more(question)
        check_default(self, question)

    def check_more(self, question: Question) -> None:
        """Refuse what does not fit this kind in particular."""

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        value = field_value(given)
        notes = note_of(question, given)
        if value is not None and not isinstance(value, str):
            raise InvalidAnswer("This is not what the field holds; reload the page and try again.")
        if value is None or not value.strip():
            return note_alone(notes)
        return Answer(self.parse(question, value), notes=notes)

    def write(self, question: Question, plain: Any) -> AnswerWire:
        return wire_answer(value=self.text_of(question, plain))

    def parse(self, question: Question, text: str) -> Any:
        """What a text means that is not blank. Raises :class:`InvalidAnswer`."""
        raise NotImplementedError

    def text_of(self, question: Question, plain: Any) -> str:
        """A value as the field has it. Raises :class:`InvalidAnswer`."""
        if not isinstance(plain, str):
            raise InvalidAnswer(f"{plain!r} does not answer {question.text!r}; give a text")
        return plain

    def typed(self, question: Question, line: str) -> AnswerWire:
        """What a typed line means, for fronts without fields."""
        return wire_answer(value=line)


def check_default(kind: Kind, question: Question) -> None:
    """Refuse a default that does not answer its question, or that answers it in other words."""
    if question.default is None:
        return
    try:
        written = kind.write(question, question.default)
        if written["other"] is not None:
            options = listed(option.label for option in question.options)
            raise InvalidAnswer(f"{written['other']!r} is no option of {question.text!r}; the options are {options}")
        if kind.read(question, written) is None and question.many and question.required:
            raise InvalidAnswer(f"it picks nothing; pick at least {question.min or 1}, leave it out, or add min=0")
    except InvalidAnswer as error:
        raise ValueError(f"default is {question.default!r}: {error}") from None


def check_counts(question: Question, what: str) -> None:
    """Refuse bounds that count nothing."""
    for name, bound in (("min", question.min), ("max", question.max)):
        if bound is not None and (bound != int(bound) or bound < (name == "max")):
            raise ValueError(f"{name} is {bound}; give a whole number of {what}")


def check_order(question: Question) -> None:
    """Refuse bounds in the wrong order."""
    low, high = question.min, question.max
    if low is not None and high is not None and low > high:
        raise ValueError(f"min is {low} and max is {high}; min must not be above max")


def field_value(given: AnswerWire) -> object:
    """What a field holds; refuses what only a choice can hold."""
    if given["selected"] or given["other"] is not None:
        raise InvalidAnswer("This question has a field to fill in; it has nothing to pick.")
    return given["value"]


def note_of(question: Question, given: AnswerWire) -> str | None:
    """The note to the asker, where the question takes one and it says something."""
    return said(given["notes"]) if question.notes else None


def note_alone(notes: str | None) -> Answer | None:
    """A note without an answer: it is passed on, and is no decision."""
    return None if notes is None else Answer(None, notes=notes)


def said(text: str | None) -> str | None:
    """A typed text, or None where it is blank."""
    return text if text is not None and text.strip() else None


def listed(names: Iterable[str]) -> str:
    """Names in quotes, for a message; of many, how many more there are."""
    quoted = [repr(name) for name in names]
    more = len(quoted) - _LISTED
    return ", ".join(quoted) if more <= 1 else f"{', '.join(quoted[:_LISTED])} and {more} more"


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that occurs a second time, or None."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
