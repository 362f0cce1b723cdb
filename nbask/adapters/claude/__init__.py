"""Claude: its questions, plans and tool calls as cards, for its Agent SDK, for Claude Code, and for agents of your own.

    ClaudeAgentOptions(can_use_tool=nbask.adapters.claude.can_use_tool)      # the Agent SDK
    nbask hook --print-settings                                              # Claude Code in a terminal

An agent written by hand on a model API offers :data:`ASK_USER_QUESTION_TOOL` to its model, and answers its calls
with :func:`ask_user_question`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbask.adapters.claude.hooks import HookQuestion, HookRecord, HookRow, read_hook
    from nbask.adapters.claude.permissions import can_use_tool, with_label
    from nbask.adapters.claude.questions import aask_user_question, ask_user_question
    from nbask.adapters.claude.tool import ASK_USER_QUESTION_TOOL

__all__ = [
    "ASK_USER_QUESTION_TOOL",
    "HookQuestion",
    "HookRecord",
    "HookRow",
    "aask_user_question",
    "ask_user_question",
    "can_use_tool",
    "read_hook",
    "with_label",
]

# Loaded when they are first used: `nbask hook` comes through here, and Claude Code waits for it.
_ROOMS = {
    "hooks": ("HookQuestion", "HookRecord", "HookRow", "read_hook"),
    "permissions": ("can_use_tool", "with_label"),
    "questions": ("aask_user_question", "ask_user_question"),
    "tool": ("ASK_USER_QUESTION_TOOL",),
}


def __getattr__(name: str) -> Any:
    room = next((room for room, names in _ROOMS.items() if name in names), None)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"{__name__}.{room}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
