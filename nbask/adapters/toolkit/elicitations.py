"""From an elicitation to an :class:`~nbask.Ask` and back, on the wire's own dict: no version of the SDK is known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from nbask.adapters.toolkit.secrets import asks_a_secret
from nbask.forms import ACCEPT, Form, form_from
from nbask.questions import Ask, Asker, Question
from nbask.references import UndrawableSchema
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn

NAMELESS = "an MCP server that gives no name"
LARGEST = 100_000
"""Characters of JSON that one request may have; nobody reads a form that is longer."""
SAID = "nbask/said"
"""Under `_meta` of a cancelled result: what the person said, where they want to talk about it first."""
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

Action = Literal["accept", "decline", "cancel"]


class Fault(Exception):
    """The server gets an error; the message is a plain sentence, fit for a stranger to read."""

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        super().__init__(message)


@dataclass(frozen=True)
class Result:
    """What goes back: the parts of an `ElicitResult`."""

    action: Action
    content: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None


@dataclass(frozen=True)
class Elicitation:
    """One request, made an ask.

    Args:
        ask: What to ask.
        form: What the answers add up to; None for an address.
        undrawable: Why there is no form for it: the card says so, and the server gets it as an error.
    """

    ask: Ask
    form: Form | None = None
    undrawable: str | None = None

    def result(self, reply: Reply) -> Result:
        """What goes back to the server for a reply.

        Raises:
            Fault: It gets an error: nobody could be asked, or the form could not be drawn.
        """
        match reply:
            case Answered() if self.undrawable is not None:
                raise Fault(INVALID_PARAMS, f"this client cannot show the requested form: {self.undrawable}")
            case Answered():
                return Result("accept", None if self.form is None else self.form.finish(reply.values))
            case Declined():
                return Result("decline")
            case Discussed(text=text):
                # There is no "let us talk first"; the nearest is to go without a choice.
                return Result("cancel", meta={SAID: text} if text else None)
            case Cancelled() | TimedOut():
                return Result("cancel")
            case Unavailable():
                raise Fault(INTERNAL_ERROR, "nobody can be asked here: no person has this notebook open")
            case Withdrawn():
                raise Fault(INTERNAL_ERROR, "the question was withdrawn before anybody answered it")


def elicitation_from(params: Mapping[str, Any], asker: Asker, timeout: float | None = None) -> Elicitation:
    """Make an ask of a request's parameters.

    Args:
        params: As they are on the wire: `message`, and `requestedSchema` or `url`.
        asker: Who asks.
        timeout: Seconds after which the caller gives up.

    Returns:
        The ask and what becomes of its answers.

    Raises:
        Fault: They are of no mode that this client has declared, or malformed.

    Example:
        >>> schema = {"type": "object", "properties": {"n": {"type": "integer", "title": "How many?"}}}
        >>> elicitation_from({"message": "Scoops", "requestedSchema": schema}, Asker("Kiosk")).ask.questions[0].text
        'How many?'
    """
    mode, message = params.get("mode", "form"), params.get("message")
    if mode not in ("form", "url"):
        raise Fault(INVALID_PARAMS, f"mode {str(mode)[:40]!r} is not supported; this client has form and url")
    if not isinstance(message, str):
        raise Fault(INVALID_PARAMS, "message is missing; say what is asked")
    # The limit is the caller's, so typing does not pause it. A person's silence never counts as the server's defaults.
    common: dict[str, Any] = {
        "asker": asker, "timeout": timeout, "pausable": False, "plain": True, "when_unanswered": "raise"
    }  # fmt: skip
    if mode == "url":
        return _address(params.get("url"), message, common)
    try:
        _check_size(params)
        return _form(params.get("requestedSchema"), message, common)
    except UndrawableSchema as fault:
        return _undrawable(str(fault), message[:LARGEST], common)


def _address(url: Any, message: str, common: dict[str, Any]) -> Elicitation:
    if not isinstance(url, str) or len(url) + len(message) > LARGEST:
        raise Fault(INVALID_PARAMS, "url is missing or too long; give the address to open")
    question = Question("Open this address?", kind="consent", id=ACCEPT, url=url, notes=False)
    return Elicitation(Ask(question, message=message.strip() or None, **common))


def _form(schema: Any, message: str, common: dict[str, Any]) -> Elicitation:
    try:
        form = form_from(schema, untrusted=True)
    except UndrawableSchema:  # perhaps for a default that does not fit, which is no reason not to ask
        form = form_from(_without_defaults(schema), untrusted=True)
    for question in form.questions:
        _check_values(question)
    questions = [_cautious(question, message, len(form.questions) == 1) for question in form.questions]
    if _is_bare(schema, message):
        questions = [questions[0].model_copy(update={"text": message})]
        return Elicitation(Ask(questions, layout="form", form=form.finish, **common), form)
    ask = Ask(questions, message=message.strip() or None, layout="form", form=form.finish, **common)
    return Elicitation(ask, form)


def _without_defaults(schema: Any) -> Any:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return schema
    named = cast("Mapping[str, Any]", properties)
    bare = {name: {**one, "default": None} if isinstance(one, Mapping) else one for name, one in named.items()}
    return {**cast("Mapping[str, Any]", schema), "properties": bare}


def _undrawable(why: str, message: str, common: dict[str, Any]) -> Elicitation:
    question = Question(
        "This request cannot be shown as a form, so it cannot be answered here.",
        kind="consent",
        id=ACCEPT,
        description=f"{why[:1].upper()}{why[1:]}."[:500],
        notes=False,
    )
    ask = Ask(question, message=message.strip() or None, submit="Tell the server", **common)
    return Elicitation(ask, undrawable=why[:500])


def _check_size(params: Mapping[str, Any]) -> None:
    try:
        size = len(json.dumps(params, default=str))
    except RecursionError:
        raise UndrawableSchema("the schema is nested too deeply; a form is flat") from None
    if size > LARGEST:
        raise UndrawableSchema(f"the request has {size} characters; a form takes at most {LARGEST}")


def _check_values(question: Question) -> None:
    """Refuse options that an answer has no room for: one is a string, a number or a boolean, several are strings."""
    fitting = str if question.many else (str, int, float)
    for value in (option.result for option in question.options):
        if not isinstance(value, fitting):
            raise UndrawableSchema(f"property {question.id!r} has the option {value!r}, which no answer can hold")


def _cautious(question: Question, message: str, alone: bool) -> Question:
    """The question, with a warning where it seems to ask for a secret; a text is then dots, and kept nowhere."""
    changes: dict[str, Any] = {"notes": False}
    words = [question.id, question.text, question.description or "", message if alone else ""]
    if question.kind in ("text", "list", "number", "integer") and asks_a_secret(words):
        secret = {"secret": True, "default": None} if question.kind == "text" else {}  # only a text can be dots
        changes |= {**secret, "warnings": (WARNING,)}
    return question.model_copy(update=changes)


WARNING = (
    "This looks like a password, key, token or payment detail. A server must not ask for one in a form: "
    "whatever you type here is sent to it."
)


def _is_bare(schema: Any, message: str) -> bool:
    """Whether there is one field with no name but `value`, as fastmcp sends for a scalar: the message asks."""
    properties = cast("Mapping[str, Any]", schema.get("properties") or {})
    only = properties.get("value")
    if len(properties) != 1 or not isinstance(only, Mapping) or not message.strip():
        return False
    return cast("Mapping[str, Any]", only).get("title", "Value") == "Value"


def asker_of(label: str | None, name: str | None) -> Asker:
    """Who asks: the user's own label, or what the server calls itself; and both where both are known.

    Example:
        >>> asker_of("Flights", "amadeus").detail, asker_of(None, None).label
        ('MCP · amadeus', 'an MCP server that gives no name')
    """
    name = name if name and name.strip() else None
    if label is not None:
        return Asker(label, f"MCP · {name}" if name and name != label else "MCP")
    return Asker(name or NAMELESS, "MCP")
