"""Calling something later, with a timer thread or, where a process has one thread only, on its event loop."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Protocol


class Later(Protocol):
    """Something that was put off."""

    def cancel(self) -> object:
        """Let it not happen."""
        ...


def later(seconds: float, call: Callable[[], None]) -> Later:
    """Call `call` after so many seconds, unless it is cancelled."""
    if sys.platform == "emscripten":
        return asyncio.get_running_loop().call_later(seconds, call)
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer
