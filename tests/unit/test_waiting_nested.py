"""A blocking ask on a loop that goes on, with stand-ins: what nest_asyncio2 does to asyncio cannot be undone."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from nbask.waiting.nested import wait_nested


class Waiter:
    """Says which of its waits was used, and for what."""

    def __init__(self) -> None:
        self.waits: list[tuple[str, object]] = []

    def wait(self, pending: object) -> None:
        self.waits.append(("blocking", pending))

    async def wait_async(self, pending: object) -> None:
        self.waits.append(("awaiting", pending))


@pytest.fixture
def nesting(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What nest_asyncio2 was applied to."""
    applied: list[Any] = []
    module = SimpleNamespace(apply=lambda *args, **named: applied.append((args, named)))
    monkeypatch.setitem(sys.modules, "nest_asyncio2", module)
    return applied


def test_where_no_loop_runs_it_is_a_plain_wait_and_asyncio_is_left_alone(nesting: list[Any]) -> None:
    waiter: Any = Waiter()
    wait_nested(waiter, "it")  # type: ignore[arg-type]
    assert (waiter.waits, nesting) == ([("blocking", "it")], [])


def test_a_running_loop_is_made_to_nest_and_runs_until_the_wait_is_over(
    nesting: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiter: Any = Waiter()
    loop = SimpleNamespace(run_until_complete=asyncio.run)
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    wait_nested(waiter, "it")  # type: ignore[arg-type]
    # Without closing loops that run, every later asyncio.run would leave one open.
    assert (waiter.waits, nesting) == ([("awaiting", "it")], [((loop,), {"run_close_loop": True})])
