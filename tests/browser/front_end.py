"""A notebook's front end as a person uses it: open it, run cells, look under them, answer what is asked there.

What all front ends share; one file each beside this one says where it differs. Every wait is for something
to be seen in the page, with a bound.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

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
from server import ROOT, LabServer

RESULTS = ROOT / "test-results"
PATIENCE_MS = 30_000
SETUP = "%load_ext nbask\nfrom nbask import *\nfrom nbask import aio"
expect.set_options(timeout=PATIENCE_MS)

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


def notebook_of(cells: Sequence[str], kernel: str = "python3") -> dict[str, Any]:
    """A notebook with these code cells, for the kernel of that name."""
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
        "metadata": {"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


class NotebookPage(ABC):
    """One browser page that shows one notebook. Cells count from 0, text cells among them."""

    CELL: ClassVar[str]
    """Finds the cells, each with its output."""
    OUTPUT: ClassVar[str]
    """Finds each single output of a cell."""
    STDOUT: ClassVar[str]
    """Finds what a cell printed."""

    ITS_OWN: ClassVar[tuple[str, ...]] = ()
    """Addresses elsewhere that the front end itself asks for, with nbask or without."""

    def __init__(self, server: LabServer, browser: Browser, kernel: str = "python3") -> None:
        self.server = server
        self.kernel = kernel
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
        # Of what a frame's policy forbids, some browsers tell as of a request; no server ever hears of it.
        self.page.on("response", lambda response: self.requested.append(response.url))
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

    @property
    def subshells(self) -> set[str]:
        """The subshells that messages of widgets were sent to; none where they went to the main shell."""
        messages = (frame for frame in self.sent if '"comm_msg"' in frame)
        return {found[1] for frame in messages if (found := re.search(r'"subshell_id": ?"([^"]+)"', frame))}

    def check(self) -> None:
        """What must hold of every page, whatever was done on it."""
        asked = [url for url in self.outside if not url.startswith(self.ITS_OWN)]
        assert asked == [], "the page asked for something from elsewhere"
        assert self.dialogs == [], "the page opened a dialog: a script ran"

    def keep(self, name: str) -> None:
        """Keep what a person would want to see of a failure: the page, its console and the server's log."""
        RESULTS.mkdir(exist_ok=True)
        stem = re.sub(r"\W+", "-", name)
        self.page.screenshot(path=RESULTS / f"{stem}.png")
        (RESULTS / f"{stem}.console.txt").write_text("\n".join(self.console))
        (RESULTS / f"{stem}.server.txt").write_text(self.server.log())

    @abstractmethod
    def address(self, notebook: str) -> str:
        """The address of a page that opens this notebook."""

    @abstractmethod
    def wait_idle(self) -> None:
        """Wait until no cell runs or is queued, and the kernel is idle."""

    # -- the notebook -------------------------------------------------------------------------------

    def open_cells(self, *cells: str) -> None:
        """Open a new notebook with these code cells."""
        name = f"{uuid.uuid4().hex[:8]}.ipynb"
        (self.server.root / name).write_text(json.dumps(notebook_of(cells, self.kernel)))
        self.open(name)

    def open(self, notebook: str) -> None:
        """Open a notebook of the server's folder, and wait until its kernel is ready."""
        self.notebook = notebook
        self.page.goto(self.address(notebook))
        self.wait_open()
        self.wait_idle()

    def wait_open(self) -> None:
        """Wait until the notebook's cells are in the page."""
        expect(self.cells.first).to_be_visible(timeout=2 * PATIENCE_MS)

    # -- cells --------------------------------------------------------------------------------------

    @property
    def cells(self) -> Locator:
        return self.page.locator(self.CELL)

    def cell(self, index: int) -> Locator:
        return self.cells.nth(index)

    def cell_output_text(self, index: int) -> str:
        """All that is written under a cell."""
        return "\n".join(self.cell(index).locator(self.OUTPUT).all_inner_texts())

    def printed(self, index: int) -> Locator:
        """What a cell printed."""
        return self.cell(index).locator(self.STDOUT)

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


class FrontEnd(NotebookPage):
    """One browser page in which one notebook is worked with."""

    PROMPT: ClassVar[str]
    """Finds a cell's number, a click on which selects the cell."""

    @abstractmethod
    def save(self) -> None:
        """Write the notebook into its file."""

    @abstractmethod
    def put(self, code: str) -> int:
        """Add a cell with this code at the notebook's end and run it; returns its index."""

    @abstractmethod
    def run_all(self) -> None:
        """Run all cells, as the menu does."""

    @abstractmethod
    def interrupt(self) -> None:
        """Press the stop button."""

    def saved(self) -> dict[str, Any]:
        """Save the notebook and read the file."""
        self.save()
        return json.loads((self.server.root / self.notebook).read_text())

    def reload(self) -> None:
        """Reload the page, saved or not; the kernel goes on."""
        self.page.reload()
        self.wait_open()

    def select_cell(self, index: int) -> None:
        """Make it the active cell, in command mode, as a click beside it does."""
        self.cell(index).locator(self.PROMPT).click()

    def run_cell(self, index: int) -> None:
        self.select_cell(index)
        self.page.keyboard.press("Shift+Enter")

    def prompt(self, index: int) -> str:
        """`[3]:`, or `[*]:` while the cell waits or runs."""
        return self.cell(index).locator(self.PROMPT).inner_text()
