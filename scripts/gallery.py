"""What `scripts/gallery` does once everything is there; run that instead."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterator
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
    """Run the notebook cell by cell, with a picture of each card, its states and its receipt; returns how many."""
    shutil.copy(ROOT / "notebooks" / NOTEBOOK, server.root)
    folder = PICTURES / look.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lab = Lab(server, browser)
    lab.page.emulate_media(forced_colors=look.forced or "none", reduced_motion="reduce")
    lab.open(NOTEBOOK)
    lab.resize(look.width, TALL)
    lab.set_theme(dark=look.dark)
    cells = json.loads((server.root / NOTEBOOK).read_text())["cells"]
    code = [index for index, cell in enumerate(cells) if cell["cell_type"] == "code"]
    lab.run_cell(code[0])
    taken = 0
    for number, index in enumerate(code[1:], 1):
        lab.run_cell(index)
        card = lab.card(index)
        name = f"{number:02}-{NAMES[number - 1]}"
        picture(card, folder / f"{name}.png")
        taken += 1
        for state in STATES.get(NAMES[number - 1], _none)(card):
            picture(card, folder / f"{name}-{state}.png")
            taken += 1
        end(card, ENDINGS[number % len(ENDINGS)])
        receipt = lab.receipt(index)
        expect(receipt).to_be_visible()
        lab.wait_idle()  # what the cell puts out then moves it; and an error takes along what is asked to run meanwhile
        receipt.screenshot(path=folder / f"{name}-receipt.png")
        taken += 1
    lab.set_theme(dark=False)
    lab.close()
    server.shut_kernels_down()
    return taken


NAMES = (
    *("choice", "previews", "objects", "many", "long-list", "confirm", "danger", "text", "multiline", "secret"),
    *("form", "model", "several", "plan", "address", "deadline", "right-to-left", "long-text"),
)


def copy(look: str) -> None:
    """Renew one look's pictures in the documentation, which shows states and receipts in light alone."""
    (DOCS / look).mkdir(parents=True, exist_ok=True)
    fresh = {f"{number:02}-{name}" for number, name in enumerate(NAMES, 1)}
    for path in sorted((PICTURES / look).glob("*.png")):
        if look == "light" or path.stem in fresh:
            shutil.copy(path, DOCS / look)


def _none(_card: Card) -> Iterator[str]:
    return iter(())


def _choice(card: Card) -> Iterator[str]:
    card.press("? keys")
    yield "keys"
    card.press("? keys")
    card.press("Discuss first")
    yield "discuss"
    card.press("Back")
    card.submit()
    yield "error"
    card.say_other("Green")
    card.press("Cancel")
    yield "leave"
    card.press("Keep answering")


def _previews(card: Card) -> Iterator[str]:
    card.choose("Long table")
    yield "picked"


def _objects(card: Card) -> Iterator[str]:
    for label in ("Table", "Change"):
        card.choose(label)
        yield label.lower()


def _many(card: Card) -> Iterator[str]:
    card.choose("Gaps", "Units")
    card.say_other("Clock drift")
    yield "picked"
    card.choose("Outliers")
    card.submit()
    yield "error"
    card.root.get_by_role("checkbox", name="Outliers").click()


def _long_list(card: Card) -> Iterator[str]:
    card.filter_field.fill("2")
    yield "filtered"
    card.filter_field.fill("")


def _secret(card: Card) -> Iterator[str]:
    card.write("hunter2")
    yield "typed"


def _form(card: Card) -> Iterator[str]:
    card.field("Report to").fill("nobody")
    card.field("Days ahead").fill("30")
    card.press("Send to weather-server")
    yield "error"


def _several(card: Card) -> Iterator[str]:
    card.choose("large")
    card.press("Next")
    card.press("Next")
    yield "error"
    card.choose("Units")
    card.tab("Review").click()
    yield "review"
    card.tab("Model").click()


def _deadline(card: Card) -> Iterator[str]:
    card.say_other("Half of it")
    expect(card.root.get_by_text("paused")).to_be_visible()
    yield "paused"


States = Callable[[Card], Iterator[str]]
STATES: dict[str, States] = {
    "choice": _choice,
    "previews": _previews,
    "objects": _objects,
    "many": _many,
    "long-list": _long_list,
    "secret": _secret,
    "form": _form,
    "several": _several,
    "deadline": _deadline,
}
"""What is done to a card to bring it into each of its states, whose names these yield."""


def picture(card: Card, path: Path) -> None:
    card.root.scroll_into_view_if_needed()
    card.root.page.mouse.move(0, 0)  # what it happens to point at would show
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
