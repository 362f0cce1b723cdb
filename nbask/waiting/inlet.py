"""Reading a kernel's raw shell messages, and handling those of nbask's own comms; shared by tap and gate."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nbask.waiting.base import Handler, Message

COMM_KINDS = {"comm_open", "comm_msg", "comm_close"}
CELL = "execute_request"
INFO_KINDS = {"kernel_info_request", "comm_info_request"}
"""What a reloaded page asks before it draws any widget; answering needs nothing of the running cell."""


class Inlet:
    """A kernel's session and comms, and who handles which comm."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel
        self._handlers: dict[str, Handler] = {}
        self._lock = threading.Lock()

    def adopt(self, comm_id: str, handle: Handler) -> None:
        with self._lock:
            self._handlers[comm_id] = handle

    def release(self, comm_id: str) -> None:
        with self._lock:
            self._handlers.pop(comm_id, None)

    def owns(self, comm_id: str) -> bool:
        with self._lock:
            return comm_id in self._handlers

    def peek(self, frames: list[Any]) -> tuple[str, str, str]:
        """A message's type, and for a comm message its comm id and target; the rest stays packed."""
        session = self.kernel.session
        _, parts = session.feed_identities(frames, copy=False)
        # Frames after the identities: signature, header, parent header, metadata, content.
        kind = session.unpack(_bytes(parts[1]))["msg_type"]
        if kind not in COMM_KINDS:
            return kind, "", ""
        content = session.unpack(_bytes(parts[4]))
        return kind, content.get("comm_id", ""), content.get("target_name", "")

    def header(self, frames: list[Any]) -> Message:
        """A message's header, as the parent of something else."""
        session = self.kernel.session
        _, parts = session.feed_identities(frames, copy=False)
        return {"header": session.unpack(_bytes(parts[1]))}

    def whole(self, frames: list[Any]) -> tuple[Any, Message]:
        """The message's identities and the message, unpacked and its signature checked."""
        session = self.kernel.session
        idents, parts = session.feed_identities(frames, copy=False)
        return idents, session.deserialize(parts, content=True, copy=False)

    def handle(self, message: Message) -> None:
        """Handle a message for one of our comms, in this thread."""
        comm_id = message["content"]["comm_id"]
        with self._lock:
            handler = self._handlers.get(comm_id)
        if handler is None:
            return
        with self.busy(message):
            if message["msg_type"] == "comm_close":
                self.release(comm_id)
                self.kernel.comm_manager.comm_close(None, None, message)
            else:
                # Not comm.handle_msg: that also fires IPython's pre_execute and post_execute hooks, and
                # those (matplotlib's flush, say) belong to the running cell and the main thread.
                handler(message)

    def inform(self, frames: list[Any]) -> bool:
        """Answer a request for information, in the thread that owns the shell stream; whether that could be done."""
        idents, message = self.whole(frames)
        handler = self.kernel.shell_handlers[message["msg_type"]]
        with self.busy(message):
            return _ran_at_once(handler(self.kernel.shell_stream, idents, message))

    @contextmanager
    def busy(self, message: Message) -> Iterator[None]:
        """Publish `busy` and `idle` around the handling: front ends throttle their messages on that status."""
        self.kernel._publish_status("busy", "shell", parent=message)
        try:
            yield
        finally:
            self.kernel._publish_status("idle", "shell", parent=message)


def missing_from(kernel: Any) -> str | None:
    """What an inlet would need of this kernel and does not find, in one sentence; None where all is there."""
    for owner, names in (
        (kernel, ("session", "comm_manager", "shell_stream", "shell_handlers", "_publish_status")),
        (getattr(kernel, "shell_stream", None), ("_recv_callback", "on_recv")),
        (getattr(kernel, "session", None), ("feed_identities", "deserialize", "unpack")),
    ):
        for name in names:
            if getattr(owner, name, None) is None:
                return f"{type(owner).__name__} has no {name}"
    return None


def _ran_at_once(result: Any) -> bool:
    # These handlers are coroutines that never wait, so that no loop need run for them.
    if inspect.iscoroutine(result):
        try:
            result.send(None)
        except StopIteration:
            return True
        result.close()
        return False
    return True


def _bytes(frame: Any) -> bytes:
    return frame.bytes if hasattr(frame, "bytes") else bytes(frame)
