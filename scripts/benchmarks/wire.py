"""What a kernel publishes, as it comes over the wire: read by a socket of its own, beside the driver's."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

import zmq
from driver import Kernel
from typing_extensions import Self

PATIENCE_MS = 20_000
MARK = b"<IDS|MSG>"
CONNECTION = "from ipykernel.connect import get_connection_info\nprint(get_connection_info())"


@dataclass(frozen=True)
class Message:
    """One message: its content, the content's bytes, and those of the whole (signature and headers included)."""

    kind: str
    content: dict[str, Any]
    content_bytes: int
    whole_bytes: int


class Wire:
    """A second subscriber to a kernel's output, which looks at messages without unpacking them.

    The driver unpacks, checks and keeps each message before it gets to the next, and that is none of what is measured.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.SUB)
        self._socket.subscribe(b"")
        info = json.loads(kernel.run(CONNECTION).ok())
        self._socket.connect(f"{info['transport']}://{info['ip']}:{info['iopub_port']}")
        while not self._socket.poll(100):  # it has joined once it hears of a cell
            kernel.run("").ok()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.destroy(linger=0)

    def wait(self, sign: str) -> tuple[float, dict[str, Any]]:
        """Wait for a message that has these words in it.

        Returns:
            When it came, by the machine's steady clock, and its content.
        """
        while self._socket.poll(PATIENCE_MS):
            frames = self._socket.recv_multipart()
            at = time.perf_counter()
            if any(sign.encode() in frame for frame in frames):
                return at, json.loads(frames[frames.index(MARK) + 5])
        raise TimeoutError(f"no message with {sign!r} came within {PATIENCE_MS} ms")

    def drain(self, patience_ms: int = 0) -> list[Message]:
        """All messages that have come since, until none comes for so long."""
        messages: list[Message] = []
        while self._socket.poll(patience_ms):
            frames = self._socket.recv_multipart()
            start = frames.index(MARK)
            kind = json.loads(frames[start + 2])["msg_type"]
            messages.append(Message(kind, json.loads(frames[start + 5]), len(frames[start + 5]), sum(map(len, frames))))
        return messages
