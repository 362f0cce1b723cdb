"""A Jupyter kernel with IPython in it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from nbask import routing
from nbask.hosts.base import Host

_CELL: ContextVar[str | None] = ContextVar("nbask_cell", default=None)
"""The cell whose code this is. Tasks inherit it, and so know their cell long after it has ended; threads do not."""
APART = ""
"""In place of a cell's name, for code that belongs to no cell, whichever runs: that of agents outside the kernel."""


def belong_to_no_cell() -> None:
    """From now on, have what asks in this context belong to no cell."""
    _CELL.set(APART)


@dataclass
class _Cell:
    """A cell that was begun: its request, and the context its output needs."""

    request: dict[str, Any]
    context: Context
    thread: int | None
    depth: int = 1

    @property
    def name(self) -> str | None:
        return self.request.get("header", {}).get("msg_id")

    @property
    def allow_stdin(self) -> bool:
        return bool(self.request.get("content", {}).get("allow_stdin", True))


class KernelHost(Host):
    """A Jupyter kernel with IPython in it."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.kernel = shell.kernel
        self._listeners: list[tuple[str, Callable[..., None]]] = []
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._own_publisher: Any = None
        self._publisher()
        # nbask is nearly always loaded by a running cell; from then on IPython's events say.
        self._latest = self._cell_here(threading.main_thread().ident)
        self._running: dict[str | None, _Cell] = {self._latest.name: self._latest}

    def facts(self, known: routing.Facts) -> routing.Facts:
        cell = self._cell()
        return replace(
            known,
            host="fork" if self._forked else "kernel",
            allow_stdin=(cell or self._latest).allow_stdin or (cell is None and self._from_the_page()),
            cell_running=cell is not None,
            voila=os.environ.get("SERVER_SOFTWARE", "").startswith("voila/"),
        )

    def cell(self) -> str | None:
        cell = self._cell()
        return _CELL.get() if cell is None else cell.name

    def context(self) -> Context:
        # ipykernel 7 keeps a cell's parent in a context variable: threads do not inherit it, and what handles a
        # comm message while the cell waits has another one.
        cell, own = self._cell(), _CELL.get()
        if cell is not None:
            here = own == cell.name
        else:
            here = own == APART or self._from_the_page() or (own is not None and own == self._name_here())
        return copy_context() if here else (cell or self._latest).context.copy()

    def read_line(self, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:
        from nbask.waiting.stdin import read_line

        return read_line(self.kernel, prompt, secret, stopped)

    def show(self, bundle: dict[str, Any], display_id: str | None = None, update: bool = False) -> None:
        from IPython.display import display

        from nbask.waiting import replace_output

        publisher = self._publisher()
        if self._forked:
            return
        if publisher is None or display_id is None:
            self.context().run(display, bundle, raw=True, display_id=display_id, update=update)
        elif update:
            self.context().run(replace_output, publisher, bundle, display_id)
        else:
            self.context().run(partial(publisher.publish, bundle, transient={"display_id": display_id}))

    def request(self) -> dict[str, Any]:
        """The request of the cell that runs now, for what is shown under it later."""
        return (self._cell() or self._latest).request

    def busy(self) -> bool:
        """Whether any cell runs now."""
        return bool(self._running)

    def listen(self, cell_started: Callable[..., None], cell_ended: Callable[..., None]) -> None:
        def started(*info: Any) -> None:
            self._started()
            cell_started(*info)

        def ended(*result: Any) -> None:
            # An asynchronous cell ends outside of the task that it ran in.
            _CELL.set(self._name_here())
            try:
                cell_ended(*result)
            finally:
                self._ended()

        # Not pre_execute and post_execute: comm messages fire those too.
        self._listeners = [("pre_run_cell", started), ("post_run_cell", ended)]
        for event, callback in self._listeners:
            self.shell.events.register(event, callback)

    def stop_listening(self) -> None:
        for event, callback in self._listeners:
            self.shell.events.unregister(event, callback)
        self._listeners = []

    @property
    def _forked(self) -> bool:
        return os.getpid() != self._pid

    def _publisher(self) -> Any:
        """The kernel's own, if known: `%%capture` has another in its place, and a card that is captured nobody sees."""
        now = getattr(self.shell, "display_pub", None)
        if hasattr(now, "pub_socket"):
            self._own_publisher = now
        return self._own_publisher

    def _started(self) -> None:
        _CELL.set(self._name_here())
        cell = self._cell_here(threading.get_ident())
        with self._lock:
            if (outer := self._running.get(cell.name)) is not None:
                outer.depth += 1  # code of a cell may run code as a cell
                return
            # A thread runs one cell at a time (subshells have threads of their own): what is left has ended unheard.
            self._running = {name: one for name, one in self._running.items() if one.thread != cell.thread}
            self._running[cell.name] = self._latest = cell

    def _ended(self) -> None:
        with self._lock:
            cell = self._running.get(_CELL.get())
            if cell is not None:
                cell.depth -= 1
                if not cell.depth:
                    del self._running[cell.name]

    def _cell(self) -> _Cell | None:
        """The running cell that this code belongs to; None for code whose cell has ended, or while none runs."""
        own, here = _CELL.get(), self._name_here()
        if own == APART:
            return None
        with self._lock:
            if own is not None:
                # ipykernel 6 has one parent for all code: a task's output goes under the cell that runs.
                return self._running.get(own) or self._running.get(here)
            return self._running.get(self._latest.name) or next(reversed(self._running.values()), None)

    def _from_the_page(self) -> bool:
        """Whether a widget's callback asks: somebody has just clicked, and an Output widget may show what comes."""
        return self._parent_here().get("header", {}).get("msg_type") == "comm_msg"

    def _cell_here(self, thread: int | None) -> _Cell:
        return _Cell(self._parent_here(), copy_context(), thread)

    def _name_here(self) -> str | None:
        return self._parent_here().get("header", {}).get("msg_id")

    def _parent_here(self) -> dict[str, Any]:
        try:
            return self.kernel.get_parent("shell")
        except LookupError:  # in a thread, which ipykernel 7.0 has nothing for
            return {}
        except TypeError:  # pyodide-kernel's takes no channel
            return self.kernel.get_parent()
