"""marimo without its page: how its gate reads and gives back a queue, where it is detected, and runs with nobody there."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import queue
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from marimo._runtime.commands import ModelCommand, ModelCustomMessage, StopKernelCommand
from marimo._runtime.context.kernel_context import KernelRuntimeContext
from marimo._types.ids import CellId_t, WidgetModelId

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
from nbask.waiting.base import TICK
from nbask.waiting.marimo import MarimoGate

Runner = Callable[..., Future[Any]]


def model(card: str, content: str) -> ModelCommand:
    """A message of a widget."""
    return ModelCommand(WidgetModelId(card), ModelCustomMessage(content), [])


class Queue(queue.Queue[Any]):
    """marimo's control queue, which remembers how long each reader would have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[float | None] = []

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        self.looks.append(timeout if block else 0)
        return super().get(block, timeout)


@contextmanager
def context_of_marimo(enqueue: Any) -> Iterator[KernelRuntimeContext]:
    """marimo's own context in this thread, of a kernel that queues requests in this way."""
    kernel = SimpleNamespace(enqueue_control_request=enqueue)
    names = [field.name for field in dataclasses.fields(KernelRuntimeContext)]
    context = KernelRuntimeContext(**{**dict.fromkeys(names), "_kernel": kernel})
    with context.install():
        yield context


def enqueue_to(control: Any) -> Any:
    """How a kernel of marimo's queues requests."""
    from marimo._runtime.kernel_lifecycle import make_control_enqueuer

    del sys.modules["marimo._runtime.kernel_lifecycle"]  # nbask knows by it that marimo runs here
    return make_control_enqueuer(control, queue.Queue())


class Work:
    """What another thread finishes, once somebody waits for it."""

    done = False

    def remaining(self) -> None: ...

    def wait(self, timeout: float | None = None) -> bool:
        self.done = timeout is not None
        return self.done

    def when_done(self, callback: Callable[[], None]) -> None: ...


class Here(Session):
    """A session with a cell that runs, and a queue that a test fills."""

    cell: Any = object()
    queue: Any = None

    def __init__(self) -> None:
        self.queue = Queue()


class Marimo:
    """A gate, its session, and an ask whose card is `card`: its message `yes` ends it, else its deadline."""

    def __init__(self) -> None:
        self.session, self.desk = Here(), Desk()
        self.gate = MarimoGate(self.session)
        self.heard: list[str] = []
        self.pending = self.ask("card")

    def ask(self, card: str) -> Pending:
        pending = self.desk.open(Ask(Question("Name?"), timeout=5))

        def handle(payload: Any) -> None:
            content = payload["content"]["data"]["content"]
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
        self.send("the end")
        return list(iter(lambda: self.session.queue.get(timeout=5), "the end"))


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
    other = model("another widget", "moved")
    marimo.send("run 1", model("card", "attached"), other, "run 2", model("card", "yes"), "run 3")
    wait(marimo)
    assert marimo.heard == ["attached", "yes"]
    assert marimo.read() == ["run 1", other, "run 2", "run 3"]


@each_wait
def test_a_second_wait_gives_back_what_the_first_one_held_before_what_came_later(
    marimo: Marimo, wait: Callable[[Marimo], None]
) -> None:
    marimo.send("run 1", model("card", "yes"), "run 2")
    wait(marimo)
    marimo.pending = marimo.ask("second")
    marimo.send(model("second", "yes"), "run 3")
    wait(marimo)
    assert marimo.read() == ["run 1", "run 2", "run 3"]


@pytest.mark.parametrize(("wait", "look"), [("ask", TICK), ("await", 0)])
def test_a_blocked_cell_looks_for_a_tick_at_a_time_and_an_await_does_not_hold_up_its_loop(
    marimo: Marimo, wait: str, look: float
) -> None:
    marimo.send("run 1", model("card", "yes"))
    WAITS[wait](marimo)
    assert marimo.session.queue.looks == [look, look]


def test_an_answer_behind_much_else_is_awaited_without_a_pause(marimo: Marimo, monkeypatch: pytest.MonkeyPatch) -> None:
    async def pause(seconds: float) -> None:
        raise AssertionError(f"a pause of {seconds} s, with more to read")

    marimo.send("run 1", model("card", "attached"), "run 2", model("card", "yes"))
    monkeypatch.setattr(asyncio, "sleep", pause)
    WAITS["await"](marimo)
    assert marimo.read() == ["run 1", "run 2"]


