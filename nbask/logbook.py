"""The decision log as a person reads it: rows, a DataFrame, a table in markdown."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Literal, overload

from nbask.journal import COLUMNS
from nbask.text import one_line, printable

_TABLE = {
    "number": "#",
    "at": "When (UTC)",
    "asker": "Asker",
    "message": "About",
    "question": "Question",
    "answer": "Answer",
    "ended": "How it ended",
    "via": "Via",
    "seconds": "Seconds",
}
_SPECIAL = re.compile(r"[\\`*_\[\]|~$<>&]")


@overload
def decisions(format: Literal["records"]) -> list[dict[str, Any]]: ...
@overload
def decisions(format: Literal["markdown"]) -> str: ...
@overload
def decisions(format: Literal["dataframe"] | None = None) -> Any: ...
def decisions(format: str | None = None) -> Any:
    """Every question that ended in this kernel: when, who asked, what was said, how it ended and via what.

    Silence is in it too: `kind` is `"answered"` only where an answer came. A secret's answer is dots.

    Args:
        format: `"dataframe"`, `"records"` (a list of dicts) or `"markdown"` (a table, as text); by default a
            DataFrame where pandas is installed, else records.

    Returns:
        One row a question, oldest first. :func:`nbask.journal.verify` finds out whether records were edited.

    Raises:
        ValueError: There is no such format, or it needs pandas, which is not installed.

    Example:
        >>> from nbask import ask, decisions
        >>> from nbask.testing import scripted
        >>> with scripted({"Red or blue?": "Red"}):
        ...     colour = ask("Red or blue?", ["Red", "Blue"])
        >>> [(one["question"], one["answer"], one["via"]) for one in decisions("records")][-1]
        ('Red or blue?', 'Red', 'script')
    """
    from nbask import runtime

    if format not in (None, "dataframe", "records", "markdown"):
        raise ValueError(f"format is {format!r}; use 'dataframe', 'records' or 'markdown', or leave it out")
    records = runtime.current().journal.records()
    if format == "markdown":
        return _markdown(records)
    if format == "records":
        return records
    try:
        import pandas as pd
    except ImportError:
        if format is None:
            return records
        raise ValueError("format is 'dataframe' but pandas is not installed; install it, or use 'records'") from None
    return pd.DataFrame(records, columns=list(COLUMNS))


def _markdown(records: list[dict[str, Any]]) -> str:
    rows = [_row(_TABLE.values()), _row("---" for _ in _TABLE)]
    rows += [_row(_cell(record, name) for name in _TABLE) for record in records]
    last = f"\n\nLast hash: `{records[-1]['hash']}`" if records else ""
    return "\n".join(rows) + last + "\n"


def shown(records: list[dict[str, Any]]) -> dict[str, str]:
    """The log as a MIME bundle: a table where markdown is rendered, else a line a question."""
    lines = [f"{one['at']}  {one['asker']}: {one_line(one['question'])} → {_outcome(one)}" for one in records]
    return {"text/markdown": _markdown(records), "text/plain": printable("\n".join(lines))}


def _outcome(record: Mapping[str, Any]) -> str:
    if record["answer"]:
        return one_line(record["answer"])
    used = f"; the default was used: {one_line(record['default'])}" if record["default"] else ""
    return record["ended"] + used


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(record: Mapping[str, Any], name: str) -> str:
    # A message may be a plan of many pages; the records have all of it.
    text = printable(one_line(str(record[name]), 80 if name == "message" else sys.maxsize))
    # Numbers instead of backslashes: no renderer reads those as anything but the character.
    return _SPECIAL.sub(lambda special: f"&#{ord(special[0])};", text)
