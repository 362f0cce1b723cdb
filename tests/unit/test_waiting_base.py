"""What every way of waiting shares, and which kernel gets which."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Future, wait
from contextlib import nullcontext
from contextvars import ContextVar
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
import zmq

from nbask import Ask, Question
from nbask.desk import Desk, Pending
from nbask.replies import Declined
from nbask.testing import FakeClock
from nbask.waiting import answering, base, choose, foreseen, replace_output, show_under, wait_nested
from nbask.waiting import gate as gates
from nbask.waiting import tap as tap_module
from nbask.waiting.base import TICK, Finishing, Interrupts, block, settled, ticks
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


def test_an_await_ends_at_a_deadline_that_comes_some_ticks_later() -> None:
    pending = opened(Desk(), timeout=TICK * 2.5)
    asyncio.run(asyncio.wait_for(settled(pending), 5))
    assert (pending.remaining() or 0) <= 0
    assert not pending.done


def test_an_await_wakes_by_the_answer_and_not_by_its_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "TICK", 3600.0)
    desk = Desk()
    pending = opened(desk)

    async def main() -> None:
        waiting = asyncio.ensure_future(settled(pending))
        for _ in range(3):  # until it has had its first look
            await asyncio.sleep(0)
        await asyncio.to_thread(desk.settle, pending.ask.id, Declined())
        await asyncio.wait_for(waiting, 5)

    asyncio.run(main())


def test_an_await_that_has_ended_leaves_nothing_behind_in_its_loop() -> None:
    desk = Desk()

    async def main() -> None:
        pending = opened(desk)
        gone = weakref.ref(pending)
        waiting = asyncio.ensure_future(settled(pending))
        await asyncio.sleep(TICK / 10)
        desk.settle(pending.ask.id, Declined())
        await waiting
        del pending, waiting
        gc.collect()
        assert gone() is None

    asyncio.run(main())


def test_a_block_sleeps_between_its_looks() -> None:
    slept: list[float | None] = []

    class Thrice:
        @property
        def done(self) -> bool:
            return len(slept) == 3

        def remaining(self) -> None: ...

        def wait(self, timeout: float | None = None) -> bool:
            slept.append(timeout)
            return False

        def when_done(self, callback: Callable[[], None]) -> None: ...

    block(Thrice())
    assert slept == [TICK] * 3


def test_what_another_thread_finishes_is_waited_for_as_an_ask_is(in_thread: Runner) -> None:
    future: Future[str] = Future()
    finishing, woken = Finishing(future), threading.Event()
    finishing.when_done(woken.set)
    assert (finishing.done, finishing.wait(0), finishing.remaining(), woken.is_set()) == (False, False, None, False)
    waiting = in_thread(block, finishing)
    future.set_result("finished")
    assert waiting.result(5) is None
    assert (finishing.done, finishing.wait(), woken.is_set()) == (True, True, True)


def test_a_wait_ticks_and_its_last_tick_is_what_remains() -> None:
    clock = FakeClock()
    pending = opened(Desk(clock), timeout=TICK * 1.5)
    left = []
    for seconds in ticks(pending):
        left.append(seconds)
        clock.advance(seconds)
    assert left == [TICK, pytest.approx(TICK / 2)]


def test_a_closed_loop_does_not_fail_the_settling(caplog: pytest.LogCaptureFixture) -> None:
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
    assert caplog.records == []


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


def test_the_handler_that_was_there_is_told_where_the_interrupt_came() -> None:
    frames: list[Any] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: frames.append(frame))
    try:
        with Interrupts():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert [frame.f_code.co_filename for frame in frames] == [__file__]


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


def test_only_tasks_that_still_wait_are_cancelled_by_an_interrupt() -> None:
    async def main() -> str:
        hold = asyncio.Event()

        async def go_on() -> str:
            with Interrupts():
                await asyncio.sleep(0)
            await hold.wait()
            return "went on"

        task = asyncio.ensure_future(go_on())
        with Interrupts():
            for _ in range(3):
                await asyncio.sleep(0)
            signal.raise_signal(signal.SIGINT)
            with pytest.raises(asyncio.CancelledError):
                await asyncio.sleep(5)
        hold.set()
        return await task

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    loop = asyncio.new_event_loop()
    try:
        assert loop.run_until_complete(main()) == "went on"
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


PAGE = [b"page"]
"""The identities of who sends a message."""


class Stream:
    """A shell stream whose callback can be replaced; like the kernel's, it takes frames and not copies of them."""

    def __init__(self) -> None:
        self.usual: list[Any] = []
        self._recv_callback: Any = self.usual.append
        self.socket = object()

    def on_recv(self, callback: Any, copy: bool = True) -> None:
        assert copy is False
        self._recv_callback = callback

    def flush(self, flag: int) -> None: ...

    def receive(self, frames: Any) -> None:
        self._recv_callback(frames)


