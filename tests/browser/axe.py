"""What axe-core finds in the cards and receipts of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lab import Lab

AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"

# JupyterLab's windows overflow a body that axe takes for a box that hides them.
_BODY = "body { height: 100vh }"


def look(lab: Lab, within: str = ".nbask", fewest: int = 3) -> list[str]:
    """Have axe look at all that `within` finds, with every rule that is not experimental.

    Args:
        lab: The page.
        within: A selector.
        fewest: How many texts it must have looked at: what is out of view it leaves out, and says nothing.

    Returns:
        What it found, one sentence each.
    """
    if not lab.page.evaluate("'axe' in window"):
        lab.page.add_script_tag(path=AXE)
        lab.page.add_style_tag(content=_BODY)
    found: dict[str, Any] = lab.page.evaluate(
        """within => axe.run(
            {include: [within]},
            {rules: {'target-size': {enabled: true}}, resultTypes: ['violations', 'incomplete', 'passes']},
        )""",
        within,
    )
    texts = sum(len(rule["nodes"]) for rule in found["passes"] if rule["id"] == "color-contrast")
    assert texts >= fewest, f"axe has looked at {texts} texts only"
    return [
        f"{rule['id']}: {node['html']}: {node['failureSummary']}"
        for rule in (*found["violations"], *map(_in_doubt, found["incomplete"]))
        for node in rule["nodes"]
    ]


# What axe leaves to a person, and a person has looked at: the cross that cancels is no word, arrows and ticks are
# none either, and the last row in a list that scrolls is cut.
SEEN = ("visible text is part of the accessible name", "non-text characters", "too short", "partially obscured")


def _in_doubt(rule: dict[str, Any]) -> dict[str, Any]:
    nodes = [node for node in rule["nodes"] if not any(words in node["failureSummary"] for words in SEEN)]
    return {**rule, "nodes": nodes}
