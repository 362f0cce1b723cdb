"""Where this process runs: a Jupyter kernel, IPython in a terminal, or plain Python."""

from __future__ import annotations

import getpass
import select
import sys
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any, Protocol

from nbask import routing

_TICK = 0.05


class Host(Protocol):
    """What the runtime needs of the place it runs in."""

    shell: Any
    kernel: Any

    @property
    def cannot_block(self) -> str:
        """Why nothing can block here, or an empty string."""
        ...

    def facts(
        self, *, headless: str, reachable: bool, attached: bool, ever_attached: bool, cards_unseen: int
    ) -> routing.Facts:
        """What routing wants to know, with what only the host knows added."""
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

    def show(self, bundle: dict[str, Any]) -> None:
        """Display a MIME bundle in the cell that runs now, where there is one."""
        ...

    def listen(self, cell_started: Callable[..., None], cell_ended: Callable[..., None]) -> None:
        """Have these called around each cell."""
        ...

    def stop_listening(self) -> None:
        """Undo :meth:`listen`."""
        ...


class KernelHost:
    """A Jupyter kernel with IPython in it."""

    @property
    def cannot_block(self) -> str:
        return _one_thread()

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.kernel = shell.kernel
        self._listeners: list[tuple[str, Callable[..., None]]] = []
        self._cell_context = copy_context()

    def facts(
        self, *, headless: str, reachable: bool, attached: bool, ever_attached: bool, cards_unseen: int
    ) -> routing.Facts:
        allow_stdin = bool(self._parent().get("content", {}).get("allow_stdin", True))
        return routing.Facts("kernel", allow_stdin, reachable, attached, ever_attached, cards_unseen, headless)  # type: ignore[arg-type]

    def cell(self) -> str | None:
        return self._parent().get("header", {}).get("msg_id")

    def context(self) -> Context:
        # ipykernel 7.0 keeps a cell's parent in a context variable that threads do not inherit.
        return copy_context() if self._parent_here() is not None else self._cell_context.copy()

    def read_line(self, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:
        from nbask.waiting.stdin import read_line

        return read_line(self.kernel, prompt, secret, stopped)

    def show(self, bundle: dict[str, Any]) -> None:
        from IPython.display import display

        self.context().run(display, bundle, raw=True)

    def listen(self, cell_started: Callable[..., None], cell_ended: Callable[..., None]) -> None:
        def started(*info: Any) -> None:
            self._cell_context = copy_context()
            cell_started(*info)

        # Not pre_execute and post_execute: comm messages fire those too.
        self._listeners = [("pre_run_cell", started), ("post_run_cell", cell_ended)]
        for event, callback in self._listeners:
            self.shell.events.register(event, callback)

    def stop_listening(self) -> None:
        for event, callback in self._listeners:
            self.shell.events.unregister(event, callback)
        self._listeners = []

    def _parent(self) -> dict[str, Any]:
        here = self._parent_here()
        return here if here is not None else self._cell_context.copy().run(self._parent_here) or {}

    def _parent_here(self) -> dict[str, Any] | None:
        try:
            return self.kernel.get_parent("shell")
        except LookupError:
            return None
        except TypeError:  # pyodide-kernel's takes no channel
            return self.kernel.get_parent()


class ConsoleHost:
    """IPython in a terminal, or plain Python: questions are asked as text."""

    def __init__(self, shell: Any | None = None) -> None:
        self.shell = shell
        self.kernel = None

    @property
    def cannot_block(self) -> str:
        return _one_thread()

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


def _one_thread() -> str:
    return "a Pyodide kernel has one thread and cannot block" if sys.platform == "emscripten" else ""


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


def find_host() -> Host:
    """Find out where this process runs; IPython is looked at only where it is loaded already."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return KernelHost(shell) if getattr(shell, "kernel", None) is not None else ConsoleHost(shell)
