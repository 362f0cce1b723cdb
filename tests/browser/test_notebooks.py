"""The notebooks that ship, clicked through."""

from __future__ import annotations

import shutil
from pathlib import Path

from lab import Lab
from tour import click_through

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def _open(lab: Lab, name: str) -> None:
    shutil.copy(NOTEBOOKS / name, lab.server.root / name)
    lab.open(name)


def test_first_question(lab: Lab) -> None:
    _open(lab, "01-first-question.ipynb")
    answered = click_through(lab)
    assert answered


def test_agent_with_a_question_tool(lab: Lab) -> None:
    """A scripted model calls the question tool; the agent goes on with what was clicked."""
    _open(lab, "02-agent-with-a-question-tool.ipynb")
    answered = click_through(lab)
    assert answered
    assert any(step.clicked and step.clicked[0] in step.returned for step in answered)
