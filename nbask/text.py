"""Text as other places need it: on one line, fenced, printable, sendable; and moments."""

from __future__ import annotations

import re
import time
from typing import Any, TypeGuard, cast

DOTS = "••••••••"
"""What stands for a secret, whatever its length."""


def one_line(text: str, width: int = 80) -> str:
    """`text` on one line of at most `width` characters, for logs, tables and prompts.

    Example:
        >>> one_line("a\\n  b", 2)
        'a…'
    """
    words = " ".join(text.split())
    return words if len(words) <= width else words[: width - 1].rstrip() + "…"


def has_words(given: Any) -> TypeGuard[str]:
    """Whether it is a text, and one that says something.

    Example:
        >>> has_words("Red"), has_words(" "), has_words(None)
        (True, False, False)
    """
    return isinstance(given, str) and bool(given.strip())


def fenced(text: str, language: str = "") -> str:
    """`text` as a fenced block of markdown, shown as it is whatever it holds.

    Example:
        >>> print(fenced("a", "diff"))
        ```diff
        a
        ```
    """
    # A fence longer than any in the text cannot be closed by it.
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def utc(moment: float) -> str:
    """Seconds since the epoch as ISO 8601, for records.

    Example:
        >>> utc(0)
        '1970-01-01T00:00:00Z'
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


_TURNS = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_SURROGATES = range(0xD800, 0xE000)
_SEEN = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"},
    0x7F: "\u2421",
    **dict.fromkeys([*range(0x80, 0xA0), *_TURNS, *_SURROGATES], "\ufffd"),
}
"""What cannot be seen, or changes how the rest is seen, and what stands for it."""


_DEPTH = 32
"""Levels down to which texts are looked for: no card, reply or receipt has more."""


def sendable(value: Any, depth: int = _DEPTH) -> Any:
    """A JSON value as a message can carry it: half characters (lone surrogates) become U+FFFD, two halves one again.

    Example:
        >>> sendable({"a": ["\\ud800", "\\ud83d\\ude00"]})
        {'a': ['�', '😀']}
    """
    if isinstance(value, str):
        return value if _has_no_halves(value) else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if depth and isinstance(value, list):
        return [sendable(one, depth - 1) for one in cast("list[Any]", value)]
    if depth and isinstance(value, dict):
        named = cast("dict[Any, Any]", value)
        return {sendable(name): sendable(one, depth - 1) for name, one in named.items()}
    return value


def _has_no_halves(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    """`text` for a terminal, which obeys control characters: they are shown and not sent.

    Left as they are: line breaks and tabs. Shown as well: what turns the reading direction of all that
    follows, since a terminal does not keep it to the text it belongs to, and half characters, which cannot
    be written.

    Example:
        >>> printable("a\\x1b[2Jb")
        'a␛[2Jb'
    """
    return text.replace("\r\n", "\n").translate(_SEEN)
