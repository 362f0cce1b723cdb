"""One question in real JupyterLab: asked, answered by mouse, its value there, its receipt left behind."""

from __future__ import annotations

import re

import pytest
from lab import Lab
from playwright.sync_api import expect

SETUP = "%load_ext nbask\nfrom nbask import *\nfrom nbask import aio"
FORMS = {
    "sync": 'answer = ask("Which DB?", ["Postgres", "SQLite"])\nprint("got", answer)',
    "await": 'answer = await aio.ask("Which DB?", ["Postgres", "SQLite"])\nprint("got", answer)',
}


@pytest.mark.parametrize("code", FORMS.values(), ids=FORMS)
def test_c1_c2_click_submit_value(lab: Lab, code: str) -> None:
    """C1, C2: the next line has what was clicked, and the receipt is in the card's place."""
    lab.open_cells(SETUP, code)
    lab.run_cell(0)
    lab.run_cell(1)
    card = lab.card(1)
    assert card.question() == "Which DB?"
    card.choose("SQLite")
    expect(lab.printed(1)).to_have_count(0)  # a click chooses; only Submit submits
    card.submit()
    lab.expect_printed(1, "got SQLite")
    lab.expect_receipt(1, "SQLite")
    lab.wait_idle()


def test_c13_saved_notebook_has_the_receipt_and_no_widget(lab: Lab) -> None:
    """C13: the file needs no kernel to show what was asked and answered."""
    lab.open_cells(SETUP, FORMS["sync"])
    lab.run_all()
    card = lab.card(1)
    card.choose("Postgres")
    card.submit()
    lab.expect_receipt(1, "Postgres")
    lab.wait_idle()
    with lab.saving_widget_state():
        notebook = lab.saved()
    # Written even when there is no state; so it is here, and proves that the setting was on.
    kept = notebook["metadata"]["widgets"]
    assert kept
    assert all(not widgets["state"] for widgets in kept.values())
    shown = [output["data"] for output in notebook["cells"][1]["outputs"] if "data" in output]
    assert len(shown) == 1
    assert "nbask-receipt" in "".join(shown[0]["text/html"])
    assert "Postgres" in "".join(shown[0]["text/plain"])
    assert "application/vnd.jupyter.widget-view+json" not in shown[0]
    assert "<script" not in "".join(shown[0]["text/html"])


def test_many_with_other_and_a_note(lab: Lab) -> None:
    """A4, A6: what was ticked and what was typed both come back, and the note with them."""
    lab.open_cells(
        SETUP,
        'print(ask("Checks?", ["Lint", "Types", "Tests"], many=True, notes=True))',
    )
    lab.run_all()
    card = lab.card(1)
    card.choose("Lint", "Types")
    card.say_other("also on ARM")
    card.note("the slow ones nightly")
    card.submit()
    lab.expect_printed(1, "['Lint', 'Types', 'also on ARM']")
    lab.expect_receipt(1, "the slow ones nightly")


def test_other_alone(lab: Lab) -> None:
    lab.open_cells(SETUP, 'print(ask("Which DB?", ["Postgres", "SQLite"]))')
    lab.run_all()
    card = lab.card(1)
    card.say_other("DuckDB")
    card.submit()
    lab.expect_printed(1, "DuckDB")


@pytest.mark.parametrize(("button", "value"), [(0, "True"), (1, "False")], ids=["yes", "no"])
def test_confirm_by_its_buttons(lab: Lab, button: int, value: str) -> None:
    lab.open_cells(SETUP, 'print(confirm("Delete the table?", yes="Delete", no="Keep"))')
    lab.run_all()
    lab.card(1).press(["Delete", "Keep"][button])
    lab.expect_printed(1, value)


def test_text(lab: Lab) -> None:
    lab.open_cells(SETUP, 'print(repr(ask_text("Name?")))')
    lab.run_all()
    card = lab.card(1)
    card.write("Ann Lee")
    card.submit()
    lab.expect_printed(1, "'Ann Lee'")


def test_c10_stop_button_ends_the_wait(lab: Lab) -> None:
    """C10: the receipt says what happened, and the kernel goes on."""
    lab.open_cells(SETUP, FORMS["sync"], "print(1 + 1)")
    lab.run_cell(0)
    lab.run_cell(1)
    lab.card(1)
    lab.interrupt()
    lab.expect_receipt(1, re.compile("interrupt", re.IGNORECASE))
    lab.wait_idle()
    lab.run_cell(2)
    lab.expect_printed(2, "2")
