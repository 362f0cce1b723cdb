"""The one place where the rooms are joined: a process's desk, its way of waiting, its record, fronts and settings."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, TypeVar

from nbask.desk import Clock, Desk, Pending
from nbask.hosts import Host, KernelHost, find_host
from nbask.journal import Journal
from nbask.questions import Ask, Asker
from nbask.receipts import receipt
from nbask.record.session import VARIABLE, Record
from nbask.replies import Cancelled, Reply, TimedOut, Unavailable, Withdrawn, fallback_of
from nbask.routing import Facts, Route, route
from nbask.settings import NbAsk
from nbask.showing import Fronts
from nbask.waiting import Finishing, Interrupts, Waiter, choose, wait_nested

T = TypeVar("T")

Decider = Callable[[Ask], Reply | None]
"""Answers an ask without asking anybody, or leaves it (None): a test's script, an answers file."""


class Runtime:
    """Everything one process needs to put asks to a person.

    Args:
        host: Where this process runs.
        settings: The settings; by default as configured in the running IPython.
        clock: Where to read the time.
        journal: The log of what ended, to go on with.
    """

    def __init__(
        self, host: Host, settings: NbAsk | None = None, clock: Clock | None = None, journal: Journal | None = None
    ) -> None:
        self.host = host
        self.settings = settings or NbAsk(parent=host.shell)
        self._clock = clock or Clock()
        self.desk = Desk(self._clock)
        self.waiter: Waiter = choose(host.kernel, self._waiting, self.settings.route, self._queued)
        self.fronts = Fronts(self.desk, self.waiter, host, self.settings)
        self.record = Record(os.environ.get(VARIABLE))
        self.deciders: list[Decider] = [self.record.decide]
        self._at_unload: list[Callable[[], object]] = []
        self.journal = journal or Journal()
        self.desk.observe(self.journal.note)
        self.desk.observe(self.fronts.close)
        self.desk.observe(self.record.ended)
        self.waiter.install()

    def put(self, ask: Ask, keep_loop_running: bool | None = None) -> Reply:
        """Put an ask and block until it has ended; see :func:`nbask.put`."""
        ask = self._completed(ask)
        chosen = self.route()
        decided = self._decide(ask, chosen)
        if decided is not None:
            return decided
        if self.host.cannot_block:
            self.record.forget(ask)
            raise RuntimeError(f"{self.host.cannot_block}; use the awaitable form: await nbask.aio.ask(...)")
        pending = self.desk.open(ask, self.host.cell())
        try:
            self.fronts.show(pending, chosen)
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
                self.fronts.show(pending, chosen)
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

    def block_on(self, future: Future[T]) -> T:
        """Block until another thread's loop has finished a future; what it asks on the way is answered meanwhile.

        Raises:
            KeyboardInterrupt: The kernel was interrupted; the future is cancelled.
        """
        try:
            self.waiter.wait(Finishing(future))
        except BaseException:
            future.cancel()
            raise
        return future.result()

    def post(self, ask: Ask) -> Pending:
        """Open an ask that nobody waits for, and show it nowhere: that is the caller's to do.

        It has no deadline, and has ended already where somebody decides without asking or nobody can be asked.
        """
        ask = self._completed(ask).model_copy(update={"timeout": None})
        reply = self._decided(ask, route(replace(self.fronts.facts(), reachable=True)))
        pending = self.desk.open(ask, self.host.cell())
        if reply is not None:
            self.desk.settle(ask.id, reply)
        return pending

    def note(self, ask: Ask, reply: Reply) -> None:
        """Take into the log, and show, how an ask ended that somebody else has put: a client of the server."""
        pending = Pending(ask, self.host.cell(), self._clock)
        pending.opened -= reply.elapsed
        pending.reply = reply
        self.journal.note(pending)
        self.host.show(receipt(ask, reply, time.time()))

    def route(self) -> Route:
        """Which fronts an ask made here and now would get, and why."""
        return route(self.fronts.facts(), self.settings.grace, self.settings.long_grace)

    def in_a_cell(self) -> bool:
        """Whether what asks here and now belongs to a cell that runs."""
        return self.host.facts(Facts()).cell_running

    def replace_input(
        self, reader: Callable[[Callable[..., str]], Callable[..., str]], read_secret: Callable[..., str]
    ) -> Callable[[], None]:
        """Have this kernel's `input()` and `getpass.getpass()` be others, until it is undone.

        Args:
            reader: Makes what stands for `input()`, of the kernel's own.
            read_secret: What stands for `getpass.getpass()`.

        Returns:
            The undo.

        Raises:
            RuntimeError: There is no kernel to do it in, or it cannot wait for a line.
        """
        host = self.host
        if not isinstance(host, KernelHost):
            raise RuntimeError("input() is left as it is: this is no Jupyter kernel, where it could be a card")
        if host.cannot_block:
            raise RuntimeError(f"input() is left as it is: {host.cannot_block}")
        from nbask.waiting.typed import Replaced

        return Replaced(host.kernel, reader(host.kernel.raw_input), read_secret, host.busy).restore

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

    def when_unloaded(self, callback: Callable[[], object]) -> None:
        """Have this called before everything is taken down."""
        self._at_unload.append(callback)

    def unload(self) -> None:
        """Withdraw what is open, and put back what was there before nbask was loaded."""
        for callback in self._at_unload:
            callback()
        for pending in self.desk.snapshot():
            self.desk.withdraw(pending.ask.id, "nbask was unloaded")
        self.fronts.end()
        self.record.stop()
        self.waiter.uninstall()

    def _waiting(self) -> bool:
        return bool(self.desk.snapshot())

    def _queued(self, request: dict[str, Any]) -> None:
        self.fronts.rescue(request)

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
        reply = self._decided(ask, chosen)
        if reply is None:
            return None
        self.desk.open(ask, self.host.cell())
        self.desk.settle(ask.id, reply)
        self.host.show(receipt(ask, reply, time.time()))
        return reply

    def _decided(self, ask: Ask, chosen: Route) -> Reply | None:
        decided = (decide(ask) for decide in reversed(self.deciders))
        reply = next((one for one in decided if one is not None), None)
        if reply is None and not chosen.fronts:
            reason = "; ".join(filter(None, [chosen.reason, self.record.why_not(ask)]))
            reply = Unavailable(via="policy", reason=reason, fallback=fallback_of(ask))
        return reply

    def _ended(self, pending: Pending) -> Reply:
        if pending.reply is None:
            late = TimedOut(draft=pending.draft, fallback=fallback_of(pending.ask))
            self.desk.settle(pending.ask.id, late)
        # Whoever settled it, the reply is there; another thread may still be telling the fronts.
        assert pending.reply is not None
        return pending.reply


_runtime: Runtime | None = None
_journal = Journal()
"""The process's: `%reload_ext nbask` makes a new runtime, and forgets nothing that was answered."""
_lock = threading.Lock()


def current() -> Runtime:
    """This process's runtime, made with the first ask."""
    global _runtime  # noqa: PLW0603 - one a process, as its kernel is
    with _lock:
        if _runtime is None:
            host = find_host()
            _runtime = Runtime(host, journal=_journal)
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
