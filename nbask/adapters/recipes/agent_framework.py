"""Microsoft Agent Framework: a workflow's requests, and an agent's approvals."""

from __future__ import annotations

from typing import Any

from nbask.adapters.recipes import common
from nbask.adapters.toolkit import loose
from nbask.adapters.toolkit.approval import ToolCall
from nbask.adapters.toolkit.arguments import loaded
from nbask.adapters.toolkit.extras import given, needed
from nbask.adapters.toolkit.together import all_at_once
from nbask.forms import form_from
from nbask.questions import Ask, Question


async def agent_framework_workflow(workflow: Any, message: Any) -> Any:
    """Microsoft Agent Framework: run a workflow to its end, and answer every request: a form, a yes or no, words.

    Args:
        workflow: The workflow.
        message: What to begin with.

    Returns:
        The last run's result.

    Raises:
        Incompatible: A request is not as this version of nbask knows it.
        NoAnswer: A request was not answered; the workflow waits for it. A tool call is denied instead.
    """
    run = await workflow.run(message)
    while requests := run.get_request_info_events():
        answers = await all_at_once([_framework_answer(one) for one in requests])
        ids = [given(one, "request_id", "agent-framework-core") for one in requests]
        run = await workflow.run(responses=dict(zip(ids, answers, strict=True)))
    return run


async def agent_framework_agent(agent: Any, message: Any, *, session: Any) -> Any:
    """Microsoft Agent Framework: run an agent to its end, and decide every call of a tool that needs approval.

    What nobody decided on is not approved.

    Args:
        agent: The agent.
        message: What to begin with.
        session: The agent's session, which keeps what is said.

    Returns:
        The last response.

    Raises:
        ImportError: agent-framework-core is not installed.
        Incompatible: A request is not as this version of nbask knows it.
    """
    framework = needed("agent_framework", install="agent-framework-core")
    response = await agent.run(message, session=session)
    while requests := response.user_input_requests:
        answers = await all_at_once([_framework_approval(one) for one in requests])
        response = await agent.run(framework.Message("user", answers), session=session)
    return response


async def _framework_answer(event: Any) -> Any:
    data, wanted = given(event, "data", "agent-framework-core"), getattr(event, "response_type", None)
    if getattr(data, "type", None) == "function_approval_request":
        return await _framework_approval(data)
    if hasattr(wanted, "model_validate"):
        return await common.filled(data, form_from(wanted), "Agent Framework")
    read = loose.read(data)
    question = read.question
    if wanted in (bool, int, float):
        kind = {bool: "confirm", int: "integer", float: "number"}[wanted]
        question = Question(question.text, kind=kind, notes=False)
    ask = Ask(question, message=read.message, asker="Agent Framework", when_unanswered="raise")
    (answer,) = common.answered(ask, await common.put(ask)).answers.values()
    return answer.value if wanted in (str, bool, int, float) else read.value(answer)


async def _framework_approval(request: Any) -> Any:
    call = given(request, "function_call", "agent-framework-core")
    decided = await common.approved(
        ToolCall(tool=call.name, arguments=loaded(call.arguments), editable=False), "Agent Framework"
    )
    return request.to_function_approval_response(bool(decided))
