"""Where mutants are tried: pytest with its tests collected once, and a fork of it for each mutant."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import mmap
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal

import coverage
import pytest

from mutation.living import Functions
from mutation.mutants import Mutant

QUICK = 0.1
"""Seconds that a test may take to be tried first."""
ENOUGH = 8.0
"""Seconds that tests may take together: where most tests run a line, only its module's own and the quickest try it."""
Outcome = Literal["killed", "timeout", "survived", "not run"]
SLACK = 10.0
"""Seconds that a test may take beyond four times what it took unchanged, under other work, before it counts as hung."""
KILLED, SURVIVED, UNFIT = 1, 0, 7
"""How a fork that tried a mutant exits; with `UNFIT` the mutant could not be put in place."""


class Ground:
    """A pytest plugin: once the tests are collected it calls `work`, and runs none itself.

    Args:
        package: The copy of `nbask` that is tested, and may be written to.
        work: What tries the mutants, called with this ground.
    """

    def __init__(self, package: Path, work: Callable[[Ground], None]) -> None:
        self.package = package
        self._scratch = package.parent
        self._killer = self._scratch / "killer.txt"
        self._killer.touch()
        self.items: dict[str, pytest.Item] = {}
        self.seconds: dict[str, float] = {}
        self._work = work
        self._failed = False
        self._wrong: RuntimeError | None = None
        self._last_killers: list[str] = []
        self._begun = mmap.mmap(-1, 4)  # how many tests a fork has begun, for its parent to see

    def run(self, arguments: list[str]) -> None:
        """Collect the tests these arguments of pytest select, and do the work."""
        code = pytest.main(["-q", "--tb=no", "-p", "no:cacheprovider", *arguments], plugins=[self])
        if self._wrong is not None:
            raise self._wrong
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) or not self.items:
            raise RuntimeError(f"pytest ended with code {int(code)}.")

    # -- pytest -------------------------------------------------------------------------------------

    def pytest_configure(self) -> None:
        import hypothesis  # here, where its plugin has been made known

        # A mutant must not live or die by chance, and of what kills it nobody needs the smallest example.
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile(
            "mutants", max_examples=30, derandomize=True, database=None, deadline=None, phases=phases
        )
        hypothesis.settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Failed("tests could not be collected")
        self.items = {item.nodeid: item for item in session.items}
        try:
            self._work(self)
        except RuntimeError as wrong:  # pytest would take it for its own
            self._wrong = wrong
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    def _passes(self, items: list[pytest.Item]) -> Iterator[bool]:
        """Run items one by one; each shares with the next what their fixtures share."""
        for number, (item, following) in enumerate(zip(items, [*items[1:], None], strict=True), 1):
            self._begun[:] = number.to_bytes(4, "big")
            self._failed = False
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield not self._failed

    # -- before any mutant --------------------------------------------------------------------------

    def measure(self, kept: Path, limit: float) -> Covered:
        """Run tests once, unchanged: how long each takes, and which lines of the package it runs.

        What is known of a file of tests from last time is kept, as long as neither it nor the package has changed.

        Args:
            kept: The file to keep it in.
            limit: How many seconds the tests may take together.

        Raises:
            RuntimeError: If a test fails, or they take longer.
        """
        known: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
        package = _hash([*self.package.rglob("*.py"), *{path.parent / "conftest.py" for path in self._files()}])
        stamps = {str(path): f"{package} {_hash([path])}" for path in self._files()}
        measured = {name: known[name] for name in stamps if known.get(name, {}).get("stamp") == stamps[name]}
        stale = [item for item in self.items.values() if _file(item) not in measured]
        found = self._scratch / "measured.json"

        def measure() -> int:
            found.write_text(json.dumps(self._measured(stale, stamps)))
            return 0

        if stale:
            if _forked(measure, limit) != 0:
                raise RuntimeError(f"the tests did not end within {limit:.0f} s, unchanged.")
            measured.update(json.loads(found.read_text()))
            kept.write_text(json.dumps(measured))
        if failed := [name for part in measured.values() for name in part["failed"]]:
            raise RuntimeError(f"tests fail without any mutant: {', '.join(failed)}")
        self.seconds = {name: took for part in measured.values() for name, took in part["seconds"].items()}
        return Covered(part["lines"] for part in measured.values())

    def time(self, verdict: Callable[[], int], limit: float) -> float:
        """How many seconds some tests take together, unchanged.

        Args:
            verdict: What runs them, as for :meth:`try_on_disk`.
            limit: How many seconds they may take.

        Raises:
            RuntimeError: If one fails, or they take longer.
        """
        begun = time.monotonic()
        code = _forked(verdict, limit)
        if code != SURVIVED:
            said = f"they do not end within {limit:.0f} s" if code is None else f"{self._killer.read_text()} fails"
            raise RuntimeError(f"the tests do not pass without any mutant: {said}.")
        return time.monotonic() - begun

    def _files(self) -> set[Path]:
        return {Path(_file(item)) for item in self.items.values()}

    def _measured(self, items: list[pytest.Item], stamps: dict[str, str]) -> dict[str, Any]:
        """For each file of tests: its stamp, which tests failed, how long each took, and who ran which line."""
        parts = {
            _file(item): {"stamp": stamps[_file(item)], "failed": [], "seconds": {}, "lines": defaultdict(list)}
            for item in items
        }
        meter = coverage.Coverage(data_file=None, source=[str(self.package)], config_file=False)
        meter.start()
        passes = self._passes(items)
        for item in items:
            meter.switch_context(item.nodeid)
            begun = time.monotonic()
            if not next(passes):
                parts[_file(item)]["failed"].append(item.nodeid)
            parts[_file(item)]["seconds"][item.nodeid] = time.monotonic() - begun
        meter.stop()
        data = meter.get_data()
        for name in data.measured_files():
            module = str(Path(name).relative_to(self.package))
            for line, tests in data.contexts_by_lineno(name).items():
                for test in filter(None, tests):
                    parts[_file(self.items[test])]["lines"][f"{module}:{line}"].append(test)
        return parts

    # -- mutants ------------------------------------------------------------------------------------

    def try_in_process(self, mutant: Mutant, tests: Iterable[str], functions: Functions) -> Outcome:
        """Swap the code of what the mutant changes, and run tests until one fails."""
        names = self._ordered(mutant, tests)
        if not names:
            return "survived"

        def attempt() -> int:
            try:
                functions.swap(mutant)
            except ValueError:
                return UNFIT
            return self.verdict(names)

        self._begun[:] = bytes(4)
        # The measure was taken under coverage, which is slower; a machine with other work is slower too.
        limits = [SLACK, *(SLACK + 4 * self.seconds[name] for name in names)]
        code = _forked(attempt, lambda: (begun := int.from_bytes(self._begun[:], "big"), limits[begun]))
        return self._outcome(code)

    def try_on_disk(self, mutant: Mutant, verdict: Callable[[], int], limit: float) -> Outcome:
        """Write the module, and run tests in processes that import it so.

        Args:
            mutant: What to write.
            verdict: :meth:`verdict` of tests that start such a process, or :meth:`afresh`.
            limit: How many seconds that may take.
        """
        path = self.package / mutant.module
        unchanged = path.read_text()
        path.write_text(mutant.source)
        try:
            return self._outcome(_forked(verdict, limit))
        finally:
            path.write_text(unchanged)

    def verdict(self, names: list[str]) -> int:
        """Run tests until one fails; for a fork, which exits with this."""
        for at, passed in enumerate(self._passes([self.items[name] for name in names])):
            if not passed:
                self._killer.write_text(names[at])
                return KILLED
        return SURVIVED

    def afresh(self, files: list[str]) -> int:
        """The same in a process of its own, in which what runs at import runs again."""
        self._killer.write_text(" ".join(files))
        return subprocess.call([sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *files])

    def _outcome(self, code: int | None) -> Outcome:
        if code is None:
            return "timeout"
        if code == UNFIT:
            return "not run"
        if code == KILLED and self._killer.stat().st_size:
            killer = self._killer.read_text()
            self._last_killers = [killer, *(name for name in self._last_killers if name != killer)][:8]
        return "survived" if code == SURVIVED else "killed"

    def _ordered(self, mutant: Mutant, tests: Iterable[str]) -> list[str]:
        """Who killed others lately and is quick comes first, then the module's own tests, then the quickest."""
        words = mutant.module.removesuffix(".py").replace("/", "_")

        def order(name: str) -> tuple[bool, bool, float]:
            recent = name in self._last_killers and self.seconds[name] < QUICK
            return not recent, words not in name, self.seconds[name]

        ordered = sorted(tests, key=order)
        together = accumulate(self.seconds[name] for name in ordered)
        return [name for name, ends in zip(ordered, together, strict=True) if words in name or ends < ENOUGH]


