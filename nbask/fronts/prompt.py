"""The text front: asks by typed lines, from a thread of its own, so that a card counts all the while."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context

from nbask.desk import Desk, Pending
from nbask.fronts.text import converse
from nbask.replies import Reply, Unavailable

log = logging.getLogger("nbask")

ReadLine = Callable[[str, bool, Callable[[], bool]], str | None]
"""Shows a prompt and returns the line, unseen if it is a secret; gives it up, with None, once the last says so."""
Seen = Callable[[Pending, float], bool]
"""Blocks until a view of the ask is seen, or for the seconds given; whether one was."""

Lend = Callable[[], AbstractContextManager[None]]
"""The screen, for as long as it is entered."""

_TICK = 0.05
_PATIENCE = 2.0
"""Seconds within which a prompt that is given up has put the terminal back as it was."""


class _Turns:
    """A person reads one question at a time, in the order they were asked; two prompts would share their keys."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._changed = threading.Condition()

    def join(self, ask_id: str) -> None:
        """Stand in line, once."""
        with self._changed:
            if ask_id not in self._waiting:
                self._waiting.append(ask_id)

    def wait(self, ask_id: str, ended: Callable[[], bool]) -> None:
        """Wait until it is this one's turn, or it has ended."""
        with self._changed:
            while self._waiting[0] != ask_id and not ended():
                self._changed.wait(_TICK)

    def leave(self, ask_id: str) -> None:
        """Leave the line."""
        with self._changed:
            self._waiting.remove(ask_id)
            self._changed.notify_all()


_TURNS = _Turns()


class PromptFront:
    """Asks by text; the first answer wins, and a prompt that lost is given up.

    Args:
        desk: Where to settle.
        read_line: Reads one line from the person.
        here: A context in which what is published belongs to the cell that runs now.
        lend: The screen, where what comes after an ask is shown on the same one as its prompt; the end of an
            ask then waits for its prompt to be gone.
    """

    name = "text"

    def __init__(self, desk: Desk, read_line: ReadLine, here: Callable[[], Context], lend: Lend | None = None) -> None:
        self._desk = desk
        self._read_line = read_line
        self._here = here
        self._lend = lend or nullcontext
        self._patience = _PATIENCE if lend is not None else 0.0
        self._talks: dict[str, threading.Event] = {}

    def show(self, pending: Pending, after: float = 0.0, seen: Seen | None = None) -> None:
        """Ask by text, once `after` seconds have passed without the ask being seen elsewhere."""
        if seen is None or not after:
            _TURNS.join(pending.ask.id)
        name = f"nbask {self.name} {pending.ask.id}"
        arguments = (self._ask, pending, after, seen)
        threading.Thread(target=self._here().run, args=arguments, name=name, daemon=True).start()

    def close(self, pending: Pending) -> None:
        """Wait until the prompt is gone, if need be; it looks for itself whether the ask has ended."""
        if (gone := self._talks.get(pending.ask.id)) is not None:
            gone.wait(self._patience)

    def _ask(self, pending: Pending, after: float, seen: Seen | None) -> None:
        if seen is not None and after and seen(pending, after):
            return
        _TURNS.join(pending.ask.id)
        gone = self._talks[pending.ask.id] = threading.Event()
        reply: Reply | None = None
        try:
            _TURNS.wait(pending.ask.id, lambda: _ended(pending))
            with self._lend():
                reply = None if _ended(pending) else self._talk(pending)
        except Exception:
            log.exception("the %s prompt of ask %s failed", self.name, pending.ask.id)
            if reply is None:  # else only the screen could not be given back
                if seen is not None and seen(pending, 0):
                    return  # its card can still be answered
                reply = Unavailable(via=self.name, reason="the question could not be asked as text")
        finally:
            del self._talks[pending.ask.id]
            gone.set()
            _TURNS.leave(pending.ask.id)
        if reply is not None:
            self._settle(pending, reply)

    def _talk(self, pending: Pending) -> Reply | None:
        """Put the ask to the person; None where it ended elsewhere."""
        return converse(
            pending.ask, lambda prompt, secret: self._read_line(prompt, secret, lambda: _ended(pending)), print
        )

    def _settle(self, pending: Pending, reply: Reply) -> None:
        self._desk.settle(pending.ask.id, reply)


def _ended(pending: Pending) -> bool:
    return pending.reply is not None
