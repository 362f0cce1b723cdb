"""Which fronts an ask gets, and why: pure, so that `%nbask` can print it and a test can tabulate it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Host = Literal["kernel", "terminal", "script"]
Headless = Literal["auto", "never", "always"]


@dataclass(frozen=True)
class Facts:
    """What is known of the place an ask is made in.

    Args:
        host: A Jupyter kernel, IPython in a terminal, or plain Python.
        allow_stdin: Whether the execute request allows input (kernel), or stdin is a terminal (the others).
        reachable: Whether comm messages would be read while the asking thread waits.
        attached: Whether a view of some card is attached to this kernel now.
        ever_attached: Whether one ever was.
        cards_unseen: How many cards nobody saw within their grace.
        headless: The setting: `"always"` and `"never"` overrule what was found.
    """

    host: Host
    allow_stdin: bool = True
    reachable: bool = True
    attached: bool = False
    ever_attached: bool = False
    cards_unseen: int = 0
    headless: Headless = "auto"


@dataclass(frozen=True)
class Route:
    """Where an ask goes.

    Args:
        fronts: Names of the fronts, in order; empty where nobody can be asked.
        reason: Why, in one sentence.
        text_after: Seconds after which text asks as well where no view has attached; None where it never does.
    """

    fronts: tuple[str, ...]
    reason: str
    text_after: float | None = None


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
        where = "in a terminal" if facts.host == "terminal" else "in plain Python"
        if facts.allow_stdin or facts.headless == "never":
            return Route(("text",), f"{where}, questions are asked as text", 0.0)
        return Route((), "standard input is no terminal, so nobody can be asked here")
    if not facts.allow_stdin and facts.headless == "auto":
        if not facts.attached:
            return Route((), "this cell is run without a person (its request does not allow input)")
        return Route(("card",), "a person has this kernel's notebook open")
    if not facts.allow_stdin:
        return Route(("card",), "the setting NbAsk.headless is 'never'")
    if not facts.reachable:
        return Route(("card", "text"), "the main thread is blocked, so text asks beside the card", 0.0)
    if facts.ever_attached:
        return Route(("card", "text"), "cards are seen in this kernel", long_grace)
    if facts.cards_unseen:
        return Route(("card", "text"), "no card was ever seen in this kernel, so text asks at once", 0.0)
    return Route(("card", "text"), f"a card first, and text as well if it is not seen within {grace:g} s", grace)