class Session:
    def feed_identities(self, frames: Any, copy: bool = True) -> tuple[list[bytes], list[Any]]:
        assert copy is False
        return PAGE, frames

    def unpack(self, data: bytes) -> Any:
        return json.loads(data)

    def deserialize(self, parts: Any, content: bool = True, copy: bool = True) -> dict[str, Any]:
        assert (content, copy) == (True, False)
        header = self.unpack(parts[1])
        return {"header": header, "msg_type": header["msg_type"], "content": self.unpack(parts[4])}


class Loop:
    """Runs what it is given at once, in this thread."""

    def add_callback(self, callback: Any, *args: Any) -> None:
        callback(*args)


def kernel(seven: bool) -> Any:
    published: list[str] = []
    shell_stream = Stream()

    def publish_status(status: str, channel: str, parent: Any = None) -> None:
        assert channel == "shell"
        assert parent["msg_type"]
        published.append(status)

    def handle(stream: Any, idents: Any, message: Any) -> None:
        assert (stream, idents) == (shell_stream, PAGE)
        published.append(message["msg_type"])

    made = SimpleNamespace(
        session=Session(),
        shell_stream=shell_stream,
        published=published,
        comm_manager=SimpleNamespace(
            comm_open=lambda stream, ident, message: published.append(message["msg_type"]),
            comm_close=lambda stream, ident, message: published.append(message["msg_type"]),
            get_comm=lambda comm_id: None,
        ),
        _publish_status=publish_status,
        shell_handlers=dict.fromkeys(("comm_open", "comm_msg", "comm_close"), handle),
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


@pytest.mark.parametrize(("attributes", "way"), [({"shell_channel_thread": None}, Tap), ({}, Gate)])
def test_the_way_is_foreseen_from_the_ipykernel_that_is_installed(
    monkeypatch: pytest.MonkeyPatch, attributes: Any, way: Any
) -> None:
    monkeypatch.setattr("ipykernel.kernelbase.Kernel", type("Kernel", (), attributes))
    assert foreseen() == (way.name, way.reason)


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
    assert Gate.missing(without(kernel(False), path)) == f"SimpleNamespace has no {path.rpartition('.')[2]}"


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


def test_releasing_what_was_never_adopted_does_nothing() -> None:
    tapped()[1].release("theirs")


@pytest.mark.parametrize("seven", [True, False])
def test_a_page_that_closes_one_of_our_comms_closes_it_in_the_kernel(seven: bool) -> None:
    made = kernel(seven)
    waiter = choose(made, no)
    waiter.install()
    waiter.adopt("ours", lambda message: pytest.fail("handled"))
    with waiter._closed() if isinstance(waiter, Gate) else nullcontext():
        made.shell_stream.receive(frames("comm_close", comm_id="ours"))
        assert made.published == ["busy", "comm_close", "idle"]
        assert not waiter._inlet.owns("ours")  # type: ignore[attr-defined]


def test_a_message_without_a_comm_id_is_nobodys() -> None:
    made, tap = tapped()
    tap.adopt("", lambda message: pytest.fail("handled"))
    made.shell_stream.receive(frames("comm_msg"))
    assert len(made.shell_stream.usual) == 1


def test_frames_of_pyzmq_are_read_as_bytes_are() -> None:
    made, tap = tapped()
    tap.adopt("ours", lambda message: made.published.append("ours"))
    tap._inlet.kernel.session.unpack = lambda data: (
        json.loads(data) if isinstance(data, bytes) else pytest.fail("frame")
    )
    packed = [SimpleNamespace(bytes=frame) for frame in frames("comm_msg", comm_id="ours")]
    assert tap._inlet.peek(packed) == ("comm_msg", "ours", "")


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
        assert (stream, idents, message["msg_type"]) == (made.shell_stream, PAGE, "kernel_info_request")
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
    assert made.shell_stream.usual == [frames("kernel_info_request")]


def test_what_a_reloaded_page_asks_goes_to_the_control_comms_own_handler(caplog: pytest.LogCaptureFixture) -> None:
    made, _ = tapped(waiting=True)
    control = SimpleNamespace(_msg_callback=lambda message: made.published.append(message["content"]["data"]))
    made.comm_manager.get_comm = {"control": control, "deaf": SimpleNamespace(_msg_callback=None)}.get
    for comm_id in ("control", "deaf", "gone"):
        made.shell_stream.receive(frames("comm_open", comm_id=comm_id, target_name=CONTROL_TARGET))
        made.published.clear()
        made.shell_stream.receive(frames("comm_msg", comm_id=comm_id, data="request_states"))
        assert made.published == ["busy", *["request_states"] * (comm_id == "control"), "idle"]
    assert (made.shell_stream.usual, caplog.records) == ([], [])


def test_comms_of_other_targets_are_opened_by_the_kernel_during_a_wait_too() -> None:
    made, _ = tapped(waiting=True)
    messages = [frames("comm_open", comm_id="theirs", target_name="other"), frames("comm_msg", comm_id="theirs")]
    for message in messages:
        made.shell_stream.receive(message)
    assert made.shell_stream.usual == messages


def test_what_a_tap_cannot_read_or_do_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    made, tap = tapped()
    made.shell_stream.receive([b"not", b"json"])
    assert "could not read a shell message" in caplog.text
    tap.adopt("ours", lambda message: {}["broken"])
    made.shell_stream.receive(frames("comm_msg", comm_id="ours"))
    assert "KeyError: 'broken'" in caplog.text


def test_a_tapped_kernel_blocks_and_awaits_until_the_ask_has_ended(in_thread: Runner) -> None:
    _, tap = tapped()
    for waits in (tap.wait, lambda pending: asyncio.run(tap.wait_async(pending))):
        desk = Desk()
        pending = opened(desk)
        waiting = in_thread(waits, pending)
        assert not wait([waiting], TICK / 2).done
        desk.settle(pending.ask.id, Declined())
        waiting.result(5)


def test_a_channel_thread_that_cannot_be_reached_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tap_module, "INSTALL_LIMIT", 0.01)
    made = kernel(True)
    made.shell_channel_thread.io_loop = SimpleNamespace(add_callback=lambda *_: None)
    with pytest.raises(RuntimeError, match="restart the kernel"):
        Tap(made, no).install()


