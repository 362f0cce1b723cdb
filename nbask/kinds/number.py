"""Numbers: they cross the wire as they were typed, so that nothing is rounded on the way."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

from nbask.kinds.base import FieldKind, InvalidAnswer

if TYPE_CHECKING:
    from nbask.questions import Question

_LONGEST = 400
"""Digits past which a number is a mistake; Python's own limit for reading one is 4300."""


class Number(FieldKind):
    """A real number; `min` and `max` bound it."""

    what = "number"
    hint = "A number"
    example = "a number, such as 2.5"
    pattern = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")

    def parse(self, question: Question, text: str) -> int | float:
        typed = text.strip()
        number = self._number(typed) if len(typed) <= _LONGEST and self.pattern.fullmatch(typed) else None
        if number is None or (isinstance(number, float) and not math.isfinite(number)):
            raise InvalidAnswer(f"This is not {self.example}.")
        if question.min is not None and number < question.min:
            raise InvalidAnswer(f"At least {question.min}.")
        if question.max is not None and number > question.max:
            raise InvalidAnswer(f"At most {question.max}.")
        return number

    def text_of(self, question: Question, plain: Any) -> str:
        if isinstance(plain, bool) or not isinstance(plain, Real | Decimal):  # NumPy's, too
            raise InvalidAnswer(f"{plain!r} does not answer {question.text!r}; give a number")
        try:
            return str(plain)
        except ValueError:  # more digits than Python writes
            raise InvalidAnswer(f"the number does not answer {question.text!r}; it is too long") from None

    def _number(self, typed: str) -> int | float:
        number = float(typed)
        # A whole number typed as one keeps its digits, which a float has no room for beyond 2**53.
        return int(typed) if typed.lstrip("+-").isdecimal() and number != int(typed) else number


class Integer(Number):
    """A whole number, exact at any size; `min` and `max` bound it."""

    what = "whole number"
    hint = "A whole number"
    example = "a whole number, such as 3"
    pattern = re.compile(r"[+-]?[0-9]+")

    def _number(self, typed: str) -> int | float:
        return int(typed)
