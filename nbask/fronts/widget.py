"""What every widget of nbask's is, and what shows one in a page."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets
from ipywidgets.widgets import widget as ipywidgets_widget

from nbask.text import printable
from nbask.waiting import answering

VIEW = "application/vnd.jupyter.widget-view+json"


def view_of(model_id: str, words: str) -> dict[str, Any]:
    """The MIME bundle that shows a widget, or these words where there are none."""
    return {VIEW: {"version_major": 2, "version_minor": 0, "model_id": model_id}, "text/plain": printable(words)}


class Model(anywidget.AnyWidget):
    """A model whose messages may come past the kernel's own dispatch."""

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    # A Layout is a model of its own, sent and saved beside every card, and a card has no use for one.
    layout = traitlets.Any(None, allow_none=True).tag(sync=True)

    def receive(self, message: dict[str, Any]) -> None:
        """Take in a comm message that did not come through the kernel's own dispatch."""
        with answering(getattr(self.comm, "kernel", None), message):
            self._handle_msg(message)


class _Steady(dict[str, Any]):
    """ipywidgets' table of all widgets, which can be gone through while other threads make and close some.

    A page that loads asks for the state of every widget. If one comes or goes in that moment, ipywidgets'
    own table raises, and the page stays without any of them.
    """

    def values(self) -> Any:
        return list(super().values())


def steady_widgets() -> None:
    """Let ipywidgets' table of widgets bear threads; again does nothing."""
    if not isinstance(ipywidgets_widget._instances, _Steady):  # noqa: SLF001 - there is no public way to it
        ipywidgets_widget._instances = _Steady(ipywidgets_widget._instances)  # noqa: SLF001
