"""Claude's permission suggestions as rows of the approval card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nbask.adapters.toolkit.approval import Rule
from nbask.adapters.toolkit.extras import given
from nbask.text import one_line

PACKAGE = "claude-agent-sdk"
_WHERE = {
    "session": "in this session",
    "localSettings": "in this project, for you",
    "projectSettings": "in this project, for everybody",
    "userSettings": "in all your projects",
}
_MODES = {
    "acceptEdits": "accept all edits",
    "bypassPermissions": "allow everything",
    "plan": "go to plan mode",
    "default": "go back to asking",
}


def rules(suggestions: Iterable[Any]) -> list[Rule]:
    """A rule for each suggestion that widens what is allowed, with the suggestion as its value.

    Args:
        suggestions: The SDK's `PermissionUpdate` objects.

    Raises:
        Incompatible: One has no `type`, or lacks what its type has.

    Example:
        >>> from claude_agent_sdk.types import PermissionUpdate
        >>> [rule.label for rule in rules([PermissionUpdate(type="setMode", mode="acceptEdits")])]
        ['Approve, and accept all edits in this session']
    """
    found = [(_label(one), one) for one in suggestions or ()]
    return [Rule(label=label, value=one) for label, one in found if label is not None]


def _label(one: Any) -> str | None:
    match given(one, "type", PACKAGE):
        case "addRules":
            return _rules(one)
        case "addDirectories":
            folders = ", ".join(given(one, "directories", PACKAGE) or ())
            return f"Always allow work in {_short(folders)} {_where(one)}" if folders else None
        case "setMode":
            mode = given(one, "mode", PACKAGE)
            return f"Approve, and {_MODES.get(mode, f'go to mode {mode}')} {_where(one)}" if mode else None
        case _:  # takes something away, or is newer than this
            return None


def _rules(one: Any) -> str | None:
    rules = given(one, "rules", PACKAGE) or ()
    if given(one, "behavior", PACKAGE) != "allow" or not rules:
        return None
    return f"Always allow {_short(', '.join(map(_rule, rules)))} {_where(one)}"


def _rule(rule: Any) -> str:
    tool, content = given(rule, "tool_name", PACKAGE), given(rule, "rule_content", PACKAGE)
    return f"{tool}({content})" if content else f"every call of {tool}"


def _where(one: Any) -> str:
    return _WHERE.get(given(one, "destination", PACKAGE) or "session", "from now on")


def _short(text: str) -> str:
    return one_line(text, 400)
