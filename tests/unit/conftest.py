"""Builders the unit tests share: a reply message, a person who answers, threads that end."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import Context, copy_context
from dataclasses import replace
from typing import Any

import pytest

from nbask import runtime as runtime_module
from nbask.desk import Clock, Desk, Pending
from nbask.questions import Ask
from nbask.routing import Facts
from nbask.runtime import Runtime
from nbask.settings import NbAsk

Front = Callable[[Desk, Pending], None]


class FakeHost:
    """A place with a person in it: `front` plays the person, or nobody answers."""

    cannot_block = ""
    shell = None
    kernel = None

    def __init__(self, front: Front | None, allow_stdin: bool) -> None:
        self.front = front
        self.allow_stdin = allow_stdin
        self.asked: list[Pending] = []
        self.receipts: list[dict[str, Any]] = []
        self.current_cell = "cell-1"

    def facts(self, known: Facts) -> Facts:
        return replace(known, host="terminal", allow_stdin=self.allow_stdin)

    def cell(self) -> str:
        return self.current_cell

    def context(self) -> Context:
        return copy_context()

    def read_line(self, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:
        raise AssertionError(f"nobody types here: {prompt}")

    def show(self, bundle: dict[str, Any], display_id: str | None = None, update: bool = False) -> None:
        self.receipts.append(bundle)

    def listen(self, cell_started: Any, cell_ended: Any) -> None: ...

    def stop_listening(self) -> None: ...


class FakeFront:
    """The text front's place: hands the ask to whoever plays the person, in the asking thread."""

    name = "text"

    def __init__(self, host: FakeHost, desk: Desk) -> None:
        self.host = host
        self.desk = desk

    def show(self, pending: Pending, after: float = 0.0, seen: Any = None) -> None:
        self.host.asked.append(pending)
        if self.host.front is not None:
            self.host.front(self.desk, pending)

    def close(self, pending: Pending) -> None: ...


@pytest.fixture(autouse=True)
def fresh_runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test has its own runtime, no policy from outside, and no terminal."""
    monkeypatch.delenv("NBASK_WHEN_UNANSWERED", raising=False)
    monkeypatch.setattr(runtime_module, "_runtime", None)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    yield
    runtime_module.unload()


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Put a person there: `person(front, clock=…, allow_stdin=…, **settings)` is the runtime whose asks they get."""

    def make(
        front: Front | None = None, *, clock: Clock | None = None, allow_stdin: bool = True, **settings: Any
    ) -> Runtime:
        host = FakeHost(front, allow_stdin)
        made = Runtime(host, NbAsk(**settings), clock)
        monkeypatch.setattr(made.fronts, "_prompt", FakeFront(host, made.desk))
        monkeypatch.setattr(runtime_module, "_runtime", made)
        return made

    return make


@pytest.fixture
def reply_to() -> Callable[..., dict[str, Any]]:
    """A front's reply message: `reply_to(ask, {"q1": wire_answer(["o1"])}, action=…, message=…)`."""

    def make(
        ask: Ask, answers: dict[str, Any] | None = None, action: str = "submit", message: str | None = None
    ) -> dict[str, Any]:
        return {"type": "reply", "ask": ask.id, "action": action, "answers": answers or {}, "message": message}

    return make


@pytest.fixture
def in_thread() -> Iterator[Callable[..., Future[Any]]]:
    """Run a function in a thread of its own; the future's `result(5)` bounds the wait."""
    with ThreadPoolExecutor(64) as pool:
        yield pool.submit
