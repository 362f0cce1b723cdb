"""One line from the person through the kernel's stdin channel, from any thread, given up when asked to.

`Kernel.raw_input` does the same but cannot be told to stop, and the prompt that lost
to a click on the card has to.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

_ONE_PROMPT = threading.Lock()
"""The stdin socket takes one request at a time, whichever thread makes it."""
_TICK_MS = 50


def can_read(kernel: Any) -> bool:
    """Whether this kernel has a stdin channel at all."""
    return getattr(kernel, "stdin_socket", None) is not None


def read_line(kernel: Any, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:
    """Ask the front end for a line of text.

    Args:
        kernel: The ipykernel kernel.
        prompt: Text shown beside the input box.
        secret: Whether the front end hides what is typed, and keeps it out of the notebook.
        stopped: Looked at every 50 ms; once it is true the prompt is given up.

    Returns:
        The line, or None where it was given up.

    Raises:
        EOFError: The person sent an end of file.
    """
    with _ONE_PROMPT:
        if stopped():
            return None
        session, socket = kernel.session, kernel.stdin_socket
        while socket.poll(0):  # replies to prompts given up before
            socket.recv_multipart()
        content = {"prompt": prompt, "password": secret}
        parent, ident = kernel.get_parent("shell"), kernel._parent_ident["shell"]
        session.send(socket, "input_request", content, parent, ident=ident)
        while not stopped():
            if not socket.poll(_TICK_MS):
                continue
            _, reply = session.recv(socket)
            if reply is not None:
                value = str(reply["content"].get("value", ""))
                if value == "\x04":
                    raise EOFError
                return value
    return None
