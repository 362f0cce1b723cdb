"""How a tool's call becomes an ask, and the ask's reply the tool's result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from nbask.adapters.claude.questions import prepared
from nbask.asking import Request
from nbask.builders import request_choice, request_confirm, request_form, request_text
from nbask.kinds import InvalidForm
from nbask.plans import PlanDecision, request_plan
from nbask.questions import Ask, Asker
from nbask.replies import Answered, Cancelled, Declined, Discussed, NoAnswer, Reply
from nbask.serve.results import Circumstances, message_of, next_step_of, result_of, status_of

DEFAULT_MS = 300_000
LEAST_MS = 10_000
"""Nobody reads and answers a question in less; models that pass `timeout=1` mean something else."""
MOST_MS = 24 * 3600 * 1000

Arguments = Mapping[str, Any]


class ToolFault(Exception):
    """The call ends as a tool's error; its text is for the agent."""


@dataclass(frozen=True)
class Posed:
    """One call, made an ask.

    Args:
        ask: What to ask.
        result: Makes the tool's structured result of the reply; raises :class:`ToolFault`.
        schema: The form to ask with through a client, where the call brought its own.
        said: What the agent should know about its call.
    """

    ask: Ask
    result: Callable[[Reply, Circumstances], dict[str, Any]]
    schema: Mapping[str, Any] | None = None
    said: str = ""


def limited(arguments: Arguments, default_ms: int | None = None) -> tuple[float | None, str]:
    """How long to wait for the person, in seconds, and what to say where the call asked for a silly limit.

    Example:
        >>> limited({"timeout_ms": 1}, 300_000)
        (10.0, 'timeout_ms was 1, too short for a person to answer; the limit was 10000 ms.')
    """
    wanted = arguments.get("timeout_ms")
    if wanted is None:
        return None if default_ms is None else default_ms / 1000, ""
    if wanted < LEAST_MS:
        too_short = f"timeout_ms was {wanted}, too short for a person to answer; the limit was {LEAST_MS} ms."
        return LEAST_MS / 1000, too_short
    if wanted > MOST_MS:
        return MOST_MS / 1000, f"timeout_ms was {wanted}; the limit was a day, {MOST_MS} ms."
    return wanted / 1000, ""


def pose_choice(arguments: Arguments, asker: Asker, default_ms: int) -> Posed:
    # The contract promises exactly one of the labels: other words go into a note, or into "discuss".
    return _recorded("ask_choice", arguments, asker, default_ms, request_choice, other=False, **_options(arguments))


def pose_multi_select(arguments: Arguments, asker: Asker, default_ms: int) -> Posed:
    bounds = {"min": arguments.get("min", 1), "max": arguments.get("max"), "required": arguments.get("min", 1) > 0}
    given = {**_options(arguments), **bounds, "many": True, "other": False}
    return _recorded("ask_multi_select", arguments, asker, default_ms, request_choice, **given)


def pose_confirm(arguments: Arguments, asker: Asker, default_ms: int) -> Posed:
    return _recorded("ask_confirm", arguments, asker, default_ms, request_confirm)


def pose_text(arguments: Arguments, asker: Asker, default_ms: int) -> Posed:
    given = {name: arguments[name] for name in ("placeholder", "multiline") if name in arguments}
    return _recorded("ask_text", arguments, asker, default_ms, request_text, **given)


def _options(arguments: Arguments) -> dict[str, Any]:
    return {"options": list(arguments["options"])}


def _recorded(
    tool: str, arguments: Arguments, asker: Asker, default_ms: int, request: Callable[..., Request[Any]], **given: Any
) -> Posed:
    timeout, said = limited(arguments, default_ms)
    made = request(arguments["question"], notes=True, timeout=timeout, asker=asker, **given)
    return Posed(made.ask, lambda reply, around: result_of(tool, made.ask, reply, around), said=said)


def pose_user_question(arguments: Arguments, asker: Asker, _default_ms: int) -> Posed:
    ask, answered = prepared(dict(arguments), True, asker, None)

    def result(reply: Reply, around: Circumstances) -> dict[str, Any]:
        try:
            return answered(reply)
        except NoAnswer:
            step = next_step_of(status_of(reply, around.fallback), around)
            raise ToolFault(f"{message_of(ask, reply, around)}\n{step}") from None

    return Posed(ask, result)


def pose_form(arguments: Arguments, asker: Asker, _default_ms: int) -> Posed:
    timeout, said = limited(arguments)
    schema, default = arguments["outputSchema"], arguments.get("default")
    on_nobody = arguments.get("whenUnanswered", "fail")
    if on_nobody == "default" and default is None:
        raise ValueError("whenUnanswered is 'default' but there is no default; give one, or use 'fail'")
    made = request_form(arguments["prompt"], schema, default=default, timeout=timeout, asker=asker)
    if on_nobody == "default":
        _check_whole(made.ask, default)

    def result(reply: Reply, around: Circumstances) -> dict[str, Any]:
        if isinstance(reply, Answered):
            return {"answer": made.value(reply), "answered": True}
        if on_nobody == "fail":
            raise ToolFault(message_of(made.ask, reply, around))
        declined = isinstance(reply, Declined | Discussed | Cancelled)
        return {"answer": default, "answered": False, "reason": "declined" if declined else "unavailable"}

    return Posed(made.ask, result, schema=schema, said=said)


def _check_whole(ask: Ask, default: Any) -> None:
    """The default may become the answer, and so it has to be a whole one."""
    assert ask.form is not None
    try:
        ask.form(default)
    except InvalidForm as fault:
        raise ValueError(f"default does not fit the outputSchema: {fault}") from None


def pose_plan(arguments: Arguments, asker: Asker, _default_ms: int) -> Posed:
    timeout, said = limited(arguments)
    made = request_plan(arguments["plan"], timeout=timeout, asker=asker)

    def result(reply: Reply, around: Circumstances) -> dict[str, Any]:
        decision = made.value(reply) if isinstance(reply, Answered) else PlanDecision(None)
        status = status_of(reply, around.fallback)
        return {
            "approved": decision.approved is not None,
            "mode": decision.approved,
            "feedback": reply.text or None if isinstance(reply, Discussed) else decision.feedback,
            "status": status,
            "message": message_of(made.ask, reply, around),
            "next_step": _PLAN_NEXT[decision.approved] if status == "answered" else next_step_of(status, around),
        }

    return Posed(made.ask, result, said=said)


_PLAN_NEXT: Mapping[str | None, str] = MappingProxyType(
    {
        "auto": "Carry the plan out.",
        "manual": "Carry the plan out, and have each edit approved.",
        None: "Change the plan as `feedback` says, and have it approved again.",
    }
)
