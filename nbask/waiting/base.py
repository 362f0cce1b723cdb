"""How a caller blocks or awaits until its ask has ended: the interface, and what every way shares."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol

from typing_extensions import Self

from nbask.desk import Pending

TICK = 0.1
"""Seconds between looks at the world while waiting. A bare wait in C is not always interrupted by a
signal that another thread happens to receive (measured: 13 s for `await future`), so waits tick."""

Message = dict[str, Any]
Handler = Callable[[Message], None]


class Waitable(Protocol):
    """What can be blocked on: an open ask, or anything else that another thread finishes."""

    @property
    def done(self) -> bool: ...

    def remaining(self) -> float | None:
        """Seconds until it is given up; None where it is not."""
        ...

    def wait(self, timeout: float | None = None) -> bool: ...

    def when_done(self, callback: Callable[[], None]) -> None: ...


class Finishing:
    """A future that another thread's loop finishes, to be blocked on as an open ask is.

    Args:
        future: What is waited for.
    """

    def __init__(self, future: concurrent.futures.Future[Any]) -> None:
        self._future = future

    @property
    def done(self) -> bool:
        return self._future.done()

    def remaining(self) -> float | None:
        return None

    def wait(self, timeout: float | None = None) -> bool:
        return bool(concurrent.futures.wait([self._future], timeout).done)

    def when_done(self, callback: Callable[[], None]) -> None:
        self._future.add_done_callback(lambda _: callback())


class Waiter(Protocol):
    """One way of waiting, for one kernel.

    `name` and `reason` are what `%nbask` prints. `install` and `uninstall` may be called
    again without harm.
    """

    name: str
    reason: str

    def install(self) -> None:
        """Get ready to receive messages for adopted comms while cells wait."""
        ...

    def uninstall(self) -> None:
        """Put back what was there before :meth:`install`."""
        ...

    def adopt(self, comm_id: str, handle: Handler) -> None:
        """Have messages of one of nbask's own comms handled by `handle`, in whatever thread reads them."""
        ...

    def release(self, comm_id: str) -> None:
        """Stop that."""
        ...

    def reachable(self) -> bool:
        """Whether a comm message would be read while this thread waits; False means: ask by text too."""
        ...

    def wait(self, pending: Waitable) -> None:
        """Block until the ask has ended or its deadline has passed. Raises `KeyboardInterrupt` on an interrupt."""
        ...

    async def wait_async(self, pending: Pending) -> None:
        """Await the same. Raises `CancelledError` when the awaiting task is cancelled."""
        ...

    def cell_started(self) -> None:
        """A cell begins to run."""
        ...

    def cell_ended(self) -> None:
        """The cell has ended."""
        ...


def ticks(pending: Waitable) -> Iterator[float]:
    """Seconds to wait for, again and again, until the ask has ended or its deadline has passed."""
    while not pending.done:
        remaining = pending.remaining()
        if remaining is not None and remaining <= 0:
            return
        yield TICK if remaining is None else min(TICK, remaining)


def block(pending: Waitable) -> None:
    """Block this thread until the ask has ended or its deadline has passed."""
    for seconds in ticks(pending):
        pending.wait(seconds)


async def settled(pending: Pending) -> None:
    """Await the same, letting the loop run; it may be settled from any thread."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[None] = loop.create_future()
    ahead = ticks(pending)

    def finish() -> None:
        if not future.done():
            future.set_result(None)

    def wake() -> None:
        # The loop may have been closed by then, and an ask must not fail for that.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(finish)

    def tick() -> None:
        # The loop ticks and the task sleeps on: to wake it each time costs twice as much.
        nonlocal timer
        if (seconds := next(ahead, None)) is None:
            finish()
        else:
            timer = loop.call_later(seconds, tick)

    pending.when_done(wake)
    timer = loop.call_soon(tick)
    try:
        await future
    finally:
        timer.cancel()


class Interrupts:
    """Whether SIGINT came while it is entered: an interrupted `await` ends as a plain `CancelledError`.

    Wraps the handler that is there and calls it. Uses that overlap share one wrapper; one that finds
    another's handler in place (ipykernel sets its own for each asynchronous cell) wraps that. Where the
    handler is Python's own (IPython in a terminal), the awaiting tasks are cancelled instead, as other hosts do.
    """

    _lock = threading.Lock()
    _entered = 0
    _count = 0
    _awaiting: ClassVar[set[asyncio.Task[Any]]] = set()

    def __enter__(self) -> Self:
        cls = type(self)
        with cls._lock:
            self._seen = cls._count
            if in_main_thread():
                cls._entered += 1
                present = signal.getsignal(signal.SIGINT)
                if callable(present) and not hasattr(present, "nbask_before"):
                    signal.signal(signal.SIGINT, _counting(present))
                if (task := _task_here()) is not None:
                    cls._awaiting.add(task)
        return self

    def __exit__(self, *_: object) -> None:
        cls = type(self)
        with cls._lock:
            if not in_main_thread():
                return
            cls._entered -= 1
            cls._awaiting.discard(_task_here())  # type: ignore[arg-type]
            before = getattr(signal.getsignal(signal.SIGINT), "nbask_before", None)
            if not cls._entered and before is not None:
                signal.signal(signal.SIGINT, before)

    @property
    def came(self) -> bool:
        """Whether SIGINT came since this was entered."""
        return type(self)._count > self._seen


def _counting(before: Any) -> Any:
    def handle(number: int, frame: Any) -> None:
        Interrupts._count += 1
        awaiting = list(Interrupts._awaiting)
        if before is not signal.default_int_handler or not awaiting:
            before(number, frame)
            return
        # What it raises in the loop's own code would leave the tasks behind, to go on when the loop next runs.
        Interrupts._awaiting.clear()  # so that a second one raises all the same
        for task in awaiting:
            task.get_loop().call_soon_threadsafe(task.cancel)

    handle.nbask_before = before  # type: ignore[attr-defined]
    return handle


def _task_here() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs in this thread
        return None


def in_main_thread() -> bool:
    """Whether this is the thread that signals come to, and that ipykernel 6 reads its shell channel in."""
    return threading.current_thread() is threading.main_thread()