def test_a_channel_that_another_socket_reads_too_is_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the shell channel thread has an inner socket for the main shell."""
    made, flags, state = kernel(True), [], []

    class Periodic:
        def __init__(self, callback: Any, every: float) -> None:
            assert every == tap_module.LISTEN_EVERY_MS
            self.start = lambda: state.append("started") or callback()
            self.stop = lambda: state.append("stopped")

    monkeypatch.setattr(tap_module, "PeriodicCallback", Periodic)
    made.shell_stream.flush = flags.append
    plain = Tap(made, no)
    plain.install()
    plain.uninstall()
    assert state == []
    made.shell_channel_thread._manager = SimpleNamespace(_shell_socket=None)
    tap = Tap(made, no)
    tap.install()
    tap.uninstall()
    assert (state, flags) == (["started", "stopped"], [zmq.POLLIN])
    assert tap._listening is None


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


def test_a_thread_opens_its_comm_once_the_main_threads_loop_has_closed_the_gate(
    in_thread: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gates, "REACH_LIMIT", 60.0)
    made, callbacks = kernel(False), SimpleQueue[Any]()
    gate, stream = Gate(made), made.shell_stream
    before = stream._recv_callback
    made.io_loop = SimpleNamespace(add_callback=lambda call, *args: callbacks.put(lambda: call(*args)))
    adopting = in_thread(gate.adopt, "ours", lambda message: None)
    close, tell = callbacks.get(timeout=5), callbacks.get(timeout=5)
    close()
    assert stream._recv_callback != before
    with pytest.raises(futures.TimeoutError):
        adopting.result(0.1)
    tell()
    adopting.result(5)


def test_a_thread_waits_no_longer_for_a_main_thread_that_does_not_give_way(
    in_thread: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gates, "REACH_LIMIT", 0.01)
    made = kernel(False)
    made.io_loop = SimpleNamespace(add_callback=lambda *_: None)
    in_thread(Gate(made).adopt, "ours", lambda message: None).result(5)


def test_a_gate_that_was_closed_before_a_threads_wait_is_opened_at_the_end_of_it(in_thread: Runner) -> None:
    """The comm may stay for long: a page that was reloaded still has a view of the card that has ended."""
    made, desk = kernel(False), Desk()
    gate, stream = Gate(made), made.shell_stream
    before, pending = stream._recv_callback, opened(desk)
    desk.settle(pending.ask.id, Declined())

    def ask() -> None:
        gate.adopt("ours", lambda message: None)
        gate.wait(pending)

    in_thread(ask).result(5)
    assert stream._recv_callback == before
    gate.cell_started()
    assert stream._recv_callback == before


class Channel(Stream):
    """A shell stream with a socket: `page` is the other end of it."""

    def __init__(self) -> None:
        super().__init__()
        self._context = zmq.Context()
        self.socket, self.page = self._context.socket(zmq.PAIR), self._context.socket(zmq.PAIR)
        self.socket.bind("inproc://shell")
        self.page.connect("inproc://shell")

    def flush(self, flag: int) -> None:
        assert flag == zmq.POLLIN
        while self.socket.poll(0):
            self.receive(self.socket.recv_multipart())

    def close(self) -> None:
        self._context.destroy(linger=0)


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A kernel of one thread with a real channel; who waits in it looks up for nothing but what comes."""
    monkeypatch.setattr(base, "TICK", 3600.0)
    made = kernel(False)
    made.shell_stream = Channel()
    yield made
    made.shell_stream.close()


