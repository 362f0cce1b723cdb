"""Where this process runs: one file per kind of place, behind :class:`~nbask.hosts.base.Host`."""

from __future__ import annotations

import sys

from nbask.hosts.base import Host, one_thread
from nbask.hosts.colab import ColabHost, in_colab
from nbask.hosts.console import ConsoleHost
from nbask.hosts.kernel import KernelHost
from nbask.hosts.marimo import MarimoHost, in_marimo
from nbask.hosts.pyodide import PyodideHost

__all__ = ["ColabHost", "ConsoleHost", "Host", "KernelHost", "MarimoHost", "PyodideHost", "find_host"]


def find_host() -> Host:
    """Find out where this process runs; IPython and marimo are looked at only where they are loaded already."""
    if in_marimo():
        return MarimoHost()
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if getattr(shell, "kernel", None) is None:
        return ConsoleHost(shell)
    if one_thread():
        return PyodideHost(shell)
    return ColabHost(shell) if in_colab() else KernelHost(shell)
