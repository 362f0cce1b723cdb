"""What `scripts/support` does; run that instead. How tests become rows is said in `tests/conftest.py`."""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOUND = ROOT / "test-results" / "support.json"
PAGE = ROOT / "docs" / "support.md"
COLUMNS = {"ask": "ask", "await": "await", "reload": "reload", "interrupt": "interrupt", "run all": "Run All"}
FIRST = ("JupyterLab 4", "Notebook 7", "nbclassic", "Voilà", "marimo", "JupyterLab's way", "VS Code")
"""How the names of the fronts that come first begin; the others follow by name."""
VERSIONED = ("jupyterlab", "notebook", "nbclassic", "voila", "marimo", "jupyter_console", "qtconsole", "ipython")

HEAD = """\
# Where nbask works

Made by `scripts/support` from the results of the tests; `scripts/test` fails when this page and what it finds differ.
The last column says how each was tested: in Chromium or a terminal of its own, as it is; as a driven kernel, by a
client that sends what such a front end sends; or with a stand-in for a place that cannot be had here.

- **ask**: `ask(...)` blocks the cell, and the next line has the answer. **await**: the same of `await aio.ask(...)`.
- **reload**: the page is reloaded while a question is open; it comes back with what was typed, and the answer counts.
- **interrupt**: the stop button, or Ctrl+C, ends the wait, and the kernel goes on.
- **Run All**: cells behind a question wait for it, and run after it, once and in order.
- ✓ it works, by a card or by what takes a card's place there; *text*: by a line of input; *inbox*: in the inbox;
  *refused*: at once, in words; –: not to be had there; ✗: it fails.

Where nothing else is said of JupyterLab, its setting `commsOverSubshells` is as it comes: `perCommTarget`.
"""


@dataclass
class Cell:
    """What is said of one front end, kernel and action, and why."""

    text: str = "–"
    notes: list[str] = field(default_factory=list)


@dataclass
class Row:
    """One line of the table; kernels of which all the same is to be said share it."""

    front: str
    kernels: list[str]
    cells: dict[str, Cell]
    how: list[str]

    def says(self) -> tuple[object, ...]:
        return (self.front, [(cell.text, cell.notes) for cell in self.cells.values()], self.how)


def rows_of(facts: Iterable[dict[str, Any]]) -> list[Row]:
    """The table's rows, from what the tests found.

    Raises:
        ValueError: Two tests say different things of one cell.
    """
    by_place: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for fact in facts:
        by_place[fact["front"], fact["kernel"]].append(fact)
    rows: list[Row] = []
    for (front, kernel), found in sorted(by_place.items(), key=lambda place: _order(*place[0])):
        cells = {action: _cell([one for one in found if action in one["action"]]) for action in COLUMNS}
        row = Row(front, [kernel], cells, sorted({one["how"] for one in found}))
        if rows and rows[-1].says() == row.says():
            rows[-1].kernels.append(kernel)
        else:
            rows.append(row)
    return rows


def _order(front: str, kernel: str) -> tuple[object, ...]:
    place = next((i for i, name in enumerate(FIRST) if front.startswith(name)), len(FIRST))
    return place, front, [int(part) for part in re.findall(r"\d+", kernel)]


def _cell(found: list[dict[str, Any]]) -> Cell:
    if not found:
        return Cell()
    texts = {one.get("cell", "✓") for one in found}
    if len(texts) > 1:
        raise ValueError(f"tests of {found[0]['front']} say {sorted(texts)} of one cell ({found[0]['action']})")
    passed = all(one["passed"] for one in found)
    return Cell(texts.pop() if passed else "✗", sorted({one["note"] for one in found if "note" in one}))


def page_of(rows: Iterable[Row], versions: str) -> str:
    """The page, whole."""
    notes: list[str] = []
    lines = [
        f"| Front end | Kernel | {' | '.join(COLUMNS.values())} | Tested in |",
        f"| --- | --- |{' :-: |' * len(COLUMNS)} --- |",
    ]
    for row in rows:
        texts = [_text(cell, notes) for cell in row.cells.values()]
        lines.append(f"| {' | '.join([row.front, _kernels(row.kernels), *texts, ', '.join(row.how)])} |")
    said = "\n".join(f"{number}. {note}" for number, note in enumerate(notes, 1))
    return f"{HEAD}\n" + "\n".join(lines) + f"\n\n{said}\n\n{versions}\n"


def _text(cell: Cell, notes: list[str]) -> str:
    for note in cell.notes:
        if note not in notes:
            notes.append(note)
    numbers = ",".join(str(notes.index(note) + 1) for note in cell.notes)
    return f"{cell.text}<sup>{numbers}</sup>" if numbers else cell.text


def _kernels(names: list[str]) -> str:
    """`ipykernel 6.31.0, 7.4.0`: what they have in common is said once."""
    first, _, _ = names[0].partition(" ")
    if not all(name.startswith(f"{first} ") for name in names):
        return ", ".join(names)
    return f"{first} " + ", ".join(name.removeprefix(f"{first} ") for name in names)


def versions() -> str:
    """Which versions those are, as pinned."""
    pins = (ROOT / "requirements" / "dev.txt").read_text()
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.]+)", pins, re.MULTILINE))
    named = {name.lower().replace("_", "-"): version for name, version in pinned.items()}
    found = ((name, named.get(name.replace("_", "-"))) for name in VERSIONED)
    return "Versions: " + ", ".join(f"{name} {version}" for name, version in found if version) + "."


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/support", description="Write docs/support.md from the tests.")
    parser.add_argument("--check", action="store_true", help="say where it differs instead")
    check = parser.parse_args().check
    if not FOUND.exists():
        print(f"nbask: there is no {FOUND.relative_to(ROOT)}: run scripts/test first", file=sys.stderr)
        return 1
    found = json.loads(FOUND.read_text())
    page = page_of(rows_of(found.values()), versions())
    failing = [test for test, fact in found.items() if not fact["passed"]]
    if not check:
        PAGE.write_text(page)
        print(f"nbask: {PAGE.relative_to(ROOT)} is written")
        return _say_failing(failing)
    committed = PAGE.read_text() if PAGE.exists() else ""
    name = str(PAGE.relative_to(ROOT))
    sys.stdout.writelines(
        difflib.unified_diff(committed.splitlines(True), page.splitlines(True), name, "as found", n=0)
    )
    if committed != page:
        print(f"nbask: {name} is not what the tests found; run scripts/support, and look at what changed")
    return _say_failing(failing) or int(committed != page)


def _say_failing(tests: list[str]) -> int:
    for test in tests:
        print(f"nbask: failed: {test}")
    return int(bool(tests))


if __name__ == "__main__":
    sys.exit(main())
