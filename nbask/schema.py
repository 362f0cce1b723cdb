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
from enum import Enum
from typing import Any, cast
from urllib.parse import unquote

from nbask.options import Option
from nbask.questions import Question
from nbask.text import has_words

LIMIT = 100
"""Fields a form may have at most: past that nobody fills it in, and a hostile schema is the likelier cause."""
OPTIONS = 1000
"""Options one field may have at most, for the same reason."""
_DEPTH = 16
_FORMATS = {"date": "date", "date-time": "datetime"}
_TEXT_FORMATS = {"email", "uri"}


class UndrawableSchema(ValueError):
    """A schema that no form can be drawn for; the message names the property and why."""


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
    whole = cast("Mapping[str, Any]", schema)
    properties = whole.get("properties", {})
    if whole.get("type", "object") != "object" or not isinstance(properties, Mapping):
        raise UndrawableSchema("the schema describes no object with properties; a form needs one")
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
    plain = {name: _plain(name, given, whole) for name, given in named.items()}
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


def _plain(name: str, given: Any, whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """One property's schema without references, and without the null that marks an optional field."""
    for _ in range(_DEPTH):
        if not isinstance(given, Mapping):
            raise UndrawableSchema(f"property {name!r} is {given!r}; give a schema")
        one = cast("Mapping[str, Any]", given)
        if "$ref" in one:
            found = dict(referred(f"property {name!r}", str(one["$ref"]), whole))
            if found.pop("title", None) is not None:
                # What is referred to is titled after its own name, and two fields may refer to it.
                found["title"] = name.replace("_", " ").title()
            found.pop("description", None)
            given = {**found, **{key: value for key, value in one.items() if key != "$ref"}}
        elif len(others := _non_null(one.get("anyOf"))) == 1:
            given = {**others[0], **{key: value for key, value in one.items() if key != "anyOf"}}
        elif len(others := _non_null(one.get("allOf"))) == 1:
            given = {**others[0], **{key: value for key, value in one.items() if key != "allOf"}}
        elif isinstance(one.get("type"), list):
            types = [kind for kind in cast("list[Any]", one["type"]) if kind != "null"]
            if len(types) != 1:
                raise UndrawableSchema(f"property {name!r} may be of {len(types)} types; a field has one")
            given = {**one, "type": types[0]}
        else:
            return one
    raise UndrawableSchema(f"property {name!r} refers to itself")


def _non_null(choices: Any) -> list[Mapping[str, Any]]:
    if not isinstance(choices, list):
        return []
    given = [cast("Mapping[str, Any]", one) for one in cast("list[Any]", choices) if isinstance(one, Mapping)]
    if any("const" in one for one in given):
        return []  # titled options, of which there may be one alone
    return [one for one in given if one.get("type") != "null"]


def referred(where: str, reference: str, whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that a `$ref` names.

    Args:
        where: Whose reference it is, for the message.
        reference: The reference.
        whole: The schema that it is in.

    Raises:
        UndrawableSchema: It names nothing in that schema; nothing is ever fetched.
    """
    if not reference.startswith("#/"):
        raise UndrawableSchema(f"{where} refers to {reference!r}; only references within the schema are read")
    found: Any = whole
    for escaped in reference[2:].split("/"):
        part = unquote(escaped).replace("~1", "/").replace("~0", "~")
        found = cast("Mapping[str, Any]", found).get(part) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping):
        raise UndrawableSchema(f"{where} refers to {reference!r}, which is not there")
    return cast("Mapping[str, Any]", found)


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
    items = _plain(name, given.get("items", {}), whole)
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
