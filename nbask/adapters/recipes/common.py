"""What the recipes share: how they ask, and what they do where nobody answers."""

from __future__ import annotations

from typing import Any

from nbask.adapters.toolkit import loose
from nbask.adapters.toolkit.approval import Approval, ToolCall, aapprove
from nbask.adapters.toolkit.cells import under_the_running_cell
from nbask.asking import aput
from nbask.forms import Form
from nbask.questions import Ask
from nbask.replies import Answered, NoAnswer, Reply, ending


async def approved(call: ToolCall, asker: str) -> Approval | Reply:
    """What the person decides about a tool call."""
    return await under_the_running_cell(aapprove(call, asker=asker))


async def put(ask: Ask) -> Reply:
    """How an ask ends, shown under the cell that runs the framework."""
    return await under_the_running_cell(aput(ask))


async def said(request: Any, asker: str, timeout: float | None = None) -> Any:
    """What the person answers to a request of no fixed shape."""
    read = loose.read(request)
    ask = Ask(read.question, message=read.message, asker=asker, timeout=timeout, when_unanswered="raise")
    (answer,) = answered(ask, await put(ask)).answers.values()
    return read.value(answer)


async def filled(request: Any, form: Form, asker: str) -> Any:
    """What the person fills in, in the shape that is wanted."""
    read = loose.read(request)
    message = "\n\n".join(filter(None, [read.question.text, read.message]))
    ask = Ask(form.questions, message=message, layout="form", form=form.finish, asker=asker, when_unanswered="raise")
    return form.finish(answered(ask, await put(ask)).values)


def answered(ask: Ask, reply: Reply) -> Answered:
    """The reply, which has to be an answer: whoever gets no value has to stop there."""
    if not isinstance(reply, Answered):
        raise NoAnswer(reply, ask)
    return reply


def why(decided: Approval | Reply) -> str:
    """Why it is no: the person's reason, or how the ask ended."""
    return decided.reason if isinstance(decided, Approval) else f"{ending(decided)}."
