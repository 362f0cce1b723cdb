"""The notebooks that ship, clicked through."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
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


@pytest.mark.parametrize("name", ["06-outside-agent", "08-langgraph", "09-pydantic-ai", "10-openai-agents", "11-acp"])
def test_an_agent_framework(lab: Lab, name: str) -> None:
    """The real framework with a scripted model: its questions are cards, and it goes on with what was clicked."""
    _open(lab, f"{name}.ipynb")
    assert click_through(lab)


def test_mcp_elicitation(lab: Lab) -> None:
    """A real MCP server asks: a form, and an address that is opened in a tab of its own."""
    _open(lab, "05-mcp-elicitation.ipynb")
    assert click_through(lab)
    assert {url.partition("?")[0] for url in lab.outside} == {"https://travel.example/sign-in"}
    lab.outside.clear()


def test_claude_agent(lab: Lab) -> None:
    """The real SDK, with Claude's side scripted: a question, a command and a plan, each on a card."""
    _open(lab, "07-claude-agent.ipynb")
    answered = click_through(lab)
    assert len(answered) == 3
    assert "ExitPlanMode: allow" in answered[-1].returned
