"""Whether the tests reach what they have to: every branch of the pure modules, and most of all the rest.

    python scripts/floors.py        after the tests have run with --cov

The pure modules are those of the import rule of that name in `pyproject.toml`.
"""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path

from coverage import Coverage

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # pyright: ignore[reportMissingImports]

ROOT = Path(__file__).parents[1]
PURE_FLOOR = 100.0
FLOOR = 90.0


def pure_files() -> list[str]:
    """Patterns of the files of the pure modules, below the root."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (rule,) = [rule for rule in settings["tool"]["importlinter"]["contracts"] if rule["id"] == "pure"]
    places = [module.replace(".", "/") for module in rule["source_modules"]]
    return [f"{place}/*.py" if (ROOT / place).is_dir() else f"{place}.py" for place in places]


def main() -> int:
    measured = Coverage(config_file=str(ROOT / "pyproject.toml"))
    measured.load()
    held = True
    for name, files, floor in (("the pure modules", pure_files(), PURE_FLOOR), ("all", None, FLOOR)):
        report = StringIO()
        reached = measured.report(include=files, file=report, skip_covered=True, precision=2)
        if reached < floor:
            held = False
            print(report.getvalue())
        print(f"nbask: {reached:.2f} % of {name}, branches counted; at least {floor:g} % are asked for")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
