"""Text for places with little room."""

from __future__ import annotations


def one_line(text: str, width: int = 80) -> str:
    """`text` on one line of at most `width` characters, for logs, tables and prompts.

    Example:
        >>> one_line("a\\n  b", 2)
        'a…'
    """
    words = " ".join(text.split())
    return words if len(words) <= width else words[: width - 1].rstrip() + "…"
