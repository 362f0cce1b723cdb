"""Ask the person at the notebook, from any code, and wait for the answer.

    from nbask import ask
    colour = ask("Red or blue?", ["Red", "Blue"])

`%load_ext nbask` adds the magics. Everything here has an awaitable twin of the same
name in :mod:`nbask.aio`.
"""

from __future__ import annotations

from typing import Any

from nbask import aio
from nbask.asking import blocking, put
from nbask.builders import (
    request_choice,
    request_confirm,
    request_form,
    request_questions,
    request_text,
)
from nbask.diffing import diff
from nbask.plans import PlanDecision, request_plan
from nbask.questions import Ask, Asker, Option, Question
from nbask.replies import NoAnswer

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
    "diff",
    "put",
]
__version__ = "0.1.0"

approve_plan = blocking(request_plan, "approve_plan")
ask = blocking(request_choice, "ask")
ask_form = blocking(request_form, "ask_form")
ask_questions = blocking(request_questions, "ask_questions")
ask_text = blocking(request_text, "ask_text")
confirm = blocking(request_confirm, "confirm")


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext nbask`: the magics, the settings, and the way of waiting. Loading twice is harmless."""
    from nbask.extension import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext nbask`: withdraws what is open and puts back what was there before."""
    from nbask.extension import unload

    unload(shell)
