"""The inbox in a page: beside the notebook, after a reload, with a kernel that goes; and cards that would be lost."""

from __future__ import annotations

from axe import look
from card import Card
from lab import SETUP, Lab
from playwright.sync_api import Browser, Locator, expect

LATER = """import threading

def later(*question):
    '''Ask from a thread, once the cell that starts it has ended.'''
    ended, got = threading.Event(), []

    def note(_result):
        get_ipython().events.unregister("post_run_cell", note)
        ended.set()

    def work():
        ended.wait()
        got.append(put(Ask(Question(*question))))

    get_ipython().events.register("post_run_cell", note)
    threading.Thread(target=work, daemon=True).start()
    return got"""
ASK = 'print("got", ask("Which DB?", ["Postgres", "SQLite"]))'
NOTHING = "Nothing is asked. Every question appears here, also one that comes while no cell runs."


def inbox(root: Locator) -> Locator:
    return root.locator(".nbask-inbox")


def expect_waiting(root: Locator, words: str) -> None:
    expect(inbox(root).get_by_role("status").first).to_have_text(words)


def card_in(root: Locator, question: str) -> Card:
    return Card(inbox(root).locator(".nbask", has_text=question)).wait()


def test_the_inbox_beside_the_notebook_has_what_comes_while_no_cell_runs(lab: Lab) -> None:
    """In two views at once, in order, answered in place; the receipt is under it, and the focus not lost."""
    lab.open_cells(
        SETUP,
        LATER,
        "%nbask inbox",
        "one = later('Which DB?', ['Postgres', 'SQLite'])",
        "two = later('Which checks?', ['Lint', 'Types'])",
        "print(one[0].value)",
    )
    for index in range(3):
        lab.run_cell(index)
    expect_waiting(lab.cell(2), NOTHING)
    view = lab.view_output(2)
    lab.run_cell(3)
    card_in(view, "Which DB?")
    lab.run_cell(4)
    expect_waiting(view, "2 questions wait for you")
    expect(inbox(view).locator(".nbask-q").first).to_have_text("Which DB?")
    expect(lab.cell(3).locator(".nbask")).to_have_count(0)
    for dark in (False, True):
        lab.set_theme(dark=dark)
        assert look(lab, ".nbask-inbox", 5) == []
    first, second = card_in(view, "Which DB?"), card_in(view, "Which checks?")
    second.say_other("Spelling")
    first.choose("SQLite")
    first.submit()
    expect_waiting(view, "1 question waits for you")
    expect(inbox(view).locator(".nbask-inbox-head")).to_be_focused()
    expect(second.other_field).to_have_value("Spelling")
    expect(lab.receipt(2)).to_contain_text("SQLite")
    expect(inbox(view).locator(".nbask-inbox-recent")).to_be_empty()
    expect_waiting(lab.cell(2), "1 question waits for you")
    lab.run_cell(5)
    lab.expect_printed(5, "SQLite")


def test_c11_the_inbox_leads_to_the_cell_whose_question_is_pending(lab: Lab) -> None:
    """C11: by the keyboard alone, though JupyterLab has hidden the cell; no key does anything else on the way."""
    lab.open_cells(SETUP, "%nbask inbox", "print('line\\n' * 200)", ASK, "print('after')")
    for index in range(3):
        lab.run_cell(index)
    view = lab.view_output(1)
    lab.run_cell(3)
    lab.run_cell(4)
    card = lab.card(3)
    lab.draw_cells_in_view_alone()
    lab.select_cell(1)
    expect(card.root).to_be_hidden()
    for root in (view, lab.cell(1)):
        expect(inbox(root).get_by_role("button", name="Show in the notebook: Which DB?")).to_be_visible()
    before = lab.sources()
    link = inbox(lab.cell(1)).locator(".nbask-inbox-link")
    for key in ("Enter", "Space"):
        link.focus()
        lab.page.keyboard.press(key)
        expect(card.root).to_be_focused()
        expect(card.root).to_be_in_viewport()
        assert lab.sources() == before
        lab.select_cell(1)
    for dark in (False, True):
        lab.set_theme(dark=dark)
        assert look(lab, ".nbask-inbox-link", 1) == []
    link.click()
    expect(card.root).to_be_focused()
    lab.page.keyboard.press("2")
    lab.expect_printed(3, "got SQLite")
    lab.expect_printed(4, "after")
    expect(lab.page.locator(".nbask-inbox-link")).to_have_count(0)


