"""Frameworks that need a few lines only: one short function for each, to hand to it or to run it with.

Written from the released sources, and tested with stand-ins of the shapes they document; see `docs/adapters.md`. No
answer is never an approval here, and never an empty text: the framework gets its no, or the run ends with `NoAnswer`.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from nbask.adapters import loose
from nbask.adapters.approval import Approval, Rule, ToolCall, aapprove
from nbask.adapters.cells import under_the_running_cell
from nbask.adapters.extras import given, needed
from nbask.adapters.together import all_at_once
from nbask.asking import aput, put
from nbask.forms import form_from
from nbask.options import Option
from nbask.questions import Ask, Question
from nbask.replies import Answered, NoAnswer, Reply, Unavailable, ending
from nbask.text import printable

__all__ = [
    "CrewaiProvider",
    "adk_run",
    "ag2_hook",
    "agent_framework_agent",
    "agent_framework_workflow",
    "autogen_approval",
    "autogen_input",
    "inspect_approve",
    "llama_index_run",
    "strands_ask",
]

_STRANDS = re.compile(r'Approve "(?P<tool>.+?)"(?: — (?P<why>.*?))?\?\n  Input: (?P<input>.*)', re.DOTALL)
_ADK = "adk_request_confirmation"


async def strands_ask(prompt: str, **_more: Any) -> str:
    """Strands: approve a tool call, with `HumanInTheLoop(ask=strands_ask)`; with `enable_trust=True` as well.

    Example:
        >>> from nbask.testing import scripted
        >>> with scripted({"Allow rm?": "Deny"}):
        ...     asyncio.run(strands_ask('Approve "rm"?\\n  Input: {"path": "data"}'))
        'no'
    """
    read = _STRANDS.fullmatch(prompt)
    if read is None:
        call = ToolCall(tool="this tool", arguments=prompt, editable=False)
    else:
        trust = Rule(label="Approve, and trust this tool in this session (where trust is enabled)", value="trust")
        arguments = _loaded(read["input"])
        call = ToolCall(tool=read["tool"], arguments=arguments, description=read["why"], rules=[trust], editable=False)
    decided = await _approved(call, "Strands")
    if decided:
        # A handler that does not know "trust" takes it for a no, which is the safe way to be wrong.
        return cast("Approval", decided).rule or "yes"
    why = _why(decided)
    return f"no: {why}" if why else "no"


async def autogen_input(prompt: str, cancellation_token: Any = None) -> str:
    """AutoGen: what the user says, with `UserProxyAgent("user", input_func=autogen_input)`.

    Example:
        >>> from nbask.testing import scripted
        >>> with scripted({"Enter your response:": "Go on"}):
        ...     asyncio.run(autogen_input("Enter your response: "))
        'Go on'
    """
    asking = asyncio.ensure_future(_said(prompt.strip(), "AutoGen"))
    if cancellation_token is not None:
        cancellation_token.link_future(asking)
    return await asking


async def autogen_approval(request: Any) -> Any:
    """AutoGen: approve code before it runs, with `CodeExecutorAgent(…, approval_func=autogen_approval)`."""
    agents = needed("", "autogen_agentchat.agents", install="autogen-agentchat")
    code = given(request, "code", "autogen-agentchat")
    decided = await _approved(ToolCall(tool="this code", arguments={"code": code}, editable=False), "AutoGen")
    return agents.ApprovalResponse(approved=bool(decided), reason=_why(decided) or "The user approved it.")


async def ag2_hook(event: Any) -> str:
    """AG2 1.x: what the human says, and approvals, with `Agent(…, hitl_hook=ag2_hook)`.

    Example:
        >>> from types import SimpleNamespace
        >>> from nbask.testing import scripted
        >>> with scripted({"Which city?": "Arcachon"}):
        ...     asyncio.run(ag2_hook(SimpleNamespace(content="Which city?", timeout=None)))
        'Arcachon'
    """
    content, timeout = given(event, "content", "ag2"), getattr(event, "timeout", None)
    if not hasattr(event, "tool_call_id"):
        return await _said(content, "AG2", timeout)
    options = [Option("Approve", value="y"), Option("Deny", value="n")]
    if "always" in content.lower():
        options.insert(1, Option("Approve this tool from now on", value="always"))
    question = Question("Allow this tool call?", options, other=False, notes=False)
    reply = await _put(
        Ask(question, message=content, plain=True, asker="AG2", timeout=timeout, when_unanswered="raise")
    )
    return reply.value if isinstance(reply, Answered) else "n"


class CrewaiProvider:
    """CrewAI's flows: `@human_feedback` and `self.ask(…)`, for `flow_config.hitl_provider` and `.input_provider`.

    Example:
        >>> from types import SimpleNamespace
        >>> from nbask.testing import scripted
        >>> context = SimpleNamespace(message="Publish?", method_output="A draft", emit=["publish", "revise"])
        >>> with scripted({"Publish?": "revise"}):
        ...     CrewaiProvider().request_feedback(context, flow=None)
        'revise'
    """

    def request_feedback(self, context: Any, flow: Any) -> str:  # noqa: ARG002
        """Ask for feedback on a method's output; called in a worker thread."""
        labels = given(context, "emit", "crewai") or None
        question = Question(given(context, "message", "crewai"), labels, notes=False, multiline=labels is None)
        output = printable(str(given(context, "method_output", "crewai")))
        return _answer(ask := Ask(question, message=output, asker="CrewAI", when_unanswered="raise"), put(ask))

    def request_input(self, message: str, flow: Any, metadata: Any = None) -> str:  # noqa: ARG002
        """Ask for a line of input; called in a worker thread."""
        return _answer(ask := Ask(Question(message, notes=False), asker="CrewAI", when_unanswered="raise"), put(ask))


