"""The table in `docs/adapters.md` is whole: a row for each adapter, its extra, its tests; and none needs its framework."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
ROWS = re.findall(
    r"^\| `(nbask\.adapters\.\w+)` \| .* \| (?:`([\w-]+)`)? ?\| `(tests/[\w/.]+)` \|$", DOCUMENT, re.MULTILINE
)
FRAMEWORKS = [
    *("acp", "ag2", "agent_framework", "agents", "autogen_agentchat", "claude_agent_sdk", "crewai", "fastmcp"),
    *("google.adk", "inspect_ai", "langchain", "langgraph", "mcp", "pydantic_ai", "strands", "workflows"),
]


def test_every_adapter_has_a_row() -> None:
    files = (ROOT / "nbask" / "adapters").iterdir()
    names = {path.stem for path in files if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert {f"nbask.adapters.{name}" for name in names - {"toolkit", "__init__"}} == {module for module, _, _ in ROWS}


@pytest.mark.parametrize(("module", "extra", "tests"), ROWS, ids=[row[0].rpartition(".")[2] for row in ROWS])
def test_a_row_names_an_extra_and_tests_that_are_there(module: str, extra: str, tests: str) -> None:
    assert not extra or f"\n{extra} = [" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert (ROOT / tests).exists()


@pytest.mark.parametrize("module", [row[0] for row in ROWS], ids=lambda name: name.rpartition(".")[2])
def test_an_adapter_imports_no_framework_before_its_use(module: str) -> None:
    code = f"import sys, {module}; print(*[name for name in {FRAMEWORKS!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == ""


def test_every_recipe_is_in_the_document() -> None:
    recipes = import_module("nbask.adapters.recipes")
    assert [name for name in recipes.__all__ if f"recipes.{name}" not in DOCUMENT] == []


def test_the_notebooks_it_names_are_there() -> None:
    numbers = re.findall(r"[Nn]otebooks? (\d\d)(?: and (\d\d))?", DOCUMENT)
    found = [one for pair in numbers for one in pair if one]
    assert found
    assert [one for one in found if not list((ROOT / "notebooks").glob(f"{one}-*.ipynb"))] == []
