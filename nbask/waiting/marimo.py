"""The gate for marimo, whose kernel reads what its page sends only between cells.

While a cell waits here it reads marimo's control queue itself: messages of nbask's own cards are handled at
once, everything else is held and put back at the front of the queue, in order, when the wait ends. As on
ipykernel 6, several asks share one gate and none outlives its cell. See `docs/decisions/0007-marimo.md`.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import queue
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nbask.desk import Pending
from nbask.waiting.base import Handler, Waitable, block, settled, ticks

log = logging.getLogger("nbask")

POLL = 0.03
"""Seconds between looks at the queue while a cell awaits: nothing wakes an event loop when a process queue fills."""


class Session:
    """The marimo session that the calling thread belongs to, looked up at every use.

    `marimo edit` has one a process, in the main thread; `marimo run` has one a thread for each page.
    """

    @property
    def context(self) -> Any:
        """marimo's runtime context, or None in a thread that has none."""
        from marimo._runtime.context import safe_get_context

        return safe_get_context()

    @property
    def cell(self) -> Any:
        """The run of a cell that goes on in this thread, or None."""
        return getattr(self.context, "execution_context", None)

    @property
    def queue(self) -> Any:
        """The control queue, or None where it cannot be read."""
        found = _nonlocal(getattr(self.context, "_kernel", None), "control_queue")
        read = getattr(found, "get", None)
        return None if read is None or inspect.iscoroutinefunction(read) else found

    @property
    def missing(self) -> str | None:
        """Why no answer can reach a cell that waits here, in one sentence; None where it can."""
        if self.cell is None:
            return "marimo shows a question only in a cell that runs, and only to the cell's own thread"
        if self.queue is None:
            return "marimo gives this cell no queue to read answers from (an embedded app, or another version)"
        return None


class _Front(threading.local):
    """What is to be read before the rest of this thread's queue, and the gate that holds it back."""

    def __init__(self) -> None:
        self.held: deque[Any] = deque()
        self.first: deque[Any] = deque()
        self.waits = 0


class Stopped(Exception):
    """The session ends, so nobody will answer."""


class MarimoGate:
    """Lets the messages of nbask's cards through while a marimo cell waits."""

    name = "gate"
    reason = "marimo reads its page's messages between cells, so a cell that waits reads them itself"

    def __init__(self, session: Session) -> None:
        self._session = session
        self._handlers: dict[str, Handler] = {}
        self._front = _Front()

    def install(self) -> None: ...

    def uninstall(self) -> None: ...

    def adopt(self, comm_id: str, handle: Handler) -> None:
        self._handlers[comm_id] = handle

    def release(self, comm_id: str) -> None:
        self._handlers.pop(comm_id, None)

    def reachable(self) -> bool:
        return self._session.missing is None

    def wait(self, pending: Waitable) -> None:
        control, cell = self._session.queue, self._session.cell
        if control is None:
            block(pending)
            return
        try:
            with self._closed(control, cell):
                for seconds in ticks(pending):
                    self._take(control, seconds)
        except Stopped:
            raise KeyboardInterrupt from None

    async def wait_async(self, pending: Pending) -> None:
        control, cell = self._session.queue, self._session.cell
        if control is not None and cell is not None:
            try:
                with self._closed(control, cell):
                    for seconds in ticks(pending):
                        # A task can outlive its cell. Then marimo reads the queue again, and this must not.
                        if self._session.cell is not cell:
                            break
                        if not self._take(control, 0):
                            await asyncio.sleep(min(seconds, POLL))
            except Stopped:
                raise asyncio.CancelledError from None
        await settled(pending)

    def cell_started(self) -> None: ...

    def cell_ended(self) -> None: ...

    @contextmanager
    def _closed(self, control: Any, cell: Any) -> Iterator[None]:
        front = self._front
        front.waits += 1
        try:
            yield
        finally:
            front.waits -= 1
            if not front.waits and front.held:
                _put_back(control, front)
                if self._session.cell is not cell:
                    control.put(None)  # marimo waits at the queue already; it passes over a None, and looks again

    def _take(self, control: Any, seconds: float) -> bool:
        """Handle or hold what comes next, waiting for it so long; whether anything came."""
        try:
            request = control.get(seconds > 0, seconds)
        except queue.Empty:
            return False
        except (EOFError, OSError):  # the server is gone
            raise Stopped from None
        handle = self._handlers.get(getattr(request, "model_id", ""))
        if handle is None:
            self._front.held.append(request)
            if type(request).__name__ == "StopKernelCommand":
                raise Stopped
            return True
        try:
            handle(request.into_comm_payload())
        except Exception:  # it would end the wait that reads the queue
            log.exception("nbask failed on a message of its card")
        return True


def _put_back(control: Any, front: _Front) -> None:
    """Have the queue give what was held before anything else, as if it had never been taken."""
    installed = bool(front.first)
    front.first.extendleft(reversed(front.held))
    front.held.clear()
    if installed:
        return
    first, read = front.first, control.get

    def get(*args: Any, **kwargs: Any) -> Any:
        if not first:
            return read(*args, **kwargs)
        given = first.popleft()
        if not first:
            del control.get
        return given

    control.get = get


def _nonlocal(kernel: Any, name: str) -> Any:
    """A variable that marimo's kernel keeps in the function it queues requests with, or None."""
    enqueue = getattr(kernel, "enqueue_control_request", None)
    return inspect.getclosurevars(enqueue).nonlocals.get(name) if inspect.isfunction(enqueue) else None
