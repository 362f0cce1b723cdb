"""Ask the person at the notebook, from any code, and wait for the answer.

    from nbask import ask
    colour = ask("Red or blue?", ["Red", "Blue"])

`%load_ext nbask` adds the magics. Everything here has an awaitable twin of the same
name in :mod:`nbask.aio`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbask import aio
    from nbask.asking import put
    from nbask.diffing import diff
    from nbask.logbook import decisions
    from nbask.plans import PlanDecision
    from nbask.questions import Ask, Asker, Option, Question
    from nbask.replies import NoAnswer
    from nbask.sync import approve_plan, ask, ask_form, ask_questions, ask_text, confirm

__all__ = [
    "Ask",
    "Asker",
    "NoAnswer",
    "Option",
    "PlanDecision",
    "Question",
    "aio",
    "approve_plan",
    "ask",
    "ask_form",
    "ask_questions",
    "ask_text",
    "confirm",
    "decisions",
    "diff",
    "put",
]
__version__ = "0.1.0"

# Loaded when they are first used: the command line goes through this door as well, and a hook of a coding
# agent has to answer before pydantic could even be imported.
_ROOMS = {
    "aio": ("aio",),
    "asking": ("put",),
    "diffing": ("diff",),
    "logbook": ("decisions",),
    "plans": ("PlanDecision",),
    "questions": ("Ask", "Asker", "Option", "Question"),
    "replies": ("NoAnswer",),
    "sync": ("approve_plan", "ask", "ask_form", "ask_questions", "ask_text", "confirm"),
}


def __getattr__(name: str) -> Any:
    room = next((room for room, names in _ROOMS.items() if name in names), None)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{room}")
    found = globals()[name] = module if name == room else getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext nbask`: the magics, the settings, and the way of waiting. Loading twice is harmless."""
    from nbask.extension import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext nbask`: withdraws what is open and puts back what was there before."""
    from nbask.extension import unload

    unload(shell)
