"""AutoGen: what its user says, and code that is approved before it runs."""

from __future__ import annotations

import asyncio
from typing import Any

from nbask.adapters.recipes import common
from nbask.adapters.toolkit.approval import ToolCall
from nbask.adapters.toolkit.extras import given, needed


async def autogen_input(prompt: str, cancellation_token: Any = None) -> str:
    """AutoGen: what the user says, with `UserProxyAgent("user", input_func=autogen_input)`.

    Args:
        prompt: What to ask.
        cancellation_token: AutoGen's token; when it is cancelled, the card is withdrawn.

    Returns:
        The person's words.

    Raises:
        CancelledError: The token, or the awaiting task, was cancelled.
        NoAnswer: There is no answer.

    Example:
        >>> import asyncio
        >>> from nbask.testing import scripted
        >>> with scripted({"Enter your response:": "Go on"}):
        ...     asyncio.run(autogen_input("Enter your response: "))
        'Go on'
    """
    asking = asyncio.ensure_future(common.said(prompt.strip(), "AutoGen"))
    if cancellation_token is not None:
        cancellation_token.link_future(asking)
    return await asking


async def autogen_approval(request: Any) -> Any:
    """AutoGen: approve code before it runs, with `CodeExecutorAgent(…, approval_func=autogen_approval)`.

    Args:
        request: The `ApprovalRequest`.

    Returns:
        The `ApprovalResponse`; code that nobody decided on is not approved, and the reason says so.

    Raises:
        ImportError: autogen-agentchat is not installed.
        Incompatible: The request is not as this version of nbask knows it.
    """
    agents = needed("autogen_agentchat.agents", install="autogen-agentchat")
    code = given(request, "code", "autogen-agentchat")
    decided = await common.approved(ToolCall(tool="this code", arguments={"code": code}, editable=False), "AutoGen")
    reason = "The user approved it." if decided else common.why(decided) or "The user denied it."
    return agents.ApprovalResponse(approved=bool(decided), reason=reason)
