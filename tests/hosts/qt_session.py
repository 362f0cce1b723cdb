"""A real qtconsole without a display: plays the steps it is given, and prints what its window shows.

A process of its own, since Qt does not leave one once it is in it. Steps are pairs in JSON: `run` a cell,
`wait` for a text, `type` a line into the prompt, press `interrupt`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.update(QT_QPA_PLATFORM="offscreen", QT_API="pyqt6")

from qtconsole.manager import QtKernelManager
from qtconsole.rich_jupyter_widget import RichJupyterWidget
from qtpy import QtCore, QtTest, QtWidgets

PATIENCE = 60.0


class Session:
    """A console window with a kernel."""

    def __init__(self) -> None:
        self._app = QtWidgets.QApplication([])
        self._manager = QtKernelManager(kernel_name="python3")
        self._manager.start_kernel()
        self._client = self._manager.client()
        self._client.start_channels()
        self._window: Any = RichJupyterWidget()
        self._window.kernel_manager = self._manager
        self._window.kernel_client = self._client
        self._window.show()
        self.wait("In [1]:")

    @property
    def text(self) -> str:
        return self._window._control.toPlainText()

    def run(self, code: str) -> None:
        self._window.execute(code)

    def wait(self, found: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while found not in self.text:
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {found!r} in\n{self.text}")
            self._app.processEvents(QtCore.QEventLoop.ProcessEventsFlag.AllEvents, 50)

    def type(self, line: str) -> None:
        keyboard: Any = QtTest.QTest
        keyboard.keyClicks(self._window._control, line)
        keyboard.keyClick(self._window._control, QtCore.Qt.Key.Key_Return)

    def interrupt(self, _: str) -> None:
        self._window.request_interrupt_kernel()

    def close(self) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)


def play(steps: list[tuple[str, str]]) -> str:
    """Play the steps; what the window shows at the end."""
    session = Session()
    does: dict[str, Callable[[str], None]] = {
        "run": session.run,
        "wait": session.wait,
        "type": session.type,
        "interrupt": session.interrupt,
    }
    try:
        for name, words in steps:
            does[name](words)
        return session.text
    finally:
        session.close()


if __name__ == "__main__":
    print(play(json.loads(sys.argv[1])))
