"""The desk under threads: whoever comes at the same time as whom, each ask ends once and everybody hears of it once."""

from __future__ import annotations

import gc
import itertools
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from nbask import Ask, Question
from nbask.desk import Desk, Pending
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut
from nbask.testing import FakeClock
from nbask.waiting.base import ticks

SOON = 30.0
"""Seconds after which a thread that should have gone on hangs."""
AT_ONCE = 6
KINDS: tuple[Callable[[str], Reply], ...] = (
    lambda via: Answered(via=via),
    lambda via: Declined(via=via),
    lambda via: Discussed(via=via),
    lambda via: Cancelled(via=via),
    lambda via: Cancelled(by="interrupt", via=via),
)
acts = st.sampled_from(("settle", "settle", "withdraw", "time out", "draft", "touch", "open", "look", "observe"))


@contextmanager
def restless() -> Iterator[None]:
    """Threads take turns far more often than they do by themselves."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class Crowd(RuleBasedStateMachine):
    """Several threads at one desk, beside a model that says what may have come of it."""

    def __init__(self) -> None:
        super().__init__()
        self.pool = ThreadPoolExecutor(2 * AT_ONCE)
        self.clock = FakeClock(1000)
        self.desk = Desk(self.clock)
        self.numbers = itertools.count()
        self.open: dict[str, Pending] = {}
        self.ended: dict[str, weakref.ref[Pending]] = {}
        self.watchers: dict[int, Callable[[], None]] = {}
        self.came: dict[int, int] = {}
        """At which step a watcher came; those of one step came in any order."""
        self.step = 0
        self.told: list[tuple[int, str]] = []
        """Which watcher was told of which ask, in the order in which it was."""
        self.woken: list[str] = []
        self.faults: list[str] = []

    @rule(timeout=st.none() | st.integers(1, 20))
    def open_one(self, timeout: int | None) -> None:
        self._opened(self._open(timeout))

    @rule(seconds=st.integers(0, 30))
    def let_time_pass(self, seconds: int) -> None:
        self.clock.advance(seconds)

    @rule()
    def observe(self) -> None:
        self._observe()

    @precondition(lambda self: self.watchers)
    @rule(at=st.integers(0, 9))
    def stop_observing(self, at: int) -> None:
        number = list(self.watchers)[at % len(self.watchers)]
        self.watchers.pop(number)()

    @precondition(lambda self: self.open)
    @rule(at=st.integers(0, 9), kinds=st.lists(st.sampled_from(KINDS), min_size=2, max_size=AT_ONCE))
    def settle_one_from_several_threads(self, at: int, kinds: list[Callable[[str], Reply]]) -> None:
        pending = list(self.open.values())[at % len(self.open)]
        name = pending.ask.id
        replies = [kind(f"way {next(self.numbers)}") for kind in kinds]
        waiting = [self.pool.submit(self._wait, pending) for _ in range(2)]
        won = self._at_once([lambda one=one: self.desk.settle(name, one) for one in replies])
        assert sorted(won) == [False] * (len(won) - 1) + [True]
        winner = replies[won.index(True)]
        assert pending.reply is not None
        assert (pending.reply.kind, pending.reply.via) == (winner.kind, winner.via)
        assert [one.result(SOON) for one in waiting] == [True, True]
        self._closed(name)

    @rule(what=st.lists(st.tuples(acts, st.integers(0, 3), st.sampled_from(KINDS)), min_size=2, max_size=AT_ONCE))
    def all_kinds_of_things_at_once(self, what: list[tuple[str, int, Callable[[str], Reply]]]) -> None:
        there, watching = list(self.open.values()), list(self.watchers)
        ends: dict[str, list[bool]] = {}
        opened: list[Pending] = []

        def act(kind: str, at: int, reply: Callable[[str], Reply]) -> Callable[[], None]:
            if kind == "observe":
                return self._observe
            if kind == "open":
                return lambda: opened.append(self._open(None))
            if kind == "look" or not there:
                return self._look
            pending = there[at % len(there)]
            name, via = pending.ask.id, f"way {next(self.numbers)}"
            won = ends.setdefault(name, [])
            return {
                "settle": lambda: won.append(self.desk.settle(name, reply(via))),
                "withdraw": lambda: won.append(self.desk.withdraw(name)),
                "time out": lambda: won.append(self._time_out(pending)),
                "draft": lambda: self._draft(pending),
                "touch": lambda: self._touch(pending),
            }[kind]

        since = len(self.told)
        self._at_once([act(*one) for one in what])
        for name, won in ends.items():
            assert won.count(True) <= 1, f"{name} was settled by {won.count(True)}"
            if True in won:
                self._closed(name)
        for pending in opened:
            self._opened(pending)
        heard = self.told[since:]
        assert {one for _, one in heard} <= {name for name, won in ends.items() if True in won}
        for number in watching:
            of_it = [name for watcher, name in heard if watcher == number]
            assert sorted(of_it) == sorted(name for name, won in ends.items() if True in won)

    def _at_once(self, acts: list[Callable[[], Any]]) -> list[Any]:
        """Have each done by a thread of its own, all in the same moment; what each returned."""
        barrier = threading.Barrier(len(acts))
        self.step += 1

        def run(act: Callable[[], Any]) -> Any:
            barrier.wait(SOON)
            return act()

        with restless():
            running: list[Future[Any]] = [self.pool.submit(run, act) for act in acts]
            return [one.result(SOON) for one in running]

    def _open(self, timeout: int | None) -> Pending:
        pending = self.desk.open(Ask(Question("Name?"), timeout=timeout))
        name, woken = pending.ask.id, self.woken
        pending.when_done(lambda: woken.append(name))
        return pending

    def _opened(self, pending: Pending) -> None:
        self.open[pending.ask.id] = pending

    def _closed(self, name: str) -> None:
        pending = self.open.pop(name)
        assert pending.done
        assert pending.reply is not None
        assert not self.desk.settle(name, Declined())
        assert not self.desk.touch(name)
        self.ended[name] = weakref.ref(pending)

    def _observe(self) -> None:
        number = next(self.numbers)

        def watch(pending: Pending) -> None:
            if pending.reply is None or pending.done:
                self.faults.append("an observer was told before the end, or after the asker was woken")
            self.told.append((number, pending.ask.id))

        self.came[number] = self.step
        self.watchers[number] = self.desk.observe(watch)

    def _wait(self, pending: Pending) -> bool:
        """What an asker does: when it goes on, everybody who watches has been told."""
        ended = pending.wait(SOON)
        told = {watcher for watcher, name in self.told if name == pending.ask.id}
        if not set(self.watchers) <= told:
            self.faults.append("an asker went on before all observers were told")
        return ended

    def _time_out(self, pending: Pending) -> bool:
        """What an asker does that looks at the clock."""
        if next(ticks(pending), None) is not None:
            return False
        return self.desk.settle(pending.ask.id, TimedOut())

    def _draft(self, pending: Pending) -> None:
        draft: Any = {"answers": {}, "message": f"{next(self.numbers)}"}
        if self.desk.keep_draft(pending.ask.id, draft) and pending.draft is None:
            self.faults.append("a draft was said to be kept, and was not")

    def _touch(self, pending: Pending) -> None:
        if not self.desk.touch(pending.ask.id) and pending.reply is None:
            self.faults.append("an ask that is open was not found")

    def _look(self) -> None:
        names = [pending.ask.id for pending in self.desk.snapshot()]
        if len(names) != len(set(names)):
            self.faults.append("an ask is listed twice")

    @invariant()
    def open_are_those_that_were_opened_and_have_not_ended(self) -> None:
        listed = {pending.ask.id: pending for pending in self.desk.snapshot()}
        assert listed == self.open
        assert all(pending.reply is None and not pending.done for pending in listed.values())

    @invariant()
    def each_asker_was_woken_once(self) -> None:
        assert sorted(self.woken) == sorted(self.ended)

    @invariant()
    def each_observer_was_told_once_and_after_those_that_came_before_it(self) -> None:
        assert len(self.told) == len(set(self.told))
        for name in self.ended:
            order = [self.came[watcher] for watcher, told in self.told if told == name]
            assert order == sorted(order)

    @invariant()
    def no_thread_has_seen_anything_odd(self) -> None:
        assert self.faults == []

    def teardown(self) -> None:
        for name in list(self.open):
            assert self.desk.withdraw(name)
            self._closed(name)
        self.pool.shutdown()
        assert self.desk.snapshot() == ()
        gc.collect()
        left = [name for name, pending in self.ended.items() if pending() is not None]
        assert left == [], "what has ended is still in memory"


TestCrowd = Crowd.TestCase
TestCrowd.settings = settings(max_examples=25, stateful_step_count=25, deadline=None, derandomize=True)
