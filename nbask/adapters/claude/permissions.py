"""The Agent SDK's `can_use_tool`: Claude's questions, its plan, and any other tool call that waits for permission."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, cast

from nbask.adapters.claude import inputs
from nbask.adapters.claude.questions import prepared
from nbask.adapters.claude.suggestions import PACKAGE, rules
from nbask.adapters.toolkit.approval import Approval, ToolCall, aapprove
from nbask.adapters.toolkit.cells import under_the_running_cell
from nbask.adapters.toolkit.extras import Incompatible, given, needed
from nbask.adapters.toolkit.labels import check_label, check_timeout
from nbask.asking import aput
from nbask.plans import PlanDecision, request_plan
from nbask.questions import Asker
from nbask.replies import Answered, Discussed, NoAnswer, Reply, Unavailable, ending
from nbask.text import has_words

NO_PLAN = "*The agent wants to leave plan mode, and has written no plan.*"
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")

CanUseTool = Callable[[str, dict[str, Any], Any], Coroutine[Any, Any, Any]]
Input = Mapping[str, Any]


async def can_use_tool(tool_name: str, input_data: dict[str, Any], context: Any) -> Any:
    """For `ClaudeAgentOptions(can_use_tool=…)`: what Claude asks becomes a card, in every permission mode.

    AskUserQuestion is answered with what the person picked, typed and noted. ExitPlanMode is the approval of a
    plan. Any other tool is approved, by a suggested rule for good, with changed input, or denied with a reason.
    Where nobody decides, the call is denied in words that say so.

    Args:
        tool_name: The tool.
        input_data: Its input.
        context: The SDK's `ToolPermissionContext`.

    Returns:
        The SDK's `PermissionResultAllow` or `PermissionResultDeny`.

    Raises:
        ImportError: The SDK is not installed.
        Incompatible: The SDK no longer has what this reads.
        CancelledError: Claude gave the request up; the card has closed.

    Example:
        >>> import asyncio
        >>> from claude_agent_sdk import ToolPermissionContext
        >>> from nbask.testing import scripted
        >>> with scripted({"Allow Bash?": "Use the trash instead"}):
        ...     result = asyncio.run(can_use_tool("Bash", {"command": "rm -r data"}, ToolPermissionContext()))
        >>> result.behavior, result.message
        ('deny', 'Use the trash instead')
    """
    return await _decide("Claude", None, tool_name, input_data, context)


def with_label(label: str, *, timeout: float | None = None) -> CanUseTool:
    """The same callback, with your own name for the agent on its cards.

    Args:
        label: Who asks, as the card says it.
        timeout: Seconds until a card ends unanswered; None waits as long as it takes.

    Returns:
        A callback for `can_use_tool=`.

    Raises:
        ValueError: The label is blank, or the timeout is not above zero and finite.

    Example:
        >>> with_label("Reviewer", timeout=600).__name__
        'can_use_tool'
    """
    check_label(label)
    check_timeout(timeout)

    async def can_use_tool(tool_name: str, input_data: dict[str, Any], context: Any) -> Any:
        return await _decide(label, timeout, tool_name, input_data, context)

    return can_use_tool


async def _decide(label: str, timeout: float | None, tool: str, input_data: Any, context: Any) -> Any:
    sdk = needed("claude_agent_sdk", install="nbask[claude]")
    results = _Results(sdk)
    asker = Asker(label, tool)
    match tool:
        case inputs.QUESTION_TOOL:
            deciding = _question(results, asker, timeout, input_data)
        case inputs.PLAN_TOOL:
            deciding = _plan(results, asker, timeout, input_data)
        case _:
            deciding = _tool(results, asker, timeout, tool, input_data, context)
    return await under_the_running_cell(deciding)


class _Results:
    """The SDK's results; made with care, since a release may name things otherwise."""

    def __init__(self, sdk: Any) -> None:
        self._allow = given(sdk, "PermissionResultAllow", PACKAGE)
        self._deny = given(sdk, "PermissionResultDeny", PACKAGE)
        self._update = given(sdk, "PermissionUpdate", PACKAGE)

    def allow(self, updated_input: Input, permissions: list[Any] | None = None) -> Any:
        return _made(self._allow, updated_input=dict(updated_input), updated_permissions=permissions)

    def deny(self, message: str) -> Any:
        return _made(self._deny, message=message)

    def mode(self, mode: str) -> Any:
        return _made(self._update, type="setMode", mode=mode, destination="session")


