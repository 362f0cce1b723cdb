"""The text front: asks by typed lines, from a thread of its own, so that a card counts all the while."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextvars import Context

from nbask.desk import Desk, Pending
from nbask.fronts.text import converse
from nbask.replies import Unavailable

log = logging.getLogger("nbask")

ReadLine = Callable[[str, bool, Callable[[], bool]], str | None]
"""Shows a prompt and returns the line, unseen if it is a secret; gives it up, with None, once the last says so."""
Seen = Callable[[Pending, float], bool]
"""Blocks until a view of the ask is seen, or for the seconds given; whether one was."""


class PromptFront:
    """Asks by text; the first answer wins, and a prompt that lost is given up.

    Args:
        desk: Where to settle.
        read_line: Reads one line from the person.
        here: A context in which what is published belongs to the cell that runs now.
    """

    name = "text"

    def __init__(self, desk: Desk, read_line: ReadLine, here: Callable[[], Context]) -> None:
        self._desk = desk
        self._read_line = read_line
        self._here = here

    def show(self, pending: Pending, after: float = 0.0, seen: Seen | None = None) -> None:
        """Ask by text, once `after` seconds have passed without the ask being seen elsewhere."""
        name = f"nbask text {pending.ask.id}"
        arguments = (self._ask, pending, after, seen)
        threading.Thread(target=self._here().run, args=arguments, name=name, daemon=True).start()

    def close(self, pending: Pending) -> None:
        """Nothing to do: the prompt looks for itself whether the ask has ended."""

    def _ask(self, pending: Pending, after: float, seen: Seen | None) -> None:
        if seen is not None and after and seen(pending, after):
            return
        try:
            reply = converse(
                pending.ask, lambda prompt, secret: self._read_line(prompt, secret, lambda: _ended(pending)), print
            )
        except Exception:
            log.exception("the text prompt of ask %s failed", pending.ask.id)
            if seen is not None and seen(pending, 0):
                return  # its card can still be answered
            reply = Unavailable(via=self.name, reason="the question could not be asked as text")
        if reply is not None:
            self._desk.settle(pending.ask.id, reply)


def _ended(pending: Pending) -> bool:
    return pending.reply is not None
