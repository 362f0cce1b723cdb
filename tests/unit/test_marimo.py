"""marimo without its page: how its gate reads and gives back a queue, where it is detected, and runs with nobody there."""

from __future__ import annotations

import asyncio
import os
import queue
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from nbask import Ask, Question
from nbask.desk import Desk, Pending
from nbask.fronts import built
from nbask.fronts.card import CardFront
from nbask.hosts import ConsoleHost, MarimoHost, find_host
from nbask.replies import Declined, Withdrawn
from nbask.routing import Facts, route
from nbask.runtime import Runtime
from nbask.settings import NbAsk
from nbask.waiting import Session, choose
from nbask.waiting.marimo import MarimoGate

Runner = Callable[..., Future[Any]]


class Model:
    """marimo's ModelCommand: a message of a widget."""

    def __init__(self, model_id: str, content: str) -> None:
        self.model_id, self.content = model_id, content

    def into_comm_payload(self) -> str:
        return self.content


class StopKernelCommand: ...


class Here(Session):
    """A session with a cell that runs, and a queue that a test fills."""

    cell: Any = object()
    queue: Any = None

    def __init__(self) -> None:
        self.queue = queue.Queue()


class Marimo:
    """A gate, its session, and an ask whose card is `card`: its message `yes` ends it."""

    def __init__(self) -> None:
        self.session, self.desk = Here(), Desk()
        self.gate = MarimoGate(self.session)
        self.heard: list[str] = []
        self.pending = self.ask("card")

    def ask(self, card: str) -> Pending:
        pending = self.desk.open(Ask(Question("Name?")))

        def handle(content: Any) -> None:
            self.heard.append(content)
            if content == "yes":
                self.desk.settle(pending.ask.id, Declined())

        self.gate.adopt(card, handle)
        return pending

    def send(self, *requests: Any) -> None:
        for request in requests:
            self.session.queue.put(request)

    def read(self) -> list[Any]:
        """What marimo reads once the cell has ended, in its order."""
        read = []
        while not self.session.queue.empty() or "get" in vars(self.session.queue):
            read.append(self.session.queue.get(timeout=5))
        return read


@pytest.fixture
def marimo() -> Marimo:
    return Marimo()


WAITS: dict[str, Callable[[Marimo], None]] = {
    "ask": lambda marimo: marimo.gate.wait(marimo.pending),
    "await": lambda marimo: asyncio.run(asyncio.wait_for(marimo.gate.wait_async(marimo.pending), 5)),
}
each_wait = pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS)


@each_wait
def test_messages_of_cards_are_handled_at_once_and_the_rest_is_read_after_it_in_order(
    marimo: Marimo, wait: Callable[[Marimo], None]
) -> None:
    other = Model("another widget", "moved")
    marimo.send("run 1", Model("card", "attached"), other, "run 2", Model("card", "yes"), "run 3")
    wait(marimo)
    assert marimo.heard == ["attached", "yes"]
    assert marimo.read() == ["run 1", other, "run 2", "run 3"]


@each_wait
def test_a_second_wait_gives_back_what_the_first_one_held_before_what_came_later(
    marimo: Marimo, wait: Callable[[Marimo], None]
) -> None:
    marimo.send("run 1", Model("card", "yes"), "run 2")
    wait(marimo)
    marimo.pending = marimo.ask("second")
    marimo.send(Model("second", "yes"), "run 3")
    wait(marimo)
    assert marimo.read() == ["run 1", "run 2", "run 3"]


def test_asks_made_together_share_one_gate(marimo: Marimo) -> None:
    other = marimo.ask("other")
    marimo.send("run 1", Model("other", "yes"), "run 2", Model("card", "yes"), "run 3")

    async def cell() -> None:
        await asyncio.gather(marimo.gate.wait_async(marimo.pending), marimo.gate.wait_async(other))

    asyncio.run(asyncio.wait_for(cell(), 5))
    assert marimo.read() == ["run 1", "run 2", "run 3"]


