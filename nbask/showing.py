"""The fronts of one process: which of them show an ask, and what is known of who has seen one."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from nbask.desk import Desk, Pending
from nbask.fronts.prompt import PromptFront
from nbask.fronts.terminal import TerminalFront
from nbask.hosts import ConsoleHost, Host, KernelHost
from nbask.replies import Unavailable, fallback_of
from nbask.routing import Facts, Headless, Route
from nbask.settings import NbAsk
from nbask.waiting import Session, Waiter, show_under
from nbask.waiting.later import later

if TYPE_CHECKING:
    from nbask.fronts.card import CardFront
    from nbask.fronts.inbox import InboxFront

UNSEEN = (
    "no cell runs for it, and nobody has seen the question; run %nbask inbox in a cell, and such questions go there"
)


class Fronts:
    """Every front that a process has; the card and the inbox from the first ask on that needs them.

    Args:
        desk: Where replies are settled.
        waiter: Hands over the messages of widgets while cells wait.
        host: Where this process runs.
        settings: The settings.
    """

    def __init__(self, desk: Desk, waiter: Waiter, host: Host, settings: NbAsk) -> None:
        self._desk = desk
        self._waiter = waiter
        self._host = host
        self._settings = settings
        lend = host.lend if isinstance(host, ConsoleHost) else None
        self._prompt = PromptFront(desk, host.read_line, host.context, lend)
        self._terminal = TerminalFront(desk, host.read_line, host.context, lend)
        self._cards: CardFront | None = None
        self._inbox: InboxFront | None = None
        self._lock = threading.Lock()

    @property
    def cards(self) -> CardFront:
        """The card front; made with the first card, since anywidget and ipywidgets are not light."""
        with self._lock:
            if self._cards is None:
                from nbask.fronts.card import CardFront

                # marimo sends code once by itself, and keeps each view's style to that view.
                stubs = not isinstance(self._host.kernel, Session)
                self._cards = CardFront(
                    self._desk, self._waiter, self._host.context, lambda: self._settings.notify, self._host.show, stubs
                )
            return self._cards

    def facts(self) -> Facts:
        """What routing has to know of this process, here and now."""
        cards, inbox = self._cards, self._inbox
        widgets = [front for front in (cards, inbox) if front is not None]
        known = Facts(
            reachable=self._waiter.reachable(),
            attached=any(front.attached for front in widgets),
            ever_attached=any(front.ever_attached for front in widgets),
            cards_unseen=0 if cards is None else cards.unseen,
            headless=cast("Headless", self._settings.headless),
            inbox=inbox is not None and inbox.attached,
        )
        return self._host.facts(known)

    def show(self, pending: Pending, chosen: Route) -> None:
        """Show an ask where it was routed to, and in the inbox, which lists every ask."""
        if "card" in chosen.fronts:
            self.cards.show(pending)
        if self._inbox is not None:
            self._inbox.show(pending)
        if "terminal" in chosen.fronts:
            self._terminal.show(pending)
        if chosen.text_after is not None:
            seen = self.cards.wait_seen if "card" in chosen.fronts else None
            self._prompt.show(pending, chosen.text_after, seen)
        if chosen.gone_after is not None:
            pending.when_done(later(chosen.gone_after, lambda: self._give_up(pending)).cancel)

    def show_again(self) -> tuple[Pending, ...]:
        """Show every open ask again, in the cell that runs now; returns them."""
        pending = self._desk.snapshot()
        if self._host.kernel is not None:
            for one in pending:
                self.cards.show(one)
        return pending

    def show_inbox(self) -> None:
        """Show the inbox in the cell that runs now; from now on it lists every open ask.

        Raises:
            RuntimeError: There is no notebook to show it in.
        """
        host = self._host
        if not isinstance(host, KernelHost):
            raise RuntimeError("the inbox is a widget, and there is no notebook here to show it in")
        cards = self.cards
        with self._lock:
            if self._inbox is None:
                from nbask.fronts.inbox import InboxFront

                self._inbox = InboxFront(
                    cards, self._waiter, host.context, lambda: partial(show_under, host.kernel, host.request())
                )
        for pending in self._desk.snapshot():
            self._inbox.show(pending)
        self._inbox.display()

    def rescue(self, request: dict[str, Any]) -> None:
        """A cell waits for its turn. If it waits for a question that no page shows any more, it can show it."""
        host = self._host
        if self._cards is not None and isinstance(host, KernelHost) and host.busy():
            self._cards.rescue(partial(show_under, host.kernel, request))

    def close(self, pending: Pending) -> None:
        """Show how an ask has ended, wherever it was shown."""
        self._prompt.close(pending)
        self._terminal.close(pending)
        for front in (self._inbox, self._cards):
            if front is not None:
                front.close(pending)

    def end(self) -> None:
        """Take down what stays on a page by itself."""
        if self._inbox is not None:
            self._inbox.end()

    def _give_up(self, pending: Pending) -> None:
        """End an ask that no running cell belongs to and nobody has seen: it must not wait for ever in silence."""
        if not self.cards.wait_attached(pending, 0):
            gone = Unavailable(via="policy", reason=UNSEEN, fallback=fallback_of(pending.ask))
            self._desk.settle(pending.ask.id, gone)
