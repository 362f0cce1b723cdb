"""A Jupyter kernel with IPython in it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from nbask import routing
from nbask.hosts.base import one_thread


class KernelHost:
    """A Jupyter kernel with IPython in it."""

    @property
    def cannot_block(self) -> str:
        return one_thread()

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
