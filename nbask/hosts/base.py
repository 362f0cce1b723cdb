"""What the runtime needs of the place it runs in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import Context
from typing import Any, Protocol

from nbask import routing


class Host(Protocol):
    """What the runtime needs of the place it runs in."""

    shell: Any
    kernel: Any

    @property
    def cannot_block(self) -> str:
        """Why nothing can block here, or an empty string."""
        return one_thread()

    def facts(self, known: routing.Facts) -> routing.Facts:
        """What is known, with what only the host knows added."""
        ...

    def cell(self) -> str | None:
        """A name for the cell that runs now, or None."""
        ...

    def context(self) -> Context:
        """A context in which what is published belongs to the cell that runs now."""
        ...

    def read_line(self, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:
        """Read one line from the person, in any thread and unseen if it is a secret; None once `stopped` says so."""
        ...

    def show(self, bundle: dict[str, Any], display_id: str | None = None, update: bool = False) -> None:
        """Display a MIME bundle in the cell that runs now, where there is one, or in place of what has that id."""
        ...

    def listen(self, cell_started: Callable[..., None], cell_ended: Callable[..., None]) -> None:
        """Have these called around each cell."""
        ...

    def stop_listening(self) -> None:
        """Undo :meth:`listen`."""
        ...


def one_thread() -> str:
    """Why nothing can block in this process, or an empty string."""
    return "a Pyodide kernel has one thread and cannot block" if sys.platform == "emscripten" else ""
