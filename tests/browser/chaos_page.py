"""A tab of a chaos run: JupyterLab with the run's notebook, what it has sent, and what it shows that can be answered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from card import Card
from chaos_account import Sent
from chaos_notebook import NAMES, Field
from lab import Lab
from playwright.sync_api import Browser, Locator
from server import LabServer

LIVE = ".nbask:not(.nbask-over):has(.nbask-foot button):not(:has(.nbask-foot [aria-disabled=true]))"
"""Cards that can be answered."""

SEEN = """live => [...document.querySelectorAll(live)].filter(card => card.checkVisibility()).map(card => ({
    tag: card.textContent.match(/\\[\\d+\\.\\d+\\]/)?.[0],
    inbox: card.closest('.nbask-inbox') !== null,
    cell: [...document.querySelectorAll('.jp-Notebook .jp-Cell')].indexOf(card.closest('.jp-Cell')),
    typed: [...card.querySelectorAll('.nbask-in')].map(field => field.value),
}))"""
INBOX = """() => [...document.querySelectorAll('.nbask-inbox')].some(
    inbox => inbox.checkVisibility() && !inbox.textContent.includes('The kernel is gone'))"""
OUTAGE = "Server Connection Error|Failed to fetch"
CLOSE = """outage => [...document.querySelectorAll('.jp-Dialog')].filter(dialog => dialog.textContent.match(outage)).forEach(
    dialog => [...dialog.querySelectorAll('button')].find(button => button.textContent.trim() === 'Close')?.click())"""

# What JupyterLab itself throws, with nbask or without: what its kernel is asked and cannot answer before it goes.
OF_JUPYTERLAB = re.compile(r"Canceled future for \w+_request message before replies were done")


@dataclass(frozen=True)
class View:
    """A card that can be answered, as a page shows it."""

    tag: str
    inbox: bool
    cell: int
    typed: tuple[str, ...]


class Tab(Lab):
    """One tab.

    Args:
        name: What the steps call it.
    """

    def __init__(self, server: LabServer, browser: Browser, kernel: str, name: str) -> None:
        super().__init__(server, browser, kernel)
        self.name = name
        self.owes: set[str] = set()
        """Tags of the questions that it has to show, as long as they are open."""
        self.heard: set[str] = set()
        """Requests whose output it still shows: sent by this page since it was loaded, and no later one of that cell."""
        self.missed: set[str] = set()
        """Tags of the questions whose end it may not have heard of."""
        self.requests: list[Sent] = []
        self._frames = 0
        # JupyterLab's own words for a network that was cut; they come when they like, over whatever is done by then.
        outage = self.page.locator(".jp-Dialog", has_text=re.compile(OUTAGE))
        self.page.add_locator_handler(outage, self._close_outage)

    def _close_outage(self) -> None:
        self.page.evaluate(CLOSE, OUTAGE)

    def dialogs_shown(self) -> list[str]:
        """What the dialogs say that are open, but for the one that a cut network explains, which is closed."""
        self._close_outage()
        return self.page.locator(".jp-Dialog").all_inner_texts()

    def load(self, notebook: str) -> None:
        self.notebook = notebook
        self.page.goto(self.address(notebook))
        self.wait_ready()

    def wait_ready(self) -> None:
        """Wait until the cells are there and the kernel is heard."""
        self.wait_open()
        kernel = self.KERNEL.replace(".", "?.")  # which may not be there yet
        self.page.wait_for_function(f"{kernel}?.connectionStatus === 'connected'")

    def vanish(self) -> None:
        """Be gone without a word, as a page whose network or browser dies."""
        self._cut()
        self.page.close(run_before_unload=False)

    def take_requests(self, life: int) -> None:
        """Note the cells that it has asked to run since the last time."""
        new = self.sent[self._frames :]
        self._frames += len(new)
        for frame in new:
            if '"execute_request"' not in frame:
                continue
            header, metadata = _header_and_metadata(frame)
            cell = metadata.get("cellId", "")
            if header["msg_type"] != "execute_request" or not cell:
                continue
            name = NAMES[int(cell.removeprefix("cell-"))]
            at = datetime.fromisoformat(header["date"].replace("Z", "+00:00")).timestamp()
            self.heard -= {one.request for one in self.requests if one.cell == name}
            self.heard.add(header["msg_id"])
            self.requests.append(Sent(name, header["msg_id"], life, at))

    def views(self) -> list[View]:
        """The cards that can be answered, in their order on the page."""
        found: list[dict[str, Any]] = self.page.evaluate(SEEN, LIVE)
        return [View(one["tag"] or "", one["inbox"], one["cell"], tuple(one["typed"])) for one in found]

    def has_inbox(self) -> bool:
        return self.page.evaluate(INBOX)

    def live_card(self, tag: str, place: int) -> Card:
        """The card of that question in one of the places that show it."""
        return Card(self.page.locator(LIVE).filter(has_text=tag).locator("visible=true").nth(place)).wait()

    def field(self, card: Card, field: Field) -> Locator:
        return card.root.locator(field.selector).first

    def restart(self) -> None:
        """Restart the kernel as the menu does, and wait until that is done."""
        restart = "window.jupyterapp.commands.execute('notebook:restart-kernel')"
        self.page.evaluate(f"() => {{ window.restarted = false; {restart}.then(() => window.restarted = true); }}")
        self.accept_dialog()
        self.page.wait_for_function("window.restarted")

    def run(self, cell: str) -> None:
        """Run a cell as the menu does."""
        self.run_again(NAMES.index(cell))

    def errors(self) -> list[str]:
        """What went wrong in the page's scripts."""
        found = [line for line in self.console if line.startswith("pageerror:") or _ours(line)]
        return [line for line in found if not OF_JUPYTERLAB.search(line)]


def _ours(line: str) -> bool:
    return line.startswith("error:") and ("nbask" in line or "anywidget" in line)


def _header_and_metadata(frame: str) -> tuple[dict[str, Any], dict[str, Any]]:
    header, _parent, metadata = (part for part, _ in zip(_objects(frame), range(3), strict=False))
    return header, metadata


def _objects(frame: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a frame of the kernel's websocket, one after the other."""
    decoder, at = json.JSONDecoder(), frame.find("{")
    while 0 <= at < len(frame):
        found, end = decoder.raw_decode(frame, at)
        yield found
        at = frame.find("{", end)
