"""Checking a form's answers against a stranger's JSON Schema: nothing is fetched, and what is broken shows at once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from nbask import patterns
from nbask.kinds import InvalidForm
from nbask.references import UndrawableSchema, referred
from nbask.schema import readable_pattern
from nbask.text import one_line

log = logging.getLogger("nbask")

_DEPTH = 32
_HEAVIEST = 10_000
"""Schemas that one may consist of with its references followed, which can double at every step."""
_NAMED = {"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"}
"""Keywords whose value maps names to schemas: a property may be called like a keyword."""
_PLAIN = {"enum", "const", "default", "examples"}
"""Keywords whose value is data, and no schema."""


class Checker:
    """Checks whole answers against one schema.

    Patterns of another language than Python's are left to whoever wrote them, and a `required` that is no
    list requires nothing.

    Args:
        schema: The schema.
        untrusted: Whether it is a stranger's: its patterns are then matched in bounded time or not at all.

    Raises:
        UndrawableSchema: It is broken, or refers to what is not in it; nothing is ever fetched.

    Example:
        >>> try:
        ...     Checker({"properties": {"n": {"type": "integer"}}}).check({"n": "x"})
        ... except InvalidForm as fault:
        ...     fault.errors
        {'n': "'x' is not of type 'integer'."}
    """

    def __init__(self, schema: Mapping[str, Any], *, untrusted: bool = False) -> None:
        from jsonschema import Draft202012Validator, FormatChecker, validators
        from referencing import Registry

        keep = patterns.is_bounded if untrusted else _compiles
        whole = cast("dict[str, Any]", _readable(schema, _DEPTH, keep))
        validator: Any = Draft202012Validator
        if untrusted:
            validator = cast("Any", validators).extend(validator, {"pattern": _match})
            for one in _schemas(whole):
                one.pop("patternProperties", None)  # of names, which nobody here has typed
        if not isinstance(whole.get("required"), list):
            whole.pop("required", None)
        whole.setdefault("type", "object")
        _check_references(whole)
        try:
            # Patterns were looked at already, and each by its own engine.
            validator.check_schema(whole, format_checker=FormatChecker(()))
            # The default registry fetches what a schema names; an empty one knows the schema alone.
            _check_weight(whole)
            registry: Any = cast("Any", Registry)()
            self._validator = validator(whole, registry=registry)
            list(self._validator.iter_errors({}))
        except Exception as fault:  # noqa: BLE001 - whatever a validator makes of a stranger's schema
            said = getattr(fault, "message", None) or str(fault) or type(fault).__name__
            raise UndrawableSchema(f"the schema is broken: {one_line(str(said), 160)}") from None

    def check(self, answers: Mapping[str, Any]) -> None:
        """Refuse answers that do not fit, with a sentence for each field."""
        try:
            faults = list(self._validator.iter_errors(answers))
        except Exception:  # a schema that turns in a circle, say
            log.exception("a form's schema could not be checked")
            raise InvalidForm({"": "These answers cannot be checked; the form is broken."}) from None
        if faults:
            errors = {str(fault.path[0]) if fault.path else "": fault.message for fault in reversed(faults)}
            raise InvalidForm({name: sentence_of(message) for name, message in errors.items()})


def sentence_of(message: str) -> str:
    """A validator's message as a sentence for the person."""
    text = message.removeprefix("Value error, ")
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def _readable(schema: Any, depth: int, keep: Callable[[Any], bool], names: bool = False) -> Any:
    """A schema without patterns that cannot be read, and without what servers write out though it is empty."""
    if depth == 0:
        raise UndrawableSchema("the schema is nested too deeply; a form is flat")
    if isinstance(schema, list):
        return [_readable(one, depth - 1, keep) for one in cast("list[Any]", schema)]
    if not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Any] = {}
    for key, value in cast("Mapping[str, Any]", schema).items():
        if names:
            kept[key] = _readable(value, depth - 1, keep)
        elif key in _PLAIN:
            kept[key] = value
        elif value is not None and (key != "pattern" or keep(value)):
            cleaned = _readable(value, depth - 1, keep, key in _NAMED)
            if key == "patternProperties" and isinstance(cleaned, dict):
                named = cast("dict[str, Any]", cleaned)
                cleaned = {one: named[one] for one in named if keep(one)}
            kept[key] = cleaned
    return kept


def _compiles(pattern: Any) -> bool:
    return readable_pattern(pattern) is not None


def _match(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[Exception]:
    from jsonschema import ValidationError

    if isinstance(instance, str) and not patterns.matches(pattern, instance):
        yield ValidationError(f"{one_line(repr(instance))} does not match {pattern!r}")


def _check_weight(whole: Mapping[str, Any]) -> None:
    known: dict[int, int] = {}

    def weight(schema: Any) -> int:
        if isinstance(schema, list):
            return sum(map(weight, cast("list[Any]", schema)))
        if not isinstance(schema, Mapping):
            return 0
        mapping = cast("Mapping[str, Any]", schema)
        name = id(mapping)
        if name not in known:
            known[name] = 0  # while it is gone through: it may refer to itself
            reference = mapping.get("$ref")
            further = referred("the schema", reference, whole) if isinstance(reference, str) else None
            parts = (value for key, value in mapping.items() if key not in _PLAIN)
            known[name] = 1 + weight(further) + sum(map(weight, parts))
        return known[name]

    if weight(whole) > _HEAVIEST:
        raise ValueError("its references add up to too much; a form is flat")


def _check_references(whole: Mapping[str, Any]) -> None:
    for schema in _schemas(whole):
        for keyword in ("$dynamicRef", "$recursiveRef", "$id"):
            if keyword in schema:
                raise UndrawableSchema(f"the schema has {keyword}; only references within the schema are read")
        if "$ref" in schema:
            referred("the schema", str(schema["$ref"]), whole)


def _schemas(schema: Any, names: bool = False) -> Iterator[dict[str, Any]]:
    if isinstance(schema, list):
        for one in cast("list[Any]", schema):
            yield from _schemas(one)
    elif isinstance(schema, Mapping):
        mapping = cast("dict[str, Any]", schema)
        if not names:
            yield mapping
        for key, value in mapping.items():
            if names or key not in _PLAIN:
                yield from _schemas(value, not names and key in _NAMED)
