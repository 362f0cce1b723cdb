"""The desk: where open asks live, each settled exactly once, from any thread."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from nbask.questions import Ask
from nbask.replies import Reply, Withdrawn
from nbask.wire import DraftWire

log = logging.getLogger("nbask")


@dataclass(frozen=True)
class Clock:
    """Where the desk reads the time; tests give it another.

    Args:
        wall: Seconds since the epoch, for what is shown and recorded.
        steady: Seconds that never run backwards, for deadlines and elapsed times.
    """

    wall: Callable[[], float] = time.time
    steady: Callable[[], float] = time.monotonic


PAUSE = 5.0
"""Seconds for which a deadline stands still after something was typed or picked."""


class Pending:
    """An open ask: its reply once there is one, and ways to wait for it.

    Only the desk makes and settles it. `origin` names the cell that asked, or is None.
    """

    def __init__(self, ask: Ask, origin: str | None, clock: Clock) -> None:
        self.ask = ask
        self.origin = origin
        self.opened = clock.wall()
        self.draft: DraftWire | None = None
        self.reply: Reply | None = None
        self._clock = clock
        self._started = clock.steady()
        self._paused = 0.0
        self._paused_until = 0.0
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], object]] = []

    @property
    def done(self) -> bool:
        """Whether the ask has ended and every front was told."""
        return self._done.is_set()

    @property
    def elapsed(self) -> float:
        """Seconds since it was opened."""
        return self._clock.steady() - self._started

    def remaining(self) -> float | None:
        """Seconds until the deadline, negative once it has passed; None where there is none.

        Whoever waits looks at it every tick. A reply that is settled before that look counts.
        """
        return None if self.ask.timeout is None else self.ask.timeout + self._paused - self.elapsed

    @property
    def deadline(self) -> float | None:
        """When it ends unanswered, in seconds since the epoch; None where it does not."""
        return None if self.ask.timeout is None else self.opened + self.ask.timeout + self._paused

    @property
    def paused_until(self) -> float | None:
        """Until when the deadline stands still, in seconds since the epoch; None where it runs."""
        left = self._paused_until - self._clock.steady()
        return self._clock.wall() + left if left > 0 and self.ask.timeout is not None else None

    def touch(self) -> None:
        """Somebody types: the deadline stands still from now on, for a while."""
        now = self._clock.steady()
        self._paused += now + PAUSE - max(self._paused_until, now)
        self._paused_until = now + PAUSE

    def wait(self, timeout: float | None = None) -> bool:
        """Block this thread until the ask has ended, or for `timeout` seconds; whether it has ended."""
        return self._done.wait(timeout)

    def when_done(self, callback: Callable[[], object]) -> None:
        """Call `callback`, in whatever thread settles the ask, once it has ended; at once if it has."""
        with self._lock:
            if not self._done.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def finish(self) -> None:
        """Wake whoever waits; the desk's to call, once."""
        with self._lock:
            self._done.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            try:
                callback()
            except Exception:  # one waiter's fault must not keep the others waiting
                log.exception("a callback of ask %s failed", self.ask.id)


Observer = Callable[[Pending], None]


class Desk:
    """Open asks by id, in the order they were opened.

    Example:
        >>> from nbask.questions import Ask, Question
        >>> from nbask.replies import Declined
        >>> desk = Desk()
        >>> pending = desk.open(Ask(Question("Name?")))
        >>> desk.settle(pending.ask.id, Declined()), desk.settle(pending.ask.id, Declined())
        (True, False)
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._lock = threading.Lock()
        self._open: dict[str, Pending] = {}
        self._observers: list[Observer] = []

    def open(self, ask: Ask, origin: str | None = None) -> Pending:
        """Take in an ask.

        Raises:
            ValueError: An ask with this id is open already.
        """
        with self._lock:
            if ask.id in self._open:
                raise ValueError(f"ask {ask.id!r} is open already; build a new Ask for each time it is put")
            self._open[ask.id] = pending = Pending(ask, origin, self._clock)
        return pending

    def settle(self, ask_id: str, reply: Reply) -> bool:
        """End an ask.

        The reply is stamped with the elapsed time, observers are told, and only then is the
        asker woken: when its code goes on, every front already shows the end.

        Args:
            ask_id: The ask's id.
            reply: How it ended.

        Returns:
            True for the one call that ended it; False where it had ended already or was never open.
        """
        with self._lock:
            pending = self._open.pop(ask_id, None)
            if pending is None:
                return False
            pending.reply = replace(reply, elapsed=pending.elapsed)
            observers = list(self._observers)
        try:
            for observer in observers:
                _tell(observer, pending)
        finally:
            pending.finish()
        return True

    def withdraw(self, ask_id: str, reason: str = Withdrawn.reason) -> bool:
        """End an ask because its asker gave up; like :meth:`settle`."""
        return self.settle(ask_id, Withdrawn(reason=reason))

    def keep_draft(self, ask_id: str, draft: DraftWire) -> bool:
        """Keep what was typed and picked so far, and let the deadline wait; False where the ask is not open."""
        with self._lock:
            if (pending := self._open.get(ask_id)) is not None:
                pending.draft = draft
        return self.touch(ask_id)

    def touch(self, ask_id: str) -> bool:
        """Somebody types: let the deadline wait, where it is ours; False where the ask is not open."""
        with self._lock:
            pending = self._open.get(ask_id)
            if pending is not None and pending.ask.pausable:
                pending.touch()
            return pending is not None

    def snapshot(self) -> tuple[Pending, ...]:
        """The open asks, in the order they were opened."""
        with self._lock:
            return tuple(self._open.values())

    def observe(self, observer: Observer) -> Callable[[], None]:
        """Have `observer` told of each ask that ends, in the thread that ends it; returns the undo."""
        with self._lock:
            self._observers.append(observer)

        def stop() -> None:
            with self._lock:
                if observer in self._observers:
                    self._observers.remove(observer)

        return stop


def _tell(observer: Observer, pending: Pending) -> None:
    try:
        observer(pending)
    except Exception:  # one front's fault must not keep the asker waiting
        log.exception("an observer of the desk failed on ask %s", pending.ask.id)
