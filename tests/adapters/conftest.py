"""Kernels for the adapters' tests: the oldest way of waiting and the newest, one kernel of each, shared."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from driver import Kernel
from environments import ROOT, cache, python_of, versions

READY = (
    "%load_ext nbask\nimport nbask, asyncio\nfrom nbask.adapters.mcp import *\nfrom mcp import StdioServerParameters"
)
collect_ignore = [] if sys.version_info >= (3, 11) else ["test_pydantic_ai.py"]  # its harness has left 3.10 behind
KERNELS = [version for version in ("6.31.0", "7.4.0") if version in versions()]


@pytest.fixture(scope="session")
def alive() -> Iterator[dict[str, Kernel]]:
    kernels: dict[str, Kernel] = {}
    yield kernels
    for kernel in kernels.values():
        kernel.shutdown()


@pytest.fixture(params=[pytest.param(version, marks=pytest.mark.xdist_group(version)) for version in KERNELS])
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def kernel(alive: dict[str, Kernel], version: str, failed: Callable[[], bool]) -> Iterator[Kernel]:
    """A kernel of `version` with mcp 2, nbask loaded and its MCP adapter imported."""
    if version not in alive:
        alive[version] = Kernel(python_of(version), pythonpath=ROOT)
    yield from _used(alive, version, failed)


@pytest.fixture
def kernel_with_mcp_1(alive: dict[str, Kernel], failed: Callable[[], bool]) -> Iterator[Kernel]:
    """A kernel (ipykernel 6.31) whose client is mcp 1."""
    if "mcp-1" not in alive:
        alive["mcp-1"] = Kernel(cache() / "mcp-1" / "bin" / "python", pythonpath=ROOT)
    yield from _used(alive, "mcp-1", failed)


@pytest.fixture
def own_kernel(alive: dict[str, Kernel], failed: Callable[[], bool]) -> Iterator[Kernel]:
    """A kernel of this very environment, where the agent frameworks are installed, with nbask loaded."""
    if "own" not in alive:
        alive["own"] = Kernel(Path(sys.executable), pythonpath=ROOT)
    yield from _used(alive, "own", failed)


def _used(alive: dict[str, Kernel], name: str, failed: Callable[[], bool]) -> Iterator[Kernel]:
    kernel = alive[name]
    kernel.run(READY).ok(timeout=60)
    yield kernel
    if failed() or not kernel.is_alive():
        alive.pop(name).shutdown()
    else:
        kernel.forget()
