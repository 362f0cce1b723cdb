"""What is known of VS Code's notebooks, put on in JupyterLab: no subshells, light `--jp-*` colours, a dark theme.

VS Code itself is not run here; `docs/support.md` says what is.
"""

from __future__ import annotations

from axe import look
from lab import SETUP, Lab
from playwright.sync_api import expect

NO_SUBSHELLS = {"@jupyterlab/apputils-extension/kernels-settings": {"commsOverSubshells": "disabled"}}
DARK_MODERN = {
    "editor-background": "#1f1f1f",
    "foreground": "#cccccc",
    "descriptionForeground": "#9d9d9d",
    "widget-border": "#313131",
    "button-background": "#0078d4",
    "button-foreground": "#ffffff",
    "textLink-foreground": "#4daafc",
    "errorForeground": "#f85149",
}
"""Colours of VS Code's default dark theme."""


def test_c4_a_dark_theme_over_light_jp_values_without_subshells(lab: Lab) -> None:
    """C4: the answer arrives on the main shell, and the card takes VS Code's colours before JupyterLab's."""
    with lab.server.with_settings(NO_SUBSHELLS):
        lab.open_cells(SETUP, 'print("got", ask("Which DB?", {"Postgres": "A server", "SQLite": "A file"}))')
    lab.page.evaluate(
        """colours => {
            document.body.classList.add("vscode-dark");
            for (const [name, value] of Object.entries(colours)) {
                document.documentElement.style.setProperty(`--vscode-${name}`, value);
            }
        }""",
        DARK_MODERN,
    )
    lab.run_all()
    card = lab.card(1)
    expect(card.root).to_have_css("background-color", "rgb(31, 31, 31)")
    expect(card.root).to_have_css("color", "rgb(204, 204, 204)")
    expect(card.root).to_have_css("color-scheme", "dark")
    assert look(lab, ".nbask", 1) == []
    card.choose("SQLite")
    card.submit()
    lab.expect_printed(1, "got SQLite")
    assert not lab.subshells
