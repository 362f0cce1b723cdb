"""IPython in a terminal, or plain Python."""

from __future__ import annotations

import getpass
import select
import sys
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from nbask import routing
from nbask.hosts.base import one_thread

_TICK = 0.05


class ConsoleHost:
    """IPython in a terminal, or plain Python: questions are asked as text."""

    def __init__(self, shell: Any | None = None) -> None:
        self.shell = shell
        self.kernel = None

    @property
    def cannot_block(self) -> str:
        return one_thread()

    def facts(
        self, *, headless: str, reachable: bool, attached: bool, ever_attached: bool, cards_unseen: int
    ) -> routing.Facts:
        name = "terminal" if self.shell is not None else "script"
        return routing.Facts(name, _stdin_is_a_terminal(), reachable, attached, ever_attached, cards_unseen, headless)  # type: ignore[arg-type]

    def cell(self) -> str | None:
        return None

    def context(self) -> Context:
        return copy_context()

    def read_line(self, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:
        if secret:
            return getpass.getpass(prompt)
        # Not input(): nothing can make that give up.
        print(prompt, end="", flush=True)  # noqa: T201
        while not _readable(sys.stdin):
            if stopped():
                print()  # noqa: T201
                return None
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    def show(self, bundle: dict[str, Any]) -> None: ...

    def listen(self, cell_started: Callable[..., None], cell_ended: Callable[..., None]) -> None: ...

    def stop_listening(self) -> None: ...


def _stdin_is_a_terminal() -> bool:
    try:
        return sys.stdin.isatty()
    except (AttributeError, ValueError):  # none, or closed
        return False


def _readable(stream: Any) -> bool:
    """Wait a moment for a line; where a console cannot be waited for (Windows), reading it blocks."""
    try:
        return bool(select.select([stream], [], [], _TICK)[0])
    except (OSError, ValueError):
        return True
