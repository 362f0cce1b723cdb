"""The routing table."""

from __future__ import annotations

from typing import Any

import pytest

from nbask.routing import Facts, route

TABLE: list[tuple[dict[str, Any], tuple[str, ...], float | None, str]] = [
    ({"host": "kernel"}, ("card", "text"), 5.0, "a card first"),
    ({"host": "kernel", "ever_attached": True}, ("card", "text"), 60.0, "cards are seen"),
    ({"host": "kernel", "ever_attached": True, "cards_unseen": 3}, ("card", "text"), 60.0, "cards are seen"),
    ({"host": "kernel", "cards_unseen": 1}, ("card", "text"), 0.0, "no card was ever seen"),
    ({"host": "kernel", "reachable": False}, ("card", "text"), 0.0, "main thread is blocked"),
    ({"host": "kernel", "reachable": False, "ever_attached": True}, ("card", "text"), 0.0, "main thread is blocked"),
    ({"host": "kernel", "allow_stdin": False}, (), None, "does not allow input"),
    ({"host": "kernel", "allow_stdin": False, "ever_attached": True}, (), None, "does not allow input"),
    ({"host": "kernel", "allow_stdin": False, "voila": True}, (), None, "Voilà runs the cells before"),
    ({"host": "kernel", "allow_stdin": False, "voila": True, "attached": True}, ("card",), None, "notebook open"),
    ({"host": "kernel", "allow_stdin": False, "attached": True}, ("card",), None, "notebook open"),
    ({"host": "kernel", "allow_stdin": False, "headless": "never"}, ("card",), None, "'never'"),
    ({"host": "kernel", "allow_stdin": False, "attached": True, "inbox": True}, ("inbox",), None, "notebook open"),
    ({"host": "kernel", "inbox": True, "attached": True, "ever_attached": True}, ("card", "text"), 60.0, "are seen"),
    ({"host": "kernel", "cell_running": False}, ("card",), None, "%nbask inbox"),
    ({"host": "kernel", "cell_running": False, "cards_unseen": 2}, ("card",), None, "for 5 s"),
    ({"host": "kernel", "cell_running": False, "reachable": False}, ("card",), None, "for 5 s"),
    ({"host": "kernel", "cell_running": False, "ever_attached": True}, ("card",), None, "for 60 s"),
    ({"host": "kernel", "cell_running": False, "inbox": True, "attached": True}, ("inbox",), None, "inbox is there"),
    ({"host": "kernel", "cell_running": False, "allow_stdin": False}, (), None, "does not allow input"),
    ({"host": "kernel", "cell_running": False, "headless": "always", "inbox": True}, (), None, "'always'"),
    ({"host": "kernel", "headless": "always"}, (), None, "'always'"),
    ({"host": "kernel", "headless": "always", "attached": True}, (), None, "'always'"),
    ({"host": "kernel", "headless": "never"}, ("card", "text"), 5.0, "a card first"),
    ({"host": "fork"}, (), None, "forked from the kernel"),
    ({"host": "fork", "ever_attached": True, "attached": True, "inbox": True}, (), None, "ask in the kernel itself"),
    ({"host": "terminal"}, ("text",), 0.0, "in a terminal"),
    ({"host": "terminal", "keys": True}, ("terminal",), None, "in a terminal, questions are asked with arrow keys"),
    ({"host": "script", "keys": True}, ("terminal",), None, "in plain Python, questions are asked with arrow keys"),
    ({"host": "script"}, ("text",), 0.0, "in plain Python"),
    ({"host": "terminal", "allow_stdin": False}, (), None, "no terminal"),
    ({"host": "script", "allow_stdin": False}, (), None, "no terminal"),
    ({"host": "script", "allow_stdin": False, "headless": "never"}, ("text",), 0.0, "in plain Python"),
    ({"host": "terminal", "headless": "always"}, (), None, "'always'"),
    ({"host": "marimo"}, ("card",), None, "in marimo"),
    ({"host": "marimo", "allow_stdin": False}, (), None, "exported"),
    ({"host": "marimo", "allow_stdin": False, "headless": "never"}, ("card",), None, "in marimo"),
    ({"host": "marimo", "reachable": False}, (), None, "nbask.marimo.ask(...)"),
    ({"host": "colab"}, ("text",), 0.0, "Colab reads no comm messages"),
    ({"host": "colab", "allow_stdin": False, "headless": "never"}, (), None, "no input to read"),
    ({"host": "pyodide"}, ("card",), None, "one thread"),
    ({"host": "pyodide", "reachable": False}, ("card",), None, "one thread"),
    ({"host": "pyodide", "cell_running": False}, ("card",), None, "for 5 s"),
    ({"host": "pyodide", "cell_running": False, "ever_attached": True}, ("card",), None, "for 60 s"),
    ({"host": "pyodide", "cell_running": False, "inbox": True}, ("inbox",), None, "inbox is there"),
    ({"host": "pyodide", "allow_stdin": False}, (), None, "without a person"),
    ({"host": "pyodide", "allow_stdin": False, "attached": True}, ("card",), None, "one thread"),
]


@pytest.mark.parametrize(("facts", "fronts", "text_after", "reason"), TABLE, ids=lambda value: str(value)[:60])
def test_a_place_has_its_fronts_and_a_reason(facts: Any, fronts: Any, text_after: Any, reason: str) -> None:
    chosen = route(Facts(**facts))
    assert (chosen.fronts, chosen.text_after) == (fronts, text_after)
    assert reason in chosen.reason


def test_the_graces_are_settings() -> None:
    assert route(Facts("kernel"), grace=2).text_after == 2
    assert "2 s" in route(Facts("kernel"), grace=2).reason
    assert route(Facts("kernel", ever_attached=True), long_grace=9).text_after == 9


def test_an_ask_that_no_running_cell_makes_is_never_asked_as_text_and_ends_if_nobody_sees_it() -> None:
    for facts, *_ in TABLE:
        if facts.get("cell_running") is False:
            chosen = route(Facts(**facts), grace=2, long_grace=9)
            assert chosen.text_after is None
            seen = {"inbox": None, "card": 9 if facts.get("ever_attached") else 2}
            assert not chosen.fronts or chosen.gone_after == seen[chosen.fronts[0]]
        else:
            assert route(Facts(**facts)).gone_after is None


def test_text_is_among_the_fronts_exactly_where_it_may_ask() -> None:
    for facts, *_ in TABLE:
        chosen = route(Facts(**facts))
        assert ("text" in chosen.fronts) == (chosen.text_after is not None)
