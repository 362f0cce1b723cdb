"""Google Colab: a kernel that reads no comm messages while a cell runs, but input from the person.

Tested with a stand-in for `google.colab` only.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from nbask import routing
from nbask.hosts.kernel import KernelHost
from nbask.waiting.stdin import can_read


class ColabHost(KernelHost):
    """A Colab kernel: questions are asked as text, since no card could answer."""

    def facts(self, known: routing.Facts) -> routing.Facts:
        facts = super().facts(known)
        return replace(facts, host="colab", allow_stdin=facts.allow_stdin and can_read(self.kernel))


def in_colab() -> bool:
    """Whether this is a kernel of Colab's: it has loaded `google.colab` before any cell runs."""
    return "google.colab" in sys.modules
