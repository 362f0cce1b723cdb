"""What a figure is, the targets, and what several groups measure with."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from driver import Kernel
from environments import ROOT, cache, python_of

TARGETS = {
    "wake_over_echo": 1.3,
    "idle_cpu_ms_per_s": 2.0,
    "next_card_bytes": 2048.0,
    "saved_bytes_per_answer": 2048.0,
    "open_10k_over_1k": 1.2,
    "card_paint_over_ipywidgets": 0.8,
    "import_over_ipywidgets": 0.5,
}
"""At most; by a figure's name up to its first dot. What is measured of others has none."""

PEERS = ("jupyter_ui_poll", "ipywidgets")
TAP, GATE = "7.4.0", "6.31.0"
"""The newest ipykernel, and the last of those with one thread."""

QUESTION = "Which of the two databases should hold the readings?"
OPTIONS = ["Postgres, as the others do", "SQLite, one file a station"]
ASK = f"answer = ask({QUESTION!r}, {OPTIONS!r}, notes=True)"
WIDGETS = f"""
import ipywidgets
ipywidgets.VBox([
    ipywidgets.RadioButtons(description={QUESTION!r}, options={OPTIONS!r}, value=None),
    ipywidgets.Text(description="Other"),
    ipywidgets.Text(description="Notes"),
    ipywidgets.Button(description="Submit"),
    ipywidgets.Button(description="Discuss first"),
    ipywidgets.Button(description="Decline"),
])
"""
"""The same question, built by hand of the widgets that one has for it."""


@dataclass(frozen=True)
class Figure:
    """One figure: the middle of what was measured and its spread, and what it was made of.

    Args:
        name: Its group's name, and after a dot which one of the group it is.
        value: The median.
        low: The lower quartile, or the least where there are few rounds; the same as `value` where nothing varies.
        high: The upper quartile, or the most.
        unit: What it is counted in; empty for a ratio.
        sides: The absolute figures behind it, each with its unit in its name.
    """

    name: str
    value: float
    low: float
    high: float
    unit: str = ""
    sides: dict[str, float] = field(default_factory=dict)

    @property
    def target(self) -> float | None:
        group, _, which = self.name.partition(".")
        return None if which in PEERS else TARGETS.get(group)

    @property
    def met(self) -> bool | None:
        return None if self.target is None else self.value <= self.target

    def as_json(self) -> dict[str, Any]:
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        sides = {name: _short(value) for name, value in self.sides.items()}
        return {
            **{name: _short(value) for name, value in numbers.items()},
            "unit": self.unit or "ratio",
            "target": self.target,
            "met": self.met,
            "sides": sides,
        }


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def figure(name: str, values: Sequence[float], unit: str = "", **sides: float) -> Figure:
    """A figure of several rounds: their median, and their quartiles (of fewer than four, the extremes)."""
    low, middle, high = _spread(values)
    return Figure(name, middle, low, high, unit, sides)


def ratio(name: str, ours: Sequence[float], theirs: Sequence[float], unit: str = "ms") -> Figure:
    """How many times theirs ours is, round by round; a busy moment falls upon both sides of its round.

    Args:
        name: The figure's name.
        ours: One measurement a round.
        theirs: The other side's, of the same rounds.
        unit: What both are counted in.
    """
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    low, middle, high = _spread(ratios)
    sides = {f"ours_{unit}": statistics.median(ours), f"theirs_{unit}": statistics.median(theirs)}
    return Figure(name, middle, low, high, "", sides)


def _spread(values: Sequence[float]) -> tuple[float, float, float]:
    if len(values) < 4:
        return min(values), statistics.median(values), max(values)
    low, _, high = statistics.quantiles(values, n=4)
    return low, statistics.median(values), high


def missed(figures: Iterable[Figure]) -> list[Figure]:
    """Those that miss their target."""
    return [one for one in figures if one.met is False]


def table(figures: Iterable[Figure]) -> str:
    """The figures for a person to read."""
    rows = [("figure", "value", "spread", "", "target", "")]
    for one in figures:
        target = "" if one.target is None else f"≤ {one.target:g}"
        verdict = {True: "met", False: "MISSED", None: ""}[one.met]
        spread = "" if one.low == one.high else f"{one.low:.3g} … {one.high:.3g}"
        sides = ", ".join(f"{name} {value:.4g}" for name, value in one.sides.items())
        rows.append((one.name, f"{one.value:.4g} {one.unit}".strip(), spread, sides, target, verdict))
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    order = (0, 1, 2, 4, 5, 3)  # what it is made of last: that is long
    return "\n".join("  ".join(row[i].ljust(widths[i]) for i in order).rstrip() for row in rows)


def kernel(version: str, *, beside: bool = False) -> Kernel:
    """Start a kernel that imports nbask from this tree.

    Args:
        version: Of ipykernel.
        beside: Whether it finds jupyter-ui-poll as well.
    """
    path = [str(ROOT), *([str(cache() / "bench")] if beside else [])]
    return Kernel(python_of(version), env={"PYTHONPATH": os.pathsep.join(path)})


def python(version: str = TAP) -> tuple[Path, dict[str, str]]:
    """The interpreter of a kernel environment, and what its own environment variables are to be."""
    return python_of(version), {**os.environ, "PYTHONPATH": str(ROOT)}
