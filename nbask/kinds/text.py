"""Answers in words: a text, and a list of texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from nbask.kinds.base import (
    Answer,
    FieldKind,
    InvalidAnswer,
    check_counts,
    field_value,
    note_alone,
    note_of,
    wire_answer,
)
from nbask.text import DOTS
from nbask.wire import AnswerWire

if TYPE_CHECKING:
    from nbask.questions import Question

FORMATS = ("email", "uri")
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")


class Secret(str):
    """A secret that was typed: the text itself, but dots where a notebook echoes it.

    Example:
        >>> Secret("hunter2")
        '••••••••'
        >>> Secret("hunter2") == "hunter2"
        True
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(DOTS)


class Text(FieldKind):
    """An answer in words, on one line or several; `min` and `max` are lengths in characters."""

    def check_more(self, question: Question) -> None:
        if question.format is not None and question.format not in FORMATS:
            raise ValueError(f"format is {question.format!r}; use 'email' or 'uri'")
        if question.secret and question.default is not None:
            raise ValueError(f"{question.text!r} is a secret and has a default; a secret is only ever typed")
        try:
            re.compile(question.pattern or "")
        except (re.error, OverflowError) as fault:
            raise ValueError(f"pattern is {question.pattern!r}, which is no regular expression: {fault}") from None
        check_counts(question, "characters")

    def parse(self, question: Question, text: str) -> Any:
        said = text.strip() if question.format else text
        _check_length(question, len(said))
        _check_format(question, said)
        return Secret(said) if question.secret else said


class Lines(FieldKind):
    """A list of texts, one a line; `min` and `max` count them."""

    what = "list"
    hint = "Entries, with commas"

    def check_more(self, question: Question) -> None:
        check_counts(question, "entries")

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        value = field_value(given)
        lines = cast("list[object]", value) if isinstance(value, list) else [] if value is None else None
        if lines is None or not all(isinstance(line, str) for line in lines):
            raise InvalidAnswer("This question takes a list of texts.")
        said = [line.strip() for line in cast("list[str]", lines) if line.strip()]
        notes = note_of(question, given)
        if not said:
            return Answer([], notes=notes) if question.required and question.min == 0 else note_alone(notes)
        if question.min is not None and len(said) < question.min:
            raise InvalidAnswer(f"Give at least {question.min}; {len(said)} given.")
        if question.max is not None and len(said) > question.max:
            raise InvalidAnswer(f"Give at most {question.max}; {len(said)} given.")
        return Answer(said, notes=notes)

    def write(self, question: Question, plain: Any) -> AnswerWire:
        if not isinstance(plain, list | tuple) or not all(isinstance(one, str) for one in cast("list[Any]", plain)):
            raise InvalidAnswer(f"{plain!r} does not answer {question.text!r}; give a list of texts")
        return wire_answer(value=list(cast("list[str]", plain)))

    def typed(self, question: Question, line: str) -> AnswerWire:
        return wire_answer(value=line.split(","))


def _check_length(question: Question, length: int) -> None:
    if question.min is not None and length < question.min:
        raise InvalidAnswer(f"At least {question.min} characters; it has {length}.")
    if question.max is not None and length > question.max:
        raise InvalidAnswer(f"At most {question.max} characters; it has {length}.")


def _check_format(question: Question, text: str) -> None:
    if question.format == "email" and not _EMAIL.fullmatch(text):
        raise InvalidAnswer("This is no email address, such as ann@example.org.")
    if question.format == "uri" and not _is_uri(text):
        raise InvalidAnswer("This is no address, such as https://example.org/page.")
    if question.pattern and not re.search(question.pattern, text):
        raise InvalidAnswer(f"It must match the pattern {question.pattern}.")


def _is_uri(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme) and bool(parts.netloc or parts.path) and " " not in text
