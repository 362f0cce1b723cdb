"""What is put off: called when it is due, in one thread for all of it, unless it is cancelled."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import threading
import time
import weakref
from queue import Empty, SimpleQueue

import pytest

from nbask.waiting.later import _Alarm, _Alarms, later

PATIENCE = 10.0
HOUR = 3600.0


def test_what_is_put_off_comes_in_the_order_in_which_it_is_due() -> None:
    came: SimpleQueue[str] = SimpleQueue()
    never = later(HOUR, lambda: came.put("never"))
    later(0.1, lambda: came.put("second"))
    later(0.05, lambda: came.put("first"))  # while the thread waits for one that is due later
    assert [came.get(timeout=PATIENCE) for _ in range(2)] == ["first", "second"]
    never.cancel()


def test_what_is_cancelled_does_not_come() -> None:
    came: SimpleQueue[str] = SimpleQueue()
    later(0.05, lambda: came.put("cancelled")).cancel()
    later(0.1, lambda: came.put("next"))
    assert came.get(timeout=PATIENCE) == "next"
    with pytest.raises(Empty):
        came.get_nowait()


def test_what_is_cancelled_is_forgotten_long_before_its_time() -> None:
    class Card:
        def close(self) -> None: ...

    card = Card()
    gone = weakref.ref(card)
    later(HOUR, card.close).cancel()
    del card
    gc.collect()
    assert gone() is None


def test_no_thread_is_started_for_each_of_them() -> None:
    first = later(HOUR, lambda: None)
    before = threading.active_count()
    rest = [later(HOUR, lambda: None) for _ in range(50)]
    assert threading.active_count() == before
    for one in (first, *rest):
        one.cancel()


def test_one_that_fails_keeps_none_of_the_others_back(caplog: pytest.LogCaptureFixture) -> None:
    came = threading.Event()

    def fail() -> None:
        raise RuntimeError("of the first")

    with caplog.at_level(logging.ERROR, "nbask"):
        later(0, fail)
        later(0.01, came.set)
        assert came.wait(PATIENCE)
    assert "of the first" in caplog.text


def test_one_that_is_due_before_all_others_is_not_kept_waiting_by_them() -> None:
    alarms = _Alarms()
    alarms.add(_Alarm(time.monotonic() + HOUR, lambda: None))
    while not alarms._changed._waiters:  # type: ignore[attr-defined]  # until the thread sleeps
        time.sleep(0.001)
    came = threading.Event()
    alarms.add(_Alarm(time.monotonic() + 0.01, came.set))
    assert came.wait(PATIENCE)


def test_nothing_comes_before_its_time() -> None:
    came: SimpleQueue[float] = SimpleQueue()
    due = time.monotonic() + 0.05
    later(0.05, lambda: came.put(time.monotonic()))
    assert came.get(timeout=PATIENCE) >= due


def test_what_is_put_off_does_not_keep_the_process_alive() -> None:
    alarms = _Alarms()
    alarms.add(_Alarm(time.monotonic() + HOUR, lambda: None))
    assert alarms._thread is not None
    assert alarms._thread.daemon


def test_where_a_process_has_one_thread_its_event_loop_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr(sys, "platform", "emscripten")
        came: asyncio.Queue[threading.Thread] = asyncio.Queue()
        later(0, lambda: came.put_nowait(None)).cancel()  # type: ignore[arg-type]
        later(0.01, lambda: came.put_nowait(threading.current_thread()))
        assert await asyncio.wait_for(came.get(), PATIENCE) is threading.current_thread()

    asyncio.run(main())
