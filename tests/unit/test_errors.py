"""How a refusal reads: who is wrong, what was given, and the mend."""

from __future__ import annotations

from typing import Any

import pytest

from nbask.errors import Checked, unknown_keyword


class Made(Checked):
    size: int = 1
    sides: list[int] | None = None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"sise": 1}, "Made has no keyword 'sise'; did you mean 'size'?"),
        ({"colour": 1}, "Made has no keyword 'colour'; it takes sides, size"),
        ({"size": "2"}, "Made.size: input should be a valid integer, not '2'"),
        ({"sides": [1, "2\n3"]}, "Made.sides: input should be a valid integer, not '2\\n3'"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_in_one_sentence(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError) as fault:  # noqa: PT011 - the words are compared whole
        Made(**given)
    assert str(fault.value) == says


def test_of_several_that_are_near_the_nearest_is_meant() -> None:
    assert (
        unknown_keyword("f()", "timeot", ["timeit", "timeout"])
        == "f() has no keyword 'timeot'; did you mean 'timeout'?"
    )
