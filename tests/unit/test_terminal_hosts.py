"""The console's host: lines read from a real pseudo-terminal, and IPython's prompt put aside for a question."""

from __future__ import annotations

import asyncio
import io
import os
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import nullcontext
from contextvars import copy_context
from types import SimpleNamespace
from typing import Any

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from nbask.hosts import ConsoleHost
from nbask.hosts.shared_screen import SharedScreen
from nbask.routing import Facts, route

Runner = Callable[..., Future[Any]]
ASKED = Facts(reachable=False)


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Standard input is a terminal; the descriptor of who types into it."""
    person, program = os.openpty()
    with os.fdopen(program, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield person
    os.close(person)


def echoes() -> bool:
    return bool(termios.tcgetattr(sys.stdin)[3] & termios.ECHO)


@pytest.mark.parametrize("secret", [True, False])
def test_a_line_is_read_and_only_a_secret_is_not_echoed(
    person: int, secret: bool, in_thread: Runner, capsys: pytest.CaptureFixture[str]
) -> None:
    echoed: list[bool] = []

    def stopped() -> bool:
        if not echoed:
            echoed.append(echoes())
            os.write(person, b"hunter2\n")
        return False

    reading = in_thread(ConsoleHost().read_line, "Key? ", secret, stopped)
    assert reading.result(5) == "hunter2"
    assert echoed == [not secret]
    assert echoes()
    assert capsys.readouterr().out == "Key? "


@pytest.mark.parametrize("secret", [True, False])
def test_a_prompt_is_given_up_and_the_terminal_is_as_it_was(person: int, secret: bool, in_thread: Runner) -> None:
    ended = threading.Event()
    reading = in_thread(ConsoleHost().read_line, "Key? ", secret, ended.is_set)
    ended.set()
    assert reading.result(5) is None
    assert echoes()


def test_the_end_of_input_is_told_from_a_line(person: int, in_thread: Runner) -> None:
    reading = in_thread(ConsoleHost().read_line, "Name? ", False, lambda: os.write(person, b"\x04") < 0)
    with pytest.raises(EOFError):
        reading.result(5)


@pytest.mark.parametrize(
    ("out_is_terminal", "term", "installed", "fronts"),
    [
        (True, "xterm", True, ("terminal",)),
        (False, "xterm", True, ("text",)),
        (True, "dumb", True, ("text",)),
        (True, "xterm", False, ("text",)),
    ],
)
def test_keys_are_read_where_there_is_a_screen_and_questionary(
    person: int,
    monkeypatch: pytest.MonkeyPatch,
    out_is_terminal: bool,
    term: str,
    installed: bool,
    fronts: tuple[str, ...],
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr("nbask.hosts.console.find_spec", lambda name: installed or None)
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: out_is_terminal))
    assert route(ConsoleHost().facts(ASKED)).fronts == fronts


def test_without_a_terminal_nobody_is_there() -> None:
    assert route(ConsoleHost().facts(ASKED)).fronts == ()


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "none"])
def test_no_standard_input_is_no_terminal(monkeypatch: pytest.MonkeyPatch, closed: bool) -> None:
    stdin = io.StringIO()
    stdin.close()
    monkeypatch.setattr(sys, "stdin", stdin if closed else None)
    assert not ConsoleHost().facts(ASKED).allow_stdin


# IPython's prompt


class Shell:
    """What is used of an IPython shell: its events, and its prompt."""

    def __init__(self) -> None:
        self.pt_app: Any = None
        self.events = self
        self.callbacks: dict[str, list[Any]] = {"pre_run_cell": [], "post_run_cell": []}

    def register(self, event: str, callback: Any) -> None:
        self.callbacks[event].append(callback)

    def unregister(self, event: str, callback: Any) -> None:
        self.callbacks[event].remove(callback)

    def fire(self, event: str, *args: Any) -> None:
        for callback in self.callbacks[event]:
            callback(*args)


def ignore(*_: Any) -> None: ...


def test_cells_are_listened_to_until_it_stops() -> None:
    shell, heard = Shell(), []
    screen = SharedScreen(shell)
    screen.listen(heard.append, heard.append)
    shell.fire("pre_run_cell", "begun")
    shell.fire("post_run_cell", "ended")
    screen.stop_listening()
    shell.fire("pre_run_cell", "again")
    assert heard == ["begun", "ended"]
    SharedScreen(None).listen(ignore, ignore)


def test_a_cell_ends_once_its_threads_questions_have(in_thread: Runner) -> None:
    shell = Shell()
    screen = SharedScreen(shell)
    screen.listen(ignore, ignore)
    shell.fire("pre_run_cell", None)
    asked, answered = threading.Event(), threading.Event()

    def ask() -> None:
        with screen.lend():
            asked.set()
            assert answered.wait(5)

    asking = in_thread(ask)
    assert asked.wait(5)
    ending = in_thread(shell.fire, "post_run_cell", SimpleNamespace())
    assert not ending.done()
    answered.set()
    ending.result(5)
    asking.result(5)


def test_an_interrupt_while_a_cell_waits_for_that_ends_it_as_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def __enter__(self) -> None:
            raise KeyboardInterrupt

        def __exit__(self, *_: object) -> None: ...

    shell, ends = Shell(), []
    screen = SharedScreen(shell)
    screen.listen(ignore, lambda result: ends.append(getattr(result, "error_in_exec", None)))
    monkeypatch.setattr(screen, "_taken", Interrupted())
    shell.fire("post_run_cell", SimpleNamespace())
    assert [type(end) for end in ends] == [type(None), KeyboardInterrupt]


def test_the_prompt_is_put_aside_for_a_question_and_comes_back(in_thread: Runner) -> None:
    with create_pipe_input() as keys, create_app_session(keys, DummyOutput()):
        shell = Shell()
        shell.pt_app = PromptSession()
        screen = SharedScreen(shell)

        async def idle() -> str:
            prompt = asyncio.create_task(shell.pt_app.prompt_async())
            while not shell.pt_app.app.is_running:
                await asyncio.sleep(0.01)
            screen._between_cells = True
            seen: list[bool] = []

            def ask() -> None:
                with screen.lend():
                    seen.append(shell.pt_app.app._running_in_terminal)

            await asyncio.get_running_loop().run_in_executor(None, copied(ask))
            assert seen == [True]
            assert not shell.pt_app.app._running_in_terminal
            keys.send_text("1 + 1\r")
            return await prompt

        assert asyncio.run(asyncio.wait_for(idle(), 10)) == "1 + 1"


@pytest.mark.parametrize("closed", [True, False], ids=["its loop is closed", "its loop is busy"])
def test_a_prompt_that_does_not_come_back_ends_the_question_all_the_same(
    in_thread: Runner, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    monkeypatch.setattr("prompt_toolkit.application.in_terminal", nullcontext)
    monkeypatch.setattr("nbask.hosts.shared_screen._PATIENCE", 0.1)
    shell, shown, over = Shell(), threading.Event(), threading.Event()

    async def prompt() -> None:
        app = SimpleNamespace(is_running=True, loop=asyncio.get_running_loop())
        shell.pt_app = SimpleNamespace(app=app)
        shown.set()
        await asyncio.to_thread(over.wait, 5)

    prompting = in_thread(asyncio.run, prompt())
    assert shown.wait(5)
    with SharedScreen(shell).lend():
        if closed:
            over.set()
            prompting.result(5)
        else:
            shell.pt_app.app.loop.call_soon_threadsafe(over.wait, 5)
    over.set()
    prompting.result(5)


def copied(function: Callable[[], None]) -> Callable[[], None]:
    """The function in this thread's context, which threads of a pool do not inherit."""
    context = copy_context()
    return lambda: context.run(function)
