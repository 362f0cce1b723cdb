"""What a front is: a way to show an open ask, and to take it away once it has ended.

A front knows the desk and no adapter. It turns what the person does into a reply
with :func:`nbask.reading.read_reply` and settles the ask at the desk, from any thread.
"""

from __future__ import annotations

from typing import Protocol

from nbask.desk import Pending


class Front(Protocol):
    """A way to reach the person; `name` is what a reply's `via` says."""

    name: str

    def show(self, pending: Pending) -> None:
        """Put an open ask before the person, in the calling thread's cell."""
        ...

    def close(self, pending: Pending) -> None:
        """Show how the ask ended, in whatever thread ended it. Does nothing for an ask it never showed."""
        ...
