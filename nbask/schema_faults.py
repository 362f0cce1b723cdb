"""What is wrong with a value by its JSON Schema, in one sentence: the path, the value, the mend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nbask.text import one_line

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_NAMES: dict[type, str] = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def check_schema(value: Any, schema: Mapping[str, Any]) -> None:
    """Refuse a value that its schema refuses.

    Args:
        value: Any JSON value.
        schema: A JSON Schema, draft 2020-12.

    Raises:
        ValueError: The first fault, by its path.

    Example:
        >>> check_schema({"n": 3}, {"properties": {"n": {"type": "string"}}})
        Traceback (most recent call last):
        ...
        ValueError: n: 3 is a number; send a string
    """
    # Where its extras are installed, importing it takes seconds.
    from jsonschema import Draft202012Validator

    validator: Any = Draft202012Validator(schema)
    faults: list[ValidationError] = sorted(validator.iter_errors(value), key=_by_path)
    if faults:
        raise ValueError(f"{_path(faults[0])}{_sentence(faults[0])}")


def _by_path(fault: ValidationError) -> list[tuple[int, str]]:
    return [(part, "") if isinstance(part, int) else (0, part) for part in fault.absolute_path]


def _path(fault: ValidationError) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault.absolute_path)
    return f"{path.removeprefix('.')}: " if path else ""


def _sentence(fault: ValidationError) -> str:
    value: Any = fault.instance
    bound: Any = fault.validator_value
    match fault.validator:
        case "required":
            missing = next(name for name in bound if name not in value)
            return f"{missing!r} is missing; add it"
        case "additionalProperties":
            known = set(fault.schema.get("properties", {}))  # type: ignore[union-attr]
            strays = ", ".join(repr(name) for name in value if name not in known)
            return f"{strays} is not known here; leave it out"
        case "minItems":
            return f"{len(value)} given, at least {bound} needed; add {bound - len(value)}"
        case "maxItems":
            return f"{len(value)} given, at most {bound} allowed; leave {len(value) - bound} out"
        case "type":
            return f"{one_line(repr(value), 60)} is {_a(value)}; send {_article(str(bound))}"
        case _:
            return one_line(fault.message, 160)


def _a(value: object) -> str:
    return "null" if value is None else _article(_NAMES.get(type(value), type(value).__name__))


def _article(name: str) -> str:
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
