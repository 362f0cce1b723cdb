"""SECURITY.md names a test, or a file of them, for each line of its threat model, and they are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = [
    line.strip("|").split(" | ")
    for line in (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| threat", "| ---"))
]
DEFAULT = "test_serve_security.py"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip()[:40])
def test_each_line_of_the_threat_model_has_its_tests(row: list[str]) -> None:
    _, protects, tests = row
    assert protects.strip()
    named = re.findall(r"`(test_\w+)`", tests)
    files = re.findall(r"`(?:tests/)?([\w/]+\.py)`", tests)
    paths = [next((ROOT / "tests").rglob(Path(file).name)) for file in files or [DEFAULT]]
    assert named or files
    sources = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    assert [name for name in named if f"def {name}(" not in sources] == []


def test_there_are_lines() -> None:
    assert len(ROWS) > 15
