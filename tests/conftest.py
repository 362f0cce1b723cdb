"""What all rooms of the tests share."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

SUPPORT = Path(__file__).parents[1] / "test-results" / "support.json"
"""What was found of which front end and kernel; `scripts/support` makes `docs/support.md` of it."""
ACTIONS = ("ask", "await", "reload", "interrupt", "run all")

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


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Support(config), "nbask-support")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test that is evidence of support its row and columns, whole or not at all."""
    for item in items:
        fact = _fact(item)
        if "action" in fact:
            _check(item, fact)
            item.user_properties.append(("support", fact))  # reports carry these, from other processes too


def _fact(item: pytest.Item) -> dict[str, Any]:
    """What the test's markers say, those of its module, its parameters and its own together."""
    fact: dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers("support"))):
        fact.update(marker.kwargs)
    return fact


def _check(item: pytest.Item, fact: dict[str, Any]) -> None:
    actions = fact["action"] if isinstance(fact["action"], tuple | list) else [fact["action"]]
    fact["action"] = list(actions)
    needed, allowed = {"front", "kernel", "action", "how"}, {"cell", "note"}
    wrong = [f"no {name}=" for name in sorted(needed - fact.keys())]
    wrong += [f"{name}= is not known" for name in sorted(fact.keys() - needed - allowed)]
    wrong += [f"action {action!r} is none of {ACTIONS}" for action in actions if action not in ACTIONS]
    if wrong:
        raise pytest.UsageError(f"{item.nodeid}, marked support: {'; '.join(wrong)}")


class _Support:
    """Gathers how the tests marked `support` ended, and adds that to what earlier runs left."""

    def __init__(self, config: pytest.Config) -> None:
        self._found: dict[str, dict[str, Any]] = {}
        self._worker = hasattr(config, "workerinput")  # of pytest-xdist, whose main process hears of all reports

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        fact = dict(report.user_properties).get("support")
        if isinstance(fact, dict) and (report.failed or report.when == "call") and not report.skipped:
            earlier = self._found.get(report.nodeid, {"passed": True})
            self._found[report.nodeid] = {**fact, "passed": earlier["passed"] and report.passed}

    def pytest_sessionfinish(self) -> None:
        if self._worker or not self._found:
            return
        earlier = json.loads(SUPPORT.read_text()) if SUPPORT.exists() else {}
        SUPPORT.parent.mkdir(exist_ok=True)
        part = SUPPORT.with_suffix(".part")
        part.write_text(json.dumps({**earlier, **self._found}, indent=1, sort_keys=True))
        part.replace(SUPPORT)
