"""AG2 1.x: what the human in the loop says."""

from __future__ import annotations

from typing import Any

from nbask.adapters.recipes import common
from nbask.adapters.toolkit.extras import given
from nbask.options import Option
from nbask.questions import Ask, Question
from nbask.replies import Answered


async def ag2_hook(event: Any) -> str:
    """AG2 1.x: what the human says, and approvals, with `Agent(…, hitl_hook=ag2_hook)`.

    Args:
        event: AG2's input event: a question, or a tool call that waits for approval.

    Returns:
        The person's words; of a tool call `"y"`, `"always"` or, where nobody decided too, `"n"`.

    Raises:
        Incompatible: The event is not as this version of nbask knows it.
        NoAnswer: A question was not answered.

    Example:
        >>> from types import SimpleNamespace
        >>> import asyncio
        >>> from nbask.testing import scripted
        >>> with scripted({"Which city?": "Arcachon"}):
        ...     asyncio.run(ag2_hook(SimpleNamespace(content="Which city?", timeout=None)))
        'Arcachon'
    """
    content, timeout = given(event, "content", "ag2"), getattr(event, "timeout", None)
    if not hasattr(event, "tool_call_id"):
        return await common.said(content, "AG2", timeout)
    options = [Option("Approve", value="y"), Option("Deny", value="n")]
    if "always" in content.lower():
        options.insert(1, Option("Approve this tool from now on", value="always"))
    question = Question("Allow this tool call?", options, other=False, notes=False)
    reply = await common.put(
        Ask(question, message=content, plain=True, asker="AG2", timeout=timeout, when_unanswered="raise")
    )
    return reply.value if isinstance(reply, Answered) else "n"
