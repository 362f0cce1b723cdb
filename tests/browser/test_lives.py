"""What a card goes through: two views of it, reloads, a lost connection, a kernel that goes, and the tab's title."""

from __future__ import annotations

import os
import re
import signal

from axe import look
from card import Card
from kernels import pid_of, stopped
from lab import SETUP, Lab
from playwright.sync_api import expect

ASK = 'print("got", ask("Which DB?", ["Postgres", "SQLite"], notes=True))'
MARK = "● "


def test_two_views_stay_in_step_and_the_first_submit_wins(lab: Lab) -> None:
    """A pick, a note and an Other in one view show in the other; after the end both say so, and neither can answer."""
    lab.open_cells(SETUP, ASK)
    lab.run_cell(0)
    pid = pid_of(lab)
    lab.run_cell(1)
    here = lab.card(1)
    view = lab.view_output(1)
    there = Card(view.locator(".nbask")).wait()

    here.choose("SQLite")
    expect(there.option("SQLite")).to_be_checked()
    there.note("from there")
    expect(here.notes_field).to_have_value("from there")
    there.say_other("DuckDB")
    expect(here.other_field).to_have_value("DuckDB")
    expect(here.option("SQLite")).not_to_be_checked()
    here.note("typed in one")
    there.choose("Postgres")
    expect(there.notes_field).to_have_value("typed in one")
    expect(here.option("Postgres")).to_be_checked()

    with stopped(pid):
        there.submit()
        here.choose("SQLite")  # this view has not heard of it yet
        here.submit()
    lab.expect_printed(1, "got Postgres")
    expect(lab.receipt(1)).to_contain_text("Postgres")
    expect(lab.receipt(1)).to_contain_text("typed in one")
    expect(view.locator(".nbask-receipt").first).to_contain_text("Postgres")
    for root in (lab.cell(1), view):
        expect(root.get_by_role("button", name="Submit")).to_have_count(0)
    assert look(lab, ".nbask-receipt", 1) == []
    lab.wait_idle()


def test_a19_lines_printed_after_the_card_and_a_reload(lab: Lab) -> None:
    """A19, C14, C15: the card survives output behind it and a reload; `%nbask pending` shows it again elsewhere."""
    lab.open_cells(
        SETUP,
        "import threading\nask_ = Ask(Question('Which DB?', ['Postgres', 'SQLite'], notes=True))\n"
        "got = []\nthreading.Thread(target=lambda: got.append(put(ask_)), daemon=True).start()",
        "%nbask pending",
        "for n in range(50): print(n)",
        "print(got[0].value, got[0].answers['q1'].notes)",
    )
    lab.run_cell(0)
    lab.run_cell(1)
    lab.card(1)
    lab.run_cell(3)
    expect(lab.printed(3)).to_contain_text("49")
    lab.card(1).note("typed before")
    lab.wait_received("echo_update", "typed before")
    lab.saved()
    lab.reload()
    lab.wait_idle()
    lab.run_cell(2)
    again = lab.card(2)
    expect(again.notes_field).to_have_value("typed before")
    again.choose("SQLite")
    again.submit()
    lab.expect_receipt(2, "SQLite")
    expect(lab.cell(1).locator(".nbask, .nbask-receipt").first).to_contain_text("SQLite")
    expect(lab.cell(1).get_by_role("button", name="Submit")).to_have_count(0)
    lab.wait_idle()
    lab.run_cell(4)
    lab.expect_printed(4, "SQLite typed before")


