"""LangGraph and LangChain: run a graph, and have each of its interrupts answered on a card.

    result = nbask.adapters.langgraph.invoke(graph, input, config)
    result = await nbask.adapters.langgraph.ainvoke(graph, input, config)

Instead of `graph.invoke`. Read are the requests of LangChain's `HumanInTheLoopMiddleware` (one for all calls of a
turn, or one for each), `interrupt(value, response_schema=…)`, requests in the manner of the Agent Inbox, and any
other value. The graph needs a checkpointer, as for every interrupt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, cast

from nbask.adapters.langgraph.interrupts import Refusal, resume_value
from nbask.adapters.toolkit.extras import given, needed
from nbask.adapters.toolkit.together import AWAITING, BLOCKING, Doors, at_once, blocking
from nbask.questions import Asker
from nbask.replies import NoAnswer

__all__ = ["ainvoke", "invoke"]

Run = Callable[[Any], Awaitable[Any]]
Look = Callable[[], Awaitable[Any]]


def invoke(
    graph: Any,
    input: Any,
    config: Any = None,
    *,
    asker: str | Asker | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Any:
    """Run a graph to its end, and block while a person answers its interrupts, one card after the other.

    Args:
        graph: A compiled graph, or an agent.
        input: As for `graph.invoke`; None goes on with a run that was interrupted before, and asks again.
        config: As for `graph.invoke`, with the thread's id.
        asker: Who asks, as the cards say it; by default the graph's name.
        timeout: Seconds until a card ends unanswered; None waits as long as it takes.
        **options: As for `graph.invoke`.

    Returns:
        What `graph.invoke` returns once nothing is open.

    Raises:
        ImportError: langgraph is not installed.
        Incompatible: This version of it asks in a way that nbask does not know.
        NoAnswer: Something was not answered that takes no refusal (a tool call that may be rejected is rejected
            instead). What was answered beside it has been passed on, and the graph waits for the rest:
            `invoke(graph, None, config)` asks again.
        ValueError: The graph has no checkpointer, so that it cannot go on after an interrupt.

    Example:
        >>> from langgraph.checkpoint.memory import InMemorySaver
        >>> from langgraph.graph import StateGraph
        >>> from langgraph.types import interrupt
        >>> from nbask.testing import scripted
        >>> graph = StateGraph(dict).add_node("ask", lambda state: {"name": interrupt("Who are you?")})
        >>> graph = graph.set_entry_point("ask").compile(checkpointer=InMemorySaver())
        >>> with scripted({"Who are you?": "Ann"}):
        ...     invoke(graph, {}, {"configurable": {"thread_id": "1"}})
        {'name': 'Ann'}
    """
    run = blocking(lambda step: graph.invoke(step, config, **options))
    look = blocking(lambda: graph.get_state(config))
    return at_once(_course(graph, run, look, input, BLOCKING, asker, timeout))


async def ainvoke(
    graph: Any,
    input: Any,
    config: Any = None,
    *,
    asker: str | Asker | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Any:
    """Take, return and raise what :func:`invoke` does, over `graph.ainvoke`; all that is open is asked at once."""
    run = partial(graph.ainvoke, config=config, **options)
    look = partial(graph.aget_state, config)
    return await _course(graph, run, look, input, AWAITING, asker, timeout)


async def _course(
    graph: Any, run: Run, look: Look, step: Any, doors: Doors, asker: str | Asker | None, timeout: float | None
) -> Any:
    command = needed("langgraph.types", install="nbask[langgraph]").Command
    who = asker or Asker(getattr(graph, "name", None) or "LangGraph")
    pending: list[Any] = []
    sent: dict[str, Any] = {}
    answers: dict[str, Any] = {}  # of what was asked and not yet sent; a NoAnswer where there is none
    while True:
        refused: dict[str, Refusal] = {}
        try:
            output = await run(step)
        except Exception as fault:
            if len(sent) != 1 or not _is_invalid_resume(fault):
                raise
            # Nothing of it was saved, and all is open as before.
            refused = {name: Refusal(value, fault) for name, value in sent.items()}
        else:
            pending = _pending(output)
            if not pending and isinstance(output, list) and getattr(graph, "checkpointer", None):
                pending = list((await look()).interrupts)  # other stream modes do not show them
            if not pending:
                return output
            _check_checkpointer(graph)
        ids = [given(one, "id", "langgraph") for one in pending]
        new = [one for name, one in zip(ids, pending, strict=True) if name not in answers]
        values = await doors.all([resume_value(one, doors, who, timeout, refused.get(one.id)) for one in new])
        answers |= {one.id: value for one, value in zip(new, values, strict=True)}
        sent = _sendable(pending, {name: answers[name] for name in ids})
        answers = {name: answers[name] for name in ids if name not in sent}
        step = command(resume=sent)


def _sendable(pending: list[Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    """What to go on with: all answers, or only the first where the graph may refuse one of them.

    Of several that are sent together, one that is refused leaves the others' work done but not noted, to be done
    a second time.
    """
    found = {name: value for name, value in answers.items() if not isinstance(value, NoAnswer)}
    if not found:
        raise next(iter(answers.values()))
    if any(getattr(one, "response_schema", None) is not None for one in pending):
        first = next(iter(found))
        return {first: found[first]}
    return found


def _pending(output: Any) -> list[Any]:
    """The interrupts a run ended with."""
    interrupts = getattr(output, "interrupts", None)  # version="v2"
    if interrupts is None and isinstance(output, Mapping):
        interrupts = cast("Mapping[str, Any]", output).get("__interrupt__")
    if interrupts is None and isinstance(output, list):  # stream_mode="updates"
        chunks = (one for one in reversed(cast("list[Any]", output)) if isinstance(one, Mapping))
        interrupts = next((one["__interrupt__"] for one in chunks if "__interrupt__" in one), None)
    return list(interrupts or ())


def _check_checkpointer(graph: Any) -> None:
    if not getattr(graph, "checkpointer", True):
        raise ValueError(
            "the graph was interrupted but has no checkpointer, so it cannot go on; "
            "compile it with one, such as checkpointer=InMemorySaver()"
        )


def _is_invalid_resume(fault: Exception) -> bool:
    check = getattr(needed("langgraph.errors", install="nbask[langgraph]"), "is_invalid_resume", None)
    return check is not None and check(fault)
