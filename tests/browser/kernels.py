"""The kernel beside `python3`, and what is done to a kernel from outside of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from lab import Lab
from playwright.sync_api import expect

OLD_KERNEL = "ipykernel-6.31.0"
"""The last of ipykernel 6, which reads its channels in one thread."""


def pid_of(lab: Lab) -> int:
    """The kernel's process, as it says itself."""
    at = lab.put("import os; print(os.getpid())")
    expect(lab.printed(at)).to_be_visible()
    return int(lab.printed(at).inner_text())


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """It stands still, so that what the page sends stays unanswered."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)