def test_a19_fifty_lines_in_the_waiting_cell_then_a_reload(lab: Lab) -> None:
    """A19: the output that follows comes from the cell that waits, and the card is still its own after a reload."""
    lab.open_cells(
        SETUP,
        "import threading\ndef lines():\n    for n in range(50): print('line', n)\n"
        "threading.Timer(0.5, lines).start()\nanswer = ask('Which DB?', ['Postgres', 'SQLite'])",
        "print(answer)",
    )
    lab.run_cell(0)
    lab.run_cell(1)
    lab.card(1)
    expect(lab.cell(1)).to_contain_text("line 49")
    lab.saved()
    lab.reload()
    card = lab.card(1)
    card.choose("SQLite")
    card.submit()
    expect(lab.receipt(1)).to_contain_text("SQLite")
    lab.wait_idle()
    lab.run_cell(2)
    lab.expect_printed(2, "SQLite")


def test_a_kernel_that_is_gone_locks_the_card(lab: Lab) -> None:
    """Restarted or killed: the card says so, keeps what was typed, and nothing in it acts any more."""
    lab.open_cells(SETUP, ASK)
    for end in ("restarted", "killed"):
        lab.run_cell(0)
        pid = pid_of(lab)
        lab.run_cell(1)
        card = lab.card(1)
        card.choose("SQLite")
        card.note("worth keeping")
        if end == "restarted":
            lab.restart_kernel()
        else:
            os.kill(pid, signal.SIGKILL)
        expect(card.root).to_contain_text("The kernel is gone; this cannot be answered any more.")
        expect(card.option("SQLite")).to_be_checked()
        expect(card.notes_field).to_have_value("worth keeping")
        for name in ("Submit", "Decline", "Cancel"):
            expect(card.button(name)).to_have_attribute("aria-disabled", "true")
            card.button(name).click(force=True)
        card.option("Postgres").click(force=True)
        expect(card.option("SQLite")).to_be_checked()
        expect(card.notes_field).not_to_be_editable()
        expect(card.root.locator(".nbask-status")).to_be_empty()
        assert not lab.page.title().startswith(MARK)  # there is nothing to answer
        assert look(lab, ".nbask", 5) == []
        if end == "restarted":
            lab.wait_idle()


def test_a_kernel_that_is_shut_down_ends_what_it_asked(lab: Lab) -> None:
    """It is interrupted first, and so has the time to say how the question ended."""
    lab.open_cells(SETUP, ASK)
    lab.run_cell(0)
    lab.run_cell(1)
    lab.card(1)
    lab.server.shut_kernels_down()
    lab.expect_receipt(1, "The kernel was interrupted")


def test_the_tabs_title_is_marked_while_a_question_is_open(lab: Lab) -> None:
    """It is marked as the card comes, once whatever the number of cards, and as it was when the last has ended."""
    lab.open_cells(SETUP, ASK, ASK)
    title = lab.page.title()
    lab.run_cell(0)
    assert lab.page.title() == title
    lab.run_cell(1)
    lab.run_cell(2)
    card = lab.card(1)
    assert lab.page.title() == MARK + title.removeprefix(MARK)
    view = lab.view_output(1)
    Card(view.locator(".nbask")).wait()
    assert lab.page.title().count(MARK) == 1
    card.choose("Postgres")
    card.submit()
    card = lab.card(2)
    expect(lab.page).to_have_title(re.compile(f"^{MARK}"))
    card.choose("Postgres")
    card.submit()
    lab.expect_printed(2, "got Postgres")
    expect(lab.page).not_to_have_title(re.compile(f"^{MARK}"))


def test_c18_an_answer_counts_after_the_connection_was_cut(lab: Lab) -> None:
    """C18: the socket is cut under the open card and made again; what was typed is there, and the answer counts."""
    lab.open_cells(SETUP, ASK)
    lab.run_cell(0)
    lab.run_cell(1)
    card = lab.card(1)
    card.note("typed before")
    lab.wait_received("echo_update", "typed before")
    with lab.cut_off():
        card.choose("SQLite")
    expect(card.notes_field).to_have_value("typed before")
    expect(card.option("SQLite")).to_be_checked()
    card.submit()
    lab.expect_printed(1, "got SQLite")
    lab.expect_receipt(1, "typed before")
