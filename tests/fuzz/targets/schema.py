"""A stranger's JSON Schema: a form that can be drawn, filled in and checked, or a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import asks
from asks import is_sentence, sendable
from source import Source

from nbask import Ask
from nbask.desk import Desk
from nbask.forms import Form, form_from
from nbask.fronts.drawing import draw
from nbask.kinds import InvalidForm
from nbask.patterns import is_bounded, matches
from nbask.reading import Refused, read_reply
from nbask.replies import Answered
from targets.wire import ASK, check_answers

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null", ["string", "null"], ["x", "y"])
STRINGS = ("email", "uri", "date", "date-time", "password", "x")
NAMES = ("a", "b", "value", "type", "properties", "$ref", "ä b", "password")
EVIL = ("(a+)+$", "^(a|a)*$", "(.*a){20}$", "[", r"(a)\1", r"\w{290}", "^a$", r"\d{2}", "(?i)A", "")
HARMLESS = ("[", "^a$", r"\d{2}", "a{2}")


def attack(data: bytes) -> None:
    source = Source(data)
    untrusted = not source.flag()
    given = schema(source, untrusted)
    default = source.json(2) if source.rarely() else None
    _pattern(source)
    try:
        form = form_from(given, default, untrusted=untrusted)
    except ValueError as fault:
        assert is_sentence(fault), fault
        return
    ask = Ask(form.questions, message="Form?", layout="form", form=form.finish)
    drawn: Any = draw(Desk().open(ask))
    assert ASK.validate_python(sendable(drawn)) == drawn
    if untrusted:
        assert all(question["pattern"] is None for question in drawn["questions"])
    fill_in(source, ask, form)


def fill_in(source: Source, ask: Ask, form: Form) -> None:
    """Whatever is filled in is a whole answer, or is refused with a sentence at the field."""
    for _ in range(3):
        message = asks.reply_message(source, ask)
        try:
            reply = read_reply(ask, message, "card")
        except Refused as refused:
            assert refused.errors or str(refused).strip()
            sendable(refused.wire(ask.id))
            continue
        if isinstance(reply, Answered):
            check_answers(ask, reply)
            whole = form.finish(reply.values)
            assert isinstance(whole, dict)
            assert set(whole) <= {question.id for question in ask.questions}
            sendable(whole)
    _check(form, source.json(2))


def _check(form: Form, values: Any) -> None:
    if isinstance(values, Mapping):
        try:
            form.finish(values)
        except InvalidForm as fault:
            assert all(sentence.strip() for sentence in fault.errors.values())


def _pattern(source: Source) -> None:
    pattern = source.maybe(source.text())
    if is_bounded(pattern):
        assert matches(pattern, source.text()) in (True, False)


def schema(source: Source, untrusted: bool) -> Any:
    """A schema: mostly an object of properties."""
    if source.rarely():
        return source.json()
    names = [source.pick(NAMES) for _ in range(source.byte() % 4)]
    properties = {name: source.maybe(_property(source, 3, untrusted)) for name in names}
    whole = {
        "type": source.maybe("object"),
        "properties": source.maybe(properties),
        "required": source.maybe(source.several(lambda: source.pick((*names, "a")), 3)),
        "$defs": {"d": _property(source, 2, untrusted), "e": source.maybe({"$ref": "#/$defs/d"})},
    }
    if source.rarely():
        whole[source.pick(("not", "if", "$id", "$schema", "patternProperties", "dependentRequired"))] = source.json(2)
    return whole


def _property(source: Source, depth: int, untrusted: bool) -> dict[str, Any]:
    def inner() -> Any:
        return _property(source, depth - 1, untrusted) if depth else {"type": "string"}

    def options() -> Any:
        return source.several(lambda: source.mapping({"const": source.text, "title": source.text}) or inner(), 3)

    def reference() -> str:
        return source.pick(("#/$defs/d", "#/$defs/e", "#", "#/properties/a", "#/$defs/%64", "https://example.org/x"))

    return source.mapping(
        {
            "type": lambda: source.pick(TYPES),
            "title": source.text,
            "description": source.text,
            "format": lambda: source.pick(STRINGS),
            "pattern": lambda: source.pick(EVIL) if untrusted else source.pick(HARMLESS),
            **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), lambda: source.pick((0, 1, 2, 3, 250))),
            **dict.fromkeys(
                ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), source.number
            ),
            "enum": lambda: source.several(lambda: source.json(1), 4),
            "enumNames": lambda: source.several(source.text, 4),
            "const": lambda: source.json(1),
            "oneOf": options,
            "anyOf": options,
            "allOf": options,
            "items": inner,
            "default": lambda: source.json(1),
            "$ref": reference,
            "writeOnly": source.flag,
            "uniqueItems": source.flag,
        }
    )
