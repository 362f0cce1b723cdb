"""Questions in real marimo: awaited, blocking, reactive; in its editor and as an app."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from marimo_page import MarimoPage, MarimoServer
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.support(front="marimo", kernel="marimo", how="Chromium")

SETUP = "import nbask\nfrom nbask import aio"
AWAIT = 'colour = await aio.ask("Red or blue?", ["Red", "Blue"])\nprint("await got", colour)'
SYNC = 'size = nbask.ask(f"How large is the {colour} one?", ["Small", "Large"])\nprint("sync got", size)'
LAST = 'print("after", size)'

Open = Callable[..., MarimoPage]


@pytest.fixture
def marimo(request: pytest.FixtureRequest, browser: Browser, failed: Callable[[], bool]) -> Iterator[Open]:
    """Start a marimo with these cells, and open a page of it."""
    pages: list[MarimoPage] = []

    def start(*cells: str, mode: str = "edit", theme: str = "light") -> MarimoPage:
        pages.append(MarimoPage(MarimoServer(cells, mode, theme), browser))  # type: ignore[arg-type]
        return pages[-1]

    yield start
    for page in pages:
        if failed():
            page.keep(request.node.name)
        page.close()
        page.marimo.stop()
        page.check()


@pytest.mark.support(action=("ask", "await", "run all"))
def test_cells_await_and_block_and_the_next_ones_have_the_answers(marimo: Open) -> None:
    page = marimo(SETUP, AWAIT, SYNC, LAST)
    page.open_and_run()
    first = page.card(1)
    assert first.question() == "Red or blue?"
    first.choose("Blue")
    first.submit()
    page.expect_printed(1, "await got Blue")
    page.expect_receipt(1, "Blue")
    second = page.card(2)
    assert second.question() == "How large is the Blue one?"
    second.choose("Large")
    second.submit()
    page.expect_printed(2, "sync got Large")
    page.expect_receipt(2, "Large")
    page.expect_printed(3, "after Large")
    page.wait_idle()


@pytest.mark.support(action="reload")
def test_an_open_card_comes_back_after_a_reload_with_its_draft_and_counts(marimo: Open) -> None:
    page = marimo(SETUP, 'name = nbask.ask_text("Your name?")\nprint("got", name)')
    page.open_and_run()
    page.card(1).write("Ann Lee")
    with page.page.expect_response("**/set_model_value"):
        page.page.keyboard.press("Tab")  # what was typed is sent at the latest when the field is left
    page.page.reload()
    card = page.card(1)
    expect(card.text_field).to_have_value("Ann Lee")
    card.submit()
    page.expect_printed(1, "got Ann Lee")
    page.expect_receipt(1, "Ann Lee")


@pytest.mark.support(action="interrupt")
@pytest.mark.parametrize("code", [AWAIT, SYNC.replace("{colour}", "blue")], ids=["await", "sync"])
def test_the_stop_button_ends_the_wait_and_the_kernel_goes_on(marimo: Open, code: str) -> None:
    page = marimo(SETUP, code, 'print("still here")')
    page.open_and_run()
    page.card(1)
    page.interrupt()
    page.wait_idle()
    expect(page.cell(1).locator(".nbask")).to_have_count(0)
    page.run_cell(2)
    page.expect_printed(2, "still here")


def test_what_is_asked_of_the_kernel_during_a_wait_is_done_after_it_once_and_in_order(marimo: Open) -> None:
    page = marimo(
        f"{SETUP}\nimport marimo as mo\nran = []",
        'slider = mo.ui.slider(0, 9, label="how many")\nslider',
        'ran.append(f"slider {slider.value}")\nprint(ran)',
        'ran.append("button")\nprint(ran)',
        'print("asking", await aio.ask("Red or blue?", ["Red", "Blue"]))',
    )
    page.open_and_run()
    card = page.card(4)
    page.expect_printed(3, "['slider 0', 'button']")
    with page.page.expect_response("**/set_ui_element_value"):
        page.page.get_by_role("slider").press("ArrowRight")
    with page.page.expect_response("**/kernel/run"):
        page.run_cell(3)
    card.choose("Red")
    card.submit()
    page.expect_printed(4, "asking Red")
    page.expect_printed(2, "['slider 0', 'button', 'slider 1']")
    page.expect_printed(3, "['slider 0', 'button', 'slider 1', 'button']")


def test_a_reactive_question_is_answered_while_no_cell_runs_and_its_readers_run_again_once(marimo: Open) -> None:
    page = marimo(
        "import nbask.marimo\nreads = []",
        'name = nbask.marimo.ask_text("Your name?")\nname',
        "reads.append(name.value)\nprint(reads)",
    )
    page.open_and_run()
    card = page.card(1)
    page.expect_printed(2, "[None]")
    with page.page.expect_response("**/set_model_value"):
        card.write("Ann")  # a draft is no answer, and runs nothing
    card.submit()
    page.expect_printed(2, "[None, 'Ann']")
    expect(page.receipt(1)).to_contain_text("Ann")
    page.page.reload()
    expect(page.receipt(1)).to_contain_text("Ann")
    page.run_cell(1)
    assert page.card(1).question() == "Your name?"
    page.expect_printed(2, "[None, 'Ann', None]")


def test_cards_follow_the_theme_and_each_has_its_style(marimo: Open) -> None:
    page = marimo(
        "import nbask.marimo",
        *(f'q{n} = nbask.marimo.ask("Question {n}?", ["Yes", "No"])\nq{n}' for n in (1, 2)),
        theme="dark",
    )
    page.open_and_run()
    for index in (1, 2):
        card = page.card(index).root
        expect(card).to_have_css("color-scheme", "dark")
        expect(card).to_have_css("background-color", "rgb(22, 24, 29)")


def test_keys_work_in_a_card_and_reach_no_cell(marimo: Open) -> None:
    page = marimo(SETUP, 'print("got", nbask.ask("Which?", ["One", "Two"], notes=True))')
    page.open_and_run()
    card = page.card(1)
    card.note("dd x")
    card.option("One").focus()
    card.keys("ArrowDown", "Enter")
    page.expect_printed(1, "got Two")
    page.expect_receipt(1, "dd x")
    expect(page.cells).to_have_count(2)


def test_each_page_of_an_app_has_its_own_question(marimo: Open, browser: Browser) -> None:
    asks = 'import marimo as mo\ncolour = nbask.ask("Red or blue?", ["Red", "Blue"])\nmo.md(f"you said {colour}")'
    page = marimo(SETUP, asks, mode="run")
    page.open()
    first = page.asked("Red or blue?")
    other = MarimoPage(page.marimo, browser)
    other.open()
    second = other.asked("Red or blue?")
    for card, shown, answer in ((second, other, "Blue"), (first, page, "Red")):
        card.choose(answer)
        card.submit()
        expect(shown.page.get_by_text(re.compile(f"you said {answer}"))).to_be_visible()
    other.close()
