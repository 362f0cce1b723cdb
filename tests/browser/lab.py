"""JupyterLab as a person uses it: open a notebook, run cells, look under them, answer what is asked there.

Used by the browser tests and by `scripts/demo --check`. Every wait is for something to be seen in the
page, with a bound.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from card import Card
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Locator,
    Page,
    Request,
    Route,
    WebSocket,
    expect,
    sync_playwright,
)
from server import LabServer

PATIENCE_MS = 30_000
SETUP = "%load_ext nbask\nfrom nbask import *\nfrom nbask import aio"
expect.set_options(timeout=PATIENCE_MS)
STDOUT = "application/vnd.jupyter.stdout"

# As root in a container Chromium has no sandbox to use; the others keep it from calling home.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str:
    """The browser that `scripts/setup` found or installed; the same names as in `scripts/lib.sh`."""
    names = (os.environ.get("NBASK_CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    for name in filter(None, names):
        if path := shutil.which(name):
            return path
    raise FileNotFoundError("There is no Chromium: run scripts/setup, or name one in NBASK_CHROMIUM.")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode(errors="replace")


def notebook_of(cells: Sequence[str]) -> dict[str, Any]:
    """A notebook with these code cells."""
    return {
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell-{i}",
                "source": source,
                "metadata": {},
                "outputs": [],
                "execution_count": None,
            }
            for i, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


class Lab:
    """One browser page with JupyterLab and one notebook. Cells count from 0, text cells among them."""

    def __init__(self, server: LabServer, browser: Browser) -> None:
        self.server = server
        self.notebook = ""
        self.console: list[str] = []
        self.outside: list[str] = []
        self.received: list[str] = []
        self.sent: list[str] = []
        self.requested: list[str] = []
        self.dialogs: list[str] = []
        self.context = browser.new_context(viewport={"width": 1280, "height": 1000})
        self.context.set_default_timeout(PATIENCE_MS)
        # Nothing that nbask shows may come from elsewhere.
        self.context.route(lambda url: url.startswith("http") and not url.startswith(server.url), self._refuse)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._note)
        self.page.on("websocket", self._listen)
        self.page.on("request", lambda request: self.requested.append(request.url))
        self.page.on("pageerror", lambda error: self.console.append(f"pageerror: {error}"))
        self.page.on("dialog", self._answer)

    def _refuse(self, route: Route, request: Request) -> None:
        self.outside.append(request.url)
        route.abort()

    def _note(self, message: ConsoleMessage) -> None:
        self.console.append(f"{message.type}: {message.text}")

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.received.append(_text(frame)))
        socket.on("framesent", lambda frame: self.sent.append(_text(frame)))

    def _answer(self, dialog: Dialog) -> None:
        if dialog.type != "beforeunload":  # "leave the page?" is JupyterLab's; no other comes from it
            self.dialogs.append(dialog.message)
        dialog.accept()

    def close(self) -> None:
        self.context.close()

    # -- the notebook -------------------------------------------------------------------------------

    def open_cells(self, *cells: str) -> None:
        """Open a new notebook with these code cells."""
        name = f"{uuid.uuid4().hex[:8]}.ipynb"
        (self.server.root / name).write_text(json.dumps(notebook_of(cells)))
        self.open(name)

    def open(self, notebook: str) -> None:
        """Open a notebook of the server's folder, and wait until its kernel is ready."""
        self.notebook = notebook
        self.page.goto(self.server.page_url(notebook, uuid.uuid4().hex))
        self.wait_open()
        self.wait_idle()

    def wait_open(self) -> None:
        """Wait until the notebook's cells are in the page."""
        expect(self.cells.first).to_be_visible(timeout=2 * PATIENCE_MS)

    def reload(self) -> None:
        """Reload the page, saved or not; the kernel goes on."""
        self.page.reload()
        self.wait_open()

    def saved(self) -> dict[str, Any]:
        """Save the notebook and read the file."""
        self._command("docmanager:save")
        return json.loads((self.server.root / self.notebook).read_text())

    @contextmanager
    def saving_widget_state(self) -> Iterator[None]:
        """Have whatever widgets are alive at a save written into the file, as a person may choose."""
        toggle = "@jupyter-widgets/jupyterlab-manager:saveWidgetState"
        self._command(toggle)
        try:
            yield
        finally:
            self._command(toggle)  # it is a setting of the server, which other tests use

    def set_theme(self, *, dark: bool) -> None:
        theme = "JupyterLab Dark" if dark else "JupyterLab Light"
        self._command("apputils:change-theme", {"theme": theme})
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", "false" if dark else "true")
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)  # it covers the page meanwhile

    def resize(self, width: int, height: int = 900) -> None:
        """Make the window this large, in pixels, and leave it to the notebook alone."""
        self.page.set_viewport_size({"width": width, "height": height})
        self._command("application:set-mode", {"mode": "single-document"})
        for side in ("left", "right"):
            shown = f"window.jupyterapp.shell.{side}Collapsed === false"
            if self.page.evaluate(shown):
                self._command(f"application:toggle-{side}-area")

    def _start(self, name: str) -> None:
        """Execute a command, and do not wait for what comes of it."""
        self.page.evaluate("name => { window.jupyterapp.commands.execute(name); }", name)

    def _command(self, name: str, args: dict[str, object] | None = None) -> None:
        self.page.evaluate("([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, args or {}])

    def restart_kernel(self) -> None:
        """Restart it as the menu does, and say that this is meant."""
        self._start("notebook:restart-kernel")
        self.accept_dialog()

    def accept_dialog(self) -> None:
        """Press the button with which a dialog of JupyterLab's goes on."""
        self.page.locator(".jp-Dialog-button.jp-mod-accept").click()

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """Take the page off the network, its sockets with it."""
        self.context.set_offline(True)
        # Sockets that are open already outlive that.
        self.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel._ws.close()")
        connection = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.connectionStatus"
        self.page.wait_for_function(f"{connection} !== 'connected'")
        try:
            yield
        finally:
            self.context.set_offline(False)
        # It tries by itself, and waits longer each time.
        self.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.reconnect()")
        self.page.wait_for_function(f"{connection} === 'connected'")

    def view_output(self, index: int) -> Locator:
        """Open a second view of a cell's output beside the notebook; returns it."""
        self.select_cell(index)
        self._start("notebook:create-output-view")
        view = self.page.locator(".jp-LinkedOutputView")
        expect(view).to_be_visible()
        return view

    # -- cells --------------------------------------------------------------------------------------

    @property
    def cells(self) -> Locator:
        return self.page.locator(".jp-Notebook .jp-Cell")

    def cell(self, index: int) -> Locator:
        return self.cells.nth(index)

    def sources(self) -> list[str]:
        """What is written in the cells now."""
        return self.page.evaluate(
            "[...window.jupyterapp.shell.currentWidget.content.widgets].map(cell => cell.model.sharedModel.source)"
        )

    def state(self) -> dict[str, Any]:
        """All of the notebook that a key could change: its cells, what they hold, which is active, what ran."""
        return self.page.evaluate(
            """() => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                return {
                    mode: notebook.mode,
                    active: notebook.activeCellIndex,
                    cells: notebook.widgets.map(cell => ({
                        type: cell.model.type,
                        source: cell.model.sharedModel.source,
                        prompt: cell.node.querySelector('.jp-InputPrompt').textContent,
                    })),
                };
            }"""
        )

    def put(self, code: str) -> int:
        """Add a cell with this code at the notebook's end and run it; returns its index."""
        self.wait_idle()  # a kernel in which a cell has just failed drops what comes at that moment
        index = self.page.evaluate(
            """code => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                const last = notebook.widgets.length;
                notebook.model.sharedModel.insertCell(last, {cell_type: 'code', source: code});
                notebook.deselectAll();
                notebook.activeCellIndex = last;
                notebook.mode = 'command';
                return last;
            }""",
            code,
        )
        self._start("notebook:run-cell")
        return index

    def tab_into(self, index: int) -> None:
        """Go from a cell to the first thing in its card by the keyboard alone."""
        card = self.cell(index).locator(".nbask")
        self.page.evaluate(
            """index => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                notebook.activeCellIndex = index;
                notebook.mode = 'command';
                notebook.activeCell.node.focus();
            }""",
            index,
        )
        for _ in range(12):  # the cell has a toolbar, too
            self.page.keyboard.press("Tab")
            if card.locator(":focus").count():
                return
        raise AssertionError("Tab does not lead from the cell to its card")

    def select_cell(self, index: int) -> None:
        """Make it the active cell, in command mode, as a click beside it does."""
        self.cell(index).locator(".jp-InputPrompt").click()

    def run_cell(self, index: int) -> None:
        self.select_cell(index)
        self.page.keyboard.press("Shift+Enter")

    def run_all(self) -> None:
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    def interrupt(self) -> None:
        """Press the stop button."""
        self.page.locator('[data-command="notebook:interrupt-kernel"]').first.click()

    def prompt(self, index: int) -> str:
        """`[3]:`, or `[*]:` while the cell waits or runs."""
        return self.cell(index).locator(".jp-InputPrompt").inner_text()

    def cell_output_text(self, index: int) -> str:
        """All that is written under a cell."""
        return "\n".join(self.cell(index).locator(".jp-OutputArea-output").all_inner_texts())

    def printed(self, index: int) -> Locator:
        """What a cell printed."""
        return self.cell(index).locator(f'.jp-OutputArea-output[data-mime-type="{STDOUT}"]')

    def expect_printed(self, index: int, text: str | re.Pattern[str]) -> None:
        """Wait until the cell has printed this, and nothing else."""
        expect(self.printed(index)).to_have_text(text)

    def wait_received(self, *parts: str) -> str:
        """Wait until the kernel has sent a message with all these parts in it; returns the message.

        What reached the page is seen here and nowhere else: the page's widgets are out of our reach.
        """
        for _ in range(PATIENCE_MS // 50):
            for frame in self.received:
                if all(part in frame for part in parts):
                    return frame
            self.page.wait_for_timeout(50)  # lets Playwright hand over what came
        raise AssertionError(f"no message with {parts} came from the kernel within {PATIENCE_MS} ms")

    def wait_idle(self) -> None:
        """Wait until no cell runs or is queued, and the kernel is idle."""
        self.page.wait_for_function(
            """() => {
                const session = window.jupyterapp?.shell?.currentWidget?.sessionContext?.session;
                const prompts = [...document.querySelectorAll('.jp-Notebook .jp-InputPrompt')];
                return session?.kernel?.status === 'idle' && !prompts.some(p => p.textContent.includes('[*]'));
            }""",
            timeout=2 * PATIENCE_MS,
        )

    # -- cards --------------------------------------------------------------------------------------

    def card(self, index: int) -> Card:
        """Wait for the card under a cell."""
        return Card(self.cell(index).locator(".nbask")).wait()

    def card_or_receipt(self, index: int) -> bool:
        """Whether a question is or was asked under this cell."""
        return self.cell(index).locator(".nbask, .nbask-receipt").count() > 0

    def receipt(self, index: int) -> Locator:
        """The receipt under a cell."""
        return self.cell(index).locator(".nbask-receipt")

    def expect_receipt(self, index: int, text: str | re.Pattern[str]) -> None:
        """Wait until a receipt that says so is in the card's place."""
        expect(self.receipt(index)).to_contain_text(text)
        expect(self.cell(index).locator(".nbask")).to_have_count(0)
