"""The OpenAI Agents SDK: run an agent, and have what its tools wait for approved on cards; and a tool that asks.

    result = await nbask.adapters.openai_agents.run(agent, input)
    agent = Agent(name="Ann", tools=[nbask.adapters.openai_agents.ask_user, ...])

Instead of `Runner.run`. With `Runner.run_streamed`, hand what it ends with to :func:`decide`.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field

from nbask.adapters.toolkit.approval import Approval, Rule, ToolCall, aapprove
from nbask.adapters.toolkit.arguments import loaded
from nbask.adapters.toolkit.extras import given, needed
from nbask.adapters.toolkit.together import all_at_once
from nbask.adapters.toolkit.words import denied, undecided
from nbask.asking import aput
from nbask.options import Option, is_recommended
from nbask.questions import Ask, Asker, Question
from nbask.replies import Answered, ending

if TYPE_CHECKING:
    ask_user: Any

__all__ = ["ask_user", "decide", "run"]

PACKAGE = "openai-agents"
_needed = partial(needed, install="nbask[openai-agents]")


async def run(
    agent: Any, input: Any, *, asker: str | Asker | None = None, timeout: float | None = None, **options: Any
) -> Any:
    """Run an agent to its end; each tool call that needs approval is a card, and those of one turn are open together.

    Args:
        agent: The agent.
        input: As for `Runner.run`; also the state of a run that was interrupted before.
        asker: Who asks, as the cards say it; by default the agent whose call it is.
        timeout: Seconds until a card ends unanswered; None waits as long as it takes.
        **options: As for `Runner.run`.

    Returns:
        The `RunResult`, once nothing is open.

    Raises:
        ImportError: openai-agents is not installed.
        Incompatible: This version of it interrupts in a way that nbask does not know.
        CancelledError: The run was cancelled; the cards are withdrawn.

    Example:
        >>> import asyncio
        >>> from agents import Agent, Model, ModelResponse, RunConfig, Usage, function_tool
        >>> from openai.types.responses import ResponseFunctionToolCall
        >>> from nbask.testing import scripted
        >>> call = ResponseFunctionToolCall(name="delete", arguments="{}", call_id="1", type="function_call")
        >>> class Tidy(Model):
        ...     stream_response = None
        ...     async def get_response(self, *args, **options):
        ...         return ModelResponse([call], Usage(), None)
        >>> delete = function_tool(lambda: "deleted", name_override="delete", needs_approval=True)
        >>> agent = Agent("Ann", model=Tidy(), tools=[delete], tool_use_behavior="stop_on_first_tool")
        >>> with scripted({"Allow delete?": "Approve"}):
        ...     asyncio.run(run(agent, "Tidy up", run_config=RunConfig(tracing_disabled=True))).final_output
        'deleted'
    """
    runner = _needed("agents").Runner
    result = await runner.run(agent, input, **options)
    later = {name: value for name, value in options.items() if name != "context"}  # which the state has
    while given(result, "interruptions", PACKAGE):
        state = await decide(result, asker=asker, timeout=timeout)
        result = await runner.run(agent, state, **later)
    return result


async def decide(result: Any, *, asker: str | Asker | None = None, timeout: float | None = None) -> Any:
    """Have all interruptions of a result decided.

    Args:
        result: What a run, or a streamed run that was read to its end, came back with.
        asker: Who asks; by default the agent whose call it is.
        timeout: Seconds until a card ends unanswered.

    Returns:
        The `RunState` to go on with: each call approved (once, or for the rest of the run), or rejected in words
        that the model reads. What nobody decided on is rejected, and says so.

    Raises:
        Incompatible: This version of the SDK interrupts in a way that nbask does not know.
        CancelledError: The task was cancelled; the cards are withdrawn.

    Example:
        >>> import asyncio
        >>> from types import SimpleNamespace
        >>> from nbask.testing import scripted
        >>> state = SimpleNamespace(reject=lambda call, rejection_message: print(rejection_message))
        >>> call = SimpleNamespace(name="delete", arguments='{"path": "a.csv"}')
        >>> result = SimpleNamespace(interruptions=[call], to_state=lambda: state)
        >>> with scripted({"Allow delete?": "Keep it"}):
        ...     asyncio.run(decide(result)) is state
        The user did not allow this call: Keep it
        True
    """
    state = given(result, "to_state", PACKAGE)()
    items = given(result, "interruptions", PACKAGE)
    said = await all_at_once([aapprove(_call(item), asker=asker or _asker(item), timeout=timeout) for item in items])
    for item, one in zip(items, said, strict=True):
        if isinstance(one, Approval) and one.approved:
            state.approve(item, always_approve=one.rule is not None)
        elif isinstance(one, Approval):
            state.reject(item, rejection_message=denied(one.reason))
        else:
            state.reject(item, rejection_message=undecided(one))
    return state


def _call(item: Any) -> ToolCall:
    name = given(item, "name", PACKAGE) or "a tool without a name"
    arguments = loaded(given(item, "arguments", PACKAGE))
    rule = Rule(label=f"Always allow {name} in this run", value=True)
    return ToolCall(tool=name, arguments=arguments, rules=(rule,), editable=False)


def _asker(item: Any) -> Asker:
    name = getattr(getattr(item, "agent", None), "name", None)
    return Asker(name or "OpenAI Agents", getattr(item, "name", None))


class Choice(BaseModel):
    """One answer to choose from, as a model writes it."""

    label: Annotated[str, Field(description="What the user sees and picks: one to five words.")]
    description: Annotated[str | None, Field(description="One sentence on what picking it means.")] = None


async def _ask_user(
    question: Annotated[str, Field(description="The whole question, ending in a question mark.")],
    options: Annotated[
        list[Choice] | None, Field(description="The answers to choose from; null for an answer in the user's words.")
    ] = None,
    many: Annotated[bool, Field(description="Whether several may be picked.")] = False,
) -> str:
    """Ask the user, who sits at the notebook, to decide something that only they can decide.

    They can always answer in their own words, so do not add an 'Other'. Put an option you recommend first and end its
    label with '(Recommended)'. Returns JSON: `answer` (a text; with `many` a list of texts) and perhaps `notes`;
    or `unanswered`, which says why there is no answer; or `error`, which says what to mend.
    """
    try:
        ask = _asked(question, options or [], many)
    except ValueError as fault:  # which the SDK would keep from the model
        return _json({"error": str(fault)})
    reply = await aput(ask)
    if not isinstance(reply, Answered):
        return _json({"unanswered": ending(reply)})
    (answer,) = reply.answers.values()
    told = {} if answer.is_note_alone else {"answer": answer.value}
    return _json({**told, "notes": answer.notes} if answer.notes else told)


def _asked(question: str, choices: list[Choice], many: bool) -> Ask:
    options = [Option(one.label, one.description, recommended=is_recommended(one.label)) for one in choices]
    asked = Question(question, options or None, many=many and bool(options), notes=True)
    return Ask(asked, asker=Asker("OpenAI Agents", "ask_user"), when_unanswered="raise")


def _json(told: dict[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False)


def __getattr__(name: str) -> Any:
    # A tool is an object of the SDK, which is imported with the first use of it.
    if name != "ask_user":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    tool = _needed("agents").function_tool(_ask_user, name_override="ask_user")
    globals()[name] = tool
    return tool
