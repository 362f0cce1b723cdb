"""Pydantic AI: a model's questions, and tool calls that need approval, answered on cards during the run.

    AskUser(answerer=nbask.adapters.pydantic_ai.answerer)                      # of pydantic-ai-harness
    HandleDeferredToolCalls(handler=nbask.adapters.pydantic_ai.handle_deferred)

Both are capabilities: `Agent(model, capabilities=[...])`. In a notebook: `await agent.run(...)`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from nbask.adapters.toolkit import loose
from nbask.adapters.toolkit.approval import Approval, ToolCall, aapprove
from nbask.adapters.toolkit.extras import given, needed
from nbask.adapters.toolkit.together import all_at_once
from nbask.adapters.toolkit.words import denied, joined, undecided
from nbask.asking import aput
from nbask.kinds import Answer
from nbask.options import Option, is_recommended
from nbask.questions import Ask, Asker, Question
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, ending

__all__ = ["answerer", "handle_deferred"]

PACKAGE = "pydantic-ai-slim"
HARNESS = "pydantic-ai-harness"
ASK_USER = "ask_user_question"
"""The name of the harness's tool, whose calls are questions also where its version does not say so."""
_ASKER = "Pydantic AI"

_needed = partial(needed, install="nbask[pydantic-ai]")
_harness = partial(needed, "pydantic_ai_harness.ask_user", install=HARNESS)


async def answerer(request: Any) -> Any:
    """Put a model's questions on a card, for `AskUser(answerer=...)` of pydantic-ai-harness.

    Args:
        request: The `AskUserRequest`.

    Returns:
        The `AskUserResponse`: picked labels, or what was typed (with several picks beside it: all of it, joined by
        ", "). Where the person wants to talk first, that is what it says. Cancelled where they declined or
        dismissed it.

    Raises:
        ToolFailed: Nobody answered: the time ran out, or nobody could be asked. The model reads why, and goes on.
        ImportError: pydantic-ai-harness is not installed.
        Incompatible: The request is not as this version of nbask knows it.
        CancelledError: The run was cancelled, or `AskUser(timeout=...)` was over; the card is withdrawn.

    Example:
        >>> import asyncio
        >>> from pydantic_ai_harness.ask_user import AskUserRequest, Question
        >>> from nbask.testing import scripted
        >>> options = [{"label": "CSV"}, {"label": "Parquet"}]
        >>> question = Question(header="Format", question="Which format?", options=options)
        >>> with scripted({"Which format?": "Parquet"}):
        ...     asyncio.run(answerer(AskUserRequest(questions=(question,)))).answers
        (AskUserAnswer(header='Format', selected=('Parquet',), custom_answer=None),)
    """
    types = _harness()
    questions = given(request, "questions", HARNESS)
    headers = [given(one, "header", HARNESS) for one in questions]
    asked = [_question(one) for one in questions]
    ask = Ask(asked, asker=Asker(_ASKER, ASK_USER), when_unanswered="raise")
    reply = await aput(ask)
    match reply:
        case Answered():
            answers = [reply.answers[question.id] for question in ask.questions]
            parts = [_parts(answer) for answer in answers]
        case Discussed():
            parts = [{"custom_answer": _clean(f"Not answered yet: {ending(reply)}.")}] * len(headers)
        case Declined() | Cancelled():
            return types.AskUserResponse(cancelled=True)
        case _:
            raise _tool_failed()(_unanswered(reply))
    pairs = zip(headers, parts, strict=True)
    return types.AskUserResponse(answers=tuple(types.AskUserAnswer(header=name, **part) for name, part in pairs))


def _question(one: Any) -> Question:
    options = [
        Option(label, given(option, "description", HARNESS) or None, recommended=is_recommended(label))
        for option in given(one, "options", HARNESS)
        for label in [given(option, "label", HARNESS)]
    ]
    return Question(
        given(one, "question", HARNESS),
        options,
        header=given(one, "header", HARNESS),
        many=given(one, "multi_select", HARNESS),
        notes=False,  # there is no place for them in the answer
    )


def _parts(answer: Answer) -> dict[str, Any]:
    typed = None if answer.other is None else _clean(answer.other)
    if not typed:
        # Characters that cannot be seen were all there was of it.
        return {"selected": answer.selected} if answer.selected else {"custom_answer": "(nothing readable)"}
    if not answer.selected:
        return {"custom_answer": typed}
    return {"custom_answer": joined([*answer.selected, typed])}


def _clean(text: str) -> str:
    """What was typed without what cannot be seen, which the harness fails the whole run for."""
    lines = text.replace("\r\n", "\n").replace("\t", " ")
    seen = (one for one in lines if one == "\n" or one.isprintable() or unicodedata.category(one) == "Zs")
    return "".join(seen).strip()


