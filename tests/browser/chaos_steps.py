"""What is done in a chaos run: cells are run, cards answered, pages reloaded, connections cut, kernels interrupted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from chaos_cards import Cards
from chaos_notebook import NAMES
from chaos_page import Tab
from chaos_world import Fault
from front_end import RESULTS
from playwright.sync_api import Browser
from server import LabServer

MISREAD = "in deserialize_binary_message"
QUEUE = 6
"""How many cells may wait for their turn before no more are run."""


class Round(Cards):
    """The steps. Each says what it has done, or None where there was nothing to do it to.

    Args:
        server: A server that has the kernel.
        browser: Where tabs are opened.
        kernel: The kernel's name.
        seed: What the steps follow from.
        say: Told of each step, in a line.
    """

    def __init__(
        self, server: LabServer, browser: Browser, kernel: str, seed: int, say: Callable[[str], object] = print
    ) -> None:
        super().__init__(server, browser, kernel, seed)
        self._say = say
        self.steps: list[str] = []
        self.done: Counter[str] = Counter()
        self._choices: dict[str, tuple[int, Callable[[], str | None]]] = {
            "run": (6, self._run),
            "run all": (1, self._run_all),
            "run again": (2, self._run_again),
            "answer": (6, self._answer),
            "type": (4, self._type),
            "refuse": (2, self._refuse),
            "save": (1, self._save),
            "reload": (3, self._reload),
            "open a tab": (2, self._open_tab),
            "close a tab": (1, self._close_tab),
            "cut off": (2, self._cut_off),
            "interrupt": (2, self._interrupt),
            "restart": (1, self._restart),
            "settle": (1, self.settle),
        }

    def begin(self) -> None:
        """Open the notebook, and run its first cell."""
        tab = self.load_tab("the first tab")
        tab.wait_idle()
        tab.run("setup")
        self.until(lambda: bool(self.account.runs), "the first cell runs")
        self.check()

    def step(self) -> None:
        """Do one thing, and look whether all is as it must be."""
        weights = [weight for weight, _ in self._choices.values()]
        while True:
            (name,) = self._dice.choices(list(self._choices), weights)
            line = self._choices[name][1]()
            if line is not None:
                self.done[name] += 1
                self._tell(line)
                self.check()
                return

    def settle(self) -> str:
        """Answer all that is open, whatever it takes to find it; then the kernel is as if nothing had been asked."""
        while self.account.open:
            seen = self.seen()
            if lost := [one.tag for one in self.account.open if one.tag not in seen]:
                self._tell(f"bring back {', '.join(lost)}")
                self._run_in(self.tabs[0], "pending")
                self.sought |= set(lost)
                self.check()
            if line := self._answer():
                self._tell(line)
                self.check()
        self.probe()
        return "nothing is open, and the kernel is as it was"

    def keep(self, name: str) -> None:
        """Keep the steps, the kernel's account, and of each page what any failed test keeps."""
        RESULTS.mkdir(exist_ok=True)
        for tab in self.tabs:
            tab.keep(f"{name} {tab.name}")
        stem = re.sub(r"\W+", "-", name)
        (RESULTS / f"{stem}.steps.txt").write_text("\n".join([*self.steps, "", self.account.text()]))

    def _tell(self, line: str) -> None:
        self.steps.append(line)
        self._say(f"{len(self.steps):4} {line}")

    # -- cells --------------------------------------------------------------------------------------

    def _run(self) -> str | None:
        cell = self._dice.choice([name for name in NAMES if name not in ("setup", "probe")])
        tab = self._dice.choice(self.tabs)
        if len(self._owed()) >= QUEUE:
            return None
        self._run_in(tab, cell)
        return f"run {cell} in {tab.name}"

    def _run_again(self) -> str | None:
        tab = self._dice.choice(self.tabs)
        if not self.account.running or len(self._owed()) >= QUEUE:
            return None
        cell = self.account.running[0].cell
        self._run_in(tab, cell)
        return f"run {cell} again in {tab.name}, while it waits"

    def _run_in(self, tab: Tab, cell: str) -> None:
        if not self.account.running:
            self.until(
                self.idle, "the kernel is idle"
            )  # a kernel in which a cell has just failed drops what comes at that moment
        self.cleared(tab, cell)
        before = len(tab.requests)
        tab.run(cell)
        self.until(lambda: len(tab.requests) > before, f"{tab.name} has the kernel run {cell}")

    def _run_all(self) -> str | None:
        tab = self._dice.choice(self.tabs)
        if self._owed():
            return None
        if not self.account.running:
            self.until(self.idle, "the kernel is idle")
        self.cleared(tab)
        before = len(tab.requests)
        tab.run_all()
        self.until(lambda: len(tab.requests) >= before + len(NAMES), f"{tab.name} has the kernel run all cells")
        return f"run all cells in {tab.name}"

    # -- pages and the network ----------------------------------------------------------------------

    def _save(self) -> str:
        first = self.tabs[0]
        first.save()
        self._saved = {view.tag for view in first.views() if not view.inbox}
        return f"save {first.name}, with {sorted(self._saved) or 'no card'}"

    def _reload(self) -> str:
        tab, saved = self._dice.choice(self.tabs), self._dice.choice((True, True, False))
        if saved:
            self._save()
        tab.reload()
        tab.wait_ready()
        self.loaded(tab)
        return f"reload {tab.name}, {'saved' if saved else 'not saved'}"

    def _open_tab(self) -> str | None:
        if len(self.tabs) > 1:
            return None
        self.load_tab("the second tab")
        return "open a second tab"

    def _close_tab(self) -> str | None:
        if len(self.tabs) == 1:
            return None
        silently = self._dice.choice((True, False))
        self.close_tab(self.tabs[1], silently)
        return "lose the second tab without a word" if silently else "close the second tab"

    def _cut_off(self) -> str:
        tab = self._dice.choice(self.tabs)
        act = self._dice.choice(("nothing", "type", "answer"))
        before = self._over()
        line = "nothing"
        found = None
        with tab.cut_off():
            if act == "type":
                line = self._type(tab) or line
            elif act == "answer" and (found := self._pick(tab)) is not None:
                one, _, place, where = found
                said = self._give(one, tab, place, "mouse")
                line = f"answer {one.tag} {where}: {said!r}"
        if found is not None:
            self._answered(found[0], said)
        self.look()
        if len(self.tabs) > 1:
            # The server keeps what a page misses only while no other page listens.
            tab.missed |= self._over() - before
        return f"cut {tab.name} off, meanwhile {line}"

    def _over(self) -> set[str]:
        return {one.tag for one in self.account.asked.values() if one.ended}

    # -- the kernel ---------------------------------------------------------------------------------

    def _interrupt(self) -> str | None:
        running = self.account.running
        if not running:
            return None
        tab = self._dice.choice(self.tabs)
        asked = [one for run in running for one in run.asked if one.open]
        for one in asked:
            self._may_end.setdefault(one.tag, set()).add("cancelled")
        tab.interrupt()
        cells = [run.cell for run in running]
        self.until(lambda: all(run.over for run in running), f"the interrupt ends {cells}")
        self.until(lambda: not any(one.open for one in asked), f"what {cells} asked is cancelled")
        return f"interrupt {cells} from {tab.name}"

    def _restart(self) -> str:
        first = self.tabs[0]
        self.look()
        for one in self.account.open:
            self._may_end.setdefault(one.tag, set()).add("cancelled")
        first.restart()
        self.account.life += 1
        first.wait_idle()  # the server calls a kernel idle that does not read its channels yet
        self._set_up(first)
        return "restart the kernel"

    def _set_up(self, tab: Tab) -> None:
        """Run the first cell of a new kernel."""
        tab.run("setup")
        try:
            self.until(lambda: any(run.life == self.account.life for run in self.account.runs.values()), "setup runs")
        except Fault:
            # jupyter_server can lose what a page sends that was cut off not long before a restart: it reads it by the
            # protocol of the connection before, and says so. The page then waits for ever, with nbask or without.
            if MISREAD not in tab.server.log():
                raise
            self._tell("the server has lost a request; reload the first tab and run it again")
            tab.requests = [one for one in tab.requests if one.life < self.account.life]
            tab.reload()
            tab.wait_ready()
            self.loaded(tab)
            self._set_up(tab)
