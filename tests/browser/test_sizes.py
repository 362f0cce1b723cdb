"""What a card costs: on the wire, in the saved notebook, and in the wheel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lab import SETUP, Lab

STATIC = Path(__file__).parents[2] / "nbask" / "static"
KB = 1024
TEXT = "Which of the two databases should hold the readings? " * 10
LABELS = ["Postgres, as the others do", "SQLite, one file a station"]


def _content(*texts: str) -> int:
    return sum(len(text.encode()) for text in texts)


@pytest.mark.parametrize(("name", "most"), [("card.js", 40 * KB), ("card.css", 10 * KB)])
def test_built_file_is_small(name: str, most: int) -> None:
    assert (STATIC / name).stat().st_size <= most


def test_next_card_and_answered_question_are_small(lab: Lab) -> None:
    """A next card is 3 KB and its content; an answered question adds 3 KB and its text, and no widget state."""
    ask = f"answer = ask({TEXT!r}, {LABELS!r}, notes=True)"
    lab.open_cells(SETUP, 'first = ask("Go?", ["Yes", "No"])', "1 + 1", ask)
    for index in range(2):
        lab.run_cell(index)
    lab.card(1).choose("Yes")
    lab.card(1).submit()
    lab.expect_receipt(1, "Yes")
    lab.wait_idle()
    with lab.saving_widget_state():
        before = lab.saved()

        lab.received.clear()
        lab.run_cell(3)
        card = lab.card(3)
        lab.wait_received("comm_open", "Which of the two")
        opened = [frame for frame in lab.received if '"comm_open"' in frame]
        assert sum(_content(frame) for frame in opened) <= 3 * KB + _content(TEXT, *LABELS)
        shown = [frame for frame in lab.received if '"display_data"' in frame]
        assert sum(_content(frame) for frame in (*opened, *shown)) <= 4 * KB + 2 * _content(TEXT, *LABELS)

        card.choose("SQLite")
        card.note("for now")
        card.submit()
        lab.expect_receipt(3, "SQLite")
        lab.wait_received('"comm_close"')  # until then the card's state would be saved with the notebook
        lab.wait_idle()
        after = lab.saved()
    added = _size(after) - _size(before)
    # The text is in the receipt thrice: as HTML, as plain text, and in the record.
    assert added <= 3 * KB + 3 * _content(TEXT, *LABELS, "for now")
    assert _size(after["cells"][1]) - _size({**after["cells"][1], "outputs": []}) <= 3 * KB
    for widgets in after["metadata"]["widgets"].values():
        assert not widgets["state"]


def _size(notebook: dict[str, Any]) -> int:
    return _content(json.dumps(notebook, ensure_ascii=False))
