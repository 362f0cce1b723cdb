"""IPython in a terminal, or plain Python."""

from __future__ import annotations

import getpass
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import Context, copy_context
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from nbask import routing
from nbask.hosts.base import Host
from nbask.hosts.shared_screen import SharedScreen

_TICK = 0.05


class ConsoleHost(Host):
    """IPython in a terminal, or plain Python: questions are asked with arrow keys, or as text."""

    def __init__(self, shell: Any | None = None) -> None:
        self.shell = shell
        self.kernel = None
        self._screen = SharedScreen(shell)

    def facts(self, known: routing.Facts) -> routing.Facts:
        host = "terminal" if self.shell is not None else "script"
        return replace(known, host=host, allow_stdin=_is_a_terminal(sys.stdin), keys=_takes_keys())

    def cell(self) -> str | None:
        return None

    def context(self) -> Context:
        return copy_context()

    def read_line(self, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:
        if secret and not _can_hide():
            return getpass.getpass(prompt)  # which nothing can make give up
        with _unseen() if secret else nullcontext():
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

    def show(self, bundle: dict[str, Any], display_id: str | None = None, update: bool = False) -> None: ...

    def lend(self) -> AbstractContextManager[None]:
        """The terminal, for as long as it is entered; what is shown on it comes one after the other."""
        return self._screen.lend()

    def listen(self, cell_started: Callable[..., None], cell_ended: Callable[..., None]) -> None:
        self._screen.listen(cell_started, cell_ended)

    def stop_listening(self) -> None:
        self._screen.stop_listening()


def _is_a_terminal(stream: Any) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # none, or closed
        return False


def _takes_keys() -> bool:
    """Whether single keys can be read and the screen redrawn here, and what does it is installed."""
    drawn = _is_a_terminal(sys.stdin) and _is_a_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
    return drawn and find_spec("questionary") is not None


def _can_hide() -> bool:
    return find_spec("termios") is not None and _is_a_terminal(sys.stdin)


@contextmanager
def _unseen() -> Iterator[None]:
    """Keep the terminal from showing what is typed, but for the line's end."""
    import termios

    before = termios.tcgetattr(sys.stdin)
    hidden = [*before]
    hidden[3] = before[3] & ~termios.ECHO | termios.ECHONL
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, hidden)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _readable(stream: Any) -> bool:
    """Wait a moment for a line; where a console cannot be waited for (Windows), reading it blocks."""
    try:
        return bool(select.select([stream], [], [], _TICK)[0])
    except (OSError, ValueError):
        return True