def test_who_looked_up_how_to_read_before_all_was_given_back_reads_on(marimo: Marimo) -> None:
    marimo.send("run 1", model("card", "yes"))
    marimo.gate.wait(marimo.pending)
    read = marimo.session.queue.get
    assert marimo.read() == ["run 1"]
    marimo.send("run 2", "run 3")
    assert [read(True, 5), read(timeout=5)] == ["run 2", "run 3"]
    assert marimo.session.queue.looks[-2:] == [5, 5]


def test_asks_made_together_share_one_gate(marimo: Marimo) -> None:
    other = marimo.ask("other")
    marimo.send("run 1", model("other", "yes"), "run 2", model("card", "yes"), "run 3")

    async def cell() -> None:
        await asyncio.gather(marimo.gate.wait_async(marimo.pending), marimo.gate.wait_async(other))

    asyncio.run(asyncio.wait_for(cell(), 5))
    assert marimo.read() == ["run 1", "run 2", "run 3"]


def test_a_session_that_ends_takes_along_all_that_wait(marimo: Marimo) -> None:
    other = marimo.ask("other")
    marimo.send("run 1", StopKernelCommand())

    async def cell() -> list[Any]:
        waits = [marimo.gate.wait_async(pending) for pending in (marimo.pending, other)]
        return await asyncio.gather(*waits, return_exceptions=True)

    ends = asyncio.run(asyncio.wait_for(cell(), 5))
    assert [type(end) for end in ends] == [asyncio.CancelledError] * 2
    assert [type(request).__name__ for request in marimo.read()] == ["str", "StopKernelCommand"]


@pytest.mark.parametrize("lacks", ["cell", "queue"])
def test_where_no_answer_can_be_read_a_thread_blocks_and_leaves_the_queue_to_marimo(marimo: Marimo, lacks: str) -> None:
    control, work = marimo.session.queue, Work()
    setattr(marimo.session, lacks, None)
    marimo.gate.wait(work)
    assert work.done
    assert control.looks == []


@pytest.mark.parametrize("lacks", ["cell", "queue"])
def test_where_no_answer_can_be_read_a_task_awaits_and_leaves_the_queue_to_marimo(marimo: Marimo, lacks: str) -> None:
    control = marimo.session.queue
    setattr(marimo.session, lacks, None)

    async def background() -> None:
        task = asyncio.create_task(marimo.gate.wait_async(marimo.pending))
        await asyncio.sleep(0)
        assert not task.done()
        marimo.desk.settle(marimo.pending.ask.id, Declined())
        await asyncio.wait_for(task, 5)

    asyncio.run(background())
    assert control.looks == []


def test_a_card_whose_message_fails_does_not_end_the_wait(marimo: Marimo, caplog: pytest.LogCaptureFixture) -> None:
    def fail(content: Any) -> None:
        raise ValueError(content)

    marimo.gate.adopt("broken", fail)
    marimo.send(model("broken", "x"), model("card", "yes"))
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
        assert not task.done()
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

        def gone(**_: Any) -> None:
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


def test_a_cell_that_runs_in_marimo_is_reached_by_the_queue_its_kernel_keeps() -> None:
    control = queue.Queue()
    with context_of_marimo(enqueue_to(control)) as context:
        session = Session()
        assert session.queue is control
        assert "only in a cell that runs" in str(session.missing)
        with context.with_cell_id(CellId_t("cell")):
            assert session.cell is context.execution_context
            assert session.missing is None
            assert MarimoGate(session).reachable() is True


@pytest.mark.parametrize(
    "enqueue",
    [lambda _: None, enqueue_to(asyncio.Queue()), None],
    ids=["an embedded app", "a page without a server", "another version"],
)
def test_a_cell_whose_queue_cannot_be_read_says_so(enqueue: Any) -> None:
    with context_of_marimo(enqueue) as context, context.with_cell_id(CellId_t("cell")):
        session = Session()
        assert session.queue is None
        assert str(session.missing).startswith("marimo gives this cell no queue to read answers from")


def test_a_thread_of_no_marimo_has_no_cell_and_no_queue() -> None:
    assert (Session().context, Session().cell, Session().queue) == (None, None, None)


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
