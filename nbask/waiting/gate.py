"""The gate: on a kernel with one thread, comm messages are let through while a cell waits, and the rest is held.

For the length of a wait the shell stream's receive callback is replaced: comm
messages are handled at once, everything else is kept and handed to the original
callback, in order, when the gate opens. Several asks share one gate. A gate never
outlives its cell, or every later cell would hang. See `docs/decisions/0001-tap-and-gate.md`.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from nbask.desk import Pending
from nbask.waiting.base import Handler, Message, Waitable, block, in_main_thread, settled, ticks
from nbask.waiting.inlet import CELL, COMM_KINDS, INFO_KINDS, Inlet, missing_from

log = logging.getLogger("nbask")

REACH_LIMIT = 0.3
"""Seconds a busy main thread has to show that its loop runs, before a worker's question goes to text as well."""


class Gate:
    """Lets comm messages through while a cell waits.

    Args:
        kernel: A kernel that reads its shell channel in the main thread (ipykernel 6).
        queued: Told of each cell that is held, which runs in its turn all the same.
    """

    name = "gate"
    reason = "this kernel reads its shell channel in the main thread (ipykernel 6)"

    def __init__(self, kernel: Any, queued: Callable[[Message], None] = lambda _request: None) -> None:
        self._kernel = kernel
        self._queued = queued
        self._inlet = Inlet(kernel)
        self._holders: set[object] = set()
        self._waiting: set[object] = set()
        self._held: list[Any] = []
        self._original: Any = None
        self._handing: set[Any] = set()
        self._pumping = 0
        self._early: dict[int, str] = {}
        """By thread, the comm for which it has had the gate closed before it waits."""
        # nbask is nearly always loaded by a running cell; from then on IPython's events say.
        self._cell_running = True

    @staticmethod
    def missing(kernel: Any) -> str | None:
        """What this kernel lacks for a gate, in one sentence; None where it has all."""
        if getattr(kernel, "shell_channel_thread", None) is not None:
            return "the kernel reads its shell channel in a thread of its own"
        if (missing := missing_from(kernel)) is not None:
            return missing
        stream = kernel.shell_stream
        for owner, name in ((kernel, "io_loop"), (stream, "socket"), (stream, "flush")):
            if getattr(owner, name, None) is None:
                return f"{type(owner).__name__} has no {name}"
        return None

    def install(self) -> None: ...

    def uninstall(self) -> None:
        self._open_for_good()

    def adopt(self, comm_id: str, handle: Handler) -> None:
        self._inlet.adopt(comm_id, handle)
        if self._cell_running and not self._pumping and not in_main_thread():
            # A page may speak before this thread waits, and what comes to an open gate is for after the cell.
            # Its wait takes over: an ended card's comm may stay for long, for a view of it that is still there.
            self._early[threading.get_ident()] = comm_id
            closed, loop = threading.Event(), self._kernel.io_loop
            loop.add_callback(self._enter, comm_id)
            loop.add_callback(closed.set)
            closed.wait(REACH_LIMIT)

    def release(self, comm_id: str) -> None:
        self._inlet.release(comm_id)
        if comm_id in self._waiting:
            self._kernel.io_loop.add_callback(self._leave, comm_id)

    def reachable(self) -> bool:
        if in_main_thread() or not self._cell_running or self._pumping:
            return True
        running = threading.Event()
        self._kernel.io_loop.add_callback(running.set)
        return running.wait(REACH_LIMIT)

    def wait(self, pending: Waitable) -> None:
        if not in_main_thread():
            with self._closed_from_afar():
                block(pending)
            return
        # Also where no cell runs (a widget's callback that asks): this thread reads the channel from here on.
        with self._closed(blocking=True):
            self._pump(pending)

    async def wait_async(self, pending: Pending) -> None:
        if not in_main_thread():
            with self._closed_from_afar():
                await settled(pending)
            return
        with self._closed():
            await settled(pending)

    def cell_started(self) -> None:
        self._cell_running = True
        for holder in list(self._waiting):  # asked while no cell ran, and open still
            self._enter(holder)

    def cell_ended(self) -> None:
        self._cell_running = False
        self._open_for_good()

    @contextmanager
    def _closed(self, blocking: bool = False) -> Iterator[None]:
        holder = object()
        self._enter(holder, blocking)
        try:
            yield
        finally:
            self._leave(holder)

    @contextmanager
    def _closed_from_afar(self) -> Iterator[None]:
        # The stream is the main thread's: its loop closes and opens the gate as soon as it runs, which
        # it does while a cell awaits. Where it is blocked, the text front asks instead.
        holder, loop = object(), self._kernel.io_loop
        loop.add_callback(self._enter, holder)
        loop.add_callback(self._leave, self._early.pop(threading.get_ident(), None))
        try:
            yield
        finally:
            loop.add_callback(self._leave, holder)

    def _enter(self, holder: object, blocking: bool = False) -> None:
        self._waiting.add(holder)
        if not self._cell_running and not blocking:
            return  # an idle kernel handles comms by itself
        if not self._holders:
            stream = self._kernel.shell_stream
            self._original = stream._recv_callback
            stream.on_recv(self._receive, copy=False)
        self._holders.add(holder)

    def _leave(self, holder: object) -> None:
        self._waiting.discard(holder)
        if holder in self._holders:
            self._holders.discard(holder)
            if not self._holders:
                self._hand_over()

    def _open_for_good(self) -> None:
        if self._holders:
            self._holders.clear()
            self._hand_over()

    def _hand_over(self) -> None:
        original, held = self._original, self._held
        self._original, self._held = None, []
        self._kernel.shell_stream.on_recv(original, copy=False)
        for frames in held:
            result = original(frames)
            if inspect.isawaitable(result):
                task = asyncio.ensure_future(result)
                self._handing.add(task)  # a loop keeps weak references only
                task.add_done_callback(self._handing.discard)

    def _receive(self, frames: list[Any]) -> None:
        try:
            if not self._handle(frames):
                self._held.append(frames)
        except Exception:  # it would end the wait that reads the channel
            log.exception("nbask failed on a shell message while a cell waits")

    def _handle(self, frames: list[Any]) -> bool:
        """Handle what need not wait for the cell; whether it was such."""
        try:
            kind, comm_id, _ = self._inlet.peek(frames)
        except Exception:  # noqa: BLE001 - for the kernel to complain about
            return False
        if kind in INFO_KINDS:
            return self._inlet.inform(frames)
        if kind == CELL:
            self._queued(self._inlet.header(frames))
        if kind in COMM_KINDS:
            idents, message = self._inlet.whole(frames)
            if kind != "comm_open" and self._inlet.owns(comm_id):
                self._inlet.handle(message)
            else:
                with self._inlet.busy(message):
                    self._kernel.shell_handlers[kind](self._kernel.shell_stream, idents, message)
        return kind in COMM_KINDS

    def _pump(self, pending: Waitable) -> None:
        import zmq

        stream = self._kernel.shell_stream
        with _wakeup(pending) as woken:
            poller = zmq.Poller()
            poller.register(stream.socket, zmq.POLLIN)
            poller.register(woken, zmq.POLLIN)
            self._pumping += 1
            try:
                for seconds in ticks(pending):
                    # The socket's file descriptor is edge-triggered: flush takes all there is.
                    if stream.socket in dict(poller.poll(int(1000 * seconds) + 1)):
                        stream.flush(zmq.POLLIN)
            finally:
                self._pumping -= 1


@contextmanager
def _wakeup(pending: Waitable) -> Iterator[socket.socket]:
    """A socket that becomes readable when the ask has ended, whichever thread ended it."""
    reader, writer = socket.socketpair()

    def wake() -> None:
        with contextlib.suppress(OSError):
            writer.send(b"\0")

    pending.when_done(wake)
    try:
        yield reader
    finally:
        reader.close()
        writer.close()
