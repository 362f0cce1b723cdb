"""A field of JSON: what a person types means JSON, and no more than that."""

from __future__ import annotations

import pytest

from nbask.adapters.toolkit.json_field import json_form, read_json
from nbask.kinds import InvalidForm


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("1e400", "1e400 is larger than numbers can be here"),
        ('{"share": [-1.5e999]}', "-1.5e999 is larger"),
        ("9" * 400 + ".5", "9… is larger"),
        ("NaN", "NaN is no number in JSON"),
        ("-Infinity", "-Infinity is no number in JSON"),
    ],
)
def test_a_number_that_is_none_is_refused_at_the_field(typed: str, says: str) -> None:
    """It would be infinity to Python, and no JSON any more when it is sent on."""
    with pytest.raises(InvalidForm) as refusal:
        json_form("n", "How many?", lambda value: value).finish({"n": typed})
    assert says in refusal.value.errors["n"]


@pytest.mark.parametrize(("typed", "value"), [("1e300", 1e300), ("-2.5", -2.5), ("1e-400", 0.0), ("7", 7)])
def test_any_other_number_is_read_as_json_has_it(typed: str, value: float) -> None:
    assert read_json(typed) == value
