"""A short soak; `tests/serve/soak.py` is the long one."""

from __future__ import annotations

from soak import soak


def test_agents_that_ask_at_random_lose_no_answer_and_get_none_twice(version: str) -> None:
    """Some give up, and the page is reloaded meanwhile."""
    tally = soak(seconds=20, agents=8, version=version)
    assert tally.faults == []
    assert tally.results["answered"] > 20
    assert tally.results["given up"]
    assert tally.reloads