class Covered:
    """Which tests run which lines."""

    def __init__(self, parts: Iterable[dict[str, list[str]]]) -> None:
        self._by: defaultdict[str, set[str]] = defaultdict(set)
        for part in parts:
            for line, tests in part.items():
                self._by[line].update(tests)

    def by(self, mutant: Mutant) -> set[str]:
        """The tests that run the statement which the mutant changes."""
        return {test for line in mutant.lines for test in self._by.get(f"{mutant.module}:{line}", ())}


def _file(item: pytest.Item) -> str:
    """The file an item is in, from the root of the tests on."""
    return item.nodeid.partition("::")[0]


def _hash(paths: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:16]


def _forked(work: Callable[[], int], limit: float | Callable[[], tuple[int, float]]) -> int | None:
    """Do work in a fork; its exit code, or None if it took too long.

    Args:
        work: What to do; returns the exit code.
        limit: How many seconds it may take, or what says which step it has begun and how many that may take.
    """
    step = limit if callable(limit) else lambda: (0, limit)
    child = os.fork()
    if child == 0:
        code: Any = KILLED  # by whatever goes through here
        with contextlib.suppress(BaseException):
            os.setsid()
            code = work()
        os._exit(code)
    began, pause, at = time.monotonic(), 0.001, 0
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        before, (at, seconds) = at, step()
        began = began if at == before else time.monotonic()
        if time.monotonic() - began > seconds:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


def tested_copy(package: Path) -> None:
    """Have this process, and those it starts, import the package from where it was copied to.

    Raises:
        RuntimeError: If another is imported all the same.
    """
    sys.path.insert(0, str(package.parent))
    os.environ["PYTHONPATH"] = str(package.parent)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # two mutants of one second and size would share their bytecode
    sys.dont_write_bytecode = True
    imported = importlib.import_module(package.name).__file__ or ""
    if not Path(imported).is_relative_to(package):
        raise RuntimeError(f"{imported} is what gets imported, not the copy in {package}.")
