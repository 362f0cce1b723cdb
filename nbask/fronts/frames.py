"""What the pickers are given, and the ways out of them that are no answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class Escaped(Exception):
    """The person pressed Esc; `changed` says whether something was typed or picked."""

    def __init__(self, changed: bool = False) -> None:
        self.changed = changed
        super().__init__()


class InterruptedHere(Exception):
    """The person pressed Ctrl+C, which a terminal that reads single keys makes no signal of."""


@dataclass(frozen=True)
class Row:
    """One row of a list.

    Args:
        name: What is returned where it is picked.
        title: What is shown.
        digit: The key that picks it, where it has one.
        ticked: Whether it is ticked from the start, where several can be.
        leads_away: Whether Enter on it ends the list at once, though several can be ticked.
    """

    name: str
    title: str
    digit: str = ""
    ticked: bool = False
    leads_away: bool = False


@dataclass(frozen=True)
class Frame:
    """What is around a prompt.

    Args:
        text: Above it: what is asked.
        help: Under the text: which keys there are.
        left: Below it, looked at each second: how long there is to answer.
        preview: Below it: what the row with this name would look like.
        changed: Called with what was typed or ticked so far, after each key that changes it.
    """

    text: str
    help: str
    left: Callable[[], str]
    preview: Callable[[str], str] = lambda _: ""
    changed: Callable[[Any], None] = lambda _: None


class NoRow(Exception):
    """The person typed what no row has, and pressed Enter."""

    def __init__(self, typed: str) -> None:
        self.typed = typed
        super().__init__(typed)
