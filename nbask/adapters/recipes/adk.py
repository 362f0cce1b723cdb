"""Google ADK: tool confirmations."""

from __future__ import annotations

import json
from typing import Any, cast

from nbask.adapters.recipes import common
from nbask.adapters.toolkit.approval import Approval, ToolCall
from nbask.adapters.toolkit.extras import given, needed
from nbask.adapters.toolkit.together import all_at_once

_ADK = "adk_request_confirmation"


async def adk_run(runner: Any, message: Any, *, user_id: str, session_id: str) -> list[Any]:
    """Google ADK: run an agent to its end, and decide every tool confirmation: `await adk_run(runner, content, …)`.

    What nobody decided on is not confirmed.

    Args:
        runner: The `Runner`.
        message: The `Content` to begin with.
        user_id: As for `runner.run_async`.
        session_id: As for `runner.run_async`.

    Returns:
        The events of all its runs.

    Raises:
        ImportError: google-adk is not installed.
        Incompatible: A confirmation is not as this version of nbask knows it.
    """
    types = needed("google.genai.types", install="google-adk")
    events: list[Any] = []
    while message is not None:
        pending: list[Any] = []
        async for event in runner.run_async(user_id=user_id, session_id=session_id, new_message=message):
            events.append(event)
            pending += [call for call in event.get_function_calls() if call.name == _ADK]
        answers = await all_at_once([_adk_confirmed(call) for call in pending])
        responses = [
            types.Part(function_response=types.FunctionResponse(id=call.id, name=_ADK, response=answer))
            for call, answer in zip(pending, answers, strict=True)
        ]
        message = types.Content(role="user", parts=responses) if responses else None
    return events


async def _adk_confirmed(call: Any) -> dict[str, Any]:
    wanted = given(call.args, "originalFunctionCall", "google-adk")
    asked = given(call.args, "toolConfirmation", "google-adk")
    payload, arguments = asked.get("payload"), wanted.get("args")
    said = asked.get("hint") or None
    if payload is not None:  # the tool wants this filled in; its arguments stay as they are
        said = "\n".join(filter(None, [said, f"Called with {json.dumps(arguments, ensure_ascii=False, default=str)}"]))
    shown, editable = (arguments, False) if payload is None else (payload, True)
    decided = await common.approved(
        ToolCall(tool=wanted["name"], arguments=shown, description=said, editable=editable), "ADK"
    )
    if not decided:
        return {"confirmed": False}
    if payload is None:
        return {"confirmed": True}
    changed = cast("Approval", decided).arguments
    return {"confirmed": True, "payload": payload if changed is None else changed}
