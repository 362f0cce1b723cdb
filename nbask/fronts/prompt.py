"""The text front in a notebook: asks through `input()` beside the card when no view of it shows up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context

from nbask.desk import Desk, Pending
from nbask.fronts.text import converse

ReadLine = Callable[[str, Callable[[], bool]], str | None]
"""Shows a prompt and returns the line; gives it up, with None, once the second argument says so."""


class PromptFront:
    """Asks by text from a thread of its own, so that the card counts all the while; the first answer wins.

    Args:
        desk: Where to settle.
        read_line: Reads one line from the person.
        seen: Blocks until the ask is seen elsewhere, or for the seconds given; whether it was. None: nobody can tell.
    """

    name = "text"

    def __init__(self, desk: Desk, read_line: ReadLine, seen: Callable[[Pending, float], bool] | None) -> None:
        self._desk = desk
        self._read_line = read_line
        self._seen = seen

    def show(self, pending: Pending, after: float = 0.0) -> None:
        """Ask by text once `after` seconds have passed without the ask being seen."""
        context = copy_context()
        name = f"nbask text {pending.ask.id}"
        threading.Thread(target=context.run, args=(self._ask, pending, after), name=name, daemon=True).start()

    def close(self, pending: Pending) -> None:
        """Nothing to do: the prompt looks for itself whether the ask has ended."""

    def _ask(self, pending: Pending, after: float) -> None:
        if self._seen is not None and after and self._seen(pending, after):
            return
        reply = converse(pending.ask, lambda prompt: self._read_line(prompt, lambda: _ended(pending)), print)
        if reply is not None:
            self._desk.settle(pending.ask.id, reply)


def _ended(pending: Pending) -> bool:
    return pending.reply is not None
