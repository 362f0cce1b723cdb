"""Dates and moments, in the ISO 8601 form that browsers' own fields use."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from nbask.kinds.base import FieldKind, InvalidAnswer

if TYPE_CHECKING:
    from nbask.questions import Question


class Date(FieldKind):
    """A day; the value is a `datetime.date`."""

    what = "date"
    hint = "A date, such as 2026-03-01"

    def check_more(self, question: Question) -> None:
        if question.min is not None or question.max is not None:
            raise ValueError(f"{question.text!r} is a {self.what}; it takes no min and max")

    def parse(self, question: Question, text: str) -> dt.date:
        try:
            return self._parsed(text.strip())
        except ValueError:
            raise InvalidAnswer(f"This is not {self._example()}.") from None

    def text_of(self, question: Question, plain: Any) -> str:
        try:
            return self._written(self._parsed(plain) if isinstance(plain, str) else plain)
        except (AttributeError, OverflowError, TypeError, ValueError):  # near the year 9999, there is no other offset
            raise InvalidAnswer(f"{plain!r} does not answer {question.text!r}; give {self._example()}") from None

    def _example(self) -> str:
        return self.hint[0].lower() + self.hint[1:]

    def _parsed(self, typed: str) -> dt.date:
        if len(typed) != len("2026-03-01") or "W" in typed:  # weeks and dashless dates are no browser's
            raise ValueError(typed)
        return dt.date.fromisoformat(typed)

    def _written(self, day: Any) -> str:
        if not isinstance(day, dt.date):
            raise TypeError(day)
        return (day.date() if isinstance(day, dt.datetime) else day).isoformat()


class DateTime(Date):
    """A moment; the value is a `datetime.datetime`, with an offset only where one was given."""

    what = "date and time"
    hint = "A date and time, such as 2026-03-01T14:30"

    def _parsed(self, typed: str) -> dt.datetime:
        # Python before 3.11 does not read the Z of RFC 3339.
        return dt.datetime.fromisoformat(f"{typed[:-1]}+00:00" if typed.endswith(("Z", "z")) else typed)

    def _written(self, day: Any) -> str:
        if not isinstance(day, dt.datetime):
            raise TypeError(day)
        # A browser's field has no offset, and shows the person's own clock.
        local = day.astimezone().replace(tzinfo=None) if day.tzinfo is not None else day
        return local.isoformat(timespec="seconds" if local.second else "minutes")
