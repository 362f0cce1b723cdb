"""What is wrong with a value by its schema, in one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from nbask.schema_faults import check_schema


@pytest.mark.parametrize(
    ("value", "schema", "said"),
    [
        ({}, {"required": ["a"]}, "'a' is missing; add it"),
        (
            {"a": 1, "b": 2},
            {"properties": {"a": {}}, "additionalProperties": False},
            "'b' is not known here; leave it out",
        ),
        ({"b": 2}, {"additionalProperties": False}, "'b' is not known here; leave it out"),
        ([1], {"minItems": 3}, "1 given, at least 3 needed; add 2"),
        ([1, 2], {"maxItems": 1}, "2 given, at most 1 allowed; leave 1 out"),
        (3, {"type": "string"}, "3 is a number; send a string"),
        (True, {"type": "object"}, "True is a boolean; send an object"),
        (None, {"type": "array"}, "None is null; send an array"),
        ((), {"type": "array"}, "() is a tuple; send an array"),
        ("c", {"enum": ["a", "b"]}, "'c' is not one of ['a', 'b']"),
        (
            {"a": [{"b": 1}]},
            {"properties": {"a": {"items": {"properties": {"b": {"const": 2}}}}}},
            "a[0].b: 2 was expected",
        ),
    ],
)
def test_a_fault_is_said_with_its_place_and_its_mend(value: Any, schema: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as fault:  # noqa: PT011 - the whole sentence is compared
        check_schema(value, schema)
    assert str(fault.value) == said


def test_what_fits_is_let_through() -> None:
    check_schema({"a": 1}, {"properties": {"a": {"type": "integer"}}})


def test_of_several_faults_the_first_by_place_is_said() -> None:
    with pytest.raises(ValueError, match=r"^\[0\]: "):
        check_schema(["x", "y"], {"items": {"type": "number"}})
