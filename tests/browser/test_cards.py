"""Several cards, reloaded pages, and the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import pytest
from lab import Lab
from playwright.sync_api import expect

SETUP = "%load_ext nbask\nfrom nbask import *\nfrom nbask import aio"
ASK = 'print("got", ask("Which DB?", ["Postgres", "SQLite"], notes=True))'


def test_c5_run_all_with_three_questions(lab: Lab) -> None:
    """C5: each question waits its turn, order is kept, every cell runs once."""
    names = ["One", "Two", "Three"]
    asking = [f'log.append(ask("{name}?", ["{name} a", "{name} b"])); print(log)' for name in names]
    lab.open_cells(f"{SETUP}\nlog = []", *asking, "print(len(log))")
    lab.run_all()
    for index, name in enumerate(names, start=1):
        card = lab.card(index)
        assert card.question() == f"{name}?"
        if index < len(names):
            expect(lab.cell(index + 1).locator(".nbask")).to_have_count(0)
        card.choose(f"{name} b")
        card.submit()
        lab.expect_receipt(index, f"{name} b")
    lab.expect_printed(3, "['One b', 'Two b', 'Three b']")
    lab.expect_printed(4, "3")
    assert [lab.prompt(index) for index in range(5)] == [f"[{number}]:" for number in range(1, 6)]


@pytest.mark.parametrize("keeping", [nullcontext, Lab.saving_widget_state], ids=["no state", "widget state"])
def test_a19_reload_during_a_wait(lab: Lab, keeping: Callable[..., AbstractContextManager[None]]) -> None:
    """A19, C13: the card comes back with what was typed, the click counts, the kernel goes on.

    Whether or not the file that is loaded holds the state of the widget that was open when it was saved.
    """
    lab.open_cells(SETUP, f"answer = None\n{ASK.replace('print(', 'answer = (')}", "print(answer)")
    lab.run_cell(0)
    lab.run_cell(1)
    card = lab.card(1)
    card.choose("SQLite")
    card.note("it is enough")
    lab.wait_received("echo_update", "it is enough")  # the kernel has the draft
    with keeping(lab):
        lab.saved()
        lab.reload()
        card = lab.card(1)
    expect(card.option("SQLite")).to_be_checked()
    expect(card.root.locator(".nbask-notes")).to_have_value("it is enough")
    card.submit()
    expect(lab.receipt(1)).to_contain_text("SQLite")
    lab.wait_idle()
    lab.run_cell(2)
    lab.expect_printed(2, "('got', 'SQLite')")


def test_second_card_is_a_stub_and_works(lab: Lab) -> None:
    """Only the first card of a kernel carries the code; a reloaded page fetches it when it needs it."""
    lab.open_cells(SETUP, ASK, ASK.replace("Which DB?", "And which cache?"))
    lab.run_cell(0)
    lab.run_cell(1)
    first = lab.card(1)
    opened = lab.wait_received("comm_open", "_esm", "Which DB?")
    first.choose("Postgres")
    first.submit()
    lab.expect_receipt(1, "Postgres")
    lab.wait_idle()

    lab.run_cell(2)
    lab.card(2)
    opened_next = lab.wait_received("comm_open", "_esm", "And which cache?")
    assert len(opened_next) < 6_000 < len(opened)  # the card's content and message headers are in it, too
    lab.saved()
    lab.reload()
    card = lab.card(2)
    card.choose("SQLite")
    card.submit()
    expect(lab.receipt(2)).to_contain_text("SQLite")
    lab.wait_idle()


def test_appearing_takes_no_focus(lab: Lab) -> None:
    lab.open_cells(SETUP, ASK)
    lab.run_all()
    card = lab.card(1)
    expect(card.root.locator(":focus")).to_have_count(0)


def test_digit_in_the_card_picks_and_submits(lab: Lab) -> None:
    lab.open_cells(SETUP, ASK)
    lab.run_all()
    card = lab.card(1)
    card.option("Postgres").focus()
    lab.page.keyboard.press("2")
    lab.expect_printed(1, "got SQLite")
    lab.expect_receipt(1, "SQLite")


def test_keys_in_the_card_reach_no_cell(lab: Lab) -> None:
    """What would delete, cut, add or run a cell is text in the card."""
    lab.open_cells(SETUP, 'print(repr(ask_text("Name?")))', "print('untouched')")
    lab.run_cell(0)
    lab.run_cell(1)
    card = lab.card(1)
    before = lab.sources()
    card.text_field.click()
    lab.page.keyboard.type("ddxab00")
    for chord in ("Shift+Enter", "Control+Shift+Enter", "Alt+Enter"):
        lab.page.keyboard.press(chord)
    assert lab.sources() == before
    expect(lab.printed(2)).to_have_count(0)
    assert lab.prompt(2).strip() == "[ ]:"
    if card.root.count():
        card.submit()
    lab.expect_printed(1, "'ddxab00'")


def test_escape_in_a_note_leaves_the_field_only(lab: Lab) -> None:
    """A26: the card stays open, with what was typed."""
    lab.open_cells(SETUP, ASK)
    lab.run_all()
    card = lab.card(1)
    notes = card.root.locator(".nbask-notes")
    notes.click()
    lab.page.keyboard.type("x")
    lab.page.keyboard.press("Escape")
    expect(notes).not_to_be_focused()
    expect(notes).to_have_value("x")
    card.choose("Postgres")
    card.submit()
    lab.expect_printed(1, "got Postgres")


def test_dark_theme_and_light_theme_draw_the_card(lab: Lab) -> None:
    """The card's colours are the theme's: no white box in the dark."""
    lab.open_cells(SETUP, ASK)
    lab.run_all()
    lab.set_theme(dark=False)
    card = lab.card(1)
    colour = "node => getComputedStyle(node).color"
    light = card.root.evaluate(colour)
    lab.set_theme(dark=True)
    assert card.root.evaluate(colour) != light
    lab.set_theme(dark=False)  # it is a setting of the server, which other tests use
