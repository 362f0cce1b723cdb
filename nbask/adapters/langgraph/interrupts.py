"""One interrupt of a LangGraph run: what its value asks, and what the graph is resumed with.

Its value tells which kind it is: LangChain's review of tool calls, all in one or one each; the Agent Inbox's;
a form, where the interrupt has a `response_schema`; or whatever the graph's author sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from nbask.adapters.langgraph.reviews import Decision, Review, decide
from nbask.adapters.toolkit import loose
from nbask.adapters.toolkit.arguments import shown
from nbask.adapters.toolkit.extras import Incompatible, given
from nbask.adapters.toolkit.json_field import json_form
from nbask.adapters.toolkit.together import Doors
from nbask.checking import Checker
from nbask.forms import Form, form_from
from nbask.questions import Ask, Asker
from nbask.references import UndrawableSchema, referred
from nbask.replies import Answered, NoAnswer
from nbask.text import one_line

ANSWER = "answer"
"""The field's name where the graph wants one value and no object."""


@dataclass(frozen=True)
class Refusal:
    """An answer that the graph did not take, and why."""

    value: Any
    fault: Exception

    @property
    def words(self) -> str:
        """Why, in a sentence."""
        errors = getattr(self.fault, "errors", None)
        faults = errors() if callable(errors) else []
        said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in cast("list[Any]", faults))
        return f"The graph did not take this: {said or one_line(str(self.fault), 300)}"


@dataclass(frozen=True)
class _Asking:
    doors: Doors
    asker: str | Asker
    timeout: float | None

    async def put(self, *args: Any, **rest: Any) -> tuple[Ask, Any]:
        # Written for every ask: no setting may answer for the person.
        ask = Ask(*args, asker=self.asker, timeout=self.timeout, when_unanswered="raise", **rest)
        return ask, await self.doors.put(ask)


async def resume_value(
    interrupt: Any, doors: Doors, asker: str | Asker, timeout: float | None, refusal: Refusal | None = None
) -> Any:
    """Have one interrupt answered.

    Args:
        interrupt: The interrupt.
        doors: How to ask.
        asker: Who asks.
        timeout: Seconds until a card ends unanswered.
        refusal: What the graph did not take.

    Returns:
        What to resume it with; or a :class:`~nbask.NoAnswer` (returned, since other cards may be open beside this
        one) where it takes no refusal.
    """
    value = given(interrupt, "value", "langgraph")
    schema = getattr(interrupt, "response_schema", None)
    try:
        return await _answered(value, schema, _Asking(doors, asker, timeout), refusal)
    except NoAnswer as unanswered:
        return unanswered


async def _answered(value: Any, schema: Any, asking: _Asking, refusal: Refusal | None) -> Any:
    if isinstance(value, Mapping):
        request = cast("Mapping[str, Any]", value)
        if request.get("type") == "tool_approval":
            return (await _decisions([_of_one_call(request, schema)], asking))[0]
        if "action_requests" in request:
            return {"decisions": await _decisions(_of_a_turn(request), asking)}
        if "action_request" in request:
            return await _inbox([request], asking)
    if isinstance(value, list) and value and all(isinstance(one, Mapping) and "action_request" in one for one in value):
        return await _inbox(cast("list[Mapping[str, Any]]", value), asking)
    if isinstance(schema, Mapping):
        return await _filled(value, cast("Mapping[str, Any]", schema), asking, refusal)
    read = loose.read(value)
    ask, reply = await asking.put(read.question, message=read.message)
    if not isinstance(reply, Answered):
        raise NoAnswer(reply, ask)
    (answer,) = reply.answers.values()
    return read.value(answer)


async def _decided(reviews: list[Review], asking: _Asking) -> list[Decision]:
    """A decision on each, in order; the others are heard out before one that there is none on is raised."""
    work = [decide(one, asking.doors, asking.asker, asking.timeout) for one in reviews]
    decided = await asking.doors.all(work)
    if missing := [one for one in decided if isinstance(one, NoAnswer)]:
        raise missing[0]
    return decided


async def _decisions(reviews: list[Review], asking: _Asking) -> list[dict[str, Any]]:
    """In LangChain's words."""
    decided = await _decided(reviews, asking)
    return [_decision(review, one) for review, one in zip(reviews, decided, strict=True)]


def _decision(review: Review, decided: Decision) -> dict[str, Any]:
    match decided.kind:
        case "edit":
            return {"type": "edit", "edited_action": {"name": review.name, "args": decided.arguments}}
        case "respond":
            return {"type": "respond", "message": decided.words}
        case "reject" if decided.words:
            return {"type": "reject", "message": decided.words}
    return {"type": decided.kind}


def _of_a_turn(request: Mapping[str, Any]) -> list[Review]:
    calls = given(request, "action_requests", "langchain")
    configs = given(request, "review_configs", "langchain")
    if len(calls) != len(configs):
        raise Incompatible(f"langchain asks about {len(calls)} calls but says how to answer {len(configs)} of them")
    return [
        _review(call, frozenset(given(config, "allowed_decisions", "langchain")))
        for call, config in zip(calls, configs, strict=True)
    ]


