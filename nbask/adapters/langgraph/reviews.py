"""A tool call that waits in an interrupt: what may be decided on it, and what was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nbask.adapters.toolkit import loose
from nbask.adapters.toolkit.approval import Approval, ToolCall
from nbask.adapters.toolkit.together import Doors
from nbask.adapters.toolkit.words import denied, undecided
from nbask.questions import Ask, Asker, Question
from nbask.replies import Answered, Declined, Discussed, NoAnswer, Reply

Kind = Literal["approve", "edit", "reject", "respond"]


@dataclass(frozen=True)
class Review:
    """A call, and what may be decided on it.

    Args:
        name: The tool's name.
        arguments: Its arguments.
        description: What the graph says about the call.
        allowed: Of "approve", "edit", "reject" and "respond", those the graph takes.
        schema: JSON Schema of the arguments, where the graph sends one.
    """

    name: str
    arguments: Any
    description: str
    allowed: frozenset[str]
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Decision:
    """What was decided: one of what is allowed."""

    kind: Kind
    words: str = ""
    arguments: Any = None


async def decide(review: Review, doors: Doors, asker: str | Asker, timeout: float | None) -> Decision | NoAnswer:
    """Have the person decide.

    Args:
        review: The call.
        doors: How to ask.
        asker: Who asks.
        timeout: Seconds until a card ends unanswered.

    Returns:
        The decision; or a :class:`~nbask.NoAnswer` where there is none and the graph takes no refusal.
    """
    if not review.allowed & {"approve", "edit"}:
        return await _in_words(review, doors, asker, timeout)
    call = ToolCall(
        tool=review.name,
        arguments=review.arguments,
        description=review.description or None,
        schema=review.schema,
        editable="edit" in review.allowed,
        respond="respond" in review.allowed,
    )
    said = await doors.approve(call, asker=asker, timeout=timeout)
    if not isinstance(said, Approval):
        return _undecided(review, said)
    if said.approved:
        if said.arguments is None and "approve" in review.allowed:
            return Decision("approve")
        # Approved where the graph takes changes alone: changed to what it was.
        return Decision("edit", arguments=review.arguments if said.arguments is None else said.arguments)
    if said.responded:
        return Decision("respond", said.reason)
    if "reject" in review.allowed:
        return Decision("reject", said.reason)
    return _refusal(review, denied(said.reason), Declined())


async def _in_words(review: Review, doors: Doors, asker: str | Asker, timeout: float | None) -> Decision | NoAnswer:
    """A call that a person answers in place of the tool, as a model asks a question by a tool for it."""
    read = loose.read(review.arguments, f"What to answer in place of {review.name}?")
    question, rest = read.question, {"asker": asker, "timeout": timeout, "when_unanswered": "raise"}
    if review.description and question.description is None:
        question = question.model_copy(update={"description": review.description})
    reply = await doors.put(Ask(question, message=read.message, **rest))
    if not isinstance(reply, Answered):
        return _undecided(review, reply)
    (answer,) = reply.answers.values()
    words = answer.value if isinstance(answer.value, str) else json.dumps(answer.value, ensure_ascii=False)
    return Decision("respond" if "respond" in review.allowed else "reject", words)


def _undecided(review: Review, reply: Reply) -> Decision | NoAnswer:
    """The honest no for each way of not deciding."""
    words = undecided(reply)
    if isinstance(reply, Discussed) and "respond" in review.allowed:
        return Decision("respond", words)
    return Decision("reject", words) if "reject" in review.allowed else _refusal(review, words, reply)


def _refusal(review: Review, words: str, reply: Reply) -> Decision | NoAnswer:
    if "respond" in review.allowed:
        return Decision("respond", words)
    return NoAnswer(reply, Ask(Question(f"Allow {review.name}?")))
