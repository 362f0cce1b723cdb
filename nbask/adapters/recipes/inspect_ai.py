"""Inspect: approve tool calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from nbask.adapters.recipes import common
from nbask.adapters.toolkit.approval import Approval, ToolCall
from nbask.adapters.toolkit.extras import given, needed
from nbask.replies import Unavailable, ending


async def inspect_approve(message: str, call: Any, view: Any, history: Any) -> Any:  # noqa: ARG001
    """Inspect: approve a tool call. Have an `@approver` function of your own return this one.

    Args:
        message: What the model said with the call.
        call: The `ToolCall`.
        view: Not used; the card shows the call.
        history: Not used.

    Returns:
        Inspect's `Approval`: approve, modify or reject; or escalate to the next approver, where nobody can be asked.

    Raises:
        ImportError: inspect-ai is not installed.
        Incompatible: The call is not as this version of nbask knows it.
    """
    approval = needed("inspect_ai.approval", install="inspect-ai").Approval
    call_of = ToolCall(
        tool=given(call, "function", "inspect-ai"), arguments=call.arguments, description=message or None
    )
    decided = await common.approved(call_of, "Inspect")
    if isinstance(decided, Unavailable):
        return approval(decision="escalate", explanation=ending(decided))
    if not decided:
        return approval(decision="reject", explanation=common.why(decided) or "The person denied it.")
    changed = cast("Approval", decided).arguments
    if changed is None:
        return approval(decision="approve")
    return approval(decision="modify", modified=replace(call, arguments=changed))
