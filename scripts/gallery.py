"""What `scripts/gallery` does once everything is there; run that instead."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from card import Card
from lab import Lab, chromium
from playwright.sync_api import Browser, expect
from server import FOR_TESTS, LabServer
from tour import answer

ROOT = Path(__file__).parents[1]
NOTEBOOK = "03-gallery.ipynb"
PICTURES = ROOT / "test-results" / "gallery"
DOCS = ROOT / "docs" / "images"
TALL = 1600
"""Height of the window in pixels: the longest card is taken whole."""
SHOWN = ("light", "dark", "narrow")
"""The looks that the documentation shows."""


@dataclass(frozen=True)
class Look:
    """One way the gallery is rendered: `width` of the window in pixels."""

    name: str
    width: int = 1000
    dark: bool = False
    forced: Literal["active"] | None = None


LOOKS = (
    Look("light"),
    Look("dark", dark=True),
    Look("forced", forced="active"),
    Look("narrow", width=500),  # leaves 360 pixels to a card
    Look("narrow-dark", width=500, dark=True),
    Look("wide", width=1400),
)
ENDINGS = ("answer", "answer", "answer", "decline", "answer", "discuss", "answer", "cancel")
"""How cards are ended, in turn, so that there is a receipt of each ending."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/gallery", description="Render the gallery to pictures.")
    parser.add_argument("--docs", action="store_true", help="also renew the pictures in docs/images")
    parser.add_argument("--look", choices=[look.name for look in LOOKS], help="this one alone")
    options = parser.parse_args()
    server = LabServer(FOR_TESTS)
    shutil.rmtree(PICTURES, ignore_errors=True)
    try:
        with chromium() as browser:
            for look in LOOKS:
                if options.look in (None, look.name):
                    count = render(server, browser, look)
                    print(f"nbask: {count} pictures in {(PICTURES / look.name).relative_to(ROOT)}")
    finally:
        server.stop()
    if options.docs:
        for look in SHOWN:
            copy(look)
        shutil.copy(PICTURES / "light" / "02-previews.png", DOCS / "card.png")
    return 0


def render(server: LabServer, browser: Browser, look: Look) -> int:
    """Run the notebook cell by cell, with a picture of each card and of its receipt; returns how many."""
    shutil.copy(ROOT / "notebooks" / NOTEBOOK, server.root)
    folder = PICTURES / look.name
    folder.mkdir(parents=True)
    lab = Lab(server, browser)
    lab.page.emulate_media(forced_colors=look.forced or "none", reduced_motion="reduce")
    lab.open(NOTEBOOK)
    lab.resize(look.width, TALL)
    lab.set_theme(dark=look.dark)
    cells = json.loads((server.root / NOTEBOOK).read_text())["cells"]
    code = [index for index, cell in enumerate(cells) if cell["cell_type"] == "code"]
    lab.run_cell(code[0])
    for number, index in enumerate(code[1:], 1):
        lab.run_cell(index)
        card = lab.card(index)
        name = f"{number:02}-{NAMES[number - 1]}"
        picture(card, folder / f"{name}.png")
        end(card, ENDINGS[number % len(ENDINGS)])
        receipt = lab.receipt(index)
        expect(receipt).to_be_visible()
        receipt.screenshot(path=folder / f"{name}-receipt.png")
    lab.set_theme(dark=False)
    lab.close()
    server.shut_kernels_down()
    return 2 * (len(code) - 1)


NAMES = (
    *("choice", "previews", "objects", "many", "long-list", "confirm", "danger", "text", "multiline", "secret"),
    *("form", "model", "several", "plan", "address", "deadline", "right-to-left", "long-text"),
)


def copy(look: str) -> None:
    """Renew one look's pictures in the documentation, which shows receipts in light alone."""
    (DOCS / look).mkdir(parents=True, exist_ok=True)
    for path in sorted((PICTURES / look).glob("*.png")):
        if look == "light" or not path.stem.endswith("-receipt"):
            shutil.copy(path, DOCS / look)


def picture(card: Card, path: Path) -> None:
    card.root.scroll_into_view_if_needed()
    card.root.screenshot(path=path, animations="disabled")


def end(card: Card, ending: str) -> None:
    """End an ask in one of the ways there are."""
    if ending == "answer" and card.root.locator(".nbask-primary, .nbask-safe").count():
        answer(card)
    elif ending == "discuss" and card.root.get_by_role("button", name="Discuss first").count():
        card.press("Discuss first")
        card.root.locator(".nbask-ask textarea").fill("What does the first option cost?")
        card.press("Send")
    elif ending == "cancel":
        card.press("Cancel")
    else:
        card.press("Decline")


if __name__ == "__main__":
    sys.exit(main())