@pytest.mark.parametrize("in_cell", [True, False])
def test_a_blocking_wait_reads_the_channel_until_the_answer_is_there(channel: Any, in_cell: bool) -> None:
    """In a cell, and where none runs: in a widget's callback."""
    gate, desk, stream = Gate(channel), Desk(), channel.shell_stream
    if not in_cell:
        gate.cell_ended()
    before = stream._recv_callback
    pending = opened(desk, timeout=20)

    def settle(message: Any) -> None:
        desk.settle(pending.ask.id, Declined())

    gate.adopt("ours", settle)
    for message in (frames("execute_request"), frames("comm_msg", comm_id="ours")):
        stream.page.send_multipart(message)
    gate.wait(pending)
    assert pending.done
    assert (len(stream.usual), stream._recv_callback) == (1, before)


def test_a_blocking_wait_is_woken_from_another_thread_which_is_heard_meanwhile(channel: Any, in_thread: Runner) -> None:
    gate, desk = Gate(channel), Desk()
    channel.io_loop = SimpleNamespace(add_callback=lambda *_: None)  # blocked, as the main thread is
    pending = opened(desk, timeout=20)
    heard: list[bool] = []

    def work() -> None:
        while not gate._pumping:
            time.sleep(0.001)
        heard.append(gate.reachable())
        desk.settle(pending.ask.id, Declined())

    working = in_thread(work)
    gate.wait(pending)
    working.result(5)
    assert (pending.done, heard) == (True, [True])
    assert in_thread(gate.reachable).result(5) is False


