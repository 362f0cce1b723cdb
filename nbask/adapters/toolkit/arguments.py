"""A tool's arguments as a person reads them: short ones as JSON, long texts as they are, and a change as a diff."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, cast

from nbask.diffing import diff
from nbask.text import fenced, printable

LONG = 100
"""Characters from which on a text is shown by itself, with its line breaks."""
_WORDS = (("old", "new"), ("before", "after"))
_PATH = re.compile(r"[\w.\[\]-]{1,100}")


class _Shown(Enum):
    BELOW = "(below)"


def shown(arguments: Any) -> str:
    """Markdown of a call's arguments: nothing in them is left out, and nothing is taken for markdown.

    Args:
        arguments: A dict, or whatever else a tool takes.

    Returns:
        The short ones as JSON, then each text of several lines, or of more than a line's length, under its
        name. Two texts named like `old_string` and `new_string` are one diff.

    Example:
        >>> print(shown({"path": "a.py", "old_string": "x = 1", "new_string": "x = 2"}))
        ```json
        {
          "path": "a.py"
        }
        ```
        <BLANKLINE>
        ```diff
        --- old_string → new_string
        +++ old_string → new_string
        @@ -1 +1 @@
        -x = 1
        +x = 2
        ```
    """
    if isinstance(arguments, str):
        return fenced(printable(arguments))
    if arguments is None or arguments == {}:
        return "No arguments."
    try:
        below: list[str] = []
        short = _split(arguments, "", below)
        above = [] if short is _Shown.BELOW else [fenced(_json(short), "json")]
    except Exception:  # noqa: BLE001 - no JSON, and what is in it matters all the same
        return fenced(printable(_whole(arguments)))
    return "\n\n".join([*above, *below])


def loaded(arguments: Any) -> Any:
    """A tool's arguments as the model wrote them, or as the framework read them, as JSON values.

    Example:
        >>> loaded('{"path": "a.py"}'), loaded("a.py")
        ({'path': 'a.py'}, 'a.py')
    """
    if not isinstance(arguments, str):
        return dict(cast("Mapping[Any, Any]", arguments)) if isinstance(arguments, Mapping) else arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):  # what is no JSON is shown as it is
        return arguments


def is_json(value: Any) -> bool:
    """Whether a person may be given it as JSON, to change it: nothing of it is lost on the way.

    Example:
        >>> is_json({"days": [1, 2]}), is_json({"days": {1, 2}})
        (True, False)
    """
    try:
        json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _whole(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - nested too deeply, or a fault of its own; whoever decides has to know
        return f"(arguments of the type {type(value).__name__} that cannot be shown)"


def _json(value: Any) -> str:
    return printable(json.dumps(value, indent=2, ensure_ascii=False, default=_stand_in))


def _stand_in(value: Any) -> str:
    return value.value if isinstance(value, _Shown) else _whole(value)


def _split(value: Any, path: str, below: list[str]) -> Any:
    """What is left of `value` for JSON; what is shown by itself goes to `below`."""
    if isinstance(value, str):
        if not _PATH.fullmatch(path) or ("\n" not in value and len(value) <= LONG):
            return value
        below.append(f"`{path}`\n\n{fenced(printable(value))}")
        return _Shown.BELOW
    if isinstance(value, Mapping):
        given = dict(cast("Mapping[Any, Any]", value))
        for before, after in list(_changes(given, path)):
            change = diff(
                printable(given.pop(before)), printable(given.pop(after)), f"{_at(path, before)} → {_at(path, after)}"
            )
            below.append(fenced(str(change), "diff"))
        split = {key: _split(one, _at(path, key), below) for key, one in given.items()}
        kept = {key: one for key, one in split.items() if one is not _Shown.BELOW}
        return kept if kept or not value else _Shown.BELOW
    if isinstance(value, list | tuple):
        items = [_split(one, f"{path}[{index}]", below) for index, one in enumerate(cast("list[Any]", value))]
        return _Shown.BELOW if items and all(one is _Shown.BELOW for one in items) else items
    return value


def _at(path: str, name: Any) -> str:
    return f"{path}.{name}" if path else str(name)


def _changes(given: Mapping[Any, Any], path: str) -> Iterator[tuple[str, str]]:
    """Names of the texts in it that are one before and after a change."""
    for name in given:
        for old, new in _WORDS:
            other = _renamed(name, old, new)
            texts = isinstance(given[name], str) and isinstance(given.get(other), str)
            if texts and _PATH.fullmatch(_at(path, name)) and given[name] != given[other]:
                yield name, other


def _renamed(name: Any, old: str, new: str) -> str:
    """`old_string` to `new_string`, `oldText` to `newText`; a name that says nothing of the kind is left."""
    found = isinstance(name, str) and re.fullmatch(rf"{old}(?=_|[A-Z]|$).*", name)
    return f"{new}{name[len(old) :]}" if found else ""
