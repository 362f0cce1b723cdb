"""The one place where the rooms are joined: a process's desk, its way of waiting, its fronts and settings."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from nbask.desk import Clock, Desk, Pending
from nbask.fronts.prompt import PromptFront
from nbask.hosts import Host, find_host
from nbask.questions import Ask, Asker
from nbask.receipts import receipt
from nbask.replies import Cancelled, Reply, TimedOut, Unavailable, Withdrawn, defaults_of
from nbask.routing import Route, route
from nbask.settings import NbAsk
from nbask.waiting import Interrupts, Waiter, choose, wait_nested

log = logging.getLogger("nbask")

Decider = Callable[[Ask], Reply | None]
"""Answers an ask without asking anybody, or leaves it (None): a test's script, an answers file."""


class Runtime:
    """Everything one process needs to put asks to a person.

    Args:
        host: Where this process runs.
        settings: The settings; by default as configured in the running IPython.
        clock: Where to read the time.
    """

    def __init__(self, host: Host, settings: NbAsk | None = None, clock: Clock | None = None) -> None:
        self.host = host
        self.settings = settings or NbAsk(parent=host.shell)
        self.desk = Desk(clock)
        self.waiter: Waiter = choose(host.kernel, self._waiting, self.settings.route)
        self.deciders: list[Decider] = []
        self._prompt = PromptFront(self.desk, host.read_line, host.context)
        self._cards: Any = None
        self._lock = threading.Lock()
        self.desk.observe(self._close)
        self.waiter.install()

    def put(self, ask: Ask, keep_loop_running: bool | None = None) -> Reply:
        """Put an ask and block until it has ended; see :func:`nbask.put`."""
        ask = self._completed(ask)
        chosen = self.route()
        decided = self._decide(ask, chosen)
        if decided is not None:
            return decided
        if self.host.cannot_block:
            raise RuntimeError(f"{self.host.cannot_block}; use the awaitable form: await nbask.aio.ask(...)")
        pending = self.desk.open(ask, self.host.cell())
        try:
            self._show(pending, chosen)
            nested = self.settings.keep_loop_running if keep_loop_running is None else keep_loop_running
            if nested:
                wait_nested(self.waiter, pending)
            else:
                self.waiter.wait(pending)
        except KeyboardInterrupt:
            self.desk.settle(ask.id, Cancelled(by="interrupt"))
            raise
        except BaseException:
            self.desk.withdraw(ask.id, "asking failed")
            raise
        return self._ended(pending)

    async def aput(self, ask: Ask) -> Reply:
        """Put an ask and await its end; see :func:`nbask.aio.put`."""
        ask = self._completed(ask)
        chosen = self.route()
        decided = self._decide(ask, chosen)
        if decided is not None:
            return decided
        pending = self.desk.open(ask, self.host.cell())
        with Interrupts() as interrupts:
            try:
                self._show(pending, chosen)
                await self.waiter.wait_async(pending)
            except asyncio.CancelledError:
                gone = Cancelled(by="interrupt") if interrupts.came else Withdrawn()
                self.desk.settle(ask.id, gone)
                raise
            except KeyboardInterrupt:
                self.desk.settle(ask.id, Cancelled(by="interrupt"))
                raise
            except BaseException:
                self.desk.withdraw(ask.id, "asking failed")
                raise
        return self._ended(pending)

    def route(self) -> Route:
        """Which fronts an ask made here and now would get, and why."""
        facts = self.host.facts(
            headless=self.settings.headless,
            reachable=self.waiter.reachable(),
            attached=self._cards is not None and self._cards.attached,
            ever_attached=self._cards is not None and self._cards.ever_attached,
            cards_unseen=0 if self._cards is None else self._cards.unseen,
        )
        return route(facts, self.settings.grace, self.settings.long_grace)

    def show_again(self) -> tuple[Pending, ...]:
        """Show every open ask again, in the cell that runs now; returns them."""
        pending = self.desk.snapshot()
        if self.host.kernel is not None:
            for one in pending:
                self.cards.show(one)
        return pending

    @property
    def cards(self) -> Any:
        """The card front; made with the first card, since anywidget and ipywidgets are not light."""
        with self._lock:
            if self._cards is None:
                from nbask.fronts.card import CardFront

                self._cards = CardFront(self.desk, self.waiter, self.host.context, lambda: self.settings.notify)
            return self._cards

    def cell_started(self, *_: object) -> None:
        """IPython begins to run a cell."""
        self.waiter.cell_started()

    def cell_ended(self, result: Any = None) -> None:
        """IPython has run a cell; one that was interrupted takes the asks of its threads along."""
        error = getattr(result, "error_in_exec", None)
        if isinstance(error, KeyboardInterrupt | asyncio.CancelledError):
            cell = self.host.cell()
            for pending in self.desk.snapshot():
                if pending.origin == cell:
                    self.desk.settle(pending.ask.id, Cancelled(by="interrupt"))
        self.waiter.cell_ended()

    def unload(self) -> None:
        """Withdraw what is open, and put back what was there before nbask was loaded."""
        for pending in self.desk.snapshot():
            self.desk.withdraw(pending.ask.id, "nbask was unloaded")
        self.waiter.uninstall()

    def _waiting(self) -> bool:
        return bool(self.desk.snapshot())

    def _completed(self, ask: Ask) -> Ask:
        """The ask with what its caller left to the settings."""
        settings = self.settings
        changes: dict[str, Any] = {
            "asker": ask.asker or Asker(settings.asker),
            "timeout": settings.timeout if ask.timeout is None else ask.timeout,
            "when_unanswered": ask.when_unanswered or settings.when_unanswered,
            "questions": tuple(
                question if question.notes is not None else question.model_copy(update={"notes": settings.notes})
                for question in ask.questions
            ),
        }
        return ask.model_copy(update=changes)

    def _decide(self, ask: Ask, chosen: Route) -> Reply | None:
        """The reply of whoever answers without asking anybody; it crosses the desk like any other."""
        decided = (decide(ask) for decide in reversed(self.deciders))
        reply = next((one for one in decided if one is not None), None)
        if reply is None and not chosen.fronts:
            reply = Unavailable(via="policy", reason=chosen.reason, fallback=_fallback(ask))
        if reply is None:
            return None
        self.desk.open(ask, self.host.cell())
        self.desk.settle(ask.id, reply)
        self.host.show(receipt(ask, reply, time.time()))
        return reply

    def _show(self, pending: Pending, chosen: Route) -> None:
        if "card" in chosen.fronts:
            self.cards.show(pending)
        if chosen.text_after is not None:
            seen = self.cards.wait_attached if "card" in chosen.fronts else None
            self._prompt.show(pending, chosen.text_after, seen)

    def _close(self, pending: Pending) -> None:
        if self._cards is not None:
            self._cards.close(pending)

    def _ended(self, pending: Pending) -> Reply:
        if pending.reply is None:
            late = TimedOut(draft=pending.draft, fallback=_fallback(pending.ask))
            self.desk.settle(pending.ask.id, late)
        # Whoever settled it, the reply is there; another thread may still be telling the fronts.
        assert pending.reply is not None
        return pending.reply


def _fallback(ask: Ask) -> Any:
    if ask.when_unanswered != "default":
        return None
    defaults = defaults_of(ask)
    # A policy of the settings applies to asks that were not built for it: half a set of defaults is no answer.
    complete = all(question.id in defaults for question in ask.questions if question.required)
    return defaults if defaults and complete else None


_runtime: Runtime | None = None
_lock = threading.Lock()


def current() -> Runtime:
    """This process's runtime, made with the first ask."""
    global _runtime  # noqa: PLW0603 - one a process, as its kernel is
    with _lock:
        if _runtime is None:
            host = find_host()
            _runtime = Runtime(host)
            host.listen(_runtime.cell_started, _runtime.cell_ended)
        return _runtime


def unload() -> None:
    """Take the runtime down; the next ask makes a new one."""
    global _runtime
    with _lock:
        runtime, _runtime = _runtime, None
    if runtime is not None:
        runtime.host.stop_listening()
        runtime.unload()
