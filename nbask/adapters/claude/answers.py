"""The kernel's side of `nbask hook`: asks what a hook's payload stands for, and says what the hook is to print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nbask.adapters.claude.hooks import HookRecord, read_hook
from nbask.adapters.claude.inputs import QUESTION_TOOL
from nbask.adapters.claude.permissions import answered_input, approved_input, no_decision, plan_in
from nbask.adapters.claude.questions import prepared
from nbask.adapters.toolkit.elicitations import Fault, asker_of, elicitation_from
from nbask.asking import aput
from nbask.plans import request_plan
from nbask.questions import Asker
from nbask.replies import Answered, Cancelled, NoAnswer, Reply, TimedOut, Unavailable, Withdrawn

ASKER = "Claude Code"

Output = dict[str, Any]


async def answer_hook(payload: Any) -> Output | None:
    """Ask the person what a hook's payload stands for.

    Args:
        payload: As :func:`~nbask.adapters.claude.read_hook` takes it.

    Returns:
        The JSON that the hook prints; None where it has to print nothing, so that Claude Code asks in its own
        way: the payload is of anything else, or nobody here has decided.

    Raises:
        CancelledError: The hook was ended; the card has closed.

    Example:
        >>> import asyncio
        >>> from nbask.testing import scripted
        >>> plan = {"tool_name": "ExitPlanMode", "tool_input": {"plan": "1. Drop the column"}}
        >>> payload = {"hook_event_name": "PermissionRequest", **plan}
        >>> with scripted({"Go ahead with this plan?": "Skip step 1"}):
        ...     asyncio.run(answer_hook(payload))["hookSpecificOutput"]["decision"]
        {'behavior': 'deny', 'message': 'Skip step 1'}
    """
    record = read_hook(payload)
    if record is None:
        return None
    answer = {"questions": _questions, "plan": _plan, "elicitation": _elicitation}[record.kind]
    return await answer(record)


async def _questions(record: HookRecord) -> Output | None:
    try:
        ask, finish = prepared(record.tool_input, False, Asker(ASKER, QUESTION_TOOL), None)
    except ValueError:  # the terminal will say what is wrong with it
        return None
    try:
        result = finish(await aput(ask))
    except NoAnswer as none:
        return _refused(record, none.reply)
    return _allowed(record, answered_input(record.tool_input, result))


async def _plan(record: HookRecord) -> Output | None:
    request = request_plan(plan_in(record.tool_input), asker=Asker(ASKER, "plan"))
    reply = await aput(request.ask)
    if not isinstance(reply, Answered):
        return _refused(record, reply)
    decision = request.value(reply)
    if not decision:
        return _denied(record, str(decision.feedback))
    mode = "acceptEdits" if decision.approved == "auto" else "default"
    given = record.tool_input if isinstance(record.tool_input, Mapping) else {}
    return _allowed(record, approved_input(given, decision), mode)


async def _elicitation(record: HookRecord) -> Output | None:
    mode = {"mode": "url", "url": record.url} if record.url else {"mode": "form", "requestedSchema": record.schema}
    try:
        elicitation = elicitation_from({"message": record.message, **mode}, asker_of(None, record.server))
        reply = await aput(elicitation.ask)
        if _is_open(reply):
            return None
        result = elicitation.result(reply)
    except Fault:  # what cannot be shown here, the terminal may show
        return None
    content = {} if result.content is None else {"content": result.content}
    return _output(record, action=result.action, **content)


def _is_open(reply: Reply) -> bool:
    """Whether nobody here has said anything, so that the terminal may still ask."""
    interrupted = isinstance(reply, Cancelled) and reply.by == "interrupt"
    return interrupted or isinstance(reply, Unavailable | TimedOut | Withdrawn)


def _refused(record: HookRecord, reply: Reply) -> Output | None:
    return None if _is_open(reply) else _denied(record, no_decision(reply))


def _allowed(record: HookRecord, updated_input: dict[str, Any], mode: str | None = None) -> Output:
    if record.event == "PreToolUse":  # has no say in the mode
        return _output(record, permissionDecision="allow", updatedInput=updated_input)
    decision: dict[str, Any] = {"behavior": "allow", "updatedInput": updated_input}
    if mode is not None:
        decision["updatedPermissions"] = [{"type": "setMode", "mode": mode, "destination": "session"}]
    return _output(record, decision=decision)


def _denied(record: HookRecord, message: str) -> Output:
    if record.event == "PreToolUse":
        return _output(record, permissionDecision="deny", permissionDecisionReason=message)
    return _output(record, decision={"behavior": "deny", "message": message})


def _output(record: HookRecord, **said: Any) -> Output:
    return {"hookSpecificOutput": {"hookEventName": record.event, **said}}
