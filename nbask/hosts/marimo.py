"""A marimo notebook: cards in the output of the cell that asks, by marimo's own means of output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import Context, copy_context
from dataclasses import replace
from typing import Any

from nbask import routing
from nbask.hosts.base import Host
from nbask.waiting.marimo import Session


class MarimoHost(Host):
    """A marimo notebook in its editor or as an app; a notebook run as a script is plain Python."""

    def __init__(self) -> None:
        self.shell = None
        self.kernel = Session()
        self._places: dict[str, tuple[Any, int]] = {}

    def facts(self, known: routing.Facts) -> routing.Facts:
        return replace(known, host="marimo", allow_stdin=self._attended())

    def cell(self) -> str | None:
        cell = self.kernel.cell
        return None if cell is None else f"{cell.cell_id} {id(cell)}"

    def context(self) -> Context:
        return copy_context()

    def read_line(self, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:  # noqa: ARG002
        raise EOFError  # nothing in marimo asks by text

    def show(self, bundle: dict[str, Any], display_id: str | None = None, update: bool = False) -> None:
        from marimo._runtime import output

        cell = self.kernel.cell
        if update:
            shown_in, index = self._places.pop(display_id or "", (None, 0))
            # Once its cell has ended the place is gone, and the card's own view shows how the ask ended.
            if cell is not None and shown_in is cell:
                output.replace_at_index(displayable(bundle), index)
        elif cell is not None:
            if display_id is not None:
                self._places[display_id] = (cell, len(cell.output))
            output.append(displayable(bundle))

    def listen(self, cell_started: Callable[..., None], cell_ended: Callable[..., None]) -> None: ...

    def stop_listening(self) -> None: ...

    def _attended(self) -> bool:
        """Whether a page shows what this notebook does: an export is for a file, and has no requests of a page's."""
        context = self.kernel.context
        return context is None or context.virtual_files_supported or context.request is not None


class _View:
    """A widget's view as an object that marimo displays."""

    def __init__(self, bundle: dict[str, Any]) -> None:
        self._bundle = bundle

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return dict(self._bundle)


def displayable(bundle: dict[str, Any]) -> Any:
    """A MIME bundle as marimo displays it: it would show one with several types as tabs to choose from."""
    import marimo

    return marimo.Html(bundle["text/html"]) if "text/html" in bundle else _View(bundle)


def when_cell_goes(call: Callable[[], object]) -> None:
    """Call `call` when the cell that runs now is run again or deleted."""
    from marimo._runtime.cell_lifecycle_item import CellLifecycleItem
    from marimo._runtime.context import get_context

    class End(CellLifecycleItem):
        def create(self, context: Any) -> None: ...

        def dispose(self, context: Any, deletion: bool) -> bool:  # noqa: ARG002
            call()
            return True

    get_context().cell_lifecycle_registry.add(End())


def in_marimo() -> bool:
    """Whether a kernel of marimo's runs in this process; none does where a notebook is run as a script."""
    # Not marimo.running_in_notebook(): that says no in threads that the notebook's code starts.
    return "marimo._runtime.kernel_lifecycle" in sys.modules