def test_c15_run_all_with_a_reload_in_the_middle(lab: Lab) -> None:
    """C15: the new page hears nothing of the queued cells, and their questions are in the inbox all the same."""
    lab.open_cells(SETUP, "%nbask inbox", ASK, 'b = ask("Which cache?", ["Redis", "None"])', "print(b)")
    lab.run_cell(0)
    lab.run_cell(1)
    lab.wait_idle()
    for index in (2, 3):
        lab.run_cell(index)
    lab.card(2)
    lab.saved()
    lab.reload()
    card = card_in(lab.cell(1), "Which DB?")
    card.choose("SQLite")
    card.submit()
    card = card_in(lab.cell(1), "Which cache?")
    card.choose("Redis")
    card.submit()
    expect_waiting(lab.cell(1), NOTHING)
    expect(inbox(lab.cell(1))).to_contain_text("Which cache? → Redis")
    lab.wait_idle()
    lab.run_cell(4)
    lab.expect_printed(4, "Redis")


def test_c5_a_waiting_cell_that_is_run_again_still_shows_its_question(lab: Lab) -> None:
    """C5: running it again clears its output; the card comes back under the second run, which asks when its turn comes."""
    lab.open_cells(SETUP, ASK)
    lab.run_cell(0)
    lab.run_cell(1)
    card = lab.card(1)
    card.choose("SQLite")
    lab.wait_received("echo_update", "draft")
    first = card.root.get_attribute("aria-labelledby") or ""
    lab.run_again(1)
    expect(lab.cell(1).locator(".nbask")).not_to_have_attribute("aria-labelledby", first)
    card = lab.card(1)
    expect(card.option("SQLite")).to_be_checked()
    card.submit()
    expect(lab.receipt(1)).to_contain_text("SQLite")
    card = lab.card(1)
    card.choose("Postgres")
    card.submit()
    lab.expect_printed(1, "got Postgres")
    expect(lab.receipt(1)).to_have_count(2)
    lab.wait_idle()


def test_c14_a_tab_that_is_closed_and_opened_again_beside_another(lab: Lab, browser: Browser) -> None:
    """C14: two tabs show one card; the first answer counts, and a tab that was closed finds what is open."""
    lab.open_cells(SETUP, ASK, "print('next')")
    lab.run_cell(0)
    lab.run_cell(1)
    card = lab.card(1)
    card.say_other("Duck")
    lab.wait_received("echo_update", "Duck")
    lab.saved()
    other = Lab(lab.server, browser)
    try:
        other.page.goto(other.address(lab.notebook))
        other.wait_open()
        there = other.card(1)
        expect(there.other_field).to_have_value("Duck")
        there.say_other("DuckDB")
        expect(card.other_field).to_have_value("DuckDB")
        lab.page.close()
        lab.page = lab.context.new_page()
        lab.page.goto(lab.address(lab.notebook))
        lab.wait_open()
        back = lab.card(1)
        expect(back.other_field).to_have_value("DuckDB")
        back.submit()
        for page in (lab, other):
            expect(page.cell(1).locator(".nbask-receipt").first).to_contain_text("DuckDB")
            expect(page.cell(1).get_by_role("button", name="Submit")).to_have_count(0)
    finally:
        other.close()
    lab.wait_idle()


def test_an_inbox_whose_kernel_is_restarted_says_so(lab: Lab) -> None:
    lab.open_cells(SETUP, "%nbask inbox")
    lab.run_cell(0)
    lab.run_cell(1)
    expect_waiting(lab.cell(1), NOTHING)
    lab.restart_kernel()
    expect_waiting(lab.cell(1), "The kernel is gone; nothing can be asked here any more. Run %nbask inbox again.")
    lab.wait_idle()
