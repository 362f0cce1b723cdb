"""One Jupyter server and one Chromium for all browser tests; a page of its own for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from environments import python_of
from kernels import OLD_KERNEL
from lab import SETUP, Lab, chromium
from playwright.sync_api import Browser
from server import LabServer


@pytest.fixture(scope="session")
def server() -> Iterator[LabServer]:
    server = LabServer(kernels={OLD_KERNEL: python_of(OLD_KERNEL.removeprefix("ipykernel-"))})
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
        lab.keep(request.node.name)
    lab.close()
    server.shut_kernels_down()
    lab.check()


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
        bench.keep(request.node.name)
        _benches.clear()
        bench.close()
        server.shut_kernels_down()
    bench.check()
