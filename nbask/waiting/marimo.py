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
        enqueue = getattr(getattr(self.context, "_kernel", None), "enqueue_control_request", None)
        if not inspect.isfunction(enqueue):
            return None
        found = inspect.getclosurevars(enqueue).nonlocals.get("control_queue")
        return None if inspect.iscoroutinefunction(getattr(found, "get", None)) else found

    @property
    def missing(self) -> str | None:
        """Why no answer can reach a cell that waits here, in one sentence; None where it can."""
        if self.cell is None:
            return "marimo shows a question only in a cell that runs, and only to the cell's own thread"
        if self.queue is None:
            return "marimo gives this cell no queue to read answers from (an embedded app, or another version)"
        return None


class _Held(threading.local):
    """What the waits of this thread have read that is for marimo, in its order."""

    def __init__(self) -> None:
        self.requests: list[Any] = []


class Stopped(Exception):
    """The session ends, so nobody will answer."""


class MarimoGate:
    """Lets the messages of nbask's cards through while a marimo cell waits."""

    name = "gate"
    reason = "marimo reads its page's messages between cells, so a cell that waits reads them itself"

    def __init__(self, session: Session) -> None:
        self._session = session
        self._handlers: dict[str, Handler] = {}
        self._held = _Held()

    def install(self) -> None: ...

    def uninstall(self) -> None: ...

    def adopt(self, comm_id: str, handle: Handler) -> None:
        self._handlers[comm_id] = handle

    def release(self, comm_id: str) -> None:
        self._handlers.pop(comm_id, None)

    def reachable(self) -> bool:
        return self._session.missing is None

    def wait(self, pending: Waitable) -> None:
        if not self.reachable():
            block(pending)
            return
        try:
            with self._closed() as (control, _):
                for seconds in ticks(pending):
                    self._take(control, seconds)
        except Stopped:
            raise KeyboardInterrupt from None

    async def wait_async(self, pending: Pending) -> None:
        if self.reachable():
            try:
                with self._closed() as (control, cell):
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
    def _closed(self) -> Iterator[tuple[Any, Any]]:
        """The queue and the cell, until the wait ends and gives back what it and those beside it have held."""
        control, cell = self._session.queue, self._session.cell
        try:
            yield control, cell
        finally:
            if self._held.requests:
                _put_back(control, self._held.requests)
                if self._session.cell is not cell:
                    control.put(None)  # marimo waits at the queue already; it passes over a None, and looks again

    def _take(self, control: Any, seconds: float) -> bool:
        """Handle or hold what comes next, waiting for it so long; whether anything came."""
        try:
            request = control.get(timeout=seconds)
        except queue.Empty:
            return False
        except (EOFError, OSError):  # the server is gone
            raise Stopped from None
        handle = self._handlers.get(getattr(request, "model_id", ""))
        if handle is None:
            self._held.requests.append(request)
            if type(request).__name__ == "StopKernelCommand":
                raise Stopped
            return True
        try:
            handle(request.into_comm_payload())
        except Exception:  # it would end the wait that reads the queue
            log.exception("nbask failed on a message of its card")
        return True


def _put_back(control: Any, held: list[Any]) -> None:
    """Have the queue give what was held before anything else, as if it had never been taken."""
    first, read = deque(held), control.get
    held.clear()

    def get(*args: Any, **kwargs: Any) -> Any:
        if not first:  # who looked it up before asks again
            return read(*args, **kwargs)
        given = first.popleft()
        if not first:
            control.get = read
        return given

    control.get = get
