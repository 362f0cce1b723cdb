"""Served kernels for the tests: a real kernel that runs `%nbask serve`, and where agents find it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driver import Kernel
from environments import ROOT, python_of, versions
from served import SCRIPTED, Served

WANTED = ("6.31.0", "7.4.0")
"""One kernel of each way of waiting: the server is the same in all of them."""


@pytest.fixture(
    params=[
        pytest.param(version, marks=pytest.mark.xdist_group(f"serve-{version}"))
        for version in versions()
        if version in WANTED
    ]
)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


class Pool:
    """At most one served kernel a version, shared until a test fails or ends it."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._alive: dict[str, Served] = {}

    def take(self, version: str) -> Served:
        if version not in self._alive:
            runtime_dir = self._place / version
            env = {"JUPYTER_RUNTIME_DIR": str(runtime_dir), "JPY_SESSION_NAME": "work/study.ipynb"}
            self._alive[version] = Served(Kernel(python_of(version), pythonpath=ROOT, env=env), runtime_dir)
        return self._alive[version]

    def drop(self, version: str) -> None:
        if (served := self._alive.pop(version, None)) is not None:
            served.end()

    def drop_all(self) -> None:
        for version in list(self._alive):
            self.drop(version)


@pytest.fixture(scope="session")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    made = Pool(tmp_path_factory.mktemp("served"))
    yield made
    made.drop_all()


@pytest.fixture
def served(pool: Pool, version: str, failed: Callable[[], bool]) -> Iterator[Served]:
    """A kernel with nbask loaded, that is served, and whose page has the inbox."""
    one = pool.take(version)
    try:
        one.begin()
    except BaseException:
        pool.drop(version)
        raise
    yield one
    if failed() or not one.rest():
        pool.drop(version)


@pytest.fixture(params=["idle", "busy"])
def state(request: pytest.FixtureRequest, served: Served) -> Any:
    """The kernel idle, or computing in a cell all the while."""
    served.kernel.run(SCRIPTED).ok()
    cell = served.compute() if request.param == "busy" else None
    yield request.param
    if cell is not None:
        assert not cell.done, "the cell was to compute all the while"
