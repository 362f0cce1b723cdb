"""One ask's card as the card front keeps it."""

from __future__ import annotations

import threading
import time
import uuid
from contextvars import Context
from typing import Any

from nbask.desk import Pending
from nbask.fronts.widget import view_of
from nbask.text import one_line
from nbask.waiting.later import Later

ROLL_CALL = 3.0
"""Seconds a view has to say that it is there: still, once its ask has ended, or now, where it was displayed anew."""


class Shown:
    """One ask's card, where it is displayed, and which views look at it."""

    def __init__(self, pending: Pending, context: Context, model_id: str) -> None:
        self.pending = pending
        self.model_id = model_id
        self.card: Any = None
        self.displays: list[str] = []
        self.views: set[str] = set()
        self.answering: set[str] = set()
        self.roll_call: Later | None = None
        self.kept = False
        self.coming_until = time.monotonic() + ROLL_CALL
        self.attached = threading.Event()
        # Drafts, replies and the end may come from different threads, and widget state is not built for that.
        self.lock = threading.RLock()
        # What the card publishes later, from whatever thread, belongs to the cell that asked.
        self.context = context

    @property
    def lost(self) -> bool:
        """Whether it is open and no view shows it, nor is about to.

        None may ever have: what a cell shows that was queued before the page was reloaded comes to nobody.
        """
        coming = time.monotonic() < self.coming_until
        return not (self.views or coming) and self.pending.reply is None

    @property
    def bundle(self) -> dict[str, Any]:
        """The MIME bundle that displays it."""
        ask = self.pending.ask
        form = ask.layout == "form" and ask.message
        words = one_line(form) if form else "; ".join(one_line(question.text) for question in ask.questions)
        return view_of(self.model_id, f"{ask.who} asks: {words}")

    def new_display(self) -> str:
        """The id of one more place where the card is displayed, for the receipt to take it over."""
        self.displays.append(uuid.uuid4().hex)
        return self.displays[-1]

    def move(self) -> str:
        """The same for a card that is lost; its view has a while to come, before it is lost again."""
        self.coming_until = time.monotonic() + ROLL_CALL
        return self.new_display()

    def attach(self, view: str) -> None:
        """A view is there."""
        self.views.add(view)
        self.answering.add(view)
        self.attached.set()
        self.coming_until = 0.0
