"""JupyterLab as a person uses it, and as its commands can be used.

Used by the browser tests and by `scripts/demo --check`.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from front_end import PATIENCE_MS, SETUP, FrontEnd, chromium
from playwright.sync_api import Locator, expect

__all__ = ["PATIENCE_MS", "SETUP", "Lab", "chromium"]


class Lab(FrontEnd):
    """One browser page with JupyterLab and one notebook."""

    KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
    """The page's connection to the kernel."""
    CELL = ".jp-Notebook .jp-Cell"
    PROMPT = ".jp-InputPrompt"
    OUTPUT = ".jp-OutputArea-output"
    STDOUT = '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stdout"]'

    def address(self, notebook: str) -> str:
        return self.server.page_url(notebook, uuid.uuid4().hex)

    # -- the notebook -------------------------------------------------------------------------------

    def save(self) -> None:
        self._command("docmanager:save")

    @contextmanager
    def saving_widget_state(self) -> Iterator[None]:
        """Have whatever widgets are alive at a save written into the file, as a person may choose."""
        toggle = "@jupyter-widgets/jupyterlab-manager:saveWidgetState"
        self._command(toggle)
        try:
            yield
        finally:
            self._command(toggle)  # it is a setting of the server, which other tests use

    def set_theme(self, *, dark: bool) -> None:
        theme = "JupyterLab Dark" if dark else "JupyterLab Light"
        self._command("apputils:change-theme", {"theme": theme})
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", "false" if dark else "true")
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)  # it covers the page meanwhile

    def resize(self, width: int, height: int = 900) -> None:
        """Make the window this large, in pixels, and leave it to the notebook alone."""
        self.page.set_viewport_size({"width": width, "height": height})
        self._command("application:set-mode", {"mode": "single-document"})
        for side in ("left", "right"):
            shown = f"window.jupyterapp.shell.{side}Collapsed === false"
            if self.page.evaluate(shown):
                self._command(f"application:toggle-{side}-area")

    def draw_cells_in_view_alone(self) -> None:
        """Have the notebook hide every cell that is out of view, as JupyterLab can be set to do."""
        self.page.evaluate(
            """() => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                notebook.notebookConfig = {...notebook.notebookConfig, windowingMode: 'full'};
            }"""
        )

    def _start(self, name: str) -> None:
        """Execute a command, and do not wait for what comes of it."""
        self.page.evaluate("name => { window.jupyterapp.commands.execute(name); }", name)

    def _command(self, name: str, args: dict[str, object] | None = None) -> None:
        self.page.evaluate("([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, args or {}])

    def restart_kernel(self) -> None:
        """Restart it as the menu does, and say that this is meant."""
        self._start("notebook:restart-kernel")
        self.accept_dialog()

    def accept_dialog(self) -> None:
        """Press the button with which a dialog of JupyterLab's goes on."""
        self.page.locator(".jp-Dialog-button.jp-mod-accept").click()

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """Take the page off the network, its sockets with it."""
        self._cut()
        try:
            yield
        finally:
            self.context.set_offline(False)
        # It tries by itself, and waits longer each time.
        self.page.evaluate(f"{self.KERNEL}.reconnect()")
        self.page.wait_for_function(f"{self.KERNEL}.connectionStatus === 'connected'")

    def _cut(self) -> None:
        self.context.set_offline(True)
        # Sockets that are open already outlive that; and one that is closed offline waits a minute for the other
        # side, which JupyterLab need not: it is told that the socket has broken.
        broken = "socket.close(); socket.onclose?.(new CloseEvent('close', {code: 1006}));"
        self.page.evaluate(f"() => {{ const socket = {self.KERNEL}._ws; if (socket) {{ {broken} }} }}")
        self.page.wait_for_function(f"{self.KERNEL}.connectionStatus !== 'connected'")

    def view_output(self, index: int) -> Locator:
        """Open a second view of a cell's output beside the notebook; returns it."""
        self.select_cell(index)
        self._start("notebook:create-output-view")
        view = self.page.locator(".jp-LinkedOutputView")
        expect(view).to_be_visible()
        return view

    # -- cells --------------------------------------------------------------------------------------

    def sources(self) -> list[str]:
        """What is written in the cells now."""
        return self.page.evaluate(
            "[...window.jupyterapp.shell.currentWidget.content.widgets].map(cell => cell.model.sharedModel.source)"
        )

    def state(self) -> dict[str, Any]:
        """All of the notebook that a key could change: its cells, what they hold, which is active, what ran."""
        return self.page.evaluate(
            """() => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                return {
                    mode: notebook.mode,
                    active: notebook.activeCellIndex,
                    cells: notebook.widgets.map(cell => ({
                        type: cell.model.type,
                        source: cell.model.sharedModel.source,
                        prompt: cell.node.querySelector('.jp-InputPrompt').textContent,
                    })),
                };
            }"""
        )

    def put(self, code: str) -> int:
        self.wait_idle()  # a kernel in which a cell has just failed drops what comes at that moment
        index = self.page.evaluate(
            """code => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                const last = notebook.widgets.length;
                notebook.model.sharedModel.insertCell(last, {cell_type: 'code', source: code});
                notebook.deselectAll();
                notebook.activeCellIndex = last;
                notebook.mode = 'command';
                return last;
            }""",
            code,
        )
        self._start("notebook:run-cell")
        return index

    def tab_into(self, index: int) -> None:
        """Go from a cell to the first thing in its card by the keyboard alone."""
        card = self.cell(index).locator(".nbask")
        self.page.evaluate(
            """index => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                notebook.activeCellIndex = index;
                notebook.mode = 'command';
                notebook.activeCell.node.focus();
            }""",
            index,
        )
        for _ in range(12):  # the cell has a toolbar, too
            self.page.keyboard.press("Tab")
            if card.locator(":focus").count():
                return
        raise AssertionError("Tab does not lead from the cell to its card")

    def run_again(self, index: int) -> None:
        """Run a cell as the menu does: the focus may be in its card, which keeps the keys."""
        self.select_cell(index)
        self._start("notebook:run-cell")

    def run_all(self) -> None:
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    def interrupt(self) -> None:
        self.page.locator('[data-command="notebook:interrupt-kernel"]').first.click()

    def wait_idle(self) -> None:
        self.page.wait_for_function(
            """() => {
                const session = window.jupyterapp?.shell?.currentWidget?.sessionContext?.session;
                const prompts = [...document.querySelectorAll('.jp-Notebook .jp-InputPrompt')];
                return session?.kernel?.status === 'idle' && !prompts.some(p => p.textContent.includes('[*]'));
            }""",
            timeout=2 * PATIENCE_MS,
        )
