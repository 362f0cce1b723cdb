"""JupyterLite's Pyodide kernel, with stand-ins for the platform and the kernel: it awaits, and never blocks.

No thread can be started there; here, starting one fails in the same words.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import nbask
from nbask import Ask, Question, aio
from nbask import runtime as runtime_module
from nbask.fronts import built
from nbask.fronts import card as card_module
from nbask.hosts import PyodideHost, find_host
from nbask.kinds import wire_answer
from nbask.record.answers import read
from nbask.replies import TimedOut, Unavailable
from nbask.runtime import Runtime
from nbask.settings import NbAsk

pytestmark = pytest.mark.support(front="JupyterLite (Pyodide)", kernel="pyodide", how="stand-in module")


class PyodideKernel:
    """As pyodide_kernel's: one channel, so `get_parent` takes none; and no sockets."""

    def __init__(self, allow_stdin: bool = True) -> None:
        self.parent = {"header": {"msg_id": "m1"}, "content": {"allow_stdin": allow_stdin}}

    def get_parent(self) -> dict[str, Any]:
        return self.parent


Put = Callable[..., Runtime]


@pytest.fixture
def pyodide(monkeypatch: pytest.MonkeyPatch) -> Put:
    """Be in a Pyodide kernel: `pyodide(allow_stdin=…, **settings)` is its runtime."""
    monkeypatch.setattr(built, "text", lambda name: f"/* nbask 0123abcd */ {name}")
    monkeypatch.setattr(card_module, "display", lambda bundle, **how: None)

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    def put(allow_stdin: bool = True, **settings: Any) -> Runtime:
        events = SimpleNamespace(register=lambda *_: None, unregister=lambda *_: None)
        shell = SimpleNamespace(kernel=PyodideKernel(allow_stdin), events=events)
        monkeypatch.setattr(threading.Thread, "start", refuse)
        monkeypatch.setattr(sys, "platform", "emscripten")
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
        host = find_host()
        assert type(host) is PyodideHost
        runtime = Runtime(host, NbAsk(**settings))
        monkeypatch.setattr(runtime.host, "show", lambda *_: None)
        monkeypatch.setattr(runtime_module, "_runtime", runtime)
        return runtime

    return put


async def view(runtime: Runtime, *messages: Callable[[Any], Any]) -> None:
    """A card's view, as soon as there is one: it attaches, and sends these."""
    while not runtime.desk.snapshot() or runtime.fronts._cards is None or not runtime.fronts._cards._shown:
        await asyncio.sleep(0)
    ((pending, shown),) = runtime.fronts._cards._shown.items()
    for message in (lambda _: {"type": "attached", "view": "v1"}, *messages):
        shown.card._handle_msg({"content": {"data": {"method": "custom", "content": message(pending)}}, "buffers": []})


def answer(pending: Any) -> dict[str, Any]:
    answers = {"q1": wire_answer(["o2"])}
    return {"type": "reply", "ask": pending.ask.id, "action": "submit", "answers": answers, "message": None}


@pytest.mark.support(
    action="ask",
    cell="refused",
    note="A Pyodide kernel has one thread and cannot block; the refusal names `await nbask.aio.ask(...)`.",
)
def test_c7_a_blocking_ask_is_refused_at_once_and_names_the_awaitable_one(pyodide: Put) -> None:
    runtime = pyodide()
    with pytest.raises(RuntimeError) as refusal:
        nbask.ask("Red or blue?", ["Red", "Blue"])
    assert str(refusal.value) == (
        "a Pyodide kernel has one thread and cannot block; use the awaitable form: await nbask.aio.ask(...)"
    )
    assert runtime.desk.snapshot() == ()
    assert runtime.fronts._cards is None


def test_a_refused_ask_is_not_counted_among_those_that_are_recorded(pyodide: Put, tmp_path: Path) -> None:
    runtime = pyodide()
    runtime.record.start_recording(str(tmp_path / "answers.json"))

    async def cell() -> None:
        for _ in range(2):
            with pytest.raises(RuntimeError, match="cannot block"):
                nbask.ask("Red or blue?", ["Red", "Blue"])
        await asyncio.gather(aio.ask("Red or blue?", ["Red", "Blue"]), view(runtime, answer))

    asyncio.run(cell())
    (recorded,) = read(tmp_path / "answers.json")
    assert recorded["occurrence"] == 1
    runtime.record.start_replay(str(tmp_path / "answers.json"))
    assert nbask.ask("Red or blue?", ["Red", "Blue"]) == "Blue"


@pytest.mark.support(action="await")
def test_c7_an_awaited_ask_is_answered_on_its_card_and_starts_no_thread(pyodide: Put) -> None:
    runtime = pyodide()

    async def cell() -> tuple[Any, Any]:
        return await asyncio.gather(aio.ask("Red or blue?", ["Red", "Blue"]), view(runtime, answer))

    assert asyncio.run(cell())[0] == "Blue"
    assert runtime.route().fronts == ("card",)


def test_c7_a_card_whose_view_is_silent_at_the_end_is_closed_by_the_loop(
    pyodide: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = pyodide()
    monkeypatch.setattr(card_module, "ROLL_CALL", 0.01)

    async def cell() -> None:
        await asyncio.gather(aio.ask("Red or blue?", ["Red", "Blue"]), view(runtime, answer))
        while runtime.fronts.cards._shown:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(cell(), 5))


def test_a_deadline_ends_the_await(pyodide: Put) -> None:
    pyodide()
    assert isinstance(asyncio.run(aio.put(Ask(Question("Name?"), timeout=0.01))), TimedOut)


@pytest.mark.parametrize("put", [nbask.put, lambda ask: asyncio.run(aio.put(ask))], ids=["ask", "await"])
def test_c26_c27_a_cell_without_a_person_is_answered_by_policy(pyodide: Put, put: Callable[[Ask], Any]) -> None:
    pyodide(allow_stdin=False)
    reply = put(Ask(Question("Name?")))
    assert isinstance(reply, Unavailable)
    assert "without a person" in reply.reason
