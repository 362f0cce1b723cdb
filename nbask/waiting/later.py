"""Calling something later, in one thread for all of it or, where a process has one thread only, on its event loop."""

from __future__ import annotations

import asyncio
import heapq
import logging
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol

log = logging.getLogger("nbask")


class Later(Protocol):
    """Something that was put off."""

    def cancel(self) -> object:
        """Let it not happen."""
        ...


def later(seconds: float, call: Callable[[], object]) -> Later:
    """Call `call` after so many seconds, unless it is cancelled. It must not block: others may be due."""
    if sys.platform == "emscripten":
        return asyncio.get_running_loop().call_later(seconds, call)
    return _alarms.add(_Alarm(time.monotonic() + seconds, call))


class _Alarm:
    def __init__(self, due: float, call: Callable[[], object]) -> None:
        self.due = due
        self.call: Callable[[], object] | None = call

    def __lt__(self, other: _Alarm) -> bool:
        return self.due < other.due

    def cancel(self) -> None:
        self.call = None  # and what it refers to is free, long before its time


class _Alarms:
    """What is due, soonest first, and the thread that waits for it.

    One for all: to start a thread takes milliseconds where others want to run, and who has answered waits for it.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: list[_Alarm] = []
        self._thread: threading.Thread | None = None

    def add(self, alarm: _Alarm) -> _Alarm:
        with self._changed:
            heapq.heappush(self._due, alarm)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="nbask later", daemon=True)
                self._thread.start()
            elif self._due[0] is alarm:
                self._changed.notify()
        return alarm

    def _run(self) -> None:
        while True:
            alarm = self._next()
            if (call := alarm.call) is not None:
                try:
                    call()
                except Exception:
                    log.exception("nbask failed at something that it had put off")

    def _next(self) -> _Alarm:
        """Wait until something is due, and take it out."""
        with self._changed:
            while not self._due or (left := self._due[0].due - time.monotonic()) > 0:
                self._changed.wait(left if self._due else None)
            return heapq.heappop(self._due)


_alarms = _Alarms()
