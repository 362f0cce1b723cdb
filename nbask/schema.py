"""Flat JSON Schemas and pydantic models as forms: a schema to questions, and answers checked against it.

The grammar is that of MCP's `requestedSchema` (one object of primitive properties,
revision 2025-11-25 and 2026-07-28), and what is seen beside it in practice:
`anyOf` with null for optional fields, lists of free strings, local `$ref`s,
`enumNames`, enums of numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Any, cast

from nbask.options import Option
from nbask.questions import Question
from nbask.references import COMPOSED, UndrawableSchema, resolved
from nbask.text import has_words

LIMIT = 100
"""Fields a form may have at most: past that nobody fills it in, and a hostile schema is the likelier cause."""
OPTIONS = 1000
"""Options one field may have at most, for the same reason."""
DECIMAL = "decimal"
"""Format of a text that is a decimal number, every digit of which counts; whoever asks for it checks it."""
_FORMATS = {"date": "date", "date-time": "datetime"}
_TEXT_FORMATS = {"email", "uri"}


def questions_from(
    schema: Any, default: Mapping[str, Any] | None = None, *, untrusted: bool = False
) -> tuple[Question, ...]:
    """The questions of a form, one for each property.

    Args:
        schema: A flat JSON Schema: an object whose properties are strings, numbers, integers, booleans,
            enums, or lists of strings.
        default: What is prefilled, by property, over the schema's own defaults.
        untrusted: Whether it is a stranger's: its patterns are then left to the :class:`~nbask.checking.Checker`,
            since a page, or a question by itself, matches them without a bound.

    Returns:
        One question a property, in order, with the property's name as its id: the title asks (else the
        description, else the name), the description explains.

    Raises:
        UndrawableSchema: It is no such schema.

    Example:
        >>> form = questions_from({"type": "object", "properties": {"days": {"type": "integer", "minimum": 1}}})
        >>> form[0].kind, form[0].min, form[0].required
        ('integer', 1, False)
    """
    if not isinstance(schema, Mapping):
        raise UndrawableSchema(f"the schema is {schema!r}; give a JSON Schema object")
    whole = resolved("", schema, cast("Mapping[str, Any]", schema))
    properties = whole.get("properties", {})
    if whole.get("type", "object") != "object" or not isinstance(properties, Mapping):
        raise UndrawableSchema("the schema describes no object with properties; a form needs one")
    if not properties and (parts := next((one for one in COMPOSED if whole.get(one)), None)):
        raise UndrawableSchema(f"the schema is put together by {parts!r}; give one object with properties")
    named = cast("Mapping[str, Any]", properties)
    if len(named) > LIMIT:
        raise UndrawableSchema(f"the schema has {len(named)} properties; a form takes at most {LIMIT}")
    # Null, and what else servers send in its place, requires nothing.
    required: list[Any] = whole["required"] if isinstance(whole.get("required"), list) else []
    if (lost := next((one for one in required if one not in [*named]), None)) is not None:  # it may be of any type
        raise UndrawableSchema(f"property {lost!r} is required but not there; nobody could fill it in")
    overrides = default or {}
    if "" in named:
        raise UndrawableSchema("the schema has a property without a name; give it one")
    plain = {name: resolved(name, given, whole) for name, given in named.items()}
    if untrusted:
        plain = {name: {**given, "pattern": None} for name, given in plain.items()}
    return tuple(
        _question(name, {**given, "default": overrides.get(name, given.get("default"))}, whole, name in required)
        for name, given in plain.items()
    )


def _question(name: str, given: Mapping[str, Any], whole: Mapping[str, Any], required: bool) -> Question:
    title, description = given.get("title"), given.get("description")
    drawn = _drawn(name, given, whole)
    if required and drawn.get("min", 0) is None and (drawn.get("many") or drawn["kind"] == "list"):
        drawn["min"] = 0  # a list that has to be there may be empty
    secret = given.get("format") == "password" or given.get("writeOnly") is True
    try:
        return Question(
            str(title or description or name),
            id=name,
            description=str(description) if title and description else None,
            required=required,
            secret=secret,
            default=None if secret else _default(given, drawn),
            **drawn,
        )
    except ValueError as fault:
        raise UndrawableSchema(f"property {name!r}: {fault}") from None


def _drawn(name: str, given: Mapping[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    """The kind of field, and what it allows."""
    options = _choices(name, given)
    if options is not None:
        return {"kind": "choice", "options": options, "other": False}
    kind = given.get("type")
    match kind:
        case "string":
            return _text(given)
        case "integer" | "number":
            return {"kind": kind, "min": _low(given), "max": _high(given)}
        case "boolean":
            return {"kind": "choice", "options": [Option("Yes", value=True), Option("No", value=False)], "other": False}
        case "array":
            return _several(name, given, whole)
        case _:
            what = "a nested object" if kind == "object" else "of no one type" if kind is None else f"of type {kind!r}"
            raise UndrawableSchema(
                f"property {name!r} is {what}; a form has strings, numbers, booleans, enums and lists of strings"
            )


def _text(given: Mapping[str, Any]) -> dict[str, Any]:
    format_ = given.get("format")
    format_ = format_ if isinstance(format_, str) else None
    if format_ in _FORMATS:
        return {"kind": _FORMATS[format_]}
    length = given.get("maxLength")
    return {
        "kind": "text",
        "min": given.get("minLength"),
        "max": length,
        "pattern": readable_pattern(given.get("pattern")),
        "format": format_ if format_ in _TEXT_FORMATS else None,
        "multiline": isinstance(length, int) and length > 200,
        "placeholder": "A number, such as 2.50" if format_ == DECIMAL else None,
    }


def readable_pattern(pattern: Any) -> str | None:
    """The pattern, where Python can compile it; any other is left to the asker, who checks its own answers."""
    try:
        re.compile(pattern)
    except (re.error, TypeError, RecursionError, OverflowError):
        return None
    return pattern


def _several(name: str, given: Mapping[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    if "prefixItems" in given or not isinstance(given.get("items", {}), Mapping):
        raise UndrawableSchema(f"property {name!r} is a list of something else than strings or choices")
    items = resolved(name, given.get("items", {}), whole)
    least, most = given.get("minItems"), given.get("maxItems")
    options = _choices(name, items)
    if options is not None:
        # A schema may allow more items than there are to pick.
        most = None if isinstance(most, int) and most > len(options) else most
        return {"kind": "choice", "options": options, "other": False, "many": True, "min": least, "max": most}
    if items.get("type", "string") != "string":
        raise UndrawableSchema(f"property {name!r} is a list of something else than strings or choices")
    return {"kind": "list", "min": least, "max": most}


def _choices(name: str, schema: Mapping[str, Any]) -> list[Option] | None:
    for keyword in ("oneOf", "anyOf"):
        titled: list[Any] = schema[keyword] if isinstance(schema.get(keyword), list) else []
        if titled and all(isinstance(one, Mapping) and "const" in one for one in titled):
            return _distinct(name, [(str(one.get("title", one["const"])), one["const"]) for one in titled])
    if "const" in schema:
        return _distinct(name, [(str(schema["const"]), schema["const"])])
    values: list[Any] = schema["enum"] if isinstance(schema.get("enum"), list) else []
    if not values:
        return None
    names = schema.get("enumNames")
    titles = cast("list[Any]", names) if isinstance(names, list) else []
    return _distinct(name, [(_title(titles, at, value), value) for at, value in enumerate(values)])


def _title(titles: list[Any], at: int, value: Any) -> str:
    title = titles[at] if at < len(titles) else None
    return title if has_words(title) else str(value)


def _distinct(name: str, pairs: list[tuple[str, Any]]) -> list[Option]:
    if len(pairs) > OPTIONS:
        raise UndrawableSchema(f"property {name!r} has {len(pairs)} options; a field takes at most {OPTIONS}")
    counts = Counter(label for label, _ in pairs)
    # Two values may share a title; the value tells them apart, and is what is sent.
    return [
        Option(label if counts[label] == 1 else f"{label} ({value})", value=value)
        for label, value in pairs
        if label.strip()
    ]


def _low(given: Mapping[str, Any]) -> Any:
    return _tightest(given, "minimum", "exclusiveMinimum", 1)


def _high(given: Mapping[str, Any]) -> Any:
    return _tightest(given, "maximum", "exclusiveMaximum", -1)


def _tightest(given: Mapping[str, Any], inclusive: str, exclusive: str, step: int) -> Any:
    bound, open_bound = given.get(inclusive), given.get(exclusive)
    if given.get("type") == "integer" and isinstance(open_bound, int) and not isinstance(open_bound, bool):
        closed = open_bound + step
        if bound is None:
            return closed
        if isinstance(bound, int | float):
            return (max if step > 0 else min)(bound, closed)
    # What is no number is refused with its question; an open bound of a real number is left to the answer's check.
    return bound


def _default(given: Mapping[str, Any], drawn: Mapping[str, Any]) -> Any:
    default = given.get("default")
    default = default.value if isinstance(default, Enum) else default
    if given.get("format") == DECIMAL and isinstance(default, int | float | Decimal):
        return str(default)
    if default is None or "options" not in drawn:
        return default
    labels = {repr(option.result): option.label for option in drawn["options"]}
    if drawn.get("many"):
        if default == []:
            return None  # prefilled with nothing
        return (
            [labels.get(repr(one), one) for one in cast("list[Any]", default)] if isinstance(default, list) else default
        )
    return labels.get(repr(default), default)
