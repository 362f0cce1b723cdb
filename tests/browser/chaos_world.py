"""What a chaos run knows of its notebook, its kernel and its tabs, and what must hold of them after every step."""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from chaos_account import Account, Asked, out_of_order
from chaos_notebook import ANY_TIME, CELLS, NAMES, Field
from chaos_page import Tab, View
from front_end import notebook_of
from lab import PATIENCE_MS
from playwright.sync_api import Browser
from server import LabServer

WATCH = Path(__file__).with_name("chaos_watch.py")
MARK = "● "


class Fault(AssertionError):
    """Something is not as it must be; the message says what."""


class World:
    """One notebook, its kernel and its tabs.

    Args:
        server: A server that has the kernel.
        browser: Where tabs are opened.
        kernel: The kernel's name.
    """

    def __init__(self, server: LabServer, browser: Browser, kernel: str) -> None:
        self._server, self._browser, self._kernel = server, browser, kernel
        folder = server.root / f"chaos-{uuid.uuid4().hex[:8]}"
        folder.mkdir()
        shutil.copy(WATCH, folder)
        (folder / "chaos.ipynb").write_text(json.dumps(notebook_of(list(CELLS.values()), kernel)))
        self._notebook = f"{folder.name}/chaos.ipynb"
        self.account = Account(folder / "account.jsonl")
        self.tabs: list[Tab] = []
        self._closed: list[Tab] = []
        self._saved: set[str] = set()
        """Tags of the questions whose card is in the file."""
        self.sought: set[str] = set()
        """Tags of the questions that have to come back somewhere by the next check."""
        self._typed: dict[str, dict[Field, str]] = {}
        self._may_end: dict[str, set[str]] = {}
        """How a question may end by what was done, by its tag."""
        self._known: set[str] = set()
        self._judged: set[str] = set()

    # -- tabs ---------------------------------------------------------------------------------------

    def load_tab(self, name: str) -> Tab:
        """Open the notebook in a new tab."""
        tab = Tab(self._server, self._browser, self._kernel, name)
        self.tabs.append(tab)
        tab.load(self._notebook)
        self.loaded(tab)
        return tab

    def loaded(self, tab: Tab) -> None:
        """A page was loaded: it shows what is in the file, and hears of no cell that runs already."""
        tab.owes = set(self._saved)
        tab.heard.clear()
        tab.missed.clear()

    def close_tab(self, tab: Tab, silently: bool) -> None:
        """Close a tab, and remember what it has asked the kernel to do."""
        self.look()
        self.tabs.remove(tab)
        self._closed.append(tab)
        if silently:
            tab.vanish()
        else:
            tab.page.close(run_before_unload=False)

    def cleared(self, tab: Tab, cell: str | None = None) -> None:
        """A cell, or each, loses its output. What waits and is shown nowhere else has to come back by itself."""
        gone = {True: set[str](), False: set[str]()}
        for other in self.tabs:
            for view in other.views():
                gone[other is tab and (cell is None or NAMES[view.cell] == cell)].add(view.tag)
        tab.owes -= gone[True]
        if self.account.running:
            self.sought |= gone[True] - gone[False]

    def end(self) -> None:
        """Close all tabs and end the kernel."""
        for tab in [*self.tabs, *self._closed]:
            tab.close()
        self._server.shut_kernels_down()

    # -- waiting ------------------------------------------------------------------------------------

    def look(self) -> None:
        """Read the account and what the pages have sent; what is wrong in itself is a fault at once."""
        for tab in self.tabs:
            tab.take_requests(self.account.life)
        self.account.read()
        if faults := [*self.account.faults, *self._disorder(), *self._ended_by_itself()]:
            raise Fault("; ".join(faults))

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until something is so."""
        for _ in range(PATIENCE_MS // 50):
            self.look()
            if condition():
                return
            self.tabs[0].page.wait_for_timeout(50)  # lets Playwright hand over what came
        raise Fault(f"not within {PATIENCE_MS} ms: {what}; {self.state()}")

    def state(self) -> str:
        """What goes on, for whoever reads of a fault."""
        account = self.account
        views = {tab.name: [f"{view.tag} in {NAMES[view.cell]}" for view in tab.views()] for tab in self.tabs}
        return (
            f"open {[one.tag for one in account.open]}, running {[run.cell for run in account.running]}, "
            f"not begun {[one.cell for one in self._owed()]}, shown {views}"
        )

    def rest(self) -> None:
        """Wait until all that runs waits for an answer, or nothing runs."""
        self.until(lambda: self.account.at_rest and self._nothing_comes(), "the kernel has done what it was asked to")

    def _nothing_comes(self) -> bool:
        return bool(self.account.running) or (not self._owed() and self.idle())

    def idle(self) -> bool:
        """Whether the kernel is idle, as the server has it, and drops nothing any more.

        A page may not know: JupyterLab's kernel is "unknown" after its socket was cut, until a cell is run.
        """
        kernels: Any = self._server.api("GET", "/kernels")
        idle = all(kernel["execution_state"] == "idle" for kernel in kernels)
        return idle and time.time() > self.account.drops_until

    def _owed(self) -> list[Any]:
        """Requests of all tabs that were neither run nor dropped for a reason there is."""
        return [one for tab in [*self.tabs, *self._closed] for one in self.account.owed(tab.requests)]

    # -- what must hold -----------------------------------------------------------------------------

    def check(self) -> None:
        """Wait for the kernel to rest and the pages to show it; what does not come to hold is a fault."""
        self.rest()
        for one in self.account.open:
            if one.tag not in self._known:
                self._known.add(one.tag)
                for tab in self.tabs:
                    if one.run.request in tab.heard and one.run.cell != "later":
                        tab.owes.add(one.tag)
        complaints: list[str] = []

        def nothing_to_complain() -> bool:
            complaints[:] = [f"{tab.name}: {complaint}" for tab in self.tabs for complaint in self._complaints(tab)]
            lost = self.sought.intersection(one.tag for one in self.account.open) - self.seen()
            complaints.extend(f"{tag} does not come back" for tag in sorted(lost))
            return not complaints

        try:
            self.until(nothing_to_complain, "the pages are as they must be")
        except Fault as fault:
            raise Fault(f"{'; '.join(complaints)} ({fault})") from None
        self.sought.clear()
        for tab in [*self.tabs, *self._closed]:
            tab.check()
            if errors := tab.errors():
                raise Fault(f"{tab.name} has errors in its console: {errors}")

    def seen(self) -> set[str]:
        """Tags of the questions that can be answered in some tab."""
        return {view.tag for tab in self.tabs for view in tab.views()}

    def _complaints(self, tab: Tab) -> Iterator[str]:
        views = tab.views()
        waits = {one.tag for one in self.account.open}
        shown = {view.tag for view in views}
        yield from (f"{tag} is not to be seen" for tag in sorted(tab.owes & waits - shown))
        if tab.has_inbox():
            listed = {view.tag for view in views if view.inbox}
            yield from (f"{tag} is not in the inbox" for tag in sorted(waits - listed))
        yield from (f"{tag} is over and can be answered" for tag in sorted(shown - waits - tab.missed))
        for view in views:
            if view.tag in waits:
                yield from self._lost_words(view)
        if not waits and not tab.missed and tab.page.title().startswith(MARK):
            yield "its title is marked, and nothing waits"
        yield from (f"there is a dialog: {words!r}" for words in tab.dialogs_shown())

    def _lost_words(self, view: View) -> Iterator[str]:
        for field, words in self._typed.get(view.tag, {}).items():
            if words not in view.typed:
                yield f"{words!r}, typed as {field.name} of {view.tag}, is not in its card: {view.typed}"

    def _disorder(self) -> Iterator[str]:
        for tab in [*self.tabs, *self._closed]:
            yield from out_of_order(self.account, tab.requests)

    def _ended_by_itself(self) -> Iterator[str]:
        for one in self.account.asked.values():
            if one.ended is None or one.tag in self._judged:
                continue
            self._judged.add(one.tag)
            if one.ended["kind"] not in self._may_end.get(one.tag, set()) | ANY_TIME.get(one.run.cell, set()):
                yield f"{one.tag} of {one.run.cell} ended by itself: {one.ended}"
            elif one.ended["draft"] is not None:
                yield from self._lost_draft(one, one.ended["draft"])

    def _lost_draft(self, one: Asked, draft: dict[str, Any]) -> Iterator[str]:
        kept = json.dumps(draft)
        yield from (
            f"{words!r} is not in the draft of {one.tag}"
            for words in self._typed.get(one.tag, {}).values()
            if words not in kept
        )

    def probe(self) -> None:
        """Run a cell in a kernel that asks nothing: it runs, and nbask holds nothing any more."""
        tab = self.tabs[0]
        self.until(self.idle, "the kernel is idle")
        before = set(self.account.probes)
        tab.run("probe")
        self.until(lambda: set(self.account.probes) > before, "the kernel runs a cell while nothing waits")
        tab.expect_printed(NAMES.index("probe"), f"probe starts\nprobed {self.account.life}\nprobe ends: ok\n")
        (request,) = set(self.account.probes) - before
        found = self.account.probes[request]
        ended = [one for one in self.account.asked.values() if one.life == self.account.life and one.ended]
        decided = sum(one.ended["questions"] for one in ended if one.ended)
        if found["open"] or found["held"] or found["interrupts"] or found["decided"] != decided:
            raise Fault(f"something is left in a kernel that asks nothing: {found}; {decided} questions have ended")
        for one in ended:
            if one.ended and one.ended["kind"] == "answered" and one.run.how == "ok" and not one.got:
                raise Fault(f"the asker of {one.tag} never got its answer: {one.ended}")
