"""The terminal front: arrow keys, digits, Space and typing, by questionary (the `terminal` extra)."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import Context
from typing import Any

from nbask.desk import Desk, Pending
from nbask.fronts.prompt import Lend, PromptFront, ReadLine
from nbask.replies import Cancelled, Reply

log = logging.getLogger("nbask")


class TerminalFront(PromptFront):
    """Asks in the terminal, in a thread with a loop of its own: the caller's may be running, and stays free.

    Where the picking fails, the question is asked as plain text.
    """

    name = "terminal"

    def __init__(self, desk: Desk, read_line: ReadLine, here: Callable[[], Context], lend: Lend | None = None) -> None:
        super().__init__(desk, read_line, here, lend or nullcontext)
        self._shown: dict[str, _Prompting] = {}

    def close(self, pending: Pending) -> None:
        """Take the prompt away; once this returns, the terminal is as it was."""
        if (prompting := self._shown.get(pending.ask.id)) is not None:
            prompting.give_up()
        super().close(pending)

    def _talk(self, pending: Pending) -> Reply | None:
        prompting = self._shown[pending.ask.id] = _Prompting(self._desk, pending)
        atexit.register(self.close, pending)  # a program that ends leaves the terminal as it was
        try:
            return prompting.run()
        except Exception:
            log.exception("the terminal prompt of ask %s failed; it is asked as text", pending.ask.id)
        finally:
            atexit.unregister(self.close)
            del self._shown[pending.ask.id]
        return super()._talk(pending)

    def _settle(self, pending: Pending, reply: Reply) -> None:
        if isinstance(reply, Cancelled) and reply.by == "interrupt":
            # The signal that Ctrl+C is elsewhere: if the main thread waits for this ask, that ends it.
            _interrupt_main_thread()
            pending.wait(1)
        super()._settle(pending, reply)


class _Prompting:
    """One conversation in the terminal, and the means to end it from another thread."""

    def __init__(self, desk: Desk, pending: Pending) -> None:
        self._desk = desk
        self._pending = pending
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[Reply] | None = None

    def run(self) -> Reply | None:
        """Put the ask to the person; None where it was given up."""
        from nbask.fronts.conversation import Conversation

        try:
            if self._pending.reply is not None:  # it ended just before there was anything to give up
                return None
            with _session():
                _forget_keys()
                talk: Any = Conversation(self._desk, self._pending).run()
                self._task = self._loop.create_task(talk)
                return self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            return None
        finally:
            self._loop.run_until_complete(_rest())
            self._loop.close()

    def give_up(self) -> None:
        """End it, from any thread."""

        def cancel() -> None:
            if self._task is not None:
                self._task.cancel()

        with contextlib.suppress(RuntimeError):  # closed already
            self._loop.call_soon_threadsafe(cancel)


@contextmanager
def _session() -> Iterator[None]:
    """Have what other threads print shown above the prompt; where IPython's is put aside, it is left to that one."""
    from prompt_toolkit.application import create_app_session, get_app_or_none
    from prompt_toolkit.patch_stdout import patch_stdout

    other = get_app_or_none()
    if other is not None and other.is_running:
        with create_app_session(other.input, other.output):
            yield
    else:
        with patch_stdout(raw=True):
            yield


def _forget_keys() -> None:
    """What was typed before a question was there does not answer it."""
    from prompt_toolkit.application import get_app_session
    from prompt_toolkit.input.typeahead import clear_typeahead

    keys = get_app_session().input
    clear_typeahead(keys)
    with contextlib.suppress(ImportError):  # Windows
        import termios

        if os.isatty(keys.fileno()):
            termios.tcflush(keys.fileno(), termios.TCIFLUSH)


async def _rest() -> None:
    """Let what was printed at the last moment be shown."""
    await asyncio.sleep(0)
    if rest := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(rest, timeout=1)


def _interrupt_main_thread() -> None:
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)
