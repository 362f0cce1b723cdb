"""The kernel environments that `scripts/setup` made, one per ipykernel version."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def cache() -> Path:
    """Where `scripts/setup` puts environments; the same rule as in `scripts/lib.sh`."""
    if named := os.environ.get("NBASK_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nbask"


def versions() -> list[str]:
    """The ipykernel versions to test on: those of `requirements/kernels.txt`, or of NBASK_KERNELS."""
    lines = (ROOT / "requirements" / "kernels.txt").read_text().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    fitting = [version for version, oldest in rows if sys.version_info >= tuple(map(int, oldest.split(".")))]
    if narrowed := os.environ.get("NBASK_KERNELS"):
        wanted = narrowed.replace(",", " ").split()
        if unknown := set(wanted) - set(fitting):
            raise ValueError(f"NBASK_KERNELS names {', '.join(sorted(unknown))}; there are {', '.join(fitting)}.")
        return wanted
    return fitting


def python_of(version: str) -> Path:
    """The interpreter whose environment holds that ipykernel version."""
    python = cache() / f"kernel-{version}" / "bin" / "python"
    if not python.exists():
        raise FileNotFoundError(f"{python} is missing: run scripts/setup, which makes it.")
    return python
