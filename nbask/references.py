"""What a JSON Schema's references and its nulls come down to: one plain schema, from within the whole alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import unquote

COMPOSED = ("anyOf", "oneOf", "allOf")
"""Keywords that put a schema together from others."""
_DEPTH = 16


class UndrawableSchema(ValueError):
    """A schema that no form can be drawn for; the message names the property and why."""


def resolved(name: str, given: Any, whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema without references, and without the null that marks an optional field: a property's, or the whole."""
    where = f"property {name!r}" if name else "the schema"
    for _ in range(_DEPTH):
        if not isinstance(given, Mapping):
            raise UndrawableSchema(f"{where} is {given!r}; give a schema")
        one = cast("Mapping[str, Any]", given)
        if "$ref" in one:
            found = dict(referred(where, str(one["$ref"]), whole))
            if found.pop("title", None) is not None:
                # What is referred to is titled after its own name, and two fields may refer to it.
                found["title"] = name.replace("_", " ").title()
            found.pop("description", None)
            given = {**found, **{key: value for key, value in one.items() if key != "$ref"}}
        elif (only := _only_one(one)) is not None:
            given = only
        elif isinstance(one.get("type"), list):
            types = [kind for kind in cast("list[Any]", one["type"]) if kind != "null"]
            if len(types) != 1:
                raise UndrawableSchema(f"{where} may be of {len(types)} types; a field has one")
            given = {**one, "type": types[0]}
        else:
            return one
    raise UndrawableSchema(f"{where} refers to itself")


def _only_one(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The one schema that a list of schemas leaves beside null, with what stands beside the list."""
    for keyword in COMPOSED:
        several: list[Any] = schema[keyword] if isinstance(schema.get(keyword), list) else []
        listed = [cast("Mapping[str, Any]", one) for one in several if isinstance(one, Mapping)]
        left = [one for one in listed if one.get("type") != "null"]
        titled = any("const" in one for one in left)
        if titled and len(left) == len(listed):
            continue  # options, of which there may be one alone
        rest = {key: value for key, value in schema.items() if key != keyword}
        if len(left) == 1:
            return {**left[0], **rest}
        if titled:
            return {**rest, keyword: left}
    return None


def referred(where: str, reference: str, whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that a `$ref` names.

    Args:
        where: Whose reference it is, for the message.
        reference: The reference.
        whole: The schema that it is in.

    Raises:
        UndrawableSchema: It names nothing in that schema; nothing is ever fetched.
    """
    path = reference.removeprefix("#")
    if path == reference:
        raise UndrawableSchema(f"{where} refers to {reference!r}; only references within the schema are read")
    if path and not path.startswith("/"):
        raise UndrawableSchema(f"{where} refers to {reference!r}; give the path, such as '#/$defs/Name'")
    found: Any = whole
    for escaped in path.split("/")[1:]:
        part = unquote(escaped).replace("~1", "/").replace("~0", "~")
        found = cast("Mapping[str, Any]", found).get(part) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping):
        raise UndrawableSchema(f"{where} refers to {reference!r}, which is not there")
    return cast("Mapping[str, Any]", found)
