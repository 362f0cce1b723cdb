"""Voilà as a person meets it: a notebook that has been run, as a page, with its widgets alive."""

from __future__ import annotations

from front_end import NotebookPage
from playwright.sync_api import expect


class VoilaPage(NotebookPage):
    """One browser page with a notebook that Voilà has run for it."""

    CELL = ".jp-Cell"
    OUTPUT = ".jp-OutputArea-output"
    STDOUT = ".jp-OutputArea-output > pre"
    # Its template takes its icons from there.
    ITS_OWN = ("https://cdn.jsdelivr.net/npm/@fortawesome/fontawesome-free",)

    def address(self, notebook: str) -> str:
        return self.server.address(f"voila/render/{notebook}")

    def wait_open(self) -> None:
        expect(self.cells.first).to_be_attached()  # one that printed nothing is not to be seen

    def wait_idle(self) -> None:
        expect(self.page.locator("#loading")).to_be_hidden()

    def press(self, name: str) -> None:
        """Press a button of the notebook's own."""
        self.page.get_by_role("button", name=name, exact=True).click()
