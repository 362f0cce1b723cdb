"""The gallery notebook with all its cards open at once, so that one look at the page sees every kind."""

from __future__ import annotations

import json
from pathlib import Path

from lab import SETUP, Lab
from playwright.sync_api import expect

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "03-gallery.ipynb"


def open_gallery(lab: Lab) -> list[int]:
    """Open the gallery, each cell asking in a thread of its own; returns the indexes of those cells.

    Its cells ask and wait, one after the other. Here nobody waits for them.
    """
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    first, *asking = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    lab.open_cells(f"{SETUP}\nimport threading\n{first}")
    lab.run_cell(0)
    indexes: list[int] = []
    for source in asking:
        # A thread's card goes under the cell that runs then: this one, as long as it waits.
        indexes.append(lab.put(_in_a_thread(source)))
        expect(lab.cell(indexes[-1]).locator(".nbask")).to_be_visible()
    lab.page.wait_for_timeout(350)
    return indexes


def _in_a_thread(source: str) -> str:
    # What asks may have ended by being declined: that is for nobody's eyes here.
    return (
        "def run(source):\n    try:\n        exec(source, dict(globals()))\n    except NoAnswer:\n        pass\n"
        f"threading.Thread(target=run, args=[{source!r}], daemon=True).start()"
    )
