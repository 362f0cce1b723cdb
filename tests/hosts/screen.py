"""A terminal with a program in it: what a person would see, and the keys they would press."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pexpect
import pyte

PATIENCE = 30.0
"""Seconds to wait for what should be there at once: machines that run tests are slow."""
ROOT = Path(__file__).parents[2]

DOWN = "\x1b[B"
ENTER = "\r"
ESC = "\x1b"
INTERRUPT = "\x03"
END_OF_INPUT = "\x04"


class Screen:
    """A program in a pseudo-terminal.

    Args:
        argv: The program and its arguments.
        home: Where it runs, and where it finds no settings of the developer's.
        env: More of its environment.
    """

    def __init__(self, *argv: str, home: Path, env: Mapping[str, str] | None = None, rows: int = 40) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NBASK_"))}
        self._screen = pyte.HistoryScreen(100, rows, history=2000, ratio=1)
        self._stream = pyte.Stream(self._screen)
        self.raw = ""
        self._child: Any = pexpect.spawn(
            argv[0],
            list(argv[1:]),
            dimensions=(rows, 100),
            encoding="utf-8",
            codec_errors="replace",
            cwd=str(home),
            env={
                **kept,
                "HOME": str(home),
                "IPYTHONDIR": str(home / "ipython"),
                "JUPYTER_CONFIG_DIR": str(home / "config"),
                "JUPYTER_DATA_DIR": str(home / "data"),
                "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
                "PROMPT_TOOLKIT_NO_CPR": "1",  # this terminal does not say where its cursor is
                "PYDEVD_DISABLE_FILE_VALIDATION": "1",
                "PYTHONPATH": str(ROOT),
                "PYTHONWARNINGS": "ignore",
                "TERM": "xterm-256color",
                **(env or {}),
            },  # pyright: ignore[reportArgumentType]
        )

    @property
    def text(self) -> str:
        """All lines, those that have left the screen above too."""
        gone = ["".join(line[column].data for column in range(100)) for line in self._screen.history.top]
        return "\n".join(line.rstrip() for line in [*gone, *self._screen.display]).rstrip()

    @property
    def ended(self) -> bool:
        """Whether the program has ended, and all that it said is on the screen."""
        return not self._child.isalive() and not self._read(0.05)

    def press(self, keys: str) -> None:
        """Press keys."""
        self._child.send(keys)

    def wait(self, found: str | Callable[[str], Any], timeout: float = PATIENCE) -> str:
        """Wait for a text to be there, or for a function of the text to be true; returns the text."""
        is_there = found if callable(found) else lambda text: found in text
        deadline = time.monotonic() + timeout
        while not is_there(text := self.text):
            assert time.monotonic() < deadline, f"waited in vain for {found!r} in\n{text}"
            if not self._read(0.1) and not self._child.isalive():
                assert is_there(self.text), f"ended without {found!r}:\n{self.text}"
        return text

    def wait_end(self, timeout: float = PATIENCE) -> str:
        """Wait for the program to end; returns the text."""
        deadline = time.monotonic() + timeout
        while not self.ended:
            assert time.monotonic() < deadline, f"still running:\n{self.text}"
        return self.text

    def close(self) -> None:
        """End the program, if it has not."""
        self._child.close(force=True)

    def _read(self, seconds: float) -> bool:
        try:
            said = self._child.read_nonblocking(65536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self.raw += said
        self._stream.feed(said)
        return True


Script = Callable[..., Screen]
"""Runs a script in a screen; see the fixture `python`."""


class Cells:
    """An IPython prompt: cells are typed, and end when the next prompt is there."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self._number = 1
        screen.wait("In [1]:")
        self.run("from nbask import *; import nbask, asyncio")

    def begin(self, code: str) -> int:
        """Type a cell; returns its number."""
        self.screen.press(f"{code}\r")
        self._number += 1
        return self._number - 1

    def end(self) -> str:
        """Wait for the next prompt; returns what is on the screen since the last cell was typed."""
        text = self.screen.wait(f"In [{self._number}]:")
        return text[text.rindex(f"In [{self._number - 1}]:") :]

    def run(self, code: str) -> str:
        self.begin(code)
        return self.end()
