"""Approving one call of a tool: one card for every framework, from the call to what was decided on it.

An adapter makes a :class:`ToolCall` of its framework's request, and its framework's answer of the
:class:`Approval`. A reply that is no answer comes back as it is, for the adapter to map to its framework's
honest no.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from nbask.adapters.toolkit.arguments import is_json, shown
from nbask.adapters.toolkit.json_field import json_form
from nbask.asking import aput, put
from nbask.checking import Checker
from nbask.forms import Form, form_from
from nbask.kinds import InvalidForm
from nbask.questions import Ask, Asker, Option, Question
from nbask.references import UndrawableSchema
from nbask.replies import Answered, Cancelled, Declined, Reply
from nbask.text import has_words, one_line, printable

APPROVE = "Approve"
EDIT = "Edit first"
RESPOND = "Answer in words instead"
DENY = "Deny"
DENY_WITH_WORDS = "Deny, and say why"
JSON = "arguments"
"""Id of the field with the arguments as JSON."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule that the framework takes, so as not to ask again.

    Args:
        label: What it allows, for the person: "Always allow git status in this session".
        value: The framework's own.
    """

    label: str
    value: Any = None


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A call that a tool waits to run.

    Args:
        tool: The tool's name.
        arguments: Its arguments, usually a dict; all of them are shown.
        description: What the tool or the framework says about this call: text, and no markdown.
        schema: JSON Schema of the arguments; editing is a form where one can be drawn for it, else JSON.
        rules: What may be allowed for good, where the framework has such rules.
        editable: Whether the framework takes changed arguments.
        respond: Whether it takes an answer in words in place of the call.

    Raises:
        ValueError: The tool has no name.
    """

    tool: str
    arguments: Any
    description: str | None = None
    schema: Mapping[str, Any] | None = None
    rules: Sequence[Rule] = ()
    editable: bool = True
    respond: bool = False

    def __post_init__(self) -> None:
        if not has_words(self.tool):
            raise ValueError(f"the tool's name is {self.tool!r}; say what would run")


@dataclass(frozen=True, kw_only=True)
class Approval:
    """What was decided on a call; true exactly where it was approved.

    Args:
        approved: Whether it may run.
        arguments: The arguments to run it with, where the person changed them; None leaves them as they were.
        rule: The value of the :class:`Rule` that was chosen.
        reason: Why it may not run; with `responded`, the person's answer.
        responded: Whether the person answered in words in place of the call, which then does not run.
    """

    approved: bool
    arguments: Any = None
    rule: Any = None
    reason: str = ""
    responded: bool = False

    def __bool__(self) -> bool:
        return self.approved


def approve(call: ToolCall, *, asker: str | Asker | None = None, timeout: float | None = None) -> Approval | Reply:
    """Have the person decide on a call, and block until they have.

    Args:
        call: The call.
        asker: Who asks.
        timeout: Seconds until a card ends unanswered; None waits as long as it takes.

    Returns:
        What was decided; or, where nothing was, how the ask ended, which is never true either.

    Example:
        >>> from nbask.testing import scripted
        >>> with scripted({"Allow delete_rows?": "Only the old ones"}):
        ...     approve(ToolCall(tool="delete_rows", arguments={"table": "runs"}))
        Approval(approved=False, arguments=None, rule=None, reason='Only the old ones', responded=False)
    """
    cards = _cards(call, asker, timeout)
    ask = next(cards)
    while True:
        reply = put(ask)
        try:
            ask = cards.send(reply)
        except StopIteration as end:
            return end.value


async def aapprove(
    call: ToolCall, *, asker: str | Asker | None = None, timeout: float | None = None
) -> Approval | Reply:
    """The awaitable twin of :func:`approve`."""
    cards = _cards(call, asker, timeout)
    ask = next(cards)
    while True:
        reply = await aput(ask)
        try:
            ask = cards.send(reply)
        except StopIteration as end:
            return end.value


Cards = Generator[Ask, Reply, "Approval | Reply"]


def _cards(call: ToolCall, asker: str | Asker | None, timeout: float | None) -> Cards:
    """The asks of one call, each sent its reply; in the end, what was decided."""
    # Written for every ask: no setting may answer for the person.
    common: dict[str, Any] = {"asker": asker, "timeout": timeout, "when_unanswered": "raise"}
    while True:
        reply = yield Ask(_question(call), message=shown(call.arguments), **common)
        if not isinstance(reply, Answered):
            return reply
        (answer,) = reply.answers.values()
        if answer.other is not None:
            return Approval(approved=False, reason=answer.other)
        match answer.value:
            case True:
                return Approval(approved=True)
            case Rule(value=value):
                return Approval(approved=True, rule=value)
            case "edit":
                decided = yield from _edited(call, common)
            case "respond":
                decided = yield from _responded(call, common)
            case _:
                return Approval(approved=False)
        if decided is not None:
            return decided


