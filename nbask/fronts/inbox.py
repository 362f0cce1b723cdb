"""The inbox: one widget that lists the cards of every open ask, in order, to be answered in place.

A person runs `%nbask inbox` and puts its output beside the notebook ("Create New View for Cell Output" in
JupyterLab). It holds the same cards as the cells do; asks that no running cell belongs to are shown here alone.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from contextvars import Context
from typing import Any, cast

import traitlets

from nbask.desk import Pending
from nbask.fronts import built
from nbask.fronts.card import CardFront
from nbask.fronts.shown import ROLL_CALL
from nbask.fronts.widget import Model, view_of
from nbask.receipts import receipt
from nbask.waiting import Waiter
from nbask.waiting.later import Later, later

Show = Callable[[dict[str, Any]], None]
RECENT = 5
"""How many of the asks that ended last the inbox names."""


class Inbox(Model):
    """The model behind the inbox's views; the kernel alone writes it.

    Args:
        on_event: Called with each custom message a view sends.
    """

    cards = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The models of the open asks' cards, oldest first."""
    recent = traitlets.List(traitlets.Dict()).tag(sync=True)
    """How the last asks ended: `{"ask": id, "text": one line}`, oldest first."""

    def __init__(self, on_event: Callable[[Any], None], **rest: Any) -> None:
        super().__init__(_esm=built.text("inbox.js"), _css=built.text("inbox.css"), **rest)
        self.on_msg(lambda _widget, content, _buffers: on_event(content))

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Nothing: a browser has nothing to change here."""


class InboxFront:
    """Keeps the inbox's list, from whatever thread an ask begins or ends in.

    Args:
        cards: Makes the cards.
        waiter: Hands over the messages of the inbox's comm while cells wait.
        here: A context in which what is published belongs to the cell that runs now.
        place: What shows a MIME bundle under the cell that runs now, also when it has ended.
    """

    name = "inbox"

    def __init__(
        self, cards: CardFront, waiter: Waiter, here: Callable[[], Context], place: Callable[[], Show]
    ) -> None:
        self._cards = cards
        self._waiter = waiter
        self._here = here
        self._place = place
        self._show = place()
        self._listed: dict[Pending, str] = {}
        self._recent: list[dict[str, str]] = []
        self._views: set[str] = set()
        self._answering: set[str] = set()
        self._roll_call: Later | None = None
        # Asks begin and end in many threads, and widget state is not built for that. Never held while a card's is
        # taken: a card that is being answered waits for this one.
        self._lock = threading.RLock()
        self._context = here()
        self.ever_attached = False
        self._comm_id = uuid.uuid4().hex
        with self._lock:
            waiter.adopt(self._comm_id, self._receive)
            self._model = self._context.copy().run(Inbox, self._event, model_id=self._comm_id)

    @property
    def attached(self) -> bool:
        """Whether a view of the inbox is in a page now."""
        return bool(self._views)

    def display(self) -> None:
        """Show the inbox under the cell that runs now; what it has to record goes there from now on."""
        self._context = self._here()
        self._show = self._place()
        words = "nbask's inbox: questions are answered here"
        self._show(view_of(self._comm_id, words))

    def show(self, pending: Pending) -> None:
        """List an open ask."""
        model_id = self._cards.open(pending)
        with self._lock:
            if pending.reply is None and pending not in self._listed:
                self._listed[pending] = model_id
                # Threads that ask at once may come here in another order than they asked in.
                self._listed = dict(sorted(self._listed.items(), key=lambda one: one[0].opened))
                self._publish()

    def close(self, pending: Pending) -> None:
        """Take an ask off the list. Its receipt is under its cell, or under the inbox if it has none."""
        with self._lock:
            if self._listed.pop(pending, None) is None or pending.reply is None:
                return
            bundle = receipt(pending.ask, pending.reply, time.time())
            self._recent = [*self._recent, {"ask": pending.ask.id, "text": bundle["text/plain"]}][-RECENT:]
            self._publish()
        if not self._cards.displayed(pending):
            self._show(bundle)

    def end(self) -> None:
        """Take the inbox away."""
        with self._lock:
            self._waiter.release(self._comm_id)
            self._context.copy().run(self._model.close)

    def _receive(self, message: dict[str, Any]) -> None:
        with self._lock:
            self._context.copy().run(self._model.receive, message)

    def _event(self, content: Any) -> None:
        event = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
        view = str(event.get("view", ""))
        with self._lock:
            match event.get("type"):
                case "attached":
                    if view not in self._views:
                        # A page that asks for the state while it changes may get what it was before.
                        self._context.copy().run(self._model.send_state, ["cards", "recent"])
                    self._views.add(view)
                    self._answering.add(view)
                    self.ever_attached = True
                case "detached":
                    self._views.discard(view)
                case _:
                    pass

    def _publish(self) -> None:
        """Tell the views, which answer that they are there; one that is silent has gone without a word."""
        if self._views and self._roll_call is None:
            self._answering.clear()
            self._roll_call = later(ROLL_CALL, self._forget_silent)
        self._context.copy().run(self._write)

    def _write(self) -> None:
        with self._model.hold_sync():
            self._model.cards = list(self._listed.values())
            self._model.recent = self._recent

    def _forget_silent(self) -> None:
        with self._lock:
            self._roll_call = None
            self._views &= self._answering
