"""Notebook 7 as a person uses it: JupyterLab's notebook, alone on its page."""

from __future__ import annotations

from lab import Lab


class Notebook7(Lab):
    """One browser page with Notebook 7 and one notebook."""

    def address(self, notebook: str) -> str:
        return self.server.address(f"notebooks/{notebook}")
