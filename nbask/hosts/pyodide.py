"""JupyterLite's Pyodide kernel: one thread, which can await and cannot block.

Tested with stand-ins for the platform and its kernel only.
"""

from __future__ import annotations

from dataclasses import replace

from nbask import routing
from nbask.hosts.kernel import KernelHost


class PyodideHost(KernelHost):
    """A Pyodide kernel: a card, for callers that await; no text, which would take a thread of its own."""

    def facts(self, known: routing.Facts) -> routing.Facts:
        return replace(super().facts(known), host="pyodide")
