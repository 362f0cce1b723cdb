"""Approving a plan: to go on by itself, edit by edit, or what should change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nbask.asking import Request
from nbask.options import Option
from nbask.questions import Ask, Asker, Question
from nbask.replies import Answered
from nbask.text import has_words

AUTO = "Yes, and go on by itself"
MANUAL = "Yes, I approve each edit"
CHANGE = "Change it"


@dataclass(frozen=True)
class PlanDecision:
    """What was decided on a plan; true only where it was approved.

    Args:
        approved: `"auto"` to go on by itself, `"manual"` to have each edit approved, None to change the plan.
        feedback: What should change, or a note to the approval.

    Example:
        >>> bool(PlanDecision("auto")), bool(PlanDecision(None, "Keep the old column"))
        (True, False)
    """

    approved: Literal["auto", "manual"] | None
    feedback: str | None = None

    def __bool__(self) -> bool:
        return self.approved is not None


def request_plan(
    plan: str,
    *,
    question: str = "Go ahead with this plan?",
    timeout: float | None = None,
    asker: str | Asker | None = None,
    keep_loop_running: bool | None = None,
) -> Request[PlanDecision]:
    """Ask the person to approve a plan.

    Args:
        plan: The plan, as markdown.
        question: What to ask below it.
        timeout: Seconds until it ends unanswered.
        asker: Who asks.
        keep_loop_running: Whether other tasks of the running event loop go on.

    Returns:
        The :class:`PlanDecision`: approved, to go on by itself or edit by edit, or what should change.

    Raises:
        ValueError: The plan is empty.
        NoAnswer: There is no answer; silence approves nothing.
        KeyboardInterrupt: The kernel was interrupted.

    Example:
        >>> from nbask import approve_plan
        >>> from nbask.testing import scripted
        >>> with scripted({"Go ahead with this plan?": "Keep the old column"}):
        ...     approve_plan("1. Drop the column `old`")
        PlanDecision(approved=None, feedback='Keep the old column')
    """
    if not has_words(plan):
        raise ValueError(f"the plan is {plan!r}; give the markdown that is to be approved")
    one = Question(
        question,
        [Option(AUTO, value="auto"), Option(MANUAL, value="manual")],
        other_label=CHANGE,
        placeholder="What should change?",
        notes=True,
    )
    ask = Ask(one, message=plan, timeout=timeout, asker=asker)
    return Request(ask, _plan_decision, keep_loop_running)


def _plan_decision(reply: Answered) -> PlanDecision:
    (answer,) = reply.answers.values()
    if answer.other is not None:
        return PlanDecision(None, answer.other)
    return PlanDecision(answer.value, answer.notes)
