"""What makes two asks the same question, and what does not."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbask import Ask, Option, Question
from nbask.record.fingerprint import Occurrences, fingerprint

BASE: dict[str, Any] = {"text": "Which model?", "options": ["fast", "large"]}
words = st.text(min_size=1, max_size=12).filter(str.strip)


def mark(rest: Any = None, **changed: Any) -> str:
    return fingerprint(Ask(Question(**{**BASE, **changed}), **(rest or {})))


@pytest.mark.parametrize(
    "same",
    [
        {"options": ["large", "fast"]},
        {"options": {"fast": "Cheaper", "large": "Better"}},
        {"options": [Option("fast", value=object(), preview="…", recommended=True), Option("large")]},
        {"header": "Model"},
        {"description": "For the forecast"},
        {"default": "fast"},
        {"required": False},
        {"notes": True},
        {"other": False},
        {"rest": {"asker": "Claude"}},
        {"rest": {"timeout": 60}},
        {"rest": {"submit": "Send", "layout": "form"}},
        {"rest": {"id": "abc"}},
    ],
    ids="-".join,
)
def test_what_does_not_change_the_question_does_not_count(same: dict[str, Any]) -> None:
    assert mark(**same) == mark()


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "Which model? "},
        {"text": "Which agent?"},
        {"options": ["fast", "large", "huge"]},
        {"options": ["Fast", "large"]},
        {"options": None},
        {"options": None, "kind": "integer"},
        {"many": True},
        {"id": "model"},
        {"rest": {"message": "For the forecast."}},
    ],
    ids="-".join,
)
def test_a_changed_question_is_another_one(changed: dict[str, Any]) -> None:
    assert mark(**changed) != mark()


def test_a_confirms_order_counts_since_it_has_a_meaning() -> None:
    go, stop = (Ask(Question("Go?", labels, kind="confirm")) for labels in (["Go", "Stop"], ["Stop", "Go"]))
    assert fingerprint(go) != fingerprint(stop)


def test_consent_to_another_address_is_another_question() -> None:
    one, two = (Ask(Question("Open?", kind="consent", url=f"https://{host}.example/")) for host in "ab")
    assert fingerprint(one) != fingerprint(two)


def test_it_is_the_same_in_every_process() -> None:
    code = "from nbask import *; from nbask.record.fingerprint import *; print(fingerprint(Ask(Question('A?', {'x', 'y'}))))"
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "1234"
    }
    assert found == {f"{fingerprint(Ask(Question('A?', ['x', 'y'])))}\n".encode()}


@given(
    st.tuples(words, st.lists(words, min_size=1, max_size=5, unique=True)),
    st.tuples(words, st.lists(words, min_size=1, max_size=5, unique=True)),
)
@settings(deadline=None)
def test_two_texts_or_two_sets_of_options_have_two_fingerprints(one: Any, two: Any) -> None:
    same = one[0] == two[0] and set(one[1]) == set(two[1])
    assert (fingerprint(Ask(Question(*one))) == fingerprint(Ask(Question(*two)))) == same


def test_each_time_a_question_is_asked_has_its_number() -> None:
    times = Occurrences()
    assert [times.next(one) for one in "aabab"] == [1, 2, 1, 3, 2]


def test_a_time_that_is_given_back_is_given_out_again_unless_another_came_since() -> None:
    times = Occurrences()
    first, second = times.next("a"), times.next("a")
    times.give_back("a", first)
    assert times.next("a") == 3
    times.give_back("a", 3)
    times.give_back("a", second)
    assert times.next("a") == 2
