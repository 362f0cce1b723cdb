"""Bytes read as whatever a target needs: one decoder for hypothesis, for atheris and for the corpus.

It takes the bytes in order and never fails: where they have run out it goes on with zeros, and a zero always
means the simplest thing. So a small change of the bytes is a small change of the input, and any bytes are one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

WORDS = (
    *("", "a", "Red", "Blue", "Other", "q1", "q2", "o1", "o2", "x", "y", "value", "0", "1", "42", "4.5", "-3", "1e400"),
    *("NaN", "Infinity", "2026-03-01", "2026-03-01T14:30", "2026-03-01T14:30:00Z", "9999-12-31T23:59:59-23:59"),
    *("ann@example.org", "https://example.org/a?b#c", "http://[::1", "javascript:alert(1)", "//x", "mailto:a@b.c"),
    *(" ", "\n", "\t", "a\nb", "a, b", '"', "'", "\\", "`", "```", "*a*", "[a](b)", "<b>", "<script>", "&amp;", "|"),
    *("\ud800", "a\udfffb", "\ufeff", "\u202e", "\x00", "\x1b[2J", "ä", "日本", "😀", "e\u0301", "\u2028", "İ"),
    *("(a+)+$", "^(a|a)*$", "[", "(?=a)", r"\d{2}", "a{99999999999}", r"(a)\1", "#/$defs/d", "#", "/", "~1", "%"),
    *("yes", "Yes", "no", "on", "true", "null", "None", "/decline", "password", "submit", "cancel", "object"),
)
"""Texts that have a meaning somewhere, or have broken something somewhere."""
NUMBERS = (
    *(0, 1, 2, 3, -1, 10, 255, 1000, 2**31, 2**53 + 1, -(2**63), 10**400, 0.5, -0.0, 1e-320, 1.5, 1e300, 1e308),
    *(float("inf"), float("-inf"), float("nan")),
)


class Source:
    """Bytes, taken from the front.

    Args:
        data: The bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        """Whether there are bytes left."""
        return self._at < len(self._data)

    def byte(self) -> int:
        """The next byte."""
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def flag(self) -> bool:
        """Yes or no; no where nothing is left."""
        return self.byte() % 2 == 1

    def rarely(self) -> bool:
        """One time in sixteen."""
        return self.byte() % 16 == 15

    def pick(self, among: Sequence[T]) -> T:
        """One of these, the first where nothing is left."""
        return among[self.byte() % len(among)]

    def several(self, make: Callable[[], T], most: int) -> list[T]:
        """Up to `most` of what `make` takes, fewer where nothing is left."""
        return [make() for _ in range(self.byte() % (most + 1))]

    def text(self) -> str:
        """A text: one of the words, words in a row, or bytes of its own."""
        shape = self.byte()
        if shape < 160:
            return WORDS[shape % len(WORDS)]
        if shape < 200:
            return "".join(self.several(lambda: self.pick(WORDS), 4))
        if shape < 210:
            return self.pick(WORDS) * self.pick((2, 13, 40, 600, 3000))
        return self._take(shape - 210).decode("utf-8", "replace")

    def name(self) -> str:
        """A text that says something."""
        text = self.text()
        return text if text.strip() else "n"

    def number(self) -> int | float:
        """A number, of any size, or none at all."""
        at = self.byte()
        return NUMBERS[at % len(NUMBERS)] if at < 128 else at - 192

    def json(self, depth: int = 4) -> Any:
        """Any JSON value, as Python's own reader gives it: with NaN and half characters."""
        match self.byte() % (8 if depth else 6):
            case 0:
                return None
            case 1:
                return self.flag()
            case 2 | 3:
                return self.text()
            case 4 | 5:
                return self.number()
            case 6:
                return self.several(lambda: self.json(depth - 1), 4)
            case _:
                return dict(self.several(lambda: (self.text(), self.json(depth - 1)), 4))

    def maybe(self, value: Any) -> Any:
        """This value, or rarely any other."""
        return self.json(2) if self.rarely() else value

    def mapping(self, fields: dict[str, Callable[[], Any]]) -> dict[str, Any]:
        """Some of these fields, rarely with a value that is wrong, and rarely with a stray one."""
        made = {name: self.maybe(make()) for name, make in fields.items() if self.flag()}
        if self.rarely():
            made[self.text()] = self.json(2)
        return made

    def rest(self) -> bytes:
        """All that is left."""
        return self._take(len(self._data))

    def _take(self, count: int) -> bytes:
        taken = self._data[self._at : self._at + count]
        self._at += count
        return taken
