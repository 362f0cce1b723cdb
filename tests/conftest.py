"""What all rooms of the tests share."""

from __future__ import annotations

from collections.abc import Callable, Generator

import pytest

_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note that a test failed, before its fixtures are torn down."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


@pytest.fixture
def failed(request: pytest.FixtureRequest) -> Callable[[], bool]:
    """Tells a fixture, once it is torn down, whether its test failed."""
    return lambda: request.node.stash.get(_FAILED, False)
