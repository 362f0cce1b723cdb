"""Whole answers against a schema: what is read of it, what is refused of it, and what is said of an answer."""

from __future__ import annotations

from typing import Any

import pytest

from nbask import checking
from nbask.checking import Checker, sentence_of
from nbask.kinds import InvalidForm
from nbask.schema import UndrawableSchema

CIRCLE = {"$defs": {"Circle": {"$ref": "#/$defs/Circle"}}}
TO_CIRCLE = {"$ref": "#/$defs/Circle"}
TO_TREE = {"$ref": "#/$defs/Tree"}
TREE = {"$defs": {"Tree": {"type": "object", "properties": {"n": TO_TREE}}}}


def faults(schema: dict[str, Any], answers: Any, untrusted: bool = False) -> dict[str, str]:
    with pytest.raises(InvalidForm) as fault:
        Checker(schema, untrusted=untrusted).check(answers)
    return fault.value.errors


def refused(schema: dict[str, Any]) -> str:
    with pytest.raises(UndrawableSchema) as fault:
        Checker(schema)
    return str(fault.value)


def property_of(**schema: Any) -> dict[str, Any]:
    return {"properties": {"n": schema}}


# What is read of a schema


@pytest.mark.parametrize("required", [None, "n", {"n": True}, True], ids=str)
def test_what_is_no_list_of_names_requires_nothing(required: Any) -> None:
    Checker({**property_of(type="string"), "required": required}).check({})


def test_answers_that_are_no_object_are_refused() -> None:
    assert faults({}, ["a"]) == {"": "['a'] is not of type 'object'."}


@pytest.mark.parametrize("untrusted", [False, True])
def test_a_pattern_is_matched_where_the_answer_stands(untrusted: bool) -> None:
    assert faults(property_of(pattern="^a$"), {"n": "b"}, untrusted) == {"n": "'b' does not match '^a$'."}


def test_a_pattern_that_cannot_be_read_is_left_out_wherever_it_stands() -> None:
    Checker({"allOf": [property_of(pattern="[")], **property_of(pattern="[")}).check({"n": "b"})


def test_a_pattern_of_names_that_cannot_be_read_is_left_out_and_the_others_are_kept() -> None:
    schema = {"patternProperties": {"[": {"type": "string"}, "^n": {"type": "integer"}}}
    assert faults(schema, {"[": 5, "n": "x"}) == {"n": "'x' is not of type 'integer'."}


def test_a_field_may_be_called_like_a_keyword_or_like_a_broken_pattern() -> None:
    names = ("[", "required", "pattern", "default", "properties", "$ref")
    schema = {"properties": {name: {"type": "integer"} for name in names}}
    for name in names:
        assert faults(schema, {name: "x"}) == {name: "'x' is not of type 'integer'."}


def nested(levels: int, wrap: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = wrap(schema)
    return schema


@pytest.mark.parametrize(
    ("wrap", "deepest"),
    [(lambda one: {"not": one}, 31), (lambda one: {"allOf": [one]}, 15), (lambda one: {"properties": {"n": one}}, 15)],
    ids=["schema", "list", "names"],
)
def test_a_schema_may_be_nested_so_deep_and_no_deeper(wrap: Any, deepest: int) -> None:
    Checker(nested(deepest, wrap))
    assert refused(nested(deepest + 1, wrap)) == "the schema is nested too deeply; a form is flat"


def test_a_schema_may_refer_to_itself() -> None:
    schema = {**property_of(**TO_TREE), **TREE}
    assert faults(schema, {"n": {"n": {"n": "x"}}}) == {"n": "'x' is not of type 'object'."}


@pytest.mark.parametrize(("beside", "fits"), [({}, 9), (TREE, 5)], ids=["flat", "in a circle"])
def test_a_schema_may_consist_of_so_many_and_no_more(
    monkeypatch: pytest.MonkeyPatch, beside: dict[str, Any], fits: int
) -> None:
    monkeypatch.setattr(checking, "_HEAVIEST", 10)
    Checker({**beside, "title": "x", "allOf": [{"minProperties": 0}] * fits})
    assert "add up to too much" in refused({**beside, "allOf": [{}] * (fits + 1)})


# What is refused of a schema, before anybody is asked


@pytest.mark.parametrize(
    "place",
    [
        lambda one: property_of(**{"not": one}),
        lambda one: {"not": one},
        lambda one: {"allOf": [{}, {"anyOf": [one]}]},
        lambda one: {"$defs": {"n": one}},
        lambda one: {"properties": {"default": one}},
        lambda one: {"properties": {"properties": one}},
        lambda one: {"not": {"properties": {"enum": {"items": one}}}},
    ],
    ids=["in a field", "beside", "in lists", "defined", "called default", "called properties", "deep"],
)
@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef", "$recursiveRef", "$id"])
def test_a_schema_that_refers_elsewhere_is_refused_wherever_it_does(keyword: str, place: Any) -> None:
    said = refused(place({keyword: "https://evil.example/s.json"}))
    assert said.startswith("the schema refers to 'https:" if keyword == "$ref" else f"the schema has {keyword};")
    assert said.endswith("only references within the schema are read")


def test_data_in_a_schema_may_look_like_a_reference() -> None:
    data = {"$ref": "https://a.example", "$id": "a", "pattern": "["}
    schema = property_of(default=data, examples=[data], enum=[data])
    Checker(schema).check({"n": data})


def test_data_that_is_referred_to_fetches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[Any] = []
    monkeypatch.setattr("urllib.request.urlopen", lambda url, *_: requested.append(url))
    data = {"$dynamicRef": "https://evil.example/s.json"}
    checker = Checker({"properties": {"n": {"$ref": "#/properties/m/default"}, "m": {"default": data}}})
    with pytest.raises(InvalidForm):
        checker.check({"n": "x"})
    assert requested == []


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [TO_CIRCLE], **CIRCLE},
        {"if": {"type": "object"}, "then": TO_CIRCLE, **CIRCLE},
    ],
    ids=["always", "for an object"],
)
def test_a_schema_that_turns_in_a_circle_is_refused(schema: dict[str, Any]) -> None:
    assert refused(schema).startswith("the schema is broken: ")


def test_what_is_broken_about_a_schema_is_said_on_one_line() -> None:
    assert refused(property_of(type="nothing")) == (
        "the schema is broken: 'nothing' is not valid under any of the given schemas"
    )


def test_a_fault_without_words_is_named() -> None:
    class Wordless:
        def __eq__(self, other: object) -> bool:
            raise ArithmeticError

        __hash__ = None  # type: ignore[assignment]

    assert refused({"const": Wordless()}) == "the schema is broken: ArithmeticError"


# What is said of an answer


def test_a_circle_that_shows_only_at_an_answer_is_the_forms_fault_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    schema = {**property_of(**TO_CIRCLE), **CIRCLE}
    assert faults(schema, {"n": "x"}) == {"": "These answers cannot be checked; the form is broken."}
    assert [(one.message, bool(one.exc_info)) for one in caplog.records] == [
        ("a form's schema could not be checked", True)
    ]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [("it is late", "It is late."), ("It is late.", "It is late."), ("Value error, no", "No."), ("", ".")],
)
def test_a_validators_message_becomes_a_sentence(message: str, sentence: str) -> None:
    assert sentence_of(message) == sentence
