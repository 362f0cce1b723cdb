"""Publishing with another parent than the kernel has at that moment: under a certain cell, or as an answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from nbask.waiting.base import Message


def show_under(kernel: Any, request: Message, bundle: dict[str, Any], display_id: str | None = None) -> None:
    """Publish a MIME bundle as output of a cell that has ended, or is queued yet; from any thread.

    Args:
        kernel: The ipykernel kernel.
        request: The cell's execute request; its header is enough.
        bundle: What to show.
        display_id: By which the output can be replaced later.
    """
    transient = {} if display_id is None else {"display_id": display_id}
    content = {"data": bundle, "metadata": {}, "transient": transient}
    kernel.session.send(kernel.iopub_socket, "display_data", content, request, ident=b"display_data")


def replace_output(publisher: Any, bundle: dict[str, Any], display_id: str) -> None:
    """Publish a MIME bundle in place of an output that is there; from any thread.

    IPython's own way has another thread write out all that was printed, and waits for that, so that a new output
    comes after it. What takes the place of an old one need not wait, and an asker waits for it.

    Args:
        publisher: The display publisher of the kernel's shell.
        bundle: What to show.
        display_id: By which the output can be found.
    """
    content = {"data": bundle, "metadata": {}, "transient": {"display_id": display_id}}
    parent, socket = publisher.parent_header, publisher.pub_socket
    publisher.session.send(socket, "update_display_data", content, parent, ident=publisher.topic)


@contextmanager
def answering(kernel: Any, message: Message) -> Iterator[None]:
    """What comms publish in here is the answer to a message.

    A page that has sent a state takes no other page's until its own has come back to it, which it tells by the
    parent. Of the kernel's output nothing changes: that has a parent of its own.
    """
    parent, parents = getattr(kernel, "_shell_parent", None), getattr(kernel, "_parents", None)
    if isinstance(parent, ContextVar):
        token = parent.set(message)
        try:
            yield
        finally:
            parent.reset(token)
    elif isinstance(parents, dict):  # ipykernel 6
        before, parents["shell"] = parents.get("shell", {}), message
        try:
            yield
        finally:
            parents["shell"] = before
    else:
        yield
