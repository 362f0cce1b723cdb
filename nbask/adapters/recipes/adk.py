"""Google ADK: tool confirmations, and what its agents and workflows want to know."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping
from types import MappingProxyType
from typing import Any, cast

from nbask.adapters.recipes import common
from nbask.adapters.toolkit.approval import Approval, ToolCall
from nbask.adapters.toolkit.extras import given, needed
from nbask.adapters.toolkit.json_field import json_form
from nbask.adapters.toolkit.together import all_at_once
from nbask.forms import Form, form_from

_BY_ITSELF = "Please approve or reject the tool call"


async def adk_run(runner: Any, message: Any, *, user_id: str, session_id: str) -> list[Any]:
    """Google ADK: run an agent to its end, decide every tool confirmation, and answer every request for input.

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
        NoAnswer: A request for input was not answered; the session waits for it.
    """
    types = needed("google.genai.types", install="google-adk")
    events: list[Any] = []
    while message is not None:
        pending: list[Any] = []
        async for event in runner.run_async(user_id=user_id, session_id=session_id, new_message=message):
            events.append(event)
            pending += [call for call in event.get_function_calls() if call.name in _ANSWERS]
        answers = await all_at_once([_ANSWERS[call.name](call) for call in pending])
        responses = [
            types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response=answer))
            for call, answer in zip(pending, answers, strict=True)
        ]
        message = types.Content(role="user", parts=responses) if responses else None
    return events


async def _adk_confirmed(call: Any) -> dict[str, Any]:
    wanted = given(call.args, "originalFunctionCall", "google-adk")
    asked = given(call.args, "toolConfirmation", "google-adk")
    payload, arguments = asked.get("payload"), wanted.get("args")
    said = asked.get("hint") or None
    if said and said.startswith(_BY_ITSELF):  # for a program, and the card says it
        said = None
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


async def _adk_input(call: Any) -> dict[str, Any]:
    asked = {name: call.args[name] for name in ("message", "payload") if call.args.get(name) is not None}
    form = _form(call.args.get("response_schema"))
    said = await (common.said(asked, "ADK") if form is None else common.filled(asked, form, "ADK"))
    return said if isinstance(said, dict) else {"result": said}


def _form(schema: Any) -> Form | None:
    """A form for what is wanted, or a field of JSON where none can be drawn for it; None where words will do."""
    if not isinstance(schema, Mapping) or schema == {"type": "string"}:
        return None
    one = {"type": "object", "properties": {"result": {"title": "Your answer", **schema}}, "required": ["result"]}
    try:
        return form_from(cast("Mapping[str, Any]", schema) if "properties" in schema else one, untrusted=True)
    except ValueError:
        return json_form("result", "Your answer, as JSON", lambda value: {"result": value})


_ANSWERS: Mapping[str, Callable[[Any], Coroutine[Any, Any, dict[str, Any]]]] = MappingProxyType(
    {"adk_request_confirmation": _adk_confirmed, "adk_request_input": _adk_input}
)
