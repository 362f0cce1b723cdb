"""A stranger's patterns: matched where that takes bounded time, left to the stranger where not, unknown to the page."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbask import Ask
from nbask.checking import Checker
from nbask.desk import Desk
from nbask.forms import form_from
from nbask.fronts.drawing import draw
from nbask.kinds import InvalidForm
from nbask.patterns import LONGEST_PATTERN, LONGEST_TEXT, is_bounded, matches
from nbask.schema import UndrawableSchema

EVIL = {
    "(a+)+$": "a" * 40 + "!",
    "^(a|a)*$": "a" * 40 + "!",
    "^(a|aa)+$": "a" * 60 + "!",
    "^([a-zA-Z]+)*$": "a" * 40 + "!",
    "^(([a-z])+.)+[A-Z]([a-z])+$": "a" * 60,
    "(.*a){20}$": "a" * 60 + "!",
    r"^\s*(\w+\s*)+:$": "word " * 20 + "!",
    r"^(\d+)*[^\d]$": "1" * 60,
    "^[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*$": "a" * LONGEST_TEXT + "!",
    r"([^@]+)*@([^@]+)*\.([^@]+)*$": "a" * LONGEST_TEXT,
}
UNBOUNDED = {
    "looks ahead": "^(?=.*[0-9]).{8}$",
    "looks behind": "(?<=a)b",
    "refers back": r"(a)\1",
    "long": "a" * (LONGEST_PATTERN + 1),
    "repeated too often": "a{301}",
    "repeated repetitions": "((a{10}){10}){10}",
    "an endless count": "a{1,99999999999999999999}",
    "huge when written out": r"\w{290}",
    "broken": "[",
    "no text": 5,
    "null": None,
}


def form_of(pattern: Any, **more: Any) -> Any:
    return {"type": "object", "properties": {"x": {"type": "string", "pattern": pattern}}, **more}


@pytest.mark.timeout(10)
@pytest.mark.parametrize(("pattern", "text"), EVIL.items(), ids=EVIL)
def test_a_pattern_built_to_take_for_ever_takes_no_time(pattern: str, text: str) -> None:
    assert is_bounded(pattern)
    form = form_from(form_of(pattern), untrusted=True)
    begun = time.perf_counter()
    for _ in range(10):
        try:
            form.finish({"x": text})
        except InvalidForm as fault:
            assert list(fault.errors) == ["x"]
    assert time.perf_counter() - begun < 2


@pytest.mark.timeout(10)
@pytest.mark.parametrize("pattern", UNBOUNDED.values(), ids=UNBOUNDED)
def test_a_pattern_that_cannot_be_bounded_is_left_to_whoever_wrote_it(pattern: Any) -> None:
    assert not is_bounded(pattern)
    assert form_from(form_of(pattern), untrusted=True).finish({"x": "anything"}) == {"x": "anything"}


@pytest.mark.parametrize("pattern", ["a" * LONGEST_PATTERN, "a{300}", "(a{10}){30}", "a{1}" * 9, "a{0}" * 9])
def test_a_pattern_is_bounded_up_to_its_limits(pattern: str) -> None:
    assert is_bounded(pattern)


@pytest.mark.parametrize(
    ("pattern", "fits", "not_fits"),
    [
        ("^[A-Z]{3}-[0-9]+$", "CAP-1", "cap-1"),
        ("b", "abc", "acd"),
        ("^a$", "a", "a\n"),
        (r"^\d{4}-\d{2}$", "2026-11", "2026"),
        (r"^\p{Lu}", "Ä", "ä"),
        (r"^[\w.+-]+@[\w-]+\.[\w.]+$", "ann@example.org", "ann"),
        ("^(a+)+$", "aaa", "aab"),
    ],
)
def test_a_bounded_pattern_is_checked_and_says_so_at_the_field(pattern: str, fits: str, not_fits: str) -> None:
    form = form_from(form_of(pattern), untrusted=True)
    assert form.finish({"x": fits}) == {"x": fits}
    with pytest.raises(InvalidForm) as fault:
        form.finish({"x": not_fits})
    assert fault.value.errors["x"].endswith("does not match " + repr(pattern) + ".")


def test_a_page_never_gets_a_strangers_pattern_and_gets_ones_own() -> None:
    def drawn(untrusted: bool) -> Any:
        form = form_from(form_of("^a+$"), untrusted=untrusted)
        return draw(Desk().open(Ask(form.questions, layout="form", form=form.finish)))["questions"][0]["pattern"]

    assert drawn(True) is None
    assert drawn(False) == "^a+$"


def test_a_text_past_the_bound_is_not_matched() -> None:
    assert matches("^a$", "b" * (LONGEST_TEXT + 1))
    assert not matches("^a$", "b" * LONGEST_TEXT)


@pytest.mark.timeout(10)
def test_patterns_in_other_places_of_a_strangers_schema_are_bounded_too() -> None:
    evil, text = "^(a|a)*$", "a" * 60 + "!"
    names = {"type": "object", "properties": {text: {"type": "string"}}}
    for more in ({"patternProperties": {evil: {"type": "string"}}}, {"propertyNames": {"pattern": evil}}):
        try:
            Checker({**names, **more, "additionalProperties": False}, untrusted=True).check({text: "x"})
        except InvalidForm:
            pass
    items = {"type": "array", "items": {"type": "string", "pattern": evil}}
    with pytest.raises(InvalidForm):
        form_from({"properties": {"x": items}}, untrusted=True).finish({"x": [text]})


@pytest.mark.timeout(10)
def test_references_that_double_at_every_step_are_refused() -> None:
    steps = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    schema = {"properties": {"x": {"type": "string"}}, "not": {"$ref": "#/$defs/d0"}, "$defs": {**steps, "d40": {}}}
    for untrusted in (True, False):
        with pytest.raises(UndrawableSchema, match="references add up to too much"):
            Checker(schema, untrusted=untrusted)


@given(st.text(max_size=30) | st.from_regex(r"[\^(a|b.*+?)\\\[\]{}0-9,dws-]{1,20}\$?"), st.text(max_size=50))
@settings(deadline=None)
def test_any_pattern_is_matched_or_left_alone(pattern: str, text: str) -> None:
    assert form_from(form_of(pattern), untrusted=True) is not None
    assert matches(pattern, text) in (True, False)
