"""The desk: each ask is settled once, whoever tries, and everybody is told."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from nbask import Ask, Question
from nbask.desk import PAUSE, Clock, Desk, Pending
from nbask.kinds import Answer
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import FakeClock

REPLIES: list[Reply] = [
    Answered(answers={"q1": Answer("x")}, via="card"),
    Discussed(text="why?"),
    Declined(),
    Cancelled(),
    TimedOut(),
    Unavailable(),
    Withdrawn(),
]
Runner = Callable[..., Future[Any]]


def ask(**rest: Any) -> Ask:
    return Ask(Question("Name?"), **rest)


class DeskMachine(RuleBasedStateMachine):
    """A desk beside a model of it that is a few dicts."""

    asks: Bundle[Pending] = Bundle("asks")
    watchers: Bundle[Any] = Bundle("watchers")

    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock(1000)
        self.desk = Desk(self.clock)
        self.now = 1000
        self.open_at: dict[str, int] = {}
        self.ended: dict[str, tuple[str, int]] = {}
        self.drafts: dict[str, Any] = {}
        self.typed: dict[str, list[int]] = {}
        self.expected: dict[int, list[str]] = {}
        self.told: dict[int, list[str]] = {}
        self.watching: set[int] = set()
        self.woken: list[str] = []

    @rule(target=asks, timeout=st.none() | st.integers(1, 50))
    def open(self, timeout: int | None) -> Pending:
        pending = self.desk.open(ask(timeout=timeout))
        pending.when_done(lambda: self.woken.append(pending.ask.id))
        self.open_at[pending.ask.id] = self.now
        return pending

    @rule(pending=asks)
    def open_again(self, pending: Pending) -> None:
        if pending.ask.id in self.open_at:
            with pytest.raises(ValueError, match=f"{pending.ask.id!r} is open already"):
                self.desk.open(pending.ask)

    @rule(pending=asks, reply=st.sampled_from(REPLIES))
    def settle(self, pending: Pending, reply: Reply) -> None:
        self._end(pending, reply.kind, lambda: self.desk.settle(pending.ask.id, reply))

    @rule(pending=asks, reason=st.text(min_size=1))
    def withdraw(self, pending: Pending, reason: str) -> None:
        self._end(pending, "withdrawn", lambda: self.desk.withdraw(pending.ask.id, reason))

    def _end(self, pending: Pending, kind: str, end: Callable[[], bool]) -> None:
        was_open = pending.ask.id in self.open_at
        assert end() is was_open
        if was_open:
            self.ended[pending.ask.id] = (kind, self.now - self.open_at.pop(pending.ask.id))
            for watcher in self.watching:
                self.expected[watcher].append(pending.ask.id)

    @rule(pending=asks, message=st.none() | st.text())
    def keep_draft(self, pending: Pending, message: str | None) -> None:
        draft: Any = {"answers": {}, "message": message}
        kept = self.desk.keep_draft(pending.ask.id, draft)
        assert kept is (pending.ask.id in self.open_at)
        if kept:
            self.drafts[pending.ask.id] = draft
            self.typed.setdefault(pending.ask.id, []).append(self.now)

    @rule(target=watchers)
    def observe(self) -> tuple[int, Callable[[], None]]:
        number = len(self.told)
        self.told[number], self.expected[number] = [], []
        self.watching.add(number)
        return number, self.desk.observe(lambda pending: self.told[number].append(pending.ask.id))

    @precondition(lambda self: self.watching)
    @rule(watcher=watchers)
    def stop_observing(self, watcher: tuple[int, Callable[[], None]]) -> None:
        number, stop = watcher
        stop()
        self.watching.discard(number)

    @rule(seconds=st.integers(0, 100))
    def wait(self, seconds: int) -> None:
        self.clock.advance(seconds)
        self.now += seconds

    @rule(pending=asks)
    def look(self, pending: Pending) -> None:
        name = pending.ask.id
        assert pending.done is (name in self.ended)
        assert pending.draft is self.drafts.get(name)
        if name in self.ended:
            kind, elapsed = self.ended[name]
            assert pending.reply is not None
            assert (pending.reply.kind, pending.reply.elapsed) == (kind, elapsed)
        else:
            assert pending.reply is None
            assert pending.elapsed == self.now - self.open_at[name]
            timeout = pending.ask.timeout
            paused = self._paused(name, until=self.now)
            left = None if timeout is None else timeout + paused - (self.now - self.open_at[name])
            # While it stands still, the deadline is announced for the end of the pause.
            standing = self._paused(name, until=10**9) - paused
            assert pending.remaining() == (None if left is None else left + standing)
            assert pending.deadline == (None if left is None else self.now + left + standing)
            assert pending.paused_until == (self.now + standing if standing and timeout is not None else None)

    def _paused(self, name: str, until: int) -> float:
        """Seconds up to then in which the deadline stood still, counted anew: the union of all pauses."""
        still: set[int] = set()
        for moment in self.typed.get(name, []):
            still |= set(range(moment, min(moment + int(PAUSE), until)))
        return float(len(still))

    @invariant()
    def open_asks_are_in_the_order_they_came(self) -> None:
        assert [pending.ask.id for pending in self.desk.snapshot()] == list(self.open_at)

    @invariant()
    def observers_were_told_of_each_end_once(self) -> None:
        assert self.told == self.expected

    @invariant()
    def each_asker_was_woken_once(self) -> None:
        assert sorted(self.woken) == sorted(self.ended)


DeskMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestDeskMachine = DeskMachine.TestCase


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.kind)
def test_a_second_reply_to_one_ask_is_refused_as_late(reply: Reply) -> None:
    desk = Desk()
    pending = desk.open(ask())
    assert desk.settle(pending.ask.id, Declined()) is True
    assert desk.settle(pending.ask.id, reply) is False
    assert pending.reply is not None
    assert pending.reply.kind == "declined"


def test_an_ask_that_was_never_open_cannot_be_settled_withdrawn_or_drafted() -> None:
    desk = Desk()
    assert not desk.settle("nowhere", Declined())
    assert not desk.withdraw("nowhere")
    assert not desk.keep_draft("nowhere", {"answers": {}, "message": None})


def test_of_many_threads_that_settle_one_ask_exactly_one_wins(in_thread: Runner) -> None:
    desk, told = Desk(), []
    desk.observe(lambda pending: told.append(pending.reply))
    pending = desk.open(ask())
    barrier = threading.Barrier(32)

    def settle(number: int) -> bool:
        barrier.wait(5)
        return desk.settle(pending.ask.id, Discussed(text=str(number)))

    won = [future.result(5) for future in [in_thread(settle, number) for number in range(32)]]
    assert won.count(True) == 1
    assert isinstance(pending.reply, Discussed)
    assert pending.reply.text == str(won.index(True))
    assert told == [pending.reply]


def test_every_thread_that_waits_for_an_ask_wakes(in_thread: Runner) -> None:
    desk = Desk()
    pending = desk.open(ask())
    barrier = threading.Barrier(9)

    def wait() -> bool:
        barrier.wait(5)
        return pending.wait(5)

    waiting = [in_thread(wait) for _ in range(8)]
    barrier.wait(5)
    desk.settle(pending.ask.id, Declined())
    assert all(future.result(5) for future in waiting)


def test_waiting_for_a_while_says_whether_the_ask_has_ended() -> None:
    pending = Desk().open(ask())
    assert pending.wait(0) is False


def test_observers_are_told_before_the_asker_wakes() -> None:
    desk, order = Desk(), []
    pending = desk.open(ask())
    pending.when_done(lambda: order.append("asker"))
    desk.observe(lambda ended: order.append(f"observer, reply {ended.reply is not None}, done {ended.done}"))
    desk.settle(pending.ask.id, Declined())
    assert order == ["observer, reply True, done False", "asker"]


def test_a_failing_observer_keeps_neither_the_asker_nor_the_others_waiting(caplog: pytest.LogCaptureFixture) -> None:
    desk, told = Desk(), []

    def fail(pending: Pending) -> None:
        raise RuntimeError("broken front")

    desk.observe(fail)
    desk.observe(lambda pending: told.append(pending.ask.id))
    pending = desk.open(ask())
    assert desk.settle(pending.ask.id, Declined())
    assert pending.wait(0)
    assert told == [pending.ask.id]
    assert "broken front" in caplog.text


def test_an_interrupted_observer_still_lets_the_asker_go() -> None:
    desk = Desk()

    def interrupt(pending: Pending) -> None:
        raise KeyboardInterrupt

    desk.observe(interrupt)
    pending = desk.open(ask())
    with pytest.raises(KeyboardInterrupt):
        desk.settle(pending.ask.id, Declined())
    assert pending.wait(0)


def test_a_failing_waiter_does_not_keep_the_others_waiting(caplog: pytest.LogCaptureFixture) -> None:
    desk, woken = Desk(), threading.Event()
    pending = desk.open(ask())

    def fail() -> None:
        raise RuntimeError("loop is gone")

    pending.when_done(fail)
    pending.when_done(woken.set)
    with contextlib.suppress(RuntimeError):
        desk.settle(pending.ask.id, Declined())
    assert woken.is_set()
    assert "loop is gone" in caplog.text


def test_when_done_after_the_end_calls_at_once() -> None:
    desk, called = Desk(), []
    pending = desk.open(ask())
    desk.settle(pending.ask.id, Declined())
    pending.when_done(lambda: called.append("now"))
    assert called == ["now"]


def test_an_observer_may_look_at_the_desk_and_settle_another_ask() -> None:
    desk = Desk()
    first, second = desk.open(ask()), desk.open(ask())

    def withdraw_the_other(ended: Pending) -> None:
        desk.withdraw(second.ask.id)

    desk.observe(withdraw_the_other)
    desk.settle(first.ask.id, Declined())
    assert second.done
    assert desk.snapshot() == ()


def test_an_undo_of_an_observer_may_be_called_twice() -> None:
    desk, told = Desk(), []
    stop = desk.observe(lambda pending: told.append(1))
    stop()
    stop()
    desk.settle(desk.open(ask()).ask.id, Declined())
    assert told == []


def test_a_deadline_is_measured_by_the_injected_clock() -> None:
    clock = FakeClock()
    pending = Desk(clock).open(ask(timeout=10))
    assert pending.remaining() == 10
    clock.advance(12.5)
    assert pending.remaining() == -2.5
    assert pending.elapsed == 12.5


def test_an_ask_without_a_timeout_has_no_deadline() -> None:
    clock = FakeClock()
    pending = Desk(clock).open(ask())
    clock.advance(1e9)
    assert pending.remaining() is None


def test_c15_an_ask_and_its_draft_live_in_the_kernel_while_nobody_looks() -> None:
    desk = Desk()
    pending = desk.open(ask(), origin="cell-7")
    desk.keep_draft(pending.ask.id, {"answers": {}, "message": "abc"})
    (found,) = desk.snapshot()
    assert (found.ask, found.origin, found.draft) == (pending.ask, "cell-7", {"answers": {}, "message": "abc"})


def test_a_withdrawn_ask_says_why() -> None:
    desk = Desk()
    pending = desk.open(ask())
    desk.withdraw(pending.ask.id, "the server went away")
    assert isinstance(pending.reply, Withdrawn)
    assert pending.reply.reason == "the server went away"


# A deadline that stands still while somebody types

DRAFT: Any = {"answers": {}, "message": "half a"}


def typed(desk: Desk, pending: Pending, clock: FakeClock, seconds: int) -> None:
    """Somebody types once a second."""
    for _ in range(seconds):
        clock.advance(1)
        assert pending.remaining() > 0  # type: ignore[operator]
        desk.keep_draft(pending.ask.id, DRAFT)


def test_a14_c22_typing_every_second_keeps_an_ask_open_past_its_timeout() -> None:
    clock = FakeClock(1000)
    desk = Desk(clock)
    pending = desk.open(ask(timeout=3))
    typed(desk, pending, clock, 10)
    # One second ran before the first letter; the rest stands still until PAUSE after the last one.
    assert pending.paused_until == 1010 + PAUSE
    assert pending.deadline == 1010 + PAUSE + 2
    clock.advance(PAUSE + 1.9)
    assert pending.remaining() == pytest.approx(0.1)
    clock.advance(0.2)
    assert pending.remaining() == pytest.approx(-0.1)
    assert pending.draft == DRAFT


@pytest.mark.parametrize("times", [1, 2, 50])
def test_many_drafts_in_one_moment_pause_it_once(times: int) -> None:
    clock = FakeClock()
    desk = Desk(clock)
    pending = desk.open(ask(timeout=10))
    clock.advance(4)
    for _ in range(times):
        desk.keep_draft(pending.ask.id, DRAFT)
    assert (pending.deadline, pending.paused_until) == (10 + PAUSE, 4 + PAUSE)


def test_a_deadline_runs_on_after_a_pause_and_pauses_again() -> None:
    clock = FakeClock()
    desk = Desk(clock)
    pending = desk.open(ask(timeout=10))
    desk.keep_draft(pending.ask.id, DRAFT)
    clock.advance(PAUSE + 4)
    assert (pending.remaining(), pending.paused_until) == (6, None)
    desk.keep_draft(pending.ask.id, DRAFT)
    assert (pending.deadline, pending.paused_until) == (10 + 2 * PAUSE, 2 * PAUSE + 4)


def test_a_pause_is_shown_until_the_moment_it_ends() -> None:
    clock = FakeClock()
    desk = Desk(clock)
    pending = desk.open(ask(timeout=10))
    desk.keep_draft(pending.ask.id, DRAFT)
    clock.advance(PAUSE - 0.5)
    assert pending.paused_until == PAUSE
    clock.advance(0.5)
    assert pending.paused_until is None


def test_a14_a_deadline_that_is_anothers_is_not_extended_and_keeps_the_draft() -> None:
    clock = FakeClock()
    desk = Desk(clock)
    pending = desk.open(ask(timeout=3, pausable=False))
    clock.advance(1)
    desk.keep_draft(pending.ask.id, DRAFT)
    assert (pending.remaining(), pending.deadline, pending.paused_until) == (2, 3, None)
    assert pending.draft == DRAFT


def test_an_ask_without_a_deadline_is_never_said_to_be_paused() -> None:
    desk = Desk(FakeClock())
    pending = desk.open(ask())
    desk.keep_draft(pending.ask.id, DRAFT)
    assert (pending.remaining(), pending.deadline, pending.paused_until) == (None, None, None)


def test_a_pause_is_measured_by_the_steady_clock_and_shown_on_the_wall() -> None:
    wall, steady = [5000.0], [10.0]
    desk = Desk(Clock(wall=lambda: wall[0], steady=lambda: steady[0]))
    pending = desk.open(ask(timeout=60))
    wall[0] += 3600  # somebody sets the clock
    desk.keep_draft(pending.ask.id, DRAFT)
    assert pending.remaining() == 60 + PAUSE
    assert pending.paused_until == 8600 + PAUSE
