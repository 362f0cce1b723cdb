"""One JupyterLab and one Chromium for all browser tests; a page of its own for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lab import SETUP, Lab, chromium
from playwright.sync_api import Browser
from server import LabServer

RESULTS = Path(__file__).parents[2] / "test-results"


@pytest.fixture(scope="session")
def server() -> Iterator[LabServer]:
    server = LabServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def lab(
    request: pytest.FixtureRequest, server: LabServer, browser: Browser, failed: Callable[[], bool]
) -> Iterator[Lab]:
    lab = Lab(server, browser)
    yield lab
    if failed():
        _keep(lab, request.node.name)
    lab.close()
    server.shut_kernels_down()
    _check(lab)


@pytest.fixture(scope="module")
def _benches(server: LabServer) -> Iterator[list[Lab]]:
    benches: list[Lab] = []
    yield benches
    for bench in benches:
        bench.close()
    server.shut_kernels_down()


@pytest.fixture
def bench(
    request: pytest.FixtureRequest,
    server: LabServer,
    browser: Browser,
    failed: Callable[[], bool],
    _benches: list[Lab],
) -> Iterator[Lab]:
    """A page and a kernel that a module's tests share: each puts its cells below the others'.

    Only a failed test gets the next one a new page. A module that uses it does not use `lab`, which ends all kernels.
    """
    if not _benches:
        _benches.append(Lab(server, browser))
        _benches[0].open_cells(SETUP)
        _benches[0].run_cell(0)
    bench = _benches[0]
    yield bench
    if failed():
        _keep(bench, request.node.name)
        _benches.clear()
        bench.close()
        server.shut_kernels_down()
    _check(bench)


def _check(lab: Lab) -> None:
    assert lab.outside == [], "the page asked for something from elsewhere"
    assert lab.dialogs == [], "the page opened a dialog: a script ran"


def _keep(lab: Lab, name: str) -> None:
    """Keep what a person would want to see of a failure: the page, its console and the server's log."""
    RESULTS.mkdir(exist_ok=True)
    stem = re.sub(r"\W+", "-", name)
    lab.page.screenshot(path=RESULTS / f"{stem}.png")
    (RESULTS / f"{stem}.console.txt").write_text("\n".join(lab.console))
    (RESULTS / f"{stem}.server.txt").write_text(lab.server.log())
