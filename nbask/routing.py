"""Which fronts an ask gets, and why: pure, so that `%nbask` can print it and a test can tabulate it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Host = Literal["kernel", "fork", "colab", "pyodide", "marimo", "terminal", "script"]
Headless = Literal["auto", "never", "always"]


BEFORE_THE_PAGE = "Voilà runs the cells before anybody sees the page; ask from a widget's callback, in an Output widget"


@dataclass(frozen=True)
class Facts:
    """What is known of the place an ask is made in.

    Args:
        host: A Jupyter kernel (Colab's and Pyodide's by their own names), a process forked from one, a marimo
            notebook, IPython in a terminal, or plain Python.
        allow_stdin: Whether the execute request allows input (kernel), or stdin is a terminal (the others).
        reachable: Whether comm messages would be read while the asking thread waits.
        attached: Whether a view of some card, or of the inbox, is attached to this kernel now.
        ever_attached: Whether one ever was.
        cards_unseen: How many cards nobody saw within their grace.
        headless: The setting: `"always"` and `"never"` overrule what was found.
        cell_running: Whether the cell that the ask belongs to runs now, so that its output is looked at and text
            would be read (kernel).
        inbox: Whether a view of the inbox is attached now.
        voila: Whether Voilà runs the notebook (kernel).
        keys: Whether single keys can be read and the screen redrawn (a terminal with questionary).
    """

    host: Host = "script"
    allow_stdin: bool = True
    reachable: bool = True
    attached: bool = False
    ever_attached: bool = False
    cards_unseen: int = 0
    headless: Headless = "auto"
    cell_running: bool = True
    inbox: bool = False
    voila: bool = False
    keys: bool = False


@dataclass(frozen=True)
class Route:
    """Where an ask goes.

    Args:
        fronts: Names of the fronts, in order; empty where nobody can be asked.
        reason: Why, in one sentence.
        text_after: Seconds after which text asks as well where no view has attached; None where it never does.
        gone_after: Seconds after which the ask ends as unavailable where no view has attached; None where it waits.
    """

    fronts: tuple[str, ...]
    reason: str
    text_after: float | None = None
    gone_after: float | None = None


def route(facts: Facts, grace: float = 5.0, long_grace: float = 60.0) -> Route:
    """Choose the fronts for an ask.

    Args:
        facts: What is known of the place.
        grace: Seconds a kernel's first card has to be seen before text asks as well.
        long_grace: The same, once a card was seen in this kernel.

    Example:
        >>> route(Facts("kernel", allow_stdin=False)).fronts
        ()
        >>> route(Facts("kernel", ever_attached=True)).text_after
        60.0
    """
    if facts.headless == "always":
        return Route((), "the setting NbAsk.headless is 'always'")
    if facts.host != "kernel":
        return _ELSEWHERE[facts.host](facts, long_grace if facts.ever_attached else grace)
    if not facts.allow_stdin and facts.headless == "auto" and not facts.attached:
        nobody = "this cell is run without a person (its request does not allow input)"
        return Route((), BEFORE_THE_PAGE if facts.voila else nobody)
    if not facts.cell_running:
        return _without_a_cell(facts, long_grace if facts.ever_attached else grace)
    if not facts.allow_stdin and facts.headless == "auto":
        return Route(("inbox" if facts.inbox else "card",), "a person has this kernel's notebook open")
    if not facts.allow_stdin:
        return Route(("card",), "the setting NbAsk.headless is 'never'")
    if not facts.reachable:
        return Route(("card", "text"), "the main thread is blocked, so text asks beside the card", 0.0)
    if facts.ever_attached:
        return Route(("card", "text"), "cards are seen in this kernel", long_grace)
    if facts.cards_unseen:
        return Route(("card", "text"), "no card was ever seen in this kernel, so text asks at once", 0.0)
    return Route(("card", "text"), f"a card first, and text as well if it is not seen within {grace:g} s", grace)


def _outside(facts: Facts, _grace: float) -> Route:
    where = "in a terminal" if facts.host == "terminal" else "in plain Python"
    if facts.keys:
        return Route(("terminal",), f"{where}, questions are asked with arrow keys and typing")
    if facts.allow_stdin or facts.headless == "never":
        return Route(("text",), f"{where}, questions are asked as text", 0.0)
    return Route((), "standard input is no terminal, so nobody can be asked here")


def _without_a_cell(facts: Facts, grace: float) -> Route:
    """Nobody reads text while no cell runs, and output that comes late may have no place any more."""
    if facts.inbox:
        return Route(("inbox",), "no cell runs for it, and the inbox is there")
    reason = f"no cell runs for it and no inbox is there: a card for {grace:g} s; %nbask inbox makes a place for it"
    return Route(("card",), reason, gone_after=grace)


def _in_a_fork(_facts: Facts, _grace: float) -> Route:
    return Route((), "this process was forked from the kernel, and no page hears it; ask in the kernel itself")


def _in_marimo(facts: Facts, _grace: float) -> Route:
    if not facts.allow_stdin and facts.headless == "auto":
        return Route((), "this notebook is exported, and nobody looks at it while it runs")
    if not facts.reachable:
        why = "in marimo, only a running cell's own thread can ask and wait"
        return Route((), f"{why}; in a cell, nbask.marimo.ask(...) asks without waiting")
    return Route(("card",), "in marimo, a card in the cell's output")


def _in_colab(facts: Facts, _grace: float) -> Route:
    why = "Colab reads no comm messages while a cell runs"
    if not facts.allow_stdin:
        return Route((), f"{why}, and this cell has no input to read instead")
    return Route(("text",), f"{why}, so questions are asked as text", 0.0)


def _in_pyodide(facts: Facts, grace: float) -> Route:
    if not facts.allow_stdin and facts.headless == "auto" and not facts.attached:
        return Route((), "this cell is run without a person (its request does not allow input)")
    if not facts.cell_running:
        return _without_a_cell(facts, grace)
    return Route(("card",), "a Pyodide kernel has one thread: a card, for callers that await")


_ELSEWHERE: Mapping[Host, Callable[[Facts, float], Route]] = {
    "terminal": _outside,
    "script": _outside,
    "fork": _in_a_fork,
    "marimo": _in_marimo,
    "colab": _in_colab,
    "pyodide": _in_pyodide,
}
