"""A unified diff as a preview: what changes between two texts, seen before it is decided."""

from __future__ import annotations

import difflib

from nbask.text import fenced, one_line


class Diff:
    """The difference between two texts, shown as a coloured unified diff.

    Args:
        before: The text as it is.
        after: The text as it would be.
        name: What the text is called, in the diff's header.
        context: Unchanged lines around each change.

    Raises:
        ValueError: One of the two is no text.

    Example:
        >>> print(Diff("a\\nb\\n", "a\\nc\\n", name="notes"))
        --- notes
        +++ notes
        @@ -1,2 +1,2 @@
         a
        -b
        +c
    """

    def __init__(self, before: str, after: str, name: str = "before → after", context: int = 3) -> None:
        for which, text in (("before", before), ("after", after)):
            if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - whoever calls it untyped
                raise ValueError(f"{which} is {one_line(repr(text))}; give a text, such as Path(…).read_text()")
        # Only line feeds divide: what else there is at the ends of lines may be the very change.
        old, new = before.split("\n"), after.split("\n")
        if old[-1] == new[-1] == "":
            old, new = old[:-1], new[:-1]
        lines = difflib.unified_diff(old, new, name, name, n=context, lineterm="")
        self.text = "\n".join(lines) or "No change."

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return fenced(self.text, "diff")


def diff(before: str, after: str, name: str = "before → after", context: int = 3) -> Diff:
    """Make a preview of what changes between two texts.

    Args:
        before: The text as it is.
        after: The text as it would be.
        name: What the text is called, in the diff's header.
        context: Unchanged lines around each change.

    Returns:
        A :class:`Diff`, for an option's `preview` or to be displayed by itself.

    Example:
        >>> "-b" in str(diff("a\\nb\\n", "a\\nc\\n"))
        True
    """
    return Diff(before, after, name, context)
