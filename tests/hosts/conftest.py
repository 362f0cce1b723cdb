"""Programs that a person has in a terminal, each in a pseudo-terminal of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from screen import Cells, Screen, Script

BEFORE = "from nbask import *\nimport nbask, asyncio, sys\n"
WITHOUT_QUESTIONARY = "import sys\nsys.modules['questionary'] = None\n"


@pytest.fixture
def python(tmp_path: Path) -> Iterator[Script]:
    """Run a script in plain Python; `plain=True` hides questionary."""
    begun: list[Screen] = []

    def start(code: str, *, plain: bool = False) -> Screen:
        script = tmp_path / "script.py"
        script.write_text((WITHOUT_QUESTIONARY if plain else "") + BEFORE + code, encoding="utf-8")
        begun.append(Screen(sys.executable, str(script), home=tmp_path))
        return begun[-1]

    yield start
    for screen in begun:
        screen.close()


@pytest.fixture
def ipython(tmp_path: Path) -> Iterator[Cells]:
    """IPython in a terminal, with nbask imported."""
    screen = Screen(sys.executable, "-m", "IPython", "--no-banner", "--no-confirm-exit", home=tmp_path)
    yield Cells(screen)
    screen.close()


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Cells]:
    """Jupyter console on a kernel of its own, with nbask imported; cards are given up after half a second."""
    profile = tmp_path / "ipython" / "profile_default"
    profile.mkdir(parents=True)
    (profile / "ipython_kernel_config.py").write_text("c = get_config()\nc.NbAsk.grace = 0.5\n", encoding="utf-8")
    # Where the kernel is slow to say that a line is complete, the console takes it for the first of several.
    patient = "--ZMQTerminalInteractiveShell.kernel_is_complete_timeout=30"
    screen = Screen(sys.executable, "-m", "jupyter_console", "--no-confirm-exit", patient, home=tmp_path)
    yield Cells(screen)
    screen.close()
