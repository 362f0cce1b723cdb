"""`docs/mutation.md`: why some mutants may go unnoticed, written for people and read by `scripts/mutate`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from mutation.mutants import Key

_MODULE = re.compile(r"## `(.+\.py)`")
_FUNCTION = re.compile(r"- `([\w.]+)`: ")


def explained(page: Path) -> set[Key]:
    """The mutants that the page explains.

    A module is a heading; a function is an item that begins with its name and says the reason. Of the diff blocks
    under it, each run of `-` lines with the `+` lines after it is one mutant.

    Raises:
        ValueError: If a diff stands under no module or function.
    """
    found: set[Key] = set()
    removed = ""
    for (module, function, sign), lines in groupby(_diff_lines(page), key=lambda line: line[:3]):
        text = "\n".join(line[3] for line in lines)
        if sign == "-":
            removed = text
        else:
            found.add((module, function, removed, text))
    return found


def _diff_lines(page: Path) -> Iterator[tuple[str, str, str, str]]:
    """Each line of a diff: its module, its function, its sign and its text."""
    module = function = ""
    in_diff = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        text = line.strip()
        if text.startswith("```"):
            in_diff = text == "```diff"
        elif in_diff:
            if not function:
                raise ValueError(f"{page.name}:{number}: {text!r} stands under no module and function.")
            yield module, function, text[:1], text[1:].strip()
        elif heading := _MODULE.fullmatch(line):
            module, function = heading[1], ""
        elif module and (item := _FUNCTION.match(line)):
            function = item[1]