async def handle_deferred(context: Any, requests: Any) -> Any:
    """Put the deferred calls of a turn on cards, for `HandleDeferredToolCalls(handler=...)`.

    Args:
        context: The run's context.
        requests: The `DeferredToolRequests`.

    Returns:
        `DeferredToolResults` for all calls that need approval (run as they are, run with changed arguments, or
        denied with a message) and for all that are questions (`CallDeferred(kind="question")`, and the harness's
        `AskUser(answerer=None)`). Calls that run elsewhere are left to whoever runs them; None where there are no
        others.

    Raises:
        ImportError: pydantic-ai is not installed.
        Incompatible: The requests are not as this version of nbask knows them.
        CancelledError: The run was cancelled; the cards are withdrawn.

    Example:
        >>> import asyncio
        >>> from pydantic_ai import DeferredToolRequests
        >>> from pydantic_ai.messages import ToolCallPart
        >>> from nbask.testing import scripted
        >>> call = ToolCallPart("delete", {"path": "a.csv"}, tool_call_id="c1")
        >>> with scripted({"Allow delete?": "Keep it"}):
        ...     asyncio.run(handle_deferred(None, DeferredToolRequests(approvals=[call]))).approvals
        {'c1': ToolDenied(message='The user did not allow this call: Keep it', kind='tool-denied')}
    """
    tools = _needed("pydantic_ai.tools")
    approvals = given(requests, "approvals", PACKAGE)
    questions = [call for call in given(requests, "calls", PACKAGE) if _is_question(requests, call)]
    said = await all_at_once(
        [
            *(_approved(tools, context, requests, call) for call in approvals),
            *(_result(call) for call in questions),
        ]
    )
    if not said:
        return None
    ids = [given(call, "tool_call_id", PACKAGE) for call in [*approvals, *questions]]
    pairs = list(zip(ids, said, strict=True))
    split = len(approvals)
    return tools.DeferredToolResults(approvals=dict(pairs[:split]), calls=dict(pairs[split:]))


def _is_question(requests: Any, call: Any) -> bool:
    if given(call, "tool_name", PACKAGE) == ASK_USER:
        return True
    kind = getattr(requests, "kind", None)  # since 2.68
    return kind is not None and kind(given(call, "tool_call_id", PACKAGE)) == "question"


async def _approved(tools: Any, context: Any, requests: Any, call: Any) -> Any:
    name = given(call, "tool_name", PACKAGE)
    known = getattr(context, "tools", None) or {}
    waiting = ToolCall(
        tool=name,
        arguments=_arguments(call),
        description=_described(requests, call),
        schema=getattr(known.get(name), "parameters_json_schema", None),
    )
    said = await aapprove(waiting, asker=_asker(context, name))
    if not isinstance(said, Approval):
        return tools.ToolDenied(undecided(said))
    if said.approved:
        return tools.ToolApproved(override_args=said.arguments)
    return tools.ToolDenied(denied(said.reason))


async def _result(call: Any) -> Any:
    """The result of a call that is a question."""
    failed = _tool_failed()
    if given(call, "tool_name", PACKAGE) == ASK_USER:
        types = _harness()
        request = types.AskUserRequest.from_tool_call(call)
        try:
            return types.ask_user_result(request, await answerer(request))
        except failed as unanswered:
            return unanswered
    name = given(call, "tool_name", PACKAGE)
    read = loose.read(_arguments(call), f"What to answer to {name}?")
    ask = Ask(read.question, message=read.message, asker=Asker(_ASKER, name), when_unanswered="raise")
    reply = await aput(ask)
    if isinstance(reply, Answered):
        (answer,) = reply.answers.values()
        return read.value(answer)
    if isinstance(reply, Discussed):
        return f"Not answered yet: {ending(reply)}."
    return failed(_unanswered(reply))


def _arguments(call: Any) -> Any:
    """A call's arguments: a dict, or what the model sent where it is no JSON."""
    read = given(call, "args_as_dict", PACKAGE)
    try:
        return read()
    except ValueError:
        return given(call, "args", PACKAGE)


def _described(requests: Any, call: Any) -> str | None:
    """What the tool said when it asked for approval: its metadata, a line each."""
    metadata = given(requests, "metadata", PACKAGE).get(given(call, "tool_call_id", PACKAGE))
    if not metadata:
        return None
    lines = cast("Mapping[str, Any]", metadata).items()
    return "\n".join(f"{name}: {value if isinstance(value, str) else repr(value)}" for name, value in lines)


def _asker(context: Any, tool: str) -> Asker:
    name = getattr(getattr(context, "agent", None), "name", None)
    return Asker(name or _ASKER, tool)


def _tool_failed() -> Any:
    return given(_needed("pydantic_ai.exceptions"), "ToolFailed", PACKAGE)


def _unanswered(reply: Reply) -> str:
    return f"The user has not answered this: {ending(reply)}. Do not take it for an answer."