def test_a_blocking_wait_is_heard_still_when_another_within_it_has_ended(channel: Any, in_thread: Runner) -> None:
    gate, desk = Gate(channel), Desk()
    channel.io_loop = SimpleNamespace(add_callback=lambda *_: None)
    outer, inner = opened(desk, timeout=20), opened(desk, timeout=20)
    heard: list[bool] = []

    def ask_within(message: Any) -> None:
        desk.settle(inner.ask.id, Declined())
        gate.wait(inner)
        heard.append(in_thread(gate.reachable).result(5))
        desk.settle(outer.ask.id, Declined())

    gate.adopt("ours", ask_within)
    channel.shell_stream.page.send_multipart(frames("comm_msg", comm_id="ours"))
    gate.wait(outer)
    assert heard == [True]


def test_a_blocking_wait_ends_at_its_deadline(channel: Any) -> None:
    pending = opened(Desk(), timeout=0.05)
    Gate(channel).wait(pending)
    assert (pending.remaining() or 0) <= 0


def test_a_blocking_wait_with_less_than_a_millisecond_left_does_not_wait_without_end(channel: Any) -> None:
    left = iter([0.0005, 0.0])
    pending: Any = SimpleNamespace(done=False, remaining=lambda: next(left), when_done=lambda wake: None)
    Gate(channel).wait(pending)
    assert next(left, None) is None


def test_an_answer_after_a_blocking_wait_wakes_nobody_and_harms_nothing(
    channel: Any, caplog: pytest.LogCaptureFixture
) -> None:
    gate, clock = Gate(channel), FakeClock()
    desk = Desk(clock)
    pending = opened(desk, timeout=1)
    clock.advance(1)
    gate.wait(pending)
    assert desk.settle(pending.ask.id, Declined())
    assert caplog.records == []


def test_another_thread_is_heard_while_the_main_threads_loop_runs_or_no_cell_does(in_thread: Runner) -> None:
    made = kernel(False)
    gate = Gate(made)
    assert gate.reachable()  # in the main thread itself
    assert in_thread(gate.reachable).result(5) is True
    made.io_loop = SimpleNamespace(add_callback=lambda *_: None)
    assert in_thread(gate.reachable).result(5) is False
    gate.cell_ended()
    assert in_thread(gate.reachable).result(5) is True


@pytest.mark.parametrize("awaiting", [False, True])
def test_a_thread_that_waits_has_the_gate_closed_and_opened_by_the_main_threads_loop(
    in_thread: Runner, awaiting: bool
) -> None:
    made, desk = kernel(False), Desk()
    gate, stream = Gate(made), made.shell_stream
    before = stream._recv_callback
    pending = opened(desk)
    closed = threading.Event()
    made.io_loop = SimpleNamespace(add_callback=lambda call, *args: (call(*args), closed.set()))

    def work() -> None:
        asyncio.run(gate.wait_async(pending)) if awaiting else gate.wait(pending)

    working = in_thread(work)
    assert closed.wait(5)
    assert stream._recv_callback != before
    assert not working.done()
    desk.settle(pending.ask.id, Declined())
    working.result(5)
    assert stream._recv_callback == before


def test_an_await_lets_the_loop_run_with_the_gate_closed() -> None:
    made, desk = kernel(False), Desk()
    gate, stream = Gate(made), made.shell_stream
    pending = opened(desk)

    async def main() -> None:
        waiting = asyncio.ensure_future(gate.wait_async(pending))
        await asyncio.sleep(0)
        stream.receive(frames("execute_request"))
        assert stream.usual == []
        desk.settle(pending.ask.id, Declined())
        await asyncio.wait_for(waiting, 5)

    asyncio.run(main())
    assert len(stream.usual) == 1


