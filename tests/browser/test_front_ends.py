"""Every front end that runs notebooks x both kinds of ipykernel: asked, awaited, reloaded, interrupted, Run All.

What is found here is what `docs/support.md` says of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version

import pytest
from classic import Classic
from front_end import SETUP, FrontEnd
from kernels import OLD_KERNEL
from lab import Lab
from notebook_7 import Notebook7
from playwright.sync_api import Browser, expect
from server import LabServer

KERNELS = {"python3": f"ipykernel {version('ipykernel')}", OLD_KERNEL: OLD_KERNEL.replace("-", " ")}
KERNELS_SETTINGS = "@jupyterlab/apputils-extension/kernels-settings"


@dataclass
class Place:
    """A front end and a kernel, and the page on which their tests are, as long as none of them fails."""

    kind: type[FrontEnd]
    kernel: str = "python3"
    comms: str | None = None
    """JupyterLab's setting `commsOverSubshells`; None leaves it as it comes."""
    pages: list[FrontEnd] = field(default_factory=list)

    @property
    def has_subshells(self) -> bool:
        return self.kind is not Classic and self.kernel != OLD_KERNEL and self.comms != "disabled"

    def case(self) -> object:
        name = {Lab: "JupyterLab 4", Notebook7: "Notebook 7", Classic: "nbclassic"}[self.kind]
        front = f"{name}, comms over subshells: {self.comms}" if self.comms else name
        marks = pytest.mark.support(front=front, kernel=KERNELS[self.kernel], how="Chromium")
        return pytest.param(self, marks=marks, id="-".join(filter(None, (name, KERNELS[self.kernel], self.comms))))


PLACES = [
    Place(Lab),
    Place(Lab, OLD_KERNEL),
    Place(Lab, comms="disabled"),
    Place(Lab, comms="perComm"),
    Place(Notebook7),
    Place(Notebook7, OLD_KERNEL),
    Place(Classic),
    Place(Classic, OLD_KERNEL),
]


@pytest.fixture(scope="module", params=[place.case() for place in PLACES])
def place(request: pytest.FixtureRequest, server: LabServer) -> Iterator[Place]:
    place: Place = request.param
    settings = {KERNELS_SETTINGS: {"commsOverSubshells": place.comms}} if place.comms else {}
    with server.with_settings(settings):
        yield place
    while place.pages:
        place.pages.pop().close()
    server.shut_kernels_down()


@pytest.fixture
def front(
    request: pytest.FixtureRequest, server: LabServer, browser: Browser, failed: Callable[[], bool], place: Place
) -> Iterator[FrontEnd]:
    """The place's page, with nbask loaded."""
    if not place.pages:
        place.pages.append(place.kind(server, browser, place.kernel))
        place.pages[0].open_cells(SETUP)
        place.pages[0].run_cell(0)
    yield place.pages[0]
    front = place.pages[0]
    if failed():
        front.keep(request.node.name)
        place.pages.remove(front)
        front.close()
        server.shut_kernels_down()
    front.check()


@pytest.mark.parametrize(
    "call",
    [
        pytest.param("ask", marks=pytest.mark.support(action="ask"), id="ask"),
        pytest.param("await aio.ask", marks=pytest.mark.support(action="await"), id="await"),
    ],
)
def test_c1_c2_a_click_is_the_next_lines_value(front: FrontEnd, place: Place, call: str) -> None:
    """C1, C2, C3, C4: the cell waits, the click ends it, and the cell after it runs, whichever shell it came on."""
    at = front.put(f'answer = {call}("Which DB?", ["Postgres", "SQLite"])\nprint("got", answer)')
    card = front.card(at)
    assert card.question() == "Which DB?"
    card.choose("SQLite")
    expect(front.printed(at)).to_have_count(0)
    card.submit()
    front.expect_printed(at, "got SQLite")
    front.expect_receipt(at, "SQLite")
    front.expect_printed(front.put("print(answer)"), "SQLite")
    assert bool(front.subshells) is place.has_subshells


@pytest.mark.support(action="interrupt")
@pytest.mark.parametrize("call", ["ask", "await aio.ask"], ids=["ask", "await"])
def test_c10_the_stop_button_ends_the_wait(front: FrontEnd, call: str) -> None:
    """C10: the receipt says what happened, and the kernel goes on."""
    at = front.put(f'{call}("Which DB?", ["Postgres", "SQLite"])\nprint("went on")')
    front.card(at)
    front.interrupt()
    front.expect_receipt(at, re.compile("interrupt", re.IGNORECASE))
    expect(front.printed(at)).to_have_count(0)
    front.expect_printed(front.put("print(1 + 1)"), "2")


@pytest.mark.support(action="reload")
def test_c13_c14_c15_a_reload_brings_the_card_back(front: FrontEnd) -> None:
    """C13, C14, C15: with what was typed; the click counts, the record stays, and the next cell runs."""
    at = front.put('answer = ask("Which DB?", ["Postgres", "SQLite"], notes=True)')
    front.card(at).note("typed before")
    front.wait_received("echo_update", "typed before")
    front.save()
    front.reload()
    card = front.card(at)
    expect(card.notes_field).to_have_value("typed before")
    card.choose("SQLite")
    card.submit()
    expect(front.receipt(at)).to_contain_text("SQLite")
    expect(front.receipt(at)).to_contain_text("typed before")
    front.expect_printed(front.put("print(answer)"), "SQLite")


@pytest.mark.support(action="run all")
def test_c5_run_all_keeps_the_order(front: FrontEnd) -> None:
    """C5: two cells ask; those behind them wait, run after the answer, and run once."""
    front.open_cells(
        f"{SETUP}\nran = []",
        'ran.append(ask("First?", ["Red", "Blue"]))',
        "ran.append('between'); print(ran)",
        'ran.append(ask("Second?", ["Red", "Blue"]))',
        "ran.append('after'); print(ran)",
    )
    front.run_all()
    first = front.card(1)
    first.choose("Blue")
    assert "[*]" in front.prompt(2)
    expect(front.cell(3).locator(".nbask")).to_have_count(0)
    first.submit()
    second = front.card(3)
    front.expect_printed(2, "['Blue', 'between']")
    second.choose("Red")
    expect(front.printed(4)).to_have_count(0)
    second.submit()
    front.expect_printed(4, "['Blue', 'between', 'Red', 'after']")
    front.wait_idle()