def _of_one_call(request: Mapping[str, Any], schema: Any) -> Review:
    branches = _branches(schema) if isinstance(schema, Mapping) else {}
    if not branches:
        raise Incompatible("langchain asks about a call but its response_schema names no decisions")
    return _review(request, frozenset(branches), _arguments(branches.get("edit"), schema))


def _review(call: Any, allowed: frozenset[str], schema: Mapping[str, Any] | None = None) -> Review:
    name, arguments = given(call, "name", "langchain"), given(call, "args", "langchain")
    description = str(call.get("description") or "")
    # What the middleware says by itself repeats the card.
    description = description.removesuffix(f"\n\nTool: {name}\nArgs: {arguments}")
    return Review(name, arguments, description, allowed, schema)


def _branches(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The decisions a schema has room for, by their `type`."""
    alternatives = schema.get("oneOf") or schema.get("anyOf") or [schema]
    found: dict[str, Mapping[str, Any]] = {}
    for one in alternatives:
        branch = _resolved(one, schema)
        kind = branch.get("properties", {}).get("type", {}).get("const")
        if isinstance(kind, str):
            found[kind] = branch
    return found


def _arguments(edit: Mapping[str, Any] | None, whole: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of a call's arguments, out of that of an edit."""
    for name in ("edited_action", "args"):
        edit = (edit or {}).get("properties", {}).get(name)
        edit = None if edit is None else _resolved(edit, whole)
    return None if edit is None else {**edit, "$defs": whole.get("$defs", {})}


def _resolved(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    return referred("the schema", str(schema["$ref"]), whole) if "$ref" in schema else schema


async def _inbox(requests: list[Mapping[str, Any]], asking: _Asking) -> list[dict[str, Any]]:
    """In the words of the Agent Inbox: a list, of one response for each request."""
    reviews = [_of_the_inbox(request) for request in requests]
    decided = await _decided(reviews, asking)
    return [_response(review, one) for review, one in zip(reviews, decided, strict=True)]


_ALLOWS = {"allow_accept": "approve", "allow_edit": "edit", "allow_respond": "respond", "allow_ignore": "reject"}


def _of_the_inbox(request: Mapping[str, Any]) -> Review:
    call, config = given(request, "action_request", "langgraph"), given(request, "config", "langgraph")
    allowed = frozenset(kind for name, kind in _ALLOWS.items() if config.get(name))
    name, arguments = given(call, "action", "langgraph"), given(call, "args", "langgraph")
    return Review(name, arguments, str(request.get("description") or ""), allowed)


def _response(review: Review, decided: Decision) -> dict[str, Any]:
    match decided.kind:
        case "approve":
            return {"type": "accept", "args": None}
        case "edit":
            return {"type": "edit", "args": {"action": review.name, "args": decided.arguments}}
        case "reject" if not decided.words or "respond" not in review.allowed:
            return {"type": "ignore", "args": None}
    return {"type": "response", "args": decided.words}


async def _filled(value: Any, schema: Mapping[str, Any], asking: _Asking, refusal: Refusal | None) -> Any:
    """A form for a `response_schema`; or a field of JSON, where no form can be drawn for it."""
    if "$ref" in schema:
        schema = {**_resolved(schema, schema), "$defs": schema.get("$defs", {})}
    is_object = schema.get("type", "object") == "object" and "properties" in schema
    before = None if refusal is None else refusal.value if is_object else {ANSWER: refusal.value}
    try:
        form = form_from(schema if is_object else _wrapped(schema), before)
    except ValueError:  # an answer that was refused may not fit either
        form, is_object = _json(schema, refusal), False
    message, plain = _message(value, refusal)
    ask, reply = await asking.put(form.questions, message=message, plain=plain, layout="form", form=form.finish)
    if not isinstance(reply, Answered):
        raise NoAnswer(reply, ask)
    filled = form.finish(reply.values)
    return filled if is_object else filled[ANSWER]


def _message(value: Any, refusal: Refusal | None) -> tuple[str, bool]:
    """What to show above the fields, and whether it is plain text."""
    read = loose.read(value)
    asked = read.question
    # With options or of no known shape, the fields are what there is to choose and to say.
    parts = [shown(value)] if asked.options or asked.multiline else [asked.text, read.message]
    if refusal is not None:
        parts.insert(0, refusal.words)
    kept = [part for part in parts if part]
    return "\n\n".join(kept), kept == [asked.text]


def _wrapped(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with the wanted value in it."""
    one = {name: part for name, part in schema.items() if name != "$defs"}
    properties = {ANSWER: {"title": "Your answer", **one}}
    return {"type": "object", "properties": properties, "required": [ANSWER], "$defs": schema.get("$defs", {})}


def _json(schema: Mapping[str, Any], refusal: Refusal | None) -> Form:
    try:
        checker = Checker(_wrapped(schema))
    except UndrawableSchema:
        checker = None  # the graph checks it by its own
    before = [] if refusal is None else [refusal.value]
    return json_form(ANSWER, "Your answer, as JSON", partial(_checked, checker), *before)


def _checked(checker: Checker | None, value: Any) -> dict[str, Any]:
    answer = {ANSWER: value}
    if checker is not None:
        checker.check(answer)
    return answer