def test_what_is_handed_over_runs_to_its_end_and_is_then_forgotten() -> None:
    made = kernel(False)
    gate, stream, ran = Gate(made), made.shell_stream, []

    async def dispatch(received: Any) -> None:
        await asyncio.sleep(0)
        ran.append(received)

    async def main() -> None:
        stream._recv_callback = dispatch
        with gate._closed():
            stream.receive(frames("execute_request"))
        assert len(gate._handing) == 1  # the loop keeps weak references only
        for _ in range(4):
            await asyncio.sleep(0)
        assert len(ran) == 1
        assert not gate._handing

    asyncio.run(main())


def test_a_page_is_told_of_the_kernel_while_the_gate_is_closed() -> None:
    made = kernel(False)
    gate = Gate(made)
    made.shell_handlers["kernel_info_request"] = made.shell_handlers["comm_msg"]
    with gate._closed():
        made.shell_stream.receive(frames("kernel_info_request"))
    assert made.published == ["busy", "kernel_info_request", "idle"]
    assert made.shell_stream.usual == []


def test_a_handler_that_fails_is_logged_and_does_not_end_the_wait(caplog: pytest.LogCaptureFixture) -> None:
    made = kernel(False)
    gate = Gate(made)
    gate.adopt("ours", lambda message: {}["broken"])
    with gate._closed():
        made.shell_stream.receive(frames("comm_msg", comm_id="ours"))
    assert "broken" in caplog.text
    assert made.shell_stream.usual == []


def test_a_gate_lets_go_of_a_comm_that_is_released() -> None:
    made = kernel(False)
    gate = Gate(made)
    gate.adopt("ours", lambda message: pytest.fail("handled"))
    gate.release("ours")
    with gate._closed():
        made.shell_stream.receive(frames("comm_msg", comm_id="ours"))
    assert made.published == ["busy", "comm_msg", "idle"]


def test_a_gate_lets_other_peoples_comms_through() -> None:
    made = kernel(False)
    with Gate(made)._closed():
        made.shell_stream.receive(frames("comm_msg", comm_id="theirs"))
    assert made.published == ["busy", "comm_msg", "idle"]


def test_a_comm_that_a_page_opens_by_an_id_of_ours_is_the_kernels_to_open() -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    with gate._closed():
        gate.adopt("ours", lambda message: made.published.append("ours"))
        stream.receive(frames("comm_open", comm_id="ours", target_name="theirs"))
    assert made.published == ["busy", "comm_open", "idle"]


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
    show_under(made, {"header": {"msg_id": "m1"}}, {"text/plain": "x"})
    (args, more), (args_without, _) = sent
    content = {"data": {"text/plain": "x"}, "metadata": {}, "transient": {"display_id": "d1"}}
    assert args == ("iopub", "display_data", content, {"header": {"msg_id": "m1"}})
    assert more == {"ident": b"display_data"}  # what subscribers filter by
    assert args_without[2]["transient"] == {}


def test_what_takes_the_place_of_an_output_is_sent_as_the_shells_own_updates_are() -> None:
    sent: list[Any] = []
    session = SimpleNamespace(send=lambda *args, **more: sent.append((args, more)))
    publisher = SimpleNamespace(session=session, pub_socket="iopub", parent_header={"msg_id": "m1"}, topic=b"display")
    replace_output(publisher, {"text/plain": "x"}, "d1")
    content = {"data": {"text/plain": "x"}, "metadata": {}, "transient": {"display_id": "d1"}}
    sent_as = ("iopub", "update_display_data", content, {"msg_id": "m1"})
    assert sent == [(sent_as, {"ident": b"display"})]


def test_a_message_the_gate_cannot_read_is_not_lost() -> None:
    made = kernel(False)
    gate, stream = Gate(made), made.shell_stream
    with gate._closed():
        stream.receive([b"not", b"json"])
    assert stream.usual == [[b"not", b"json"]]
