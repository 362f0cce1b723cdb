"""marimo as a person uses it: a notebook in its editor, or as an app, with a server and a kernel of its own."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Literal, cast

from card import Card
from front_end import PATIENCE_MS, NotebookPage
from playwright.sync_api import Browser, expect
from server import READY_S, LabServer, _free_port

Mode = Literal["edit", "run"]
SETTINGS = """[display]
theme = "{theme}"
[runtime]
auto_instantiate = false
[server]
disable_file_downloads = true
"""


def source_of(cells: Sequence[str]) -> str:
    """A marimo notebook with these cells; marimo finds out by itself what each defines and reads."""
    parts = ["import marimo\n\napp = marimo.App()\n"]
    for cell in cells:
        word = "async def" if "await " in cell else "def"
        parts.append(f"@app.cell\n{word} _():\n{indent(cell, '    ')}\n    return\n")
    return "\n\n".join([*parts, 'if __name__ == "__main__":\n    app.run()\n'])


def quiet_environment(home: Path) -> dict[str, str]:
    """An environment in which marimo reads and writes its settings under `home`."""
    home.mkdir(parents=True, exist_ok=True)
    folders = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTEST_CURRENT_TEST")}
    return {**inherited, **folders}


class MarimoServer:
    """A running marimo with one notebook: a free loopback port, a random token, one temporary folder."""

    def __init__(self, cells: Sequence[str], mode: Mode = "edit", theme: str = "light") -> None:
        self._home = tempfile.TemporaryDirectory(prefix="nbask-marimo-")
        self.root = Path(self._home.name)
        (self.root / "marimo").mkdir()
        for settings in (self.root / ".marimo.toml", self.root / "marimo" / "marimo.toml"):
            settings.write_text(SETTINGS.format(theme=theme))
        self.notebook = self.root / "notebook.py"
        self.notebook.write_text(source_of(cells))
        self._token = secrets.token_hex(16)
        (self.root / "token").write_text(self._token)  # the command line is for everybody on the machine to see
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._log = self.root / "server.log"
        options = ["--headless", "--host", "127.0.0.1", "--port", str(port), "--token-password-file"]
        options += [str(self.root / "token"), *(["--skip-update-check"] if mode == "edit" else [])]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "marimo", "-y", mode, str(self.notebook), *options],
                env=quiet_environment(self.root),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.root,
                start_new_session=True,
            )
        try:
            self._wait_ready()
        except BaseException:
            self.stop()
            raise

    def _wait_ready(self) -> None:
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"marimo ended with {self._process.returncode} at its start:\n{self.log()}")
            try:
                urllib.request.urlopen(f"{self.url}/health", timeout=20).close()
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)  # a server that is not there yet cannot tell us when it is
        raise RuntimeError(f"marimo did not answer within {READY_S:g} s:\n{self.log()}")

    def address(self) -> str:
        return f"{self.url}/?access_token={self._token}"

    def log(self) -> str:
        return self._log.read_text(errors="replace").replace(self._token, "…")[-6000:]

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._home.cleanup()


class MarimoPage(NotebookPage):
    """One browser page with a marimo notebook in its editor, or as an app."""

    CELL = ".marimo-cell"
    OUTPUT = ".output-area"
    STDOUT = '[data-testid="console-output-area"]'

    def __init__(self, server: MarimoServer, browser: Browser) -> None:
        super().__init__(cast("LabServer", server), browser)
        self.marimo = server
        self._connected = self.page.locator("#App[data-connection-state=OPEN]")

    def address(self, notebook: str) -> str:
        return self.marimo.address()

    def open(self, notebook: str = "") -> None:
        self.page.goto(self.address(notebook))

    def _open_with_kernel(self) -> None:
        """Open the notebook; once more where marimo says that its kernel stopped before any cell ran."""
        self.open()
        stopped = self.page.get_by_text("Kernel stopped")
        expect(self._connected.or_(stopped).first).to_be_visible(timeout=2 * PATIENCE_MS)
        if stopped.is_visible():
            self.open()

    def wait_idle(self) -> None:
        """Wait until the page is connected and no cell runs or is queued."""
        expect(self._connected).to_be_visible(timeout=2 * PATIENCE_MS)
        expect(self.page.locator("[data-status=running], [data-status=queued]")).to_have_count(0)

    def open_and_run(self) -> None:
        """Open the notebook in the editor and run all its cells."""
        self._open_with_kernel()
        expect(self.cells.first).to_be_visible(timeout=2 * PATIENCE_MS)
        self.wait_idle()
        self.page.get_by_test_id("run-button").last.click()

    def run_cell(self, index: int) -> None:
        """Press the cell's own run button."""
        self.cell(index).hover()
        self.cell(index).get_by_test_id("run-button").first.click()

    def interrupt(self) -> None:
        self.page.get_by_test_id("interrupt-button").click()

    def asked(self, question: str) -> Card:
        """Wait for the card that asks this, wherever it is."""
        return Card(self.page.locator(".nbask", has_text=question)).wait()
