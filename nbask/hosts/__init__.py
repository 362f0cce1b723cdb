"""Where this process runs: one file per kind of place, behind :class:`~nbask.hosts.base.Host`."""

from __future__ import annotations

import sys

from nbask.hosts.base import Host
from nbask.hosts.console import ConsoleHost
from nbask.hosts.kernel import KernelHost

__all__ = ["ConsoleHost", "Host", "KernelHost", "find_host"]


def find_host() -> Host:
    """Find out where this process runs; IPython is looked at only where it is loaded already."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return KernelHost(shell) if getattr(shell, "kernel", None) is not None else ConsoleHost(shell)