def test_a_card_whose_message_fails_does_not_end_the_wait(marimo: Marimo, caplog: pytest.LogCaptureFixture) -> None:
    def fail(content: Any) -> None:
        raise ValueError(content)

    marimo.gate.adopt("broken", fail)
    marimo.send(Model("broken", "x"), Model("card", "yes"))
    marimo.gate.wait(marimo.pending)
    assert "nbask failed on a message of its card" in caplog.text


def test_a_task_that_outlives_its_cell_leaves_the_queue_to_marimo(marimo: Marimo) -> None:
    async def notebook() -> None:
        task = asyncio.create_task(marimo.gate.wait_async(marimo.pending))
        marimo.send("run 1")
        while not marimo.session.queue.empty():
            await asyncio.sleep(0)
        marimo.session.cell = None
        # marimo waits at the queue already, with the way of reading it had: a None has it look again.
        assert await asyncio.to_thread(queue.Queue.get, marimo.session.queue, True, 5) is None
        assert marimo.read() == ["run 1"]
        marimo.send("run 2")
        marimo.desk.settle(marimo.pending.ask.id, Declined())
        await asyncio.wait_for(task, 5)

    asyncio.run(notebook())
    assert marimo.read() == ["run 2"]


@pytest.mark.parametrize("end", [StopKernelCommand(), OSError], ids=["stop", "no server"])
@pytest.mark.parametrize(("wait", "ends"), [("ask", KeyboardInterrupt), ("await", asyncio.CancelledError)])
def test_a_session_that_ends_takes_the_wait_along(
    marimo: Marimo, monkeypatch: pytest.MonkeyPatch, wait: str, ends: type[BaseException], end: Any
) -> None:
    if end is OSError:

        def gone(*_: Any) -> None:
            raise OSError("the handle is closed")

        monkeypatch.setattr(marimo.session.queue, "get", gone)
    else:
        marimo.send(end)
    with pytest.raises(ends):
        WAITS[wait](marimo)
    if end is not OSError:
        assert marimo.read() == [end]


def test_a_wait_ends_with_an_ask_that_was_settled_in_another_thread(marimo: Marimo, in_thread: Runner) -> None:
    waiting = in_thread(WAITS["await"], marimo)
    marimo.desk.settle(marimo.pending.ask.id, Withdrawn())
    waiting.result(5)


def test_marimo_is_chosen_its_gate_and_detected_by_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(choose(Session(), lambda: False)) is MarimoGate
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.delitem(sys.modules, "marimo._runtime.kernel_lifecycle", raising=False)
    assert type(find_host()) is ConsoleHost
    monkeypatch.setitem(sys.modules, "marimo._runtime.kernel_lifecycle", ModuleType("kernel_lifecycle"))
    assert type(find_host()) is MarimoHost


def test_a_thread_that_marimo_knows_nothing_of_is_told_who_can_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = Runtime(MarimoHost(), NbAsk()).put(Ask(Question("Name?")))
    assert reply.kind == "unavailable"
    assert reply.reason == (  # type: ignore[union-attr]
        "in marimo, only a running cell's own thread can ask and wait; in a cell, nbask.marimo.ask(...) asks without "
        "waiting"
    )


@pytest.mark.parametrize(
    ("files", "request_", "fronts"), [(True, None, ("card",)), (False, {}, ("card",)), (False, None, ())]
)
def test_c26_an_export_has_nobody_to_ask(
    monkeypatch: pytest.MonkeyPatch, files: bool, request_: Any, fronts: tuple[str, ...]
) -> None:
    context = SimpleNamespace(virtual_files_supported=files, request=request_)
    monkeypatch.setattr(Session, "context", context)
    assert route(MarimoHost().facts(Facts())).fronts == fronts


