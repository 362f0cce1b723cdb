"""What `scripts/bench` does; run that instead. It has the tests' kernel driver and JupyterLab on its path."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import idling
import loading
import many
import painting
import sizes
import waking
from figures import Figure, missed, table

GROUPS: dict[str, tuple[Callable[[], Iterator[Figure]], tuple[str, ...]]] = {
    "loading": (loading.measure, ("import_over_ipywidgets", "ask_import_over_ipywidgets", "load_ext_ms")),
    "waking": (waking.measure, ("wake_over_echo", "wake_over_delivery")),
    "sizes": (sizes.measure, ("first_card_bytes", "next_card_bytes", "saved_bytes_per_answer")),
    "many": (
        many.measure,
        ("open_10k_over_1k", "answers_file_10k_over_1k", "memory_per_open_ask_bytes", "memory_per_settled_ask_bytes"),
    ),
    "painting": (painting.measure, ("card_paint_over_ipywidgets", "key_to_paint_over_bare")),
    "idling": (idling.measure, ("idle_cpu_ms_per_s",)),
}
"""What is measured together, and the figures that come of it."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measure nbask beside what it is compared with.")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="a figure, or a group that is measured together"
    )
    parser.add_argument("--no-targets", action="store_true", help="exit 0 even where a target is missed")
    given = parser.parse_args()
    try:
        wanted = _wanted(given.only)
    except ValueError as fault:
        parser.error(str(fault))
    begun = time.monotonic()
    figures: list[Figure] = []
    for name in wanted:
        print(f"nbask: measuring {name}", file=sys.stderr, flush=True)
        at = time.monotonic()
        figures += GROUPS[name][0]()
        print(f"nbask: {name} took {time.monotonic() - at:.0f} s", file=sys.stderr, flush=True)
    print(json.dumps(_whole(figures, time.monotonic() - begun), indent=2) if given.json else table(figures))
    for figure in missed(figures):
        print(f"nbask: {figure.name} is {figure.value:.3g}, and should be at most {figure.target:g}", file=sys.stderr)
    return int(bool(missed(figures)) and not given.no_targets)


def _wanted(names: list[str] | None) -> list[str]:
    """The groups that have what was named; all of them where nothing was."""
    for name in names or []:
        if name not in GROUPS and all(name not in figures for _, figures in GROUPS.values()):
            known = "; ".join(f"{group}: {', '.join(figures)}" for group, (_, figures) in GROUPS.items())
            raise ValueError(f"there is no figure {name!r}; name a group or a figure of these: {known}")
    wanted = set(names or GROUPS)
    return [group for group, (_, figures) in GROUPS.items() if wanted & {group, *figures}]


def _whole(figures: list[Figure], seconds: float) -> dict[str, Any]:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "python": platform.python_version(),
        "cpus": os.cpu_count(),
        "load": load,
        "seconds": round(seconds, 1),
        "figures": {figure.name: figure.as_json() for figure in figures},
        "missed": [figure.name for figure in missed(figures)],
    }


if __name__ == "__main__":
    sys.exit(main())
