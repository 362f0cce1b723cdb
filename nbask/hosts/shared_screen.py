"""A terminal that IPython's own prompt uses as well: whoever asks in between has it to themselves."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_TICK = 0.05
_PATIENCE = 2.0
"""Seconds for which IPython's next prompt is awaited; it may never come, where no cell runs at its end."""


class SharedScreen:
    """Who has the terminal: a question, or the prompt of the IPython shell, if there is one.

    Args:
        shell: The IPython shell, or None.
    """

    def __init__(self, shell: Any | None) -> None:
        self._shell = shell
        self._events = getattr(shell, "events", None)
        self._taken = threading.Lock()
        self._between_cells = self._prompt() is not None
        self._listeners: list[tuple[str, Callable[..., None]]] = []

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Have the terminal: IPython's prompt is put aside, or does not come before this ends."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            if not self._between_cells or time.monotonic() > deadline:
                with self._taken:
                    if not self._between_cells or time.monotonic() > deadline:
                        yield
                        return
            if (prompt := self._prompt()) is not None:
                with _put_aside(prompt):
                    yield
                return
            time.sleep(_TICK)

    def listen(self, cell_started: Callable[..., None], cell_ended: Callable[..., None]) -> None:
        """Have these called around each cell of the shell."""
        if self._events is None:
            return

        def started(*info: Any) -> None:
            self._between_cells = False
            cell_started(*info)

        def ended(result: Any = None) -> None:
            cell_ended(result)
            self._between_cells = True
            try:
                with self._taken:  # its threads' questions come before the next prompt
                    pass
            except KeyboardInterrupt as interrupt:
                result.error_in_exec = interrupt
                cell_ended(result)

        self._listeners = [("pre_run_cell", started), ("post_run_cell", ended)]
        for event, callback in self._listeners:
            self._events.register(event, callback)

    def stop_listening(self) -> None:
        """Undo :meth:`listen`."""
        for event, callback in self._listeners:
            self._events.unregister(event, callback)  # type: ignore[union-attr]
        self._listeners, self._between_cells = [], False

    def _prompt(self) -> Any | None:
        """IPython's prompt, if it is shown now."""
        session = getattr(self._shell, "pt_app", None)
        app = getattr(session, "app", None)
        return app if app is not None and app.is_running and app.loop is not None else None


@contextmanager
def _put_aside(prompt: Any) -> Iterator[None]:
    from prompt_toolkit.application import in_terminal

    held = threading.Event()
    released = asyncio.Event()

    async def hold() -> None:
        async with in_terminal():
            held.set()
            await released.wait()

    loop = prompt.loop
    holding = asyncio.run_coroutine_threadsafe(hold(), loop)
    held.wait(_PATIENCE)
    # What is printed goes through that prompt, which would keep it until it is back.
    printed = getattr(sys.stdout, "original_stdout", None) or sys.stdout
    try:
        with contextlib.redirect_stdout(printed):
            yield
    finally:
        # Its loop may be busy, or closed by now; what was answered meanwhile must not be lost for that.
        with contextlib.suppress(RuntimeError, concurrent.futures.CancelledError, concurrent.futures.TimeoutError):
            loop.call_soon_threadsafe(released.set)
            holding.result(_PATIENCE)
