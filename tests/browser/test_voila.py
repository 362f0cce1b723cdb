"""Voilà runs a notebook before anybody sees its page: what asks meanwhile is refused, a callback's question is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version

import pytest
from card import Card
from front_end import PATIENCE_MS, SETUP
from kernels import OLD_KERNEL
from playwright.sync_api import Browser, expect
from server import LabServer
from voila_page import VoilaPage

CELLS = pytest.mark.support(front="Voilà, a cell")
CALLBACKS = pytest.mark.support(front="Voilà, a widget's callback")
REFUSED = "Voilà runs the cells before anybody sees the page; the receipt and the exception say so at once."
BUTTON = """
from ipywidgets import Button, Output
button, out = Button(description="Begin"), Output()
@button.on_click
def begin(_):
    with out:
        {code}
display(button, out)
"""


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.support(kernel=kernel, how="Chromium"), id=kernel)
        for name, kernel in (
            ("python3", f"ipykernel {version('ipykernel')}"),
            (OLD_KERNEL, OLD_KERNEL.replace("-", " ")),
        )
    ]
)
def page(
    request: pytest.FixtureRequest, server: LabServer, browser: Browser, failed: Callable[[], bool]
) -> Iterator[VoilaPage]:
    page = VoilaPage(server, browser, request.param)
    yield page
    if failed():
        page.keep(request.node.name)
    page.close()
    server.shut_kernels_down()
    page.check()


@CELLS
@pytest.mark.support(action=("ask", "await", "run all"), cell="refused", note=REFUSED)
def test_what_cells_ask_is_refused_at_once_and_says_why(page: VoilaPage) -> None:
    """A default applies all the same, where the caller said so; nothing hangs."""
    page.open_cells(
        SETUP,
        'try: ask("Which DB?", ["Postgres", "SQLite"])\nexcept NoAnswer as no: print(no)',
        'try: await aio.ask("Which car?", ["Old", "New"])\nexcept NoAnswer as no: print(no)',
        'print(ask("Which day?", ["Mon", "Tue"], default="Tue", when_unanswered="default"))',
    )
    expect(page.page.get_by_text("no answer to 'Which DB?': Voilà runs the cells before")).to_be_visible()
    expect(page.page.get_by_text("no answer to 'Which car?': Voilà runs the cells before")).to_be_visible()
    receipts = page.page.locator(".nbask-receipt")
    expect(receipts).to_have_count(3)
    expect(receipts.first).to_contain_text("ask from a widget's callback, in an Output widget")
    expect(receipts.last).to_contain_text("the default was used: Tue")
    expect(page.page.locator("pre", has_text="Tue")).to_be_visible()


@CALLBACKS
@pytest.mark.support(action="ask", note="Its card goes where the callback's output goes: into an Output widget.")
def test_a_callback_asks_and_has_the_value(page: VoilaPage) -> None:
    page.open_cells(SETUP, BUTTON.format(code='print("got", ask("Which DB?", ["Postgres", "SQLite"]))'))
    page.press("Begin")
    card = Card(page.page.locator(".nbask")).wait()
    card.choose("SQLite")
    card.submit()
    expect(page.page.get_by_text("got SQLite", exact=True)).to_be_visible()
    expect(page.page.locator(".nbask-receipt")).to_contain_text("SQLite")
    expect(page.page.get_by_role("button", name="Submit")).to_have_count(0)


@CALLBACKS
@pytest.mark.support(action="await", cell="inbox", note="A task of a callback has no output of its own on the page.")
def test_a_callbacks_task_asks_in_the_inbox(page: VoilaPage) -> None:
    page.open_cells(
        f"{SETUP}\nimport asyncio\n"
        'async def main():\n    seen.value = "got " + await aio.ask("Which DB?", ["Postgres", "SQLite"])',
        "from ipywidgets import Label\nseen = Label()\ndisplay(seen)",
        "%nbask inbox",
        BUTTON.format(code="global task; task = asyncio.ensure_future(main())"),
    )
    page.press("Begin")
    card = Card(page.page.locator(".nbask").filter(has_text="Which DB?").last).wait()
    card.choose("SQLite")
    card.submit()
    expect(page.page.get_by_text("got SQLite", exact=True)).to_be_visible()


@CALLBACKS
@pytest.mark.support(action="reload", cell="–", note="Voilà runs the notebook anew, in a new kernel, for every page.")
def test_a_reload_begins_anew(page: VoilaPage) -> None:
    """The page that was left took its question along; the new one's can be answered."""
    page.open_cells(SETUP, BUTTON.format(code='print("got", ask("Which DB?", ["Postgres", "SQLite"]))'))
    page.press("Begin")
    Card(page.page.locator(".nbask")).wait()
    before = set(page.server.kernels())
    page.page.reload(timeout=2 * PATIENCE_MS)
    page.wait_open()
    assert set(page.server.kernels()) - before
    page.press("Begin")
    card = Card(page.page.locator(".nbask")).wait()
    card.choose("SQLite")
    card.submit()
    expect(page.page.get_by_text("got SQLite", exact=True)).to_be_visible()
