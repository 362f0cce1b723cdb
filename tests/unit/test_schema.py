"""Schemas as forms: the whole grammar, what is seen beside it, and what cannot be drawn."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from enum import Enum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nbask import Question
from nbask.forms import form_from
from nbask.kinds import InvalidAnswer, InvalidForm, wire_answer
from nbask.schema import LIMIT, OPTIONS, UndrawableSchema, questions_from

TITLED = [{"const": "l1", "title": "Low"}, {"const": "l2", "title": "High"}]


def flat(required: Any = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def one(given_: Any, required: bool = False, **beside: Any) -> Question:
    """The question that asks for a single property."""
    (question,) = questions_from({**flat(["x"] if required else [], x=given_), **beside})
    return question


def labels(question: Question) -> list[str]:
    return [option.label for option in question.options]


def values(question: Question) -> list[Any]:
    return [option.result for option in question.options]


def default(question: Question) -> Any:
    """What is prefilled, as an answer."""
    if question.default is None:
        return None
    answer = question.rules.read(question, question.rules.write(question, question.default))
    return None if answer is None else answer.value


def picked(question: Question, *option_ids: str) -> Any:
    answer = question.rules.read(question, wire_answer(option_ids))
    assert answer is not None
    return answer.value


# Every row of the grammar

GRAMMAR: dict[str, tuple[dict[str, Any], dict[str, Any], Any]] = {
    "string": ({"type": "string"}, {"kind": "text", "multiline": False}, None),
    "string with lengths": (
        {"type": "string", "minLength": 2, "maxLength": 40, "default": "Cap"},
        {"kind": "text", "min": 2, "max": 40},
        "Cap",
    ),
    "long string": ({"type": "string", "maxLength": 2000}, {"kind": "text", "multiline": True}, None),
    "email": (
        {"type": "string", "format": "email", "default": "a@b.co"},
        {"kind": "text", "format": "email"},
        "a@b.co",
    ),
    "uri": ({"type": "string", "format": "uri"}, {"kind": "text", "format": "uri"}, None),
    "date": (
        {"type": "string", "format": "date", "default": "2026-03-01"},
        {"kind": "date", "format": None},
        dt.date(2026, 3, 1),
    ),
    "date-time": (
        {"type": "string", "format": "date-time", "default": "2026-03-01T14:30"},
        {"kind": "datetime", "format": None},
        dt.datetime(2026, 3, 1, 14, 30),
    ),
    "number": (
        {"type": "number", "minimum": 0, "maximum": 1000, "default": 3.14},
        {"kind": "number", "min": 0, "max": 1000},
        3.14,
    ),
    "integer": (
        {"type": "integer", "minimum": 1, "maximum": 100, "default": 42},
        {"kind": "integer", "min": 1, "max": 100},
        42,
    ),
    "boolean": ({"type": "boolean"}, {"kind": "choice", "other": False, "many": False}, None),
    "boolean with a default": ({"type": "boolean", "default": False}, {"kind": "choice"}, False),
    "single-select": (
        {"type": "string", "enum": ["Monica", "Joey"], "default": "Monica"},
        {"kind": "choice", "other": False, "many": False},
        "Monica",
    ),
    "single-select, titled": ({"type": "string", "oneOf": TITLED, "default": "l2"}, {"kind": "choice"}, "l2"),
    "legacy titled": (
        {"type": "string", "enum": ["en", "de"], "enumNames": ["English", "Deutsch"], "default": "de"},
        {"kind": "choice"},
        "de",
    ),
    "multi-select": (
        {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2,
         "default": ["a"]},
        {"kind": "choice", "many": True, "min": 1, "max": 2, "other": False},
        ["a"],
    ),
    "multi-select, titled": (
        {"type": "array", "items": {"anyOf": TITLED}, "minItems": 1, "maxItems": 2, "default": ["l2"]},
        {"kind": "choice", "many": True, "min": 1, "max": 2},
        ["l2"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", GRAMMAR)
@pytest.mark.parametrize("required", [True, False])
def test_b8_every_row_of_the_grammar_is_drawn(row: str, required: bool) -> None:
    schema, expected, prefilled = GRAMMAR[row]
    question = one({"title": "Title", "description": "Help", **schema}, required)
    assert {name: getattr(question, name) for name in expected} == expected
    assert default(question) == prefilled
    assert (question.id, question.text, question.description) == ("x", "Title", "Help")
    assert (question.required, question.secret) == (required, False)


@pytest.mark.parametrize("row", GRAMMAR)
def test_what_is_prefilled_fits_the_schema(row: str) -> None:
    schema, _, prefilled = GRAMMAR[row]
    form = form_from(flat(x=schema))
    answers = {} if prefilled is None else {"x": prefilled}
    Draft202012Validator(flat(x=schema)).validate(form.finish(answers))


@pytest.mark.parametrize(
    ("given_", "text", "description"),
    [
        ({}, "x", None),
        ({"title": "Title"}, "Title", None),
        ({"description": "Which city?"}, "Which city?", None),
        ({"title": "Title", "description": "Help"}, "Title", "Help"),
        ({"title": "", "description": "Help"}, "Help", None),
        ({"title": "x"}, "x", None),
        ({"title": 5}, "5", None),
        ({"title": "A" * 500}, "A" * 500, None),
        ({"title": "<b>T</b>", "description": "**d**"}, "<b>T</b>", "**d**"),
    ],
)
def test_the_title_asks_else_the_description_else_the_name(given_: Any, text: str, description: str | None) -> None:
    question = one({"type": "string", **given_})
    assert (question.text, question.description) == (text, description)


def test_fields_come_in_the_order_of_the_schema() -> None:
    schema = flat(["b"], z={"type": "string"}, b={"type": "integer"}, a={"type": "boolean"})
    assert [question.id for question in questions_from(schema)] == ["z", "b", "a"]


def test_b3_b5_a_boolean_is_yes_or_no_and_json_true_or_false() -> None:
    question = one({"type": "boolean"}, required=True)
    assert labels(question) == ["Yes", "No"]
    assert (picked(question, "o1"), picked(question, "o2"), question.default) == (True, False, None)


def test_b8_a_titled_enum_shows_its_titles_and_sends_its_consts() -> None:
    question = one({"type": "string", "title": "Level", "oneOf": TITLED, "default": "l2"})
    assert (question.text, labels(question), values(question)) == ("Level", ["Low", "High"], ["l1", "l2"])
    assert question.rules.write(question, question.default)["selected"] == ["o2"]
    assert picked(question, "o2") == "l2"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["English", "Deutsch"], ["English", "Deutsch"]),
        (["English"], ["English", "de"]),
        (["English", None], ["English", "de"]),
        (["", "Deutsch"], ["en", "Deutsch"]),
        ([], ["en", "de"]),
        (["English", "Deutsch", "Français"], ["English", "Deutsch"]),
        (None, ["en", "de"]),
        ("English", ["en", "de"]),
    ],
)
def test_b10_names_of_an_enum_are_shown_and_a_missing_one_falls_back_to_its_value(names: Any, shown: Any) -> None:
    question = one({"type": "string", "enum": ["en", "de"], "enumNames": names})
    assert (labels(question), values(question)) == (shown, ["en", "de"])


def test_b12_a_referred_enum_is_a_choice() -> None:
    schema = {
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/P"}},
        "$defs": {"P": {"type": "string", "enum": ["lo", "hi"]}},
    }
    (question,) = questions_from(schema)
    assert (question.kind, labels(question), question.other) == ("choice", ["lo", "hi"], False)


def test_b13_a_schema_without_fields_has_no_questions() -> None:
    assert questions_from({"type": "object", "properties": {}}) == ()
    assert questions_from({"type": "object"}) == ()


@pytest.mark.parametrize("kind", ["integer", "string", "number", "boolean"])
@pytest.mark.parametrize("null_first", [True, False])
def test_b25_a_field_that_may_be_null_is_an_optional_field(kind: str, null_first: bool) -> None:
    choices: list[Any] = [{"type": kind}, {"type": "null"}]
    question = one({"anyOf": choices[::-1] if null_first else choices, "default": None, "title": "N"})
    assert (question.kind == one({"type": kind}).kind, question.required, question.default) == (True, False, None)
    assert question.text == "N"


# Beside the grammar

BESIDE: dict[str, tuple[dict[str, Any], dict[str, Any], list[Any]]] = {
    "optional with bounds": (
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": None},
        {"kind": "integer", "min": 1},
        [],
    ),
    "optional enum": (
        {"anyOf": [{"enum": ["a", "b"], "type": "string"}, {"type": "null"}], "default": "b"},
        {"kind": "choice", "default": "b"},
        ["a", "b"],
    ),
    "optional by oneOf": ({"oneOf": [{"type": "integer"}, {"type": "null"}], "default": 2}, {"kind": "integer"}, []),
    "one literal or null": ({"anyOf": [{"const": "q", "type": "string"}, {"type": "null"}]}, {"kind": "choice"}, ["q"]),
    "titled or null": ({"oneOf": [*TITLED, {"type": "null"}], "default": "l2"}, {"default": "High"}, ["l1", "l2"]),
    "a list of types": ({"type": ["string", "null"]}, {"kind": "text"}, []),
    "a list of one type": ({"type": ["integer"]}, {"kind": "integer"}, []),
    "allOf with one": ({"allOf": [{"type": "string", "maxLength": 5}], "title": "T"}, {"kind": "text", "max": 5}, []),
    "enum of whole numbers": ({"type": "integer", "enum": [1, 2, 3], "default": 2}, {"default": "2"}, [1, 2, 3]),
    "enum of anything": ({"enum": ["a", 1, True, 1.5]}, {"kind": "choice"}, ["a", 1, True, 1.5]),
    "const": ({"const": "v1"}, {"kind": "choice"}, ["v1"]),
    "titled by anyOf": ({"anyOf": TITLED}, {"kind": "choice", "many": False}, ["l1", "l2"]),
    "titled without a title": ({"oneOf": [{"const": "a"}, {"const": "b", "title": "B"}]}, {}, ["a", "b"]),
    "titled numbers": ({"type": "integer", "oneOf": [{"const": 1, "title": "One"}]}, {}, [1]),
    "items.oneOf": ({"type": "array", "items": {"oneOf": TITLED}}, {"many": True}, ["l1", "l2"]),
    "items of numbers": ({"type": "array", "items": {"enum": [1, 2]}, "default": [2]}, {"many": True}, [1, 2]),
    "free list": (
        {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3, "default": ["a"]},
        {"kind": "list", "min": 1, "max": 3, "default": ["a"]},
        [],
    ),
    "a list of whatever": ({"type": "array"}, {"kind": "list"}, []),
    "unique items": (
        {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "uniqueItems": True},
        {"many": True},
        ["a", "b"],
    ),
    "exclusive bounds": (
        {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
        {"min": 1, "max": 9},
        [],
    ),
    "both sorts of bounds": (
        {"type": "integer", "minimum": 5, "exclusiveMinimum": 0, "maximum": 6, "exclusiveMaximum": 10},
        {"min": 5, "max": 6},
        [],
    ),
    "the tighter of both": (
        {"type": "integer", "minimum": 0, "exclusiveMinimum": 4, "maximum": 9, "exclusiveMaximum": 9},
        {"min": 5, "max": 8},
        [],
    ),
    "exclusive bounds of a number": ({"type": "number", "exclusiveMinimum": 0}, {"kind": "number", "min": None}, []),
    "pattern": ({"type": "string", "pattern": "^a+$"}, {"pattern": "^a+$"}, []),
    "an unknown format": ({"type": "string", "format": "ipv4"}, {"kind": "text", "format": None}, []),
    "unknown keywords": ({"type": "string", "x-order": 3, "examples": ["a"], "$comment": "x"}, {"kind": "text"}, []),
    "password": ({"type": "string", "format": "password"}, {"kind": "text", "secret": True}, []),
    "write only": ({"type": "string", "writeOnly": True, "default": "x"}, {"secret": True, "default": None}, []),
    "a date by reference": ({"$ref": "#/$defs/Day"}, {"kind": "date"}, []),
    "by an old reference": ({"$ref": "#/definitions/P"}, {"kind": "choice"}, ["lo", "hi"]),
    "optional by reference": (
        {"anyOf": [{"$ref": "#/$defs/P"}, {"type": "null"}], "default": "hi", "title": "T"},
        {"kind": "choice", "default": "hi", "text": "T"},
        ["lo", "hi"],
    ),
    "a reference with words beside it": (
        {"$ref": "#/$defs/P", "title": "Mine", "description": "Help", "default": "lo"},
        {"text": "Mine", "description": "Help", "default": "lo"},
        ["lo", "hi"],
    ),
    "a reference with marks in its name": ({"$ref": "#/$defs/a~1b~0c"}, {"kind": "choice"}, ["lo"]),
    "a reference in percent signs": ({"$ref": "#/$defs/List%5Bint%5D"}, {"kind": "choice"}, ["lo"]),
    "a reference to a reference": ({"$ref": "#/$defs/Q"}, {"kind": "choice"}, ["lo", "hi"]),
    "a list of referred enums": (
        {"type": "array", "items": {"$ref": "#/$defs/P"}},
        {"kind": "choice", "many": True},
        ["lo", "hi"],
    ),
}
DEFS = {
    "$defs": {
        "P": {"type": "string", "enum": ["lo", "hi"]},
        "Q": {"$ref": "#/$defs/P"},
        "Day": {"type": "string", "format": "date"},
        "Loop": {"$ref": "#/$defs/Loop"},
        "A": {"$ref": "#/$defs/B"},
        "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
        "Nested": {"type": "object", "properties": {}},
        "a/b~c": {"type": "string", "enum": ["lo"]},
        "List[int]": {"type": "string", "enum": ["lo"]},
    },
    "definitions": {"P": {"type": "string", "enum": ["lo", "hi"]}},
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Form",
    "additionalProperties": False,
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_is_seen_beside_the_grammar_is_drawn(name: str) -> None:
    schema, expected, options = BESIDE[name]
    question = one(schema, **DEFS)
    assert {word: getattr(question, word) for word in expected} == expected
    assert [(type(value), value) for value in values(question)] == [(type(value), value) for value in options]


@pytest.mark.parametrize(
    ("schema", "shown", "sent"),
    [
        ({"oneOf": [{"const": 1, "title": "A"}, {"const": 2, "title": "A"}]}, ["A (1)", "A (2)"], [1, 2]),
        ({"enum": ["x", "y"], "enumNames": ["A", "A"]}, ["A (x)", "A (y)"], ["x", "y"]),
        ({"enum": [1, 1.5, True]}, ["1", "1.5", "True"], [1, 1.5, True]),
        ({"enum": ["", "a"]}, ["a"], ["a"]),
    ],
)
def test_two_values_of_one_title_are_told_apart(schema: Any, shown: list[str], sent: list[Any]) -> None:
    question = one(schema)
    assert (labels(question), values(question)) == (shown, sent)


def test_a_const_with_a_title_shows_its_value() -> None:
    question = one({"type": "string", "const": "csv", "title": "Kind of file"})
    assert question.text == "Kind of file"
    assert "csv" in labels(question)[0]


def test_more_items_may_be_allowed_than_there_are() -> None:
    question = one({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "maxItems": 10})
    assert picked(question, "o1", "o2") == ["a", "b"]


@pytest.mark.parametrize("required", [True, False])
def test_a_multi_select_may_be_prefilled_with_nothing(required: bool) -> None:
    items = {"type": "string", "enum": ["a", "b"]}
    assert one({"type": "array", "items": items, "default": []}, required).many


@pytest.mark.parametrize("required", [None, [], ()])
def test_required_may_be_null_or_empty(required: Any) -> None:
    (question,) = questions_from({"properties": {"x": {"type": "string"}}, "required": required})
    assert not question.required


@pytest.mark.parametrize("required", [5, True, "x", {"x": True}, 2.5])
def test_required_of_another_sort_is_refused_or_means_nothing(required: Any) -> None:
    try:
        questions_from({"properties": {"x": {"type": "string"}}, "required": required})
    except UndrawableSchema:
        pass


@pytest.mark.parametrize(
    "pattern",
    ["[", "*a", r"\p{L}+", "(?<n>a)", 5, None, ["a"], "a{99999999999}", "(" * 5000],
    ids=lambda one: str(one)[:9],
)
def test_a_pattern_that_python_cannot_read_is_left_to_the_asker(pattern: Any) -> None:
    assert one({"type": "string", "pattern": pattern}).pattern is None


# What cannot be drawn

UNDRAWABLE: dict[str, tuple[Any, str]] = {
    "a nested object": ({"type": "object", "properties": {"a": {"type": "string"}}}, "'x' is a nested object"),
    "a referred object": ({"$ref": "#/$defs/Nested"}, "'x' is a nested object"),
    "an optional object": ({"anyOf": [{"$ref": "#/$defs/Nested"}, {"type": "null"}]}, "'x' is a nested object"),
    "a list of objects": ({"type": "array", "items": {"type": "object"}}, "'x' is a list of something else"),
    "a list of referred objects": ({"type": "array", "items": {"$ref": "#/$defs/Nested"}}, "'x'"),
    "a list of lists": ({"type": "array", "items": {"type": "array"}}, "'x' is a list of something else"),
    "a list of numbers": ({"type": "array", "items": {"type": "integer"}}, "'x' is a list of something else"),
    "a tuple": ({"type": "array", "items": [{"type": "string"}]}, "'x' is a list of something else"),
    "a tuple in the new spelling": (
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}]},
        "'x' is a list of something else",
    ),
    "no type": ({}, "'x' is of no one type"),
    "an unknown type": ({"type": "str"}, "'x' is of type 'str'"),
    "null alone": ({"type": "null"}, "'x' is of type 'null'"),
    "a type that is a schema": ({"type": {"a": 1}}, "'x' is of type {'a': 1}"),
    "several types": ({"type": ["string", "integer"]}, "'x' may be of 2 types"),
    "no types": ({"type": []}, "'x' may be of 0 types"),
    "a union": ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "'x' is"),
    "no schema": ("string", "'x' is 'string'; give a schema"),
    "a schema that is true": (True, "'x' is True"),
    "a schema that is null": (None, "'x' is None"),
    "a reference to itself": ({"$ref": "#/$defs/Loop"}, "'x' refers to itself"),
    "references in a circle": ({"$ref": "#/$defs/A"}, "'x' refers to itself"),
    "a reference to its own property": ({"$ref": "#/properties/x"}, "'x' refers to itself"),
    "a reference to nothing": ({"$ref": "#/$defs/Gone"}, r"'x' refers to '#/\$defs/Gone', which is not there"),
    "a reference to the whole": ({"$ref": "#"}, "'x' is a nested object"),
    "a list of the whole": ({"type": "array", "items": {"$ref": "#"}}, "'x' is a list of something else"),
    "a reference by a name of its own": ({"$ref": "#P"}, r"'x' refers to '#P'; give the path, such as '#/\$defs/Name'"),
    "a reference by an empty name": ({"$ref": ""}, "'x' refers to ''; only references within the schema are read"),
    "a reference to a property without a name": ({"$ref": "#/"}, "'x' refers to '#/', which is not there"),
    "a reference elsewhere": ({"$ref": "https://evil.example/s.json"}, "'x' refers to 'https://evil.example/s.json'"),
    "a reference to a file": ({"$ref": "file:///etc/passwd#/x"}, "only references within the schema are read"),
    "a reference that is no text": ({"$ref": 5}, "'x' refers to '5'"),
    "minimum above maximum": ({"type": "integer", "minimum": 5, "maximum": 1}, "'x': min is 5 and max is 1"),
    "lengths in the wrong order": ({"type": "string", "minLength": 5, "maxLength": 1}, "'x': min is 5"),
    "a bound that is a bool": ({"type": "integer", "minimum": True}, "'x'.*True"),
    "a bound that is a text": ({"type": "number", "maximum": "10"}, "'x'.*'10'"),
    "a bound that is a list": ({"type": "number", "maximum": [1]}, "'x'"),
    "a bound that is a schema beside an open one": (
        {"type": "integer", "minimum": {}, "exclusiveMinimum": 3},
        "'x'",
    ),
    "an endless bound": ({"type": "number", "maximum": float("inf")}, "'x'"),
    "an endless count": ({"type": "array", "items": {"enum": ["a"]}, "maxItems": float("inf")}, "'x'"),
    "a bound that is no number": ({"type": "integer", "minimum": float("nan")}, "'x'"),
    "a count that is not whole": ({"type": "array", "items": {"enum": ["a"]}, "minItems": 0.5}, "'x': min is 0.5"),
    "more picks than options": ({"type": "array", "items": {"enum": ["a"]}, "minItems": 2}, "'x': min is 2"),
    "an enum of blanks": ({"type": "string", "enum": ["", " "]}, "'x'.*no options"),
    "an enum twice the same": ({"type": "string", "enum": ["a", "a"]}, "'x'.*twice"),
    "a blank title": ({"type": "string", "title": "  "}, "'x': the question's text is '  '"),
    "a default of another type": ({"type": "integer", "default": "3"}, "'x': default is '3'"),
    "a default out of bounds": ({"type": "integer", "maximum": 3, "default": 4}, "'x': default is 4: At most 3"),
    "a default that is no option": ({"type": "string", "enum": ["a"], "default": "b"}, "'x': default is 'b'"),
    "a title for a default": ({"type": "string", "oneOf": TITLED, "default": "low"}, "'x': default is 'low'"),
    "a default that is no bool": ({"type": "boolean", "default": "true"}, "'x': default is 'true'"),
    "a default that is no date": ({"type": "string", "format": "date", "default": "soon"}, "'x': default is 'soon'"),
    "a default that is no mail": ({"type": "string", "format": "email", "default": "me"}, "'x': default is 'me'"),
    "a default that is no list": (
        {"type": "array", "items": {"enum": ["a"]}, "default": "a"},
        "'x': default is 'a'",
    ),
    "a default with a stranger": (
        {"type": "array", "items": {"enum": ["a"]}, "default": ["a", "z"]},
        "'x': default is",
    ),
    "a default of too few": (
        {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "default": ["a"]},
        "'x': default is",
    ),
    "a default for a list of texts": ({"type": "array", "items": {"type": "string"}, "default": [1]}, "'x': default"),
    "a default that does not match": ({"type": "string", "pattern": "^a$", "default": "b"}, "'x': default is 'b'"),
}


@pytest.mark.parametrize("name", UNDRAWABLE)
def test_what_cannot_be_drawn_is_refused_by_its_property(name: str) -> None:
    schema, says = UNDRAWABLE[name]
    with pytest.raises(UndrawableSchema, match=says) as refusal:
        one(schema, **DEFS)
    assert "\n" not in str(refusal.value)
    assert isinstance(refusal.value, ValueError)


@pytest.mark.parametrize(
    ("reference", "says"),
    [("https://evil.example/s.json", "only references within the schema"), ("#/$defs/Gone", "which is not there")],
)
def test_a_reference_outside_of_the_properties_is_refused_in_the_schemas_name(reference: str, says: str) -> None:
    schema = {"properties": {"x": {"type": "string"}}, "$defs": {"Unused": {"$ref": reference}}}
    with pytest.raises(UndrawableSchema) as refusal:
        form_from(schema)
    assert str(refusal.value).startswith(f"the schema refers to {reference!r}")
    assert says in str(refusal.value)


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        (None, "give a JSON Schema object"),
        ("string", "'string'"),
        ([], "give a JSON Schema object"),
        (5, "5"),
        (True, "True"),
        ({"type": "string"}, "no object with properties"),
        ({"type": "array", "items": {}}, "no object with properties"),
        ({"type": ["string"], "properties": {}}, "no object with properties"),
        ({"properties": []}, "no object with properties"),
        ({"properties": None}, "no object with properties"),
        ({"properties": "x"}, "no object with properties"),
        ({"$ref": "#"}, "the schema refers to itself"),
        ({"$ref": "#/$defs/Gone"}, "the schema refers to '#/[$]defs/Gone', which is not there"),
        ({"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, "put together by 'allOf'; give one object"),
        ({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, "put together by 'oneOf'"),
        ({"type": ["object", "array"]}, "the schema may be of 2 types"),
    ],
)
def test_what_is_no_object_with_properties_is_refused(schema: Any, says: str) -> None:
    with pytest.raises(UndrawableSchema, match=says):
        questions_from(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/Trip"},
        {"allOf": [{"$ref": "#/$defs/Trip"}]},
        {"anyOf": [{"$ref": "#/$defs/Trip"}, {"type": "null"}]},
        {"$ref": "#/$defs/Again"},
    ],
    ids=lambda schema: next(iter(schema)),
)
def test_a_schema_that_is_a_reference_is_what_it_refers_to_and_not_empty(schema: dict[str, Any]) -> None:
    trip = {"type": ["object"], "properties": {"city": {"$ref": "#/$defs/Name"}}, "required": ["city"]}
    defined = {"Trip": trip, "Name": {"type": "string"}, "Again": {"$ref": "#/$defs/Trip"}}
    (question,) = questions_from({**schema, "$defs": defined})
    assert (question.id, question.kind, question.required) == ("city", "text", True)


def test_a_definition_that_nobody_uses_may_turn_in_a_circle() -> None:
    schema = {**flat(x={"type": "string"}), "$defs": {"Tree": {"properties": {"branches": {"$ref": "#"}}}}}
    assert form_from(schema).finish({"x": "a"}) == {"x": "a"}


@pytest.mark.parametrize("stray", [{}, [], 5, ["x"]])
def test_what_is_required_and_no_property_is_refused_whatever_it_is(stray: Any) -> None:
    with pytest.raises(UndrawableSchema, match="is required but not there"):
        questions_from({"properties": {"x": {"type": "string"}}, "required": ["x", stray]})


def test_a_huge_schema_is_refused_before_it_is_looked_at() -> None:
    properties = {f"f{number}": {"type": "string"} for number in range(LIMIT)}
    assert len(questions_from({"properties": properties})) == LIMIT
    with pytest.raises(UndrawableSchema, match=f"{LIMIT + 1} properties; a form takes at most {LIMIT}"):
        questions_from({"properties": {**properties, "more": {"type": "string"}}})


@pytest.mark.timeout(10)
def test_a_huge_enum_is_drawn_or_refused_in_good_time() -> None:
    try:
        one({"type": "string", "enum": [f"v{number}" for number in range(50_000)]})
    except UndrawableSchema:
        pass


def test_a_deep_schema_is_drawn_or_refused() -> None:
    deep: Any = {"type": "string"}
    for _ in range(100_000):
        deep = {"anyOf": [deep, {"type": "null"}]}
    with pytest.raises(UndrawableSchema, match="'x'"):
        one(deep)


def test_a_property_without_a_name_is_refused() -> None:
    with pytest.raises(UndrawableSchema, match="without a name"):
        form_from({"properties": {"": {"type": "string", "title": "Nameless"}}})


@pytest.mark.parametrize(
    "name", ["q1", "__proto__", "constructor", "a b", "é", "a.b", "0", "pattern", "default", "enum", "$ref", "x" * 300]
)
def test_a_property_may_be_called_anything(name: str) -> None:
    form = form_from({"properties": {name: {"type": "string", "pattern": r"^\p{L}"}}, "required": [name]})
    (question,) = form.questions
    assert (question.id, question.text) == (name, name)
    assert form.finish({name: "x"}) == {name: "x"}


# What a caller prefills


def test_what_a_caller_prefills_goes_over_the_schemas_own() -> None:
    schema = flat(a={"type": "string", "default": "x"}, b={"type": "integer", "default": 1}, c={"type": "boolean"})
    questions = questions_from(schema, {"a": "y", "c": False})
    assert [default(question) for question in questions] == ["y", 1, False]


# Anything at all

names = st.text(min_size=1, max_size=6) | st.sampled_from(["pattern", "default", "enum", "const", "items"])
text = st.text(max_size=6)
noise = st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | text | st.lists(text, max_size=2)
number = st.integers(-5, 20)


def maybe(strategy: st.SearchStrategy[Any], wild: st.SearchStrategy[Any] = noise) -> st.SearchStrategy[Any]:
    """Mostly what belongs there, and now and then anything."""
    return st.integers(0, 19).flatmap(lambda roll: wild if roll == 0 else strategy)


def schema_of(wild: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Flat schemas; with `wild`, with that here and there in place of what belongs."""

    def keys(base: Mapping[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
        words = {"title": maybe(text, wild), "description": maybe(text, wild)}
        return st.fixed_dictionaries(
            {name: st.just(value) for name, value in base.items()},
            optional={**words, **{name: maybe(strategy, wild) for name, strategy in optional.items()}},
        )

    enum = st.lists(text, min_size=1, max_size=4, unique=True)
    titled = st.lists(
        st.fixed_dictionaries({"const": text}, optional={"title": maybe(text, wild)}), min_size=1, max_size=3,
        unique_by=lambda one: str(one["const"]),
    )  # fmt: skip
    items = st.one_of(
        st.fixed_dictionaries({"type": st.just("string")}),
        st.fixed_dictionaries({"enum": enum}),
        st.fixed_dictionaries({"anyOf": titled}),
        st.fixed_dictionaries({"oneOf": titled}),
        st.just({"$ref": "#/$defs/P"}),
    )
    field = st.one_of(
        keys(
            {"type": "string"}, minLength=number, maxLength=number, default=text,
            format=st.sampled_from(["email", "uri", "date", "date-time", "password", "time"]),
            pattern=st.sampled_from(["^a", "b+", "[", r"\p{L}", "(?i)x"]), writeOnly=st.booleans(),
        ),
        keys({"type": "integer"}, minimum=number, maximum=number, exclusiveMinimum=number, default=number),
        keys({"type": "number"}, minimum=number, maximum=number, exclusiveMaximum=number, default=number),
        keys({"type": "boolean"}, default=st.booleans()),
        keys({"type": "string"}, enum=enum, enumNames=enum, default=text),
        keys({"type": "string"}, oneOf=titled, default=text),
        keys({"type": "array"}, items=items, minItems=st.integers(0, 4), maxItems=st.integers(0, 4),
             default=st.lists(text, max_size=3), uniqueItems=st.booleans()),
        keys({}, anyOf=st.just([{"type": "integer"}, {"type": "null"}]), default=st.none()),
        keys({"$ref": "#/$defs/P"}, default=st.sampled_from(["lo", "hi"])),
        keys({"type": "object"}),
    )  # fmt: skip
    return st.fixed_dictionaries(
        {
            "type": st.just("object"),
            "properties": st.dictionaries(names, maybe(field, wild), max_size=4),
            "$defs": st.just({"P": {"type": "string", "enum": ["lo", "hi"]}}),
        },
        optional={
            "required": maybe(st.lists(names, max_size=2, unique=True), wild),
            "additionalProperties": st.booleans(),
        },
    )


def sane(value: Any) -> bool:
    """Whether jsonschema itself takes the schema."""
    try:
        Draft202012Validator.check_schema(value)
    except Exception:
        return False
    return True


@given(schema_of(noise))
@settings(deadline=None, max_examples=400)
def test_any_flat_schema_is_drawn_or_refused_as_undrawable(schema: Any) -> None:
    try:
        questions = questions_from(schema)
    except UndrawableSchema as fault:
        assert str(fault)
        return
    assert [question.id for question in questions] == list(schema["properties"])
    try:
        form_from(schema).finish({})
    except UndrawableSchema as fault:  # broken where nobody looks until an answer is checked
        assert str(fault)
    except InvalidForm as fault:
        assert all(fault.errors.values())


TYPED = st.sampled_from(["", "a", "abc", "b", "3", "-1", "2.5", "2026-03-01", "2026-03-01T10:00", "0001-01-01T00:00",
                         "a@b.co", "https://a.example", "x" * 30, "1e5"])  # fmt: skip


def filled(data: st.DataObject, question: Question) -> Any:
    """Something a card could send for a question."""
    if question.options:
        least = 1 if question.required else 0
        most = len(question.options) if question.many else 1
        ids = st.lists(st.sampled_from(question.option_ids), min_size=least, max_size=most, unique=True)
        return wire_answer(data.draw(ids))
    return wire_answer(value=data.draw(st.lists(TYPED, max_size=3) if question.kind == "list" else TYPED))


@given(schema=schema_of(st.nothing()).filter(sane), data=st.data())
@settings(deadline=None, max_examples=400)
def test_what_a_form_returns_fits_its_schema(schema: Any, data: st.DataObject) -> None:
    try:
        form = form_from(schema)
    except UndrawableSchema:
        return
    answers: dict[str, Any] = {}
    for question in form.questions:
        try:
            answer = question.rules.read(question, filled(data, question))
        except InvalidAnswer:
            return
        if answer is not None:
            answers[question.id] = answer.value
    try:
        whole = form.finish(answers)
    except InvalidForm as fault:
        assert set(fault.errors) <= {"", *schema["properties"]}
        assert all(fault.errors.values())
        return
    Draft202012Validator(schema).validate(whole)


# What a property may say, to the last of it


def test_what_is_referred_to_lends_a_field_neither_its_title_nor_its_description() -> None:
    level = {"title": "Level", "description": "As the log has it", "type": "string"}
    question = questions_from({**flat(how_bad={"$ref": "#/$defs/Level"}), "$defs": {"Level": level}})[0]
    assert (question.text, question.description) == ("How Bad", None)
    question = questions_from({**flat(how_bad={"$ref": "#/$defs/Level"}), "$defs": {"Level": {"type": "string"}}})[0]
    assert question.text == "how_bad"


def test_titled_options_do_not_hide_what_stands_beside_them() -> None:
    level = one({"anyOf": TITLED, "allOf": [{"title": "Level"}]})
    assert (level.text, labels(level)) == ("Level", ["Low", "High"])


def test_a_schema_that_is_a_reference_has_the_fields_of_what_it_refers_to() -> None:
    trip = {"type": "object", "title": "Trip", "properties": {"city": {"type": "string"}}}
    (city,) = questions_from({"$ref": "#/$defs/trip", "$defs": {"trip": trip}})
    assert city.id == "city"


def test_a_decimal_number_is_a_text_with_a_hint_and_a_default_of_any_kind() -> None:
    price = one({"type": "string", "format": "decimal", "default": 2})
    assert (price.kind, price.default, price.placeholder) == ("text", "2", "A number, such as 2.50")
    assert one({"type": "string", "format": "uri"}).placeholder is None


def test_one_titled_option_alone_is_an_option_and_not_the_field() -> None:
    question = one({"anyOf": [{"const": "l1", "title": "Low"}]})
    assert (question.text, labels(question), values(question)) == ("x", ["Low"], ["l1"])


def test_an_option_without_a_title_is_called_as_it_is_sent() -> None:
    assert labels(one({"oneOf": [{"const": "l1"}, {"const": 2, "title": "High"}]})) == ["l1", "High"]


@pytest.mark.parametrize(
    "offering",
    [
        lambda ids: {"enum": ids},
        lambda ids: {"oneOf": [{"const": one} for one in ids]},
        lambda ids: {"type": "array", "items": {"enum": ids}},
    ],
    ids=["enum", "titled", "many"],
)
def test_a_field_may_have_so_many_options_and_no_more(offering: Any) -> None:
    assert len(one(offering([f"o{number}" for number in range(OPTIONS)])).options) == OPTIONS
    with pytest.raises(UndrawableSchema, match=rf"^property 'x' has {OPTIONS + 1} options; a field takes at most"):
        one(offering([f"o{number}" for number in range(OPTIONS + 1)]))


def test_a_list_whose_items_refer_to_nothing_is_refused_by_its_name() -> None:
    with pytest.raises(UndrawableSchema, match="^property 'x' refers to '#/gone', which is not there"):
        one({"type": "array", "items": {"$ref": "#/gone"}})


def test_a_format_that_is_no_text_is_none() -> None:
    assert (one({"type": "string", "format": ["date"]}).kind, one({"type": "string", "format": {}}).kind) == (
        "text", "text",
    )  # fmt: skip


def test_a_text_that_may_be_longer_than_a_few_lines_gets_several() -> None:
    assert [one({"type": "string", "maxLength": length}).multiline for length in (200, 201)] == [False, True]


class Level(Enum):
    LOW = "l1"
    HIGH = "l2"


def test_a_default_is_prefilled_by_its_label() -> None:
    assert one({"oneOf": TITLED, "default": Level.HIGH}).default == "High"
    assert one({"type": "array", "items": {"oneOf": TITLED}, "default": ["l2", "l1"]}).default == ["High", "Low"]


@pytest.mark.parametrize("default", [["l9"], "l9", ["l1", "l9"]], ids=str)
def test_a_default_that_is_no_option_is_refused_as_it_was_given(default: Any) -> None:
    with pytest.raises(UndrawableSchema, match="^property 'x': default is .*l9"):
        one({"type": "array", "items": {"oneOf": TITLED}, "default": default})
