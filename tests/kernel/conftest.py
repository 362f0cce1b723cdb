"""Kernels for the tests: one process per ipykernel version, shared until a test fails or marks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from driver import Kernel, NoSubshellsError, Route
from environments import ROOT, python_of, versions

KEY = ("6.31.0", "7.0.1", "7.4.0")
"""The versions that differ in what the tests marked `key_versions` look at: one thread and its gate; a cell's parent
in a context variable that threads have nothing of; the newest."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    def wanted(item: pytest.Item) -> bool:
        version = getattr(item, "callspec", None) and item.callspec.params.get("version")  # type: ignore[attr-defined]
        return version is None or version in KEY or item.get_closest_marker("key_versions") is None

    left = [item for item in items if wanted(item)]
    if len(left) < len(items) and set(versions()) & set(KEY):
        config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
        items[:] = left


class Kernels:
    """At most one living kernel per version; starting one takes longer than most tests."""

    def __init__(self) -> None:
        self._alive: dict[str, Kernel] = {}

    def take(self, version: str, *, fresh: bool) -> Kernel:
        if fresh:
            self.drop(version)
        if version not in self._alive:
            self._alive[version] = Kernel(python_of(version), pythonpath=ROOT)
        return self._alive[version]

    def drop(self, version: str) -> None:
        if kernel := self._alive.pop(version, None):
            kernel.shutdown()

    def drop_all(self) -> None:
        for version in list(self._alive):
            self.drop(version)


@pytest.fixture(scope="session")
def kernels() -> Iterator[Kernels]:
    pool = Kernels()
    yield pool
    pool.drop_all()


# One xdist worker runs all tests of a version, and shares its kernel among them.
@pytest.fixture(
    params=[
        pytest.param(
            version,
            marks=[
                pytest.mark.xdist_group(version),
                pytest.mark.support(kernel=f"ipykernel {version}", how="driven kernel"),
            ],
        )
        for version in versions()
    ]
)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def major(version: str) -> int:
    return int(version.partition(".")[0])


@pytest.fixture(
    params=[
        pytest.param("main", marks=pytest.mark.support(front="VS Code's way: comms on the main shell")),
        pytest.param("subshell", marks=pytest.mark.support(front="JupyterLab's way: comms on a subshell")),
    ]
)
def route(request: pytest.FixtureRequest) -> Route:
    return request.param


@pytest.fixture
def kernel(
    request: pytest.FixtureRequest, kernels: Kernels, version: str, failed: Callable[[], bool]
) -> Iterator[Kernel]:
    """A kernel of `version` with nbask loaded; its comm messages go the way of `route`, if the test has one."""
    marked = request.node.get_closest_marker("fresh") is not None
    kernel = kernels.take(version, fresh=marked)
    kernel.route = request.getfixturevalue("route") if "route" in request.fixturenames else "main"
    try:
        kernel.require_route()
        kernel.run("%load_ext nbask\nfrom nbask import *\nimport nbask, threading, asyncio, time").ok()
    except NoSubshellsError:
        pytest.skip("no subshells on ipykernel 6")
    except BaseException:
        kernels.drop(version)
        raise
    yield kernel
    if marked or failed() or not kernel.is_alive():
        kernels.drop(version)
    else:
        kernel.forget()