def _made(result: Any, **fields: Any) -> Any:
    try:
        return result(**fields)
    except TypeError as fault:
        raise Incompatible(
            f"{PACKAGE} has changed its {result.__name__} ({fault}); install another version of nbask or of {PACKAGE}"
        ) from None


async def _question(results: _Results, asker: Asker, timeout: float | None, input_data: Any) -> Any:
    try:
        ask, finish = prepared(input_data, False, asker, timeout)
    except ValueError as fault:  # for the model to mend
        return results.deny(str(fault))
    try:
        result = finish(await aput(ask))
    except NoAnswer as none:
        return results.deny(no_decision(none.reply))
    return results.allow(answered_input(input_data, result))


def answered_input(input_data: Any, result: Mapping[str, Any]) -> dict[str, Any]:
    """The tool's input with the person's answers in it, which is how they reach the model."""
    rest = cast("Mapping[str, Any]", input_data) if isinstance(input_data, Mapping) else {}
    # What a model may have filled in by itself is no answer.
    kept = {name: value for name, value in rest.items() if name not in ("answers", "annotations", "response")}
    return {**kept, **{name: value for name, value in result.items() if name != "annotations" or value}}


async def _plan(results: _Results, asker: Asker, timeout: float | None, input_data: Input) -> Any:
    request = request_plan(plan_in(input_data), asker=asker, timeout=timeout)
    reply = await aput(request.ask)
    if not isinstance(reply, Answered):
        return results.deny(no_decision(reply))
    decision = request.value(reply)
    if not decision:
        return results.deny(str(decision.feedback))
    mode = "acceptEdits" if decision.approved == "auto" else "default"
    return results.allow(approved_input(input_data, decision), [results.mode(mode)])


def plan_in(input_data: Any) -> str:
    """The plan of an ExitPlanMode call."""
    plan = input_data.get("plan") if isinstance(input_data, Mapping) else None
    return plan if has_words(plan) else NO_PLAN


def approved_input(input_data: Input, decision: PlanDecision) -> dict[str, Any]:
    """The input of an approved plan; a note to the approval stands at its end, the one place that the model reads."""
    if not decision.feedback:
        return dict(input_data)
    return {**input_data, "plan": f"{input_data.get('plan') or ''}\n\nThe user's note: {decision.feedback}".lstrip()}


async def _tool(
    results: _Results, asker: Asker, timeout: float | None, tool: str, input_data: Input, context: Any
) -> Any:
    call = ToolCall(
        tool=tool,
        arguments=input_data,
        description=_said(context),
        rules=rules(given(context, "suggestions", PACKAGE)),
    )
    decided = await aapprove(call, asker=asker, timeout=timeout)
    if not isinstance(decided, Approval):
        return results.deny(no_decision(decided))
    if not decided.approved:
        return results.deny(decided.reason or f"The user does not allow this call of {tool}.")
    changed = input_data if decided.arguments is None else decided.arguments
    return results.allow(changed, None if decided.rule is None else [decided.rule])


def _said(context: Any) -> str | None:
    """What Claude says about the call, a line each; each of these came with some release of the SDK."""
    names = ("title", "description", "decision_reason", "blocked_path")
    said = [getattr(context, name, None) for name in names]
    lines = [_ANSI.sub("", one).strip() for one in said if isinstance(one, str)]
    return "\n".join(dict.fromkeys(filter(None, lines))) or None


def no_decision(reply: Reply) -> str:
    """What the model reads where the person did not decide.

    Example:
        >>> from nbask.replies import Declined
        >>> no_decision(Declined())
        'The user was asked, and the person declined to answer. Nothing is decided; do not guess.'
    """
    if isinstance(reply, Discussed):
        return reply.text or "The user wants to talk about this before deciding."
    if isinstance(reply, Unavailable):
        return f"The user could not be asked: {reply.reason}. Nothing is decided; do not guess."
    return f"The user was asked, and {ending(reply)}. Nothing is decided; do not guess."