def test_a_kept_card_is_read_between_cells_and_shows_how_its_ask_ended_until_it_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(built, "text", lambda name: f"/* nbask 0123abcd */ {name}")
    gate, desk, shown = MarimoGate(Here()), Desk(), []
    front = CardFront(desk, gate, copy_context, show=lambda *what: shown.append(what), stubs=False)
    desk.observe(front.close)
    pending = desk.open(Ask(Question("Name?")))
    model_id = front.open(pending, keep=True)
    assert model_id not in gate._handlers
    card = front._shown[pending].card
    assert card is not None
    desk.settle(pending.ask.id, Declined())
    for message in ({"type": "attached", "view": "v1"}, {"type": "detached", "view": "v1"}):
        card.receive({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})
    assert front._shown[pending].card is card
    assert (card.phase["state"], card.phase["kind"]) == ("ended", "declined")
    front.drop(pending)
    assert front._shown == {}
    assert shown == []


def test_without_stubs_each_card_carries_its_code_and_style(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "text", lambda name: f"/* nbask 0123abcd */ {name}")
    desk = Desk()
    front = CardFront(desk, MarimoGate(Here()), copy_context, show=lambda *_: None, stubs=False)
    cards = []
    for _ in range(2):
        pending = desk.open(Ask(Question("Name?")))
        front.show(pending)
        cards.append(front._shown[pending].card)
    assert [(card._esm[-7:], card._css[-8:]) for card in cards] == [("card.js", "card.css")] * 2


def test_a_question_that_is_answered_from_a_record_or_script_has_ended_when_it_is_posted() -> None:
    runtime = Runtime(MarimoHost(), NbAsk(timeout=5))
    assert runtime.post(Ask(Question("Name?"))).reply is None
    runtime.deciders.append(lambda ask: Declined(via="replayed"))
    pending = runtime.post(Ask(Question("Name?")))
    assert pending.reply is not None
    assert (pending.reply.kind, pending.reply.via, pending.ask.timeout) == ("declined", "replayed", None)


def test_the_reactive_twins_take_no_deadline_and_what_their_namesakes_refuse() -> None:
    import nbask.marimo

    with pytest.raises(ValueError, match=r"timeout=5 is for who waits; leave it out of nbask.marimo.ask\(\)"):
        nbask.marimo.ask("Red or blue?", ["Red", "Blue"], timeout=5)
    with pytest.raises(ValueError, match=r"ask\(\) has no keyword 'defualt'; did you mean 'default'"):
        nbask.marimo.ask("Red or blue?", ["Red", "Blue"], defualt="Red")  # type: ignore[call-arg]


def test_the_reactive_twins_are_those_of_aio() -> None:
    import nbask.marimo

    assert set(nbask.marimo.__all__) - {"Question"} == set(nbask.aio.__all__) - {"put"}


NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import nbask.marimo

    colour = nbask.marimo.ask("Red or blue?", ["Red", "Blue"], default="Blue", when_unanswered="default")
    colour
    return (colour, nbask)


@app.cell
def _(colour, nbask):
    print("value", colour.value, "-", colour.reply.reason)
    nbask.ask("How large?", ["Small", "Large"])


if __name__ == "__main__":
    app.run()
"""


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["-m", "marimo", "-y", "export", "html", "notebook.py", "-o", "out.html"], "this notebook is exported"),
        (["notebook.py"], "standard input is no terminal"),
    ],
    ids=["export", "script"],
)
def test_c26_a_notebook_without_a_person_takes_defaults_and_fails_at_once_with_the_question(
    tmp_path: Path, command: list[str], why: str
) -> None:
    (tmp_path / "notebook.py").write_text(NOTEBOOK)
    folders = {name: str(tmp_path) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")} | folders
    done = subprocess.run(
        [sys.executable, *command],
        check=False,
        cwd=tmp_path,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=90,
    )
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 1, said
    assert f"value Blue - {why}" in said
    assert f"no answer to 'How large?': {why}" in said
