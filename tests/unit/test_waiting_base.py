"""What every way of waiting shares, and which kernel gets which."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import nullcontext
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

import pytest

from nbask import Ask, Question
from nbask.desk import Desk, Pending
from nbask.replies import Declined
from nbask.testing import FakeClock
from nbask.waiting import answering, choose, show_under, wait_nested
from nbask.waiting.base import TICK, Interrupts, block, settled, ticks
from nbask.waiting.gate import Gate
from nbask.waiting.inlet import missing_from
from nbask.waiting.plain import Plain
from nbask.waiting.tap import CONTROL_TARGET, Tap

Runner = Callable[..., Future[Any]]


def opened(desk: Desk, **rest: Any) -> Pending:
    return desk.open(Ask(Question("A?"), **rest))


# Blocking and awaiting


def test_a_block_is_woken_from_another_thread(in_thread: Runner) -> None:
    desk = Desk()
    pending = opened(desk)
    waiting = in_thread(block, pending)
    assert desk.settle(pending.ask.id, Declined())
    assert waiting.result(5) is None


def test_an_await_is_woken_from_another_thread() -> None:
    desk = Desk()
    pending = opened(desk)

    async def main() -> None:
        waiting = asyncio.ensure_future(settled(pending))
        await asyncio.sleep(0)
        threading.Thread(target=desk.settle, args=(pending.ask.id, Declined())).start()
        await asyncio.wait_for(waiting, 5)

    asyncio.run(main())
    assert pending.done


def test_an_ask_that_has_ended_is_not_waited_for() -> None:
    desk = Desk()
    pending = opened(desk)
    desk.settle(pending.ask.id, Declined())
    block(pending)
    asyncio.run(settled(pending))
    assert list(ticks(pending)) == []


def test_a_wait_ends_at_the_deadline() -> None:
    clock = FakeClock()
    pending = opened(Desk(clock), timeout=1)
    clock.advance(1)
    block(pending)
    asyncio.run(settled(pending))
    assert not pending.done


def test_a_wait_ticks_and_its_last_tick_is_what_remains() -> None:
    clock = FakeClock()
    pending = opened(Desk(clock), timeout=TICK * 1.5)
    left = []
    for seconds in ticks(pending):
        left.append(seconds)
        clock.advance(seconds)
    assert left == [TICK, pytest.approx(TICK / 2)]


def test_a_closed_loop_does_not_fail_the_settling() -> None:
    desk = Desk()
    pending = opened(desk)
    loop = asyncio.new_event_loop()

    async def begin() -> asyncio.Task[None]:
        task = asyncio.ensure_future(settled(pending))
        await asyncio.sleep(0)
        task.cancel()
        return task

    task = loop.run_until_complete(begin())
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(task)
    loop.close()
    assert desk.settle(pending.ask.id, Declined())
    assert pending.done


def test_a_plain_wait_cannot_be_reached_by_comms() -> None:
    waiter = Plain()
    waiter.install()
    waiter.uninstall()
    waiter.adopt("c", lambda message: None)
    waiter.release("c")
    waiter.cell_started()
    waiter.cell_ended()
    assert (waiter.reachable(), waiter.name) == (False, "plain")


def test_a_nested_wait_without_a_running_loop_is_a_plain_one() -> None:
    desk = Desk()
    pending = opened(desk)
    desk.settle(pending.ask.id, Declined())
    wait_nested(Plain(), pending)
    assert pending.done


# Interrupts


@pytest.fixture
def handled() -> Iterator[list[int]]:
    """A SIGINT handler that only counts."""
    calls: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: calls.append(number))
    yield calls
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_seen_and_handed_on(handled: list[int]) -> None:
    with Interrupts() as interrupts:
        assert not interrupts.came
        signal.raise_signal(signal.SIGINT)
        assert interrupts.came
    assert handled == [signal.SIGINT]


def test_an_interrupt_before_entering_does_not_count(handled: list[int]) -> None:
    with Interrupts():
        signal.raise_signal(signal.SIGINT)
    with Interrupts() as interrupts:
        assert not interrupts.came
    assert len(handled) == 1


def test_interrupts_nest_and_restore_the_handler(handled: list[int]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts() as outer:
        with Interrupts() as inner:
            signal.raise_signal(signal.SIGINT)
        assert (outer.came, inner.came) == (True, True)
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
    assert len(handled) == 1


def test_interrupts_may_overlap(handled: list[int]) -> None:
    before = signal.getsignal(signal.SIGINT)
    first, second = Interrupts(), Interrupts()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    signal.raise_signal(signal.SIGINT)
    assert second.came
    second.__exit__(None, None, None)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_handler_that_somebody_else_set_meanwhile_is_left_alone(handled: list[int]) -> None:
    def theirs(number: int, frame: Any) -> None: ...

    with Interrupts():
        signal.signal(signal.SIGINT, theirs)
    assert signal.getsignal(signal.SIGINT) is theirs


def test_a_handler_wrapped_around_ours_does_not_call_itself_for_ever(handled: list[int]) -> None:
    with Interrupts():
        ours: Any = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, ours)
        with Interrupts() as inner:
            signal.raise_signal(signal.SIGINT)
            assert inner.came
    assert len(handled) == 1


def test_pythons_own_handler_would_leave_awaiting_tasks_behind_so_they_are_cancelled() -> None:
    """As in IPython in a terminal, whose loop goes on with a later cell."""

    async def wait() -> None:
        with Interrupts() as interrupts:
            try:
                signal.raise_signal(signal.SIGINT)
                await asyncio.sleep(5)
            finally:
                assert interrupts.came

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(asyncio.CancelledError):
            loop.run_until_complete(wait())
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        loop.close()
        signal.signal(signal.SIGINT, before)


def test_a_second_interrupt_is_pythons_own_for_code_that_does_not_give_way() -> None:
    async def wait() -> None:
        with Interrupts():
            signal.raise_signal(signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(5)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(asyncio.CancelledError):
            loop.run_until_complete(wait())
    finally:
        loop.close()
        signal.signal(signal.SIGINT, before)


def test_an_ignored_interrupt_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGINT)
            assert not interrupts.came
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_thread_sees_interrupts_and_touches_no_handler(handled: list[int], in_thread: Runner) -> None:
    before = signal.getsignal(signal.SIGINT)

    def work() -> tuple[bool, Any]:
        with Interrupts() as interrupts:
            return interrupts.came, signal.getsignal(signal.SIGINT)

    assert in_thread(work).result(5) == (False, before)


# Which kernel gets which


class Stream:
    """A shell stream whose callback can be replaced."""

    def __init__(self) -> None:
        self.usual: list[Any] = []
        self._recv_callback: Any = self.usual.append
        self.socket = object()

    def on_recv(self, callback: Any, copy: bool = True) -> None:
        self._recv_callback = callback

    def flush(self, flag: int) -> None: ...

    def receive(self, frames: Any) -> None:
        self._recv_callback(frames)


class Session:
    def feed_identities(self, frames: Any, copy: bool = True) -> tuple[list[bytes], list[Any]]:
        return [], frames

    def unpack(self, data: bytes) -> Any:
        return json.loads(data)

    def deserialize(self, parts: Any, content: bool = True, copy: bool = True) -> dict[str, Any]:
        header = self.unpack(parts[1])
        return {"header": header, "msg_type": header["msg_type"], "content": self.unpack(parts[4])}


class Loop:
    """Runs what it is given at once, in this thread."""

    def add_callback(self, callback: Any, *args: Any) -> None:
        callback(*args)


def kernel(seven: bool) -> Any:
    published: list[str] = []
    made = SimpleNamespace(
        session=Session(),
        shell_stream=Stream(),
        published=published,
        comm_manager=SimpleNamespace(
            comm_open=lambda *_: published.append("comm_open"),
            comm_close=lambda *_: published.append("comm_close"),
            get_comm=lambda comm_id: None,
        ),
        _publish_status=lambda status, channel, parent=None: published.append(status),
        shell_handlers={
            kind: lambda stream, idents, message: published.append(message["msg_type"])
            for kind in ("comm_open", "comm_msg", "comm_close")
        },
        io_loop=Loop(),
    )
    if seven:
        made.shell_channel_thread = SimpleNamespace(io_loop=Loop())
    return made


def frames(kind: str, **content: Any) -> list[bytes]:
    return [b"signature", json.dumps({"msg_type": kind}).encode(), b"{}", b"{}", json.dumps(content).encode()]


def no() -> bool:
    return False


@pytest.mark.parametrize(("seven", "name"), [(True, "tap"), (False, "gate")])
def test_a_kernel_gets_the_way_that_fits_it(seven: bool, name: str) -> None:
    assert choose(kernel(seven), no).name == name


def test_without_a_kernel_the_wait_is_plain() -> None:
    assert (choose(None, no).name, choose(None, no).reason) == ("plain", "no Jupyter kernel runs here")


def test_a_kernel_that_fits_none_is_told_why_in_one_sentence_each() -> None:
    waiter = choose(SimpleNamespace(), no)
    assert waiter.name == "plain"
    assert re.fullmatch(r"no tap: the kernel reads [^;]+; no gate: SimpleNamespace has no \w+", waiter.reason)


@pytest.mark.parametrize(("route", "seven"), [("gate", True), ("tap", False)])
def test_a_way_that_is_insisted_on_is_not_replaced_by_another(route: str, seven: bool) -> None:
    waiter = choose(kernel(seven), no, route)
    assert waiter.name == "plain"
    assert f"no {route}:" in waiter.reason


SHARED = ["session", "comm_manager", "shell_stream", "shell_handlers", "_publish_status"]
INNER = [
    "shell_stream._recv_callback",
    "shell_stream.on_recv",
    "session.feed_identities",
    "session.deserialize",
    "session.unpack",
]


def without(made: Any, path: str) -> Any:
    owner, _, name = path.rpartition(".")
    holder = getattr(made, owner) if owner else made
    names = {one: getattr(holder, one) for one in dir(holder) if not one.startswith("__") and one != name}
    bare = SimpleNamespace(**names)
    if owner:
        setattr(made, owner, bare)
        return made
    return bare


@pytest.mark.parametrize("path", [*SHARED, *INNER, "shell_channel_thread", "shell_channel_thread.io_loop"])
def test_a_tap_says_what_a_kernel_lacks(path: str) -> None:
    assert Tap.missing(kernel(True)) is None
    missing = Tap.missing(without(kernel(True), path))
    assert missing is not None
    assert path.rpartition(".")[2] in missing or path == "shell_channel_thread"


@pytest.mark.parametrize("path", [*SHARED, *INNER, "io_loop", "shell_stream.socket", "shell_stream.flush"])
def test_a_gate_says_what_a_kernel_lacks(path: str) -> None:
    assert Gate.missing(kernel(False)) is None
    missing = Gate.missing(without(kernel(False), path))
    assert missing is not None
    assert path.rpartition(".")[2] in missing


def test_what_both_need_is_all_there_in_a_whole_kernel() -> None:
    assert missing_from(kernel(False)) is None
    assert missing_from(SimpleNamespace()) == "SimpleNamespace has no session"


# The tap


def tapped(waiting: bool = False) -> tuple[Any, Tap]:
    made = kernel(True)
    tap = Tap(made, lambda: waiting)
    tap.install()
    return made, tap


def test_a_tap_handles_its_own_comms_between_busy_and_idle() -> None:
    made, tap = tapped()
    tap.adopt("ours", lambda message: made.published.append(message["content"]["data"]))
    made.shell_stream.receive(frames("comm_msg", comm_id="ours", data="hello"))
    assert made.published == ["busy", "hello", "idle"]
    assert made.shell_stream.usual == []


@pytest.mark.parametrize(
    "message",
    [
        frames("execute_request", code="1"),
        frames("comm_msg", comm_id="theirs"),
        frames("comm_open", comm_id="ours", target_name="jupyter.widget"),
        frames("comm_open", comm_id="control", target_name=CONTROL_TARGET),
        [b"not", b"json"],
        [],
    ],
)
def test_a_tap_lets_everything_else_go_its_usual_way(message: Any) -> None:
    made, tap = tapped()
    tap.adopt("ours", lambda message: pytest.fail("handled"))
    made.shell_stream.receive(message)
    assert made.shell_stream.usual == [message]
    assert made.published == []


def test_a_released_comm_goes_its_usual_way() -> None:
    made, tap = tapped()
    tap.adopt("ours", lambda message: pytest.fail("handled"))
    tap.release("ours")
    made.shell_stream.receive(frames("comm_msg", comm_id="ours"))
    assert len(made.shell_stream.usual) == 1


def test_a_reloaded_pages_control_comm_is_answered_during_a_wait() -> None:
    made, _ = tapped(waiting=True)
    made.shell_stream.receive(frames("comm_open", comm_id="control", target_name=CONTROL_TARGET))
    made.shell_stream.receive(frames("comm_close", comm_id="control"))
    assert made.published == ["busy", "comm_open", "idle", "busy", "comm_close", "idle"]
    assert made.shell_stream.usual == []


def informing(made: Any, handler: Any) -> None:
    made.shell_handlers["kernel_info_request"] = handler


def test_a_reloaded_page_is_told_of_the_kernel_during_a_wait() -> None:
    made, _ = tapped(waiting=True)

    async def inform(stream: Any, idents: Any, message: Any) -> None:
        made.published.append("informed")

    informing(made, inform)
    made.shell_stream.receive(frames("kernel_info_request"))
    assert made.published == ["busy", "informed", "idle"]
    assert made.shell_stream.usual == []


def test_outside_a_wait_the_kernel_informs_by_itself() -> None:
    made, _ = tapped()
    informing(made, lambda *_: pytest.fail("handled"))
    made.shell_stream.receive(frames("kernel_info_request"))
    assert len(made.shell_stream.usual) == 1


def test_an_info_handler_that_would_wait_goes_its_usual_way() -> None:
    made, _ = tapped(waiting=True)

    async def wait(stream: Any, idents: Any, message: Any) -> None:
        await asyncio.sleep(0)

    informing(made, wait)
    made.shell_stream.receive(frames("kernel_info_request"))
    assert len(made.shell_stream.usual) == 1


def test_a_closed_control_comm_is_forgotten() -> None:
    made, tap = tapped(waiting=True)
    for _ in range(3):
        made.shell_stream.receive(frames("comm_open", comm_id="control", target_name=CONTROL_TARGET))
        made.shell_stream.receive(frames("comm_close", comm_id="control"))
    assert not tap._control


def test_a_handler_that_fails_is_not_handled_twice() -> None:
    made, tap = tapped()

    def fail(message: Any) -> None:
        raise RuntimeError("broken")

    tap.adopt("ours", fail)
    made.shell_stream.receive(frames("comm_msg", comm_id="ours"))
    assert made.published == ["busy", "idle"]
    assert made.shell_stream.usual == []


def test_installing_twice_wraps_once_and_uninstalling_restores() -> None:
    made = kernel(True)
    before = made.shell_stream._recv_callback
    first, second = Tap(made, no), Tap(made, no)
    first.install()
    first.install()
    second.install()
    assert made.shell_stream._recv_callback.nbask_original == before
    assert (first.reachable(), second.reachable()) == (True, True)
    second.uninstall()
    second.uninstall()
    assert made.shell_stream._recv_callback == before
    assert not second.reachable()


# The gate


def test_a_gate_holds_what_is_not_a_comm_and_hands_it_over_in_order() -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    with gate._closed():
        gate.adopt("ours", lambda message: made.published.append("ours"))
        for message in (
            frames("execute_request", n=1),
            frames("comm_msg", comm_id="ours"),
            frames("execute_request", n=2),
        ):
            stream.receive(message)
        assert made.published == ["busy", "ours", "idle"]
        assert stream.usual == []
    assert [json.loads(held[4])["n"] for held in stream.usual] == [1, 2]


def test_a_gate_is_closed_before_a_thread_of_a_running_cell_opens_its_comm(in_thread: Runner) -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    before = stream._recv_callback
    in_thread(gate.adopt, "ours", lambda message: None).result(5)
    assert stream._recv_callback != before
    gate.release("ours")
    assert stream._recv_callback == before


def test_a_gate_lets_other_peoples_comms_through() -> None:
    made = kernel(False)
    with Gate(made)._closed():
        made.shell_stream.receive(frames("comm_msg", comm_id="theirs"))
    assert made.published == ["busy", "comm_msg", "idle"]


def test_several_asks_share_one_gate_and_the_last_opens_it() -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    before = stream._recv_callback
    with gate._closed():
        with gate._closed():
            stream.receive(frames("execute_request"))
        assert stream.usual == []
    assert len(stream.usual) == 1
    assert stream._recv_callback == before


@pytest.mark.parametrize("end", ["cell_ended", "uninstall"])
def test_a_gate_never_outlives_its_cell(end: str) -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    before = stream._recv_callback
    with gate._closed():
        stream.receive(frames("execute_request"))
        getattr(gate, end)()
        assert (stream._recv_callback, len(stream.usual)) == (before, 1)
    assert stream._recv_callback == before


def test_a_gate_stays_open_where_an_await_goes_on_without_a_cell() -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    before = stream._recv_callback
    gate.cell_ended()
    with gate._closed():
        assert stream._recv_callback == before


def test_a_gate_closes_when_a_cell_begins_under_an_ask_of_before() -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    before = stream._recv_callback
    gate.cell_ended()
    with gate._closed():
        gate.cell_started()
        assert stream._recv_callback != before
        gate.cell_ended()
        assert stream._recv_callback == before
    gate.cell_started()
    assert stream._recv_callback == before


@pytest.mark.parametrize("seven", [True, False])
def test_a_cell_that_queues_while_an_ask_is_open_is_told_of_and_runs_in_its_turn(seven: bool) -> None:
    made, told = kernel(seven), []
    waiter = choose(made, lambda: True, queued=told.append)
    waiter.install()
    with waiter._closed() if isinstance(waiter, Gate) else nullcontext():
        made.shell_stream.receive(frames("execute_request", n=1))
        made.shell_stream.receive(frames("history_request"))
    assert told == [{"header": {"msg_type": "execute_request"}}]
    assert len(made.shell_stream.usual) == 2
    waiter.uninstall()


def test_what_a_comm_publishes_as_an_answer_has_the_message_as_its_parent() -> None:
    """As ipykernel 7 and 6 keep it; elsewhere there is nothing to keep."""
    parent: ContextVar[Any] = ContextVar("parent")
    seven, six = SimpleNamespace(_shell_parent=parent), SimpleNamespace(_parents={"shell": "the cell"})
    parent.set("the cell")
    with answering(seven, {"n": 1}), answering(six, {"n": 1}), answering(None, {}):
        assert (parent.get(), six._parents["shell"]) == ({"n": 1}, {"n": 1})
    assert (parent.get(), six._parents["shell"]) == ("the cell", "the cell")


def test_what_is_shown_under_a_cell_has_its_request_as_the_parent() -> None:
    sent: list[Any] = []
    session = SimpleNamespace(send=lambda *args, **more: sent.append((args, more)))
    made = SimpleNamespace(session=session, iopub_socket="iopub")
    show_under(made, {"header": {"msg_id": "m1"}}, {"text/plain": "x"}, "d1")
    ((args, _),) = sent
    content = {"data": {"text/plain": "x"}, "metadata": {}, "transient": {"display_id": "d1"}}
    assert args == ("iopub", "display_data", content, {"header": {"msg_id": "m1"}})


def test_a_message_the_gate_cannot_read_is_not_lost() -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    with gate._closed():
        stream.receive([b"not", b"json"])
    assert stream.usual == [[b"not", b"json"]]
