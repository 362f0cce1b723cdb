"""The tap: messages of nbask's comms are handled in ipykernel 7's shell channel thread, as they arrive.

One wrapper around the receive callback of `kernel.shell_stream`. Everything that is
not ours goes to the original callback untouched, so nothing is held and nothing
reordered; and the main thread may sleep, compute or wait meanwhile. See
`docs/decisions/0001-tap-and-gate.md`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

import zmq
from tornado.ioloop import PeriodicCallback

from nbask.desk import Pending
from nbask.waiting.base import Handler, Message, Waitable, block, settled
from nbask.waiting.inlet import CELL, INFO_KINDS, Inlet, missing_from

log = logging.getLogger("nbask")

CONTROL_TARGET = "jupyter.widget.control"
LISTEN_EVERY_MS = 100
"""ipykernel 7.0 to 7.3 send replies on the raw shell socket, which can swallow the sign that a message has
come (ipython/ipykernel#1529, #1554): the kernel then sits idle, deaf. Widget traffic that overlaps a cell's
end provokes it, so the tap looks for itself."""
INSTALL_LIMIT = 2.0
"""Seconds the shell channel thread has to take the wrapper in; it is idle but for passing messages on."""


class Tap:
    """Handles nbask's comm messages in the shell channel thread.

    Args:
        kernel: An ipykernel 7 kernel.
        waiting: Whether an ask is open. While one is, what a reloaded page asks for before it draws widgets
            (kernel and comm info, the widget control comm) is answered here too, since the main thread
            may not get to it.
        queued: Told of each cell that comes while an ask is open; it is run in its turn all the same.
    """

    name = "tap"
    reason = "this kernel reads its shell channel in a thread of its own (ipykernel 7)"

    def __init__(
        self, kernel: Any, waiting: Callable[[], bool], queued: Callable[[Message], None] = lambda _request: None
    ) -> None:
        self._kernel = kernel
        self._waiting = waiting
        self._queued = queued
        self._inlet = Inlet(kernel)
        self._control: set[str] = set()
        self._installed = False
        self._listening: Any = None
        # A comm opened in the tap's thread needs the context that the kernel's parent header lives in.
        self._context = copy_context()

    @staticmethod
    def missing(kernel: Any) -> str | None:
        """What this kernel lacks for a tap, in one sentence; None where it has all."""
        if getattr(kernel, "shell_channel_thread", None) is None:
            return "the kernel reads its shell channel in the main thread"
        if getattr(kernel.shell_channel_thread, "io_loop", None) is None:
            return "the shell channel thread has no io_loop"
        return missing_from(kernel)

    def install(self) -> None:
        if self._installed:
            return
        self._installed = True
        self._on_channel_thread(self._wrap)

    def uninstall(self) -> None:
        if not self._installed:
            return
        self._installed = False
        self._on_channel_thread(self._unwrap)

    def adopt(self, comm_id: str, handle: Handler) -> None:
        self._inlet.adopt(comm_id, handle)

    def release(self, comm_id: str) -> None:
        self._inlet.release(comm_id)

    def reachable(self) -> bool:
        return self._installed

    def wait(self, pending: Waitable) -> None:
        block(pending)

    async def wait_async(self, pending: Pending) -> None:
        await settled(pending)

    def cell_started(self) -> None: ...

    def cell_ended(self) -> None: ...

    def _on_channel_thread(self, change: Callable[[], None]) -> None:
        # Streams belong to their loop's thread.
        done = threading.Event()

        def run() -> None:
            try:
                change()
            finally:
                done.set()

        self._kernel.shell_channel_thread.io_loop.add_callback(run)
        if not done.wait(INSTALL_LIMIT):
            raise RuntimeError("nbask could not reach the kernel's shell channel thread; restart the kernel")

    def _wrap(self) -> None:
        stream = self._kernel.shell_stream
        original = _unwrapped(stream._recv_callback)

        def tapped(frames: list[Any]) -> Any:
            try:
                take = self._ours(frames)
            except Exception:
                log.exception("nbask could not read a shell message; it goes its usual way")
                take = None
            if take is None:
                return original(frames)
            try:
                return None if take() is not False else original(frames)
            except Exception:  # handled twice would be worse than badly once
                log.exception("nbask failed on a message of its own")
                return None

        tapped.nbask_original = original  # type: ignore[attr-defined]
        stream.on_recv(tapped, copy=False)
        manager = getattr(self._kernel.shell_channel_thread, "_manager", None)
        if hasattr(manager, "_shell_socket"):
            self._listening = PeriodicCallback(lambda: stream.flush(zmq.POLLIN), LISTEN_EVERY_MS)
            self._listening.start()

    def _unwrap(self) -> None:
        if self._listening is not None:
            self._listening.stop()
            self._listening = None
        stream = self._kernel.shell_stream
        stream.on_recv(_unwrapped(stream._recv_callback), copy=False)

    def _ours(self, frames: list[Any]) -> Callable[[], bool | None] | None:
        """What to do with a message in the kernel's stead; None, or a False from it, where it goes its usual way."""
        kind, comm_id, target = self._inlet.peek(frames)
        if kind in INFO_KINDS and self._waiting():
            return lambda: self._inlet.inform(frames)
        if kind == CELL and self._waiting():
            self._queued(self._inlet.header(frames))
        if not comm_id:
            return None
        if kind != "comm_open" and self._inlet.owns(comm_id):
            return lambda: self._inlet.handle(self._inlet.whole(frames)[1])
        if kind == "comm_open" and target == CONTROL_TARGET:
            self._control.add(comm_id)
        control = comm_id in self._control
        if kind == "comm_close":
            self._control.discard(comm_id)
        # Outside a wait the kernel answers the control comm itself, in the main thread as ever.
        if not control or not self._waiting():
            return None
        return lambda: self._answer_control(kind, self._inlet.whole(frames)[1])

    def _answer_control(self, kind: str, message: dict[str, Any]) -> None:
        manager = self._kernel.comm_manager

        def answer() -> None:
            with self._inlet.busy(message):
                if kind == "comm_open":
                    manager.comm_open(None, None, message)
                elif kind == "comm_close":
                    manager.comm_close(None, None, message)
                elif (comm := manager.get_comm(message["content"]["comm_id"])) is not None and comm._msg_callback:
                    comm._msg_callback(message)

        self._context.copy().run(answer)


def _unwrapped(callback: Any) -> Any:
    # A second copy of nbask (a reloaded module) must not tap the first one's tap.
    return getattr(callback, "nbask_original", callback)