async def llama_index_run(handler: Any) -> Any:
    """LlamaIndex: run a workflow to its end, and answer every `InputRequiredEvent`: `await llama_index_run(w.run())`.

    Every field of the event goes back with its answer, so that a step which waits with `requirements` finds its own.
    """
    events = needed("", "workflows.events", install="llama-index-workflows")

    async def answer(event: Any) -> None:
        fields = dict(event.items())
        asked = {"question" if name in ("prefix", "msg") else name: value for name, value in fields.items()}
        response = await _said(asked, "LlamaIndex")
        await handler.send_event(events.HumanResponseEvent(**{**fields, "response": response}))

    async def watch() -> None:
        async for event in handler.stream_events():
            if isinstance(event, events.InputRequiredEvent):
                working.add(asyncio.ensure_future(answer(event)))

    working = {watching := asyncio.ensure_future(watch())}
    try:
        while not watching.done():
            done, _ = await asyncio.wait(working, timeout=0.1, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
        return await handler
    except BaseException:
        await handler.cancel_run()
        raise
    finally:
        for task in working:
            task.cancel()


async def adk_run(runner: Any, message: Any, *, user_id: str, session_id: str) -> list[Any]:
    """Google ADK: run an agent to its end, and decide every tool confirmation: `await adk_run(runner, content, …)`.

    Returns:
        The events of all its runs.
    """
    types = needed("", "google.genai.types", install="google-adk")
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
    decided = await _approved(
        ToolCall(tool=wanted["name"], arguments=shown, description=said, editable=editable), "ADK"
    )
    if not decided:
        return {"confirmed": False}
    changed = cast("Approval", decided).arguments
    return {"confirmed": True} if payload is None else {"confirmed": True, "payload": changed or payload}


async def agent_framework_workflow(workflow: Any, message: Any) -> Any:
    """Microsoft Agent Framework: run a workflow to its end, and answer every request: a form, a yes or no, words.

    Returns:
        The last run's result.
    """
    run = await workflow.run(message)
    while requests := run.get_request_info_events():
        answers = await all_at_once([_framework_answer(one) for one in requests])
        ids = [given(one, "request_id", "agent-framework-core") for one in requests]
        run = await workflow.run(responses=dict(zip(ids, answers, strict=True)))
    return run


async def agent_framework_agent(agent: Any, message: Any, *, session: Any) -> Any:
    """Microsoft Agent Framework: run an agent to its end, and decide every call of a tool that needs approval.

    Returns:
        The last response.
    """
    framework = needed("", "agent_framework", install="agent-framework-core")
    response = await agent.run(message, session=session)
    while requests := response.user_input_requests:
        answers = await all_at_once([_framework_approval(one) for one in requests])
        response = await agent.run(framework.Message("user", answers), session=session)
    return response


async def _framework_answer(event: Any) -> Any:
    data, wanted = given(event, "data", "agent-framework-core"), getattr(event, "response_type", None)
    if getattr(data, "type", None) == "function_approval_request":
        return await _framework_approval(data)
    dump = getattr(data, "model_dump", None)
    read = loose.read(data if dump is None else dump(mode="json"))
    question, asker = read.question, "Agent Framework"
    common: dict[str, Any] = {"asker": asker, "when_unanswered": "raise"}
    if hasattr(wanted, "model_validate"):
        form = form_from(wanted)
        message = "\n\n".join(filter(None, [question.text, read.message]))
        ask = Ask(form.questions, message=message, layout="form", form=form.finish, **common)
        return form.finish(_answered(ask, await _put(ask)).values)
    if wanted in (bool, int, float):
        kind = {bool: "confirm", int: "integer", float: "number"}[wanted]
        question = Question(question.text, kind=kind, notes=False)
    ask = Ask(question, message=read.message, **common)
    (answer,) = _answered(ask, await _put(ask)).answers.values()
    return answer.value if wanted in (str, bool, int, float) else read.value(answer)


async def _framework_approval(request: Any) -> Any:
    call = given(request, "function_call", "agent-framework-core")
    decided = await _approved(
        ToolCall(tool=call.name, arguments=_loaded(call.arguments), editable=False), "Agent Framework"
    )
    return request.to_function_approval_response(bool(decided))


async def inspect_approve(message: str, call: Any, view: Any, history: Any) -> Any:  # noqa: ARG001
    """Inspect: approve a tool call. Have an `@approver` function of your own return this one.

    Where nobody can be asked it escalates to the next approver.
    """
    approval = needed("", "inspect_ai.approval", install="inspect-ai").Approval
    call_of = ToolCall(
        tool=given(call, "function", "inspect-ai"), arguments=call.arguments, description=message or None
    )
    decided = await _approved(call_of, "Inspect")
    if isinstance(decided, Unavailable):
        return approval(decision="escalate", explanation=ending(decided))
    if not decided:
        return approval(decision="reject", explanation=_why(decided) or "The person denied it.")
    changed = cast("Approval", decided).arguments
    if changed is None:
        return approval(decision="approve")
    return approval(decision="modify", modified=replace(call, arguments=changed))


async def _approved(call: ToolCall, asker: str) -> Approval | Reply:
    return await under_the_running_cell(aapprove(call, asker=asker))


async def _put(ask: Ask) -> Reply:
    return await under_the_running_cell(aput(ask))


async def _said(request: Any, asker: str, timeout: float | None = None) -> Any:
    """What the person answers to a request of no fixed shape."""
    read = loose.read(request)
    ask = Ask(read.question, message=read.message, asker=asker, timeout=timeout, when_unanswered="raise")
    (answer,) = _answered(ask, await _put(ask)).answers.values()
    return read.value(answer)


def _answered(ask: Ask, reply: Reply) -> Answered:
    if not isinstance(reply, Answered):
        raise NoAnswer(reply, ask)
    return reply


def _answer(ask: Ask, reply: Reply) -> Any:
    return _answered(ask, reply).value


def _why(decided: Approval | Reply) -> str:
    """Why it is no: the person's reason, or how the ask ended."""
    return decided.reason if isinstance(decided, Approval) else f"{ending(decided)}."


def _loaded(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return dict(arguments) if isinstance(arguments, Mapping) else arguments
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments
