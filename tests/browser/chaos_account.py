"""The kernel's own account of a chaos run, as `chaos_watch.py` writes it: what was asked, what ran, and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from chaos_notebook import ASKS

HOW = ("ok", "NoAnswer", "KeyboardInterrupt", "CancelledError")
"""How a cell may end."""
SLACK_S = 2.0
"""For how long after a cell has failed its kernel may drop what comes, under load."""


@dataclass
class Asked:
    """One question, from the cell's intention to ask to what the asker got."""

    tag: str
    life: int
    run: Run
    ask: str = ""
    ended: dict[str, Any] | None = None
    got: list[Any] = field(default_factory=list)

    @property
    def open(self) -> bool:
        return bool(self.ask) and self.ended is None


@dataclass
class Run:
    """One run of a cell."""

    cell: str
    request: str
    life: int
    at: float
    how: str = ""
    until: float = 0.0
    asked: list[Asked] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return bool(self.how)

    @property
    def at_rest(self) -> bool:
        """Whether nothing comes of it any more but by an answer."""
        opened = [one for one in self.asked if one.ask]
        if self.over and (self.how != "ok" or self.cell != "later"):
            return True
        if len(opened) < ASKS.get(self.cell, 0):
            return False
        return self.over or any(one.open for one in opened)


@dataclass
class Sent:
    """A request to run a cell that a page has sent."""

    cell: str
    request: str
    life: int
    at: float


class Account:
    """Reads the file as it grows.

    Args:
        path: The file; it need not be there yet.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self.life = 1
        """Which of the notebook's kernels is the one that lives, from 1."""
        self.runs: dict[str, Run] = {}
        self.asked: dict[str, Asked] = {}
        self.probes: dict[str, dict[str, Any]] = {}
        self.faults: list[str] = []
        self._by_ask: dict[str, Asked] = {}

    def read(self) -> None:
        """Take in what was written since the last time."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            fact = json.loads(line)
            getattr(self, f"_{fact['event']}")(fact)

    def text(self) -> str:
        """All of it."""
        return self._path.read_text() if self._path.exists() else ""

    # -- what is going on ---------------------------------------------------------------------------

    @property
    def open(self) -> list[Asked]:
        """The questions that wait, in the order they were opened."""
        return [one for one in self._by_ask.values() if one.open and one.life == self.life]

    @property
    def running(self) -> list[Run]:
        """The cells that have begun and not ended."""
        return [run for run in self.runs.values() if not run.over and run.life == self.life]

    @property
    def at_rest(self) -> bool:
        """Whether every cell that has begun has ended or waits for an answer."""
        return all(run.at_rest for run in self.runs.values() if run.life == self.life)

    @property
    def drops_until(self) -> float:
        """Until when the kernel may have dropped what came, as it does behind a cell that failed."""
        failed = [run.until for run in self.runs.values() if run.life == self.life and run.over and run.how != "ok"]
        return max(failed, default=0.0) + SLACK_S

    def owed(self, sent: list[Sent]) -> list[Sent]:
        """Requests that were not run, and that the kernel may not have dropped."""
        last = self.drops_until
        return [one for one in sent if one.life == self.life and one.request not in self.runs and one.at > last]

    # -- what is written, line by line --------------------------------------------------------------

    def _life(self, fact: dict[str, Any]) -> None:
        if fact["life"] != self.life:
            self.faults.append(f"kernel {fact['life']} is alive, and kernel {self.life} ought to be")

    def _start(self, fact: dict[str, Any]) -> None:
        request = fact["request"]
        if request in self.runs:
            self.faults.append(f"cell {fact['cell']} ran twice for one request")
            return
        if others := self.running:
            self.faults.append(f"cell {fact['cell']} began while {[run.cell for run in others]} ran")
        self.runs[request] = Run(fact["cell"], request, fact["life"], fact["at"])

    def _end(self, fact: dict[str, Any]) -> None:
        run = self.runs.get(fact["request"])
        if run is None or run.over:
            self.faults.append(f"a cell ended that had not begun, or had ended: {fact}")
            return
        run.how, run.until = fact["how"], fact["at"]
        if run.how not in HOW:
            self.faults.append(f"cell {run.cell} ended with {run.how}")

    def _asked(self, fact: dict[str, Any]) -> None:
        run = self.runs[fact["request"]]
        self.asked[fact["tag"]] = one = Asked(fact["tag"], fact["life"], run)
        run.asked.append(one)

    def _opened(self, fact: dict[str, Any]) -> None:
        one = self.asked[fact["tag"]]
        if one.ask:
            self.faults.append(f"{one.tag} was opened twice")
        one.ask = fact["ask"]
        self._by_ask[one.ask] = one

    def _ended(self, fact: dict[str, Any]) -> None:
        one = self._by_ask[fact["ask"]]
        if one.ended is not None:
            self.faults.append(f"{one.tag} was settled twice: {one.ended} and {fact}")
        one.ended = fact

    def _got(self, fact: dict[str, Any]) -> None:
        one = self.asked[fact["tag"]]
        one.got.append(fact["value"])
        if len(one.got) > 1:
            self.faults.append(f"the asker of {one.tag} was answered twice: {one.got}")
        elif one.ended is None or one.ended["value"] != fact["value"]:
            self.faults.append(f"the asker of {one.tag} got {fact['value']!r} and the desk has {one.ended}")

    def _probe(self, fact: dict[str, Any]) -> None:
        self.probes[fact["request"]] = fact


def out_of_order(account: Account, sent: list[Sent]) -> Iterator[str]:
    """Where cells ran in another order than one page had asked for them."""
    ran = [one for one in sent if one.request in account.runs]
    for before, after in pairwise(ran):
        if before.life == after.life and account.runs[before.request].at > account.runs[after.request].at:
            yield f"cell {after.cell} ran before {before.cell}, which was asked for first"