def _question(call: ToolCall) -> Question:
    options = [Option(APPROVE, value=True)]
    options += _rows(call.rules)
    if call.editable and is_json(call.arguments):
        options.append(Option(EDIT, value="edit"))
    if call.respond:
        options.append(Option(RESPOND, value="respond"))
    options.append(Option(DENY, value=False))
    return Question(
        f"Allow {_name(call)}?",
        options,
        description=printable(call.description.strip()) if call.description else None,
        other_label=DENY_WITH_WORDS,
        placeholder="Why not, or what to do instead?",
        notes=False,
    )


def _rows(rules: Sequence[Rule]) -> list[Option]:
    """A row for each rule; what reads the same is told apart."""
    taken = {APPROVE, EDIT, RESPOND, DENY}
    rows: list[Option] = []
    for rule in rules:
        label, number = printable(rule.label), 1
        while label in taken:
            number += 1
            label = f"{printable(rule.label)} ({number})"
        taken.add(label)
        rows.append(Option(label, value=rule))
    return rows


def _name(call: ToolCall) -> str:
    return one_line(printable(call.tool), 200)


def _edited(call: ToolCall, common: Mapping[str, Any]) -> Generator[Ask, Reply, Approval | Reply | None]:
    form = _drawn(call) or _json(call)
    title = f"Run {_name(call)} with these arguments"
    ask = Ask(form.questions, message=title, plain=True, layout="form", form=form.finish, submit=APPROVE, **common)
    reply = yield ask
    if not isinstance(reply, Answered):
        return _back(reply)
    arguments = form.finish(reply.values)
    return Approval(approved=True, arguments=None if arguments == call.arguments else arguments)


def _responded(call: ToolCall, common: Mapping[str, Any]) -> Generator[Ask, Reply, Approval | Reply | None]:
    reply = yield Ask(Question(f"What to answer in place of {_name(call)}?", multiline=True, notes=False), **common)
    if not isinstance(reply, Answered):
        return _back(reply)
    return Approval(approved=False, reason=reply.value, responded=True)


def _back(reply: Reply) -> Reply | None:
    """None where the person only left the second card: they are back at the first."""
    left = isinstance(reply, Declined) or (isinstance(reply, Cancelled) and reply.by == "person")
    return None if left else reply


def _drawn(call: ToolCall) -> Form | None:
    """A form prefilled with the arguments, where it loses nothing of them."""
    if not call.schema or not call.schema.get("properties") or not isinstance(call.arguments, Mapping):
        return None
    arguments = cast("Mapping[str, Any]", call.arguments)
    try:
        form = form_from(call.schema, arguments, untrusted=True)
    except ValueError:
        return None
    if any(question.secret for question in form.questions):  # never prefilled, and so it would be lost
        return None
    return Form(tuple(_roomy(question) for question in form.questions), form.finish)


def _roomy(question: Question) -> Question:
    """The question with a field that keeps the line breaks of its text."""
    long = question.kind == "text" and isinstance(question.default, str)
    if long and ("\n" in question.default or len(question.default) > 80):
        return question.model_copy(update={"multiline": True, "format": None})
    return question


def _json(call: ToolCall) -> Form:
    finish = partial(_checked, isinstance(call.arguments, Mapping), _checker(call))
    return json_form(JSON, "Arguments, as JSON", finish, call.arguments)


def _checker(call: ToolCall) -> Checker | None:
    try:
        return Checker(call.schema, untrusted=True) if call.schema else None
    except UndrawableSchema:
        return None  # whoever made it checks the arguments by it


def _checked(an_object: bool, checker: Checker | None, arguments: Any) -> Any:
    if an_object and not isinstance(arguments, dict):
        raise InvalidForm({JSON: 'The arguments are an object, in braces: {"name": "value"}.'})
    if checker is not None:
        try:
            checker.check(arguments)
        except InvalidForm as fault:
            faults = (f"{name}: {words}" if name else words for name, words in fault.errors.items())
            raise InvalidForm({JSON: " ".join(faults)}) from None
    return arguments
