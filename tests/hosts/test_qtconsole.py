"""qtconsole, a real one without a display, on a real kernel: questions are asked by its input prompt.

Cases of the project's list that are tested here, by id: A30, C10.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import qt_session
from screen import ROOT

pytestmark = pytest.mark.support(front="qtconsole", kernel="ipykernel 7.4.0", how="Qt, offscreen", cell="text")

IMPORTS = "from nbask import *; import nbask"
ASK = 'ask("Red or blue?", ["Red", "Blue"])'
Steps = Callable[..., str]


@pytest.fixture
def play(tmp_path: Path) -> Steps:
    """Play steps in a console whose kernel gives cards half a second; what its window shows at the end."""
    profile = tmp_path / "ipython" / "profile_default"
    profile.mkdir(parents=True)
    (profile / "ipython_kernel_config.py").write_text("c = get_config()\nc.NbAsk.grace = 0.5\n", encoding="utf-8")

    def run(*steps: tuple[str, str]) -> str:
        done = subprocess.run(
            [
                sys.executable,
                str(Path(qt_session.__file__)),
                json.dumps([("run", IMPORTS), ("wait", "In [2]:"), *steps]),
            ],
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
            cwd=tmp_path,
            env={
                **os.environ,
                "HOME": str(tmp_path),
                "IPYTHONDIR": str(tmp_path / "ipython"),
                "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
                "PYTHONPATH": str(ROOT),
            },
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param(ASK, marks=pytest.mark.support(action="ask")),
        pytest.param(f"await nbask.aio.{ASK}", marks=pytest.mark.support(action="await")),
    ],
    ids=["sync", "await"],
)
def test_a30_an_ask_is_answered_at_the_input_prompt_and_so_is_the_next(play: Steps, cell: str) -> None:
    text = play(
        ("run", cell),
        ("wait", "/cancel:"),
        ("type", "2"),
        ("wait", "Out[2]: 'Blue'"),
        ("wait", "In [3]:"),
        ("run", 'ask("And then?", ["One", "Two"])'),
        ("wait", "2. Two\nNumber 1 to 2"),
        ("type", "neither"),
        ("wait", "Out[3]: 'neither'"),
    )
    assert "1. Red\n  2. Blue" in text


@pytest.mark.support(action="interrupt", cell="✓")
def test_c10_the_interrupt_ends_the_wait_and_the_next_cell_runs(play: Steps) -> None:
    text = play(
        ("run", ASK),
        ("wait", "/cancel:"),
        ("interrupt", ""),
        ("wait", "KeyboardInterrupt"),
        ("wait", "In [3]:"),
        ("run", "1 + 1"),
        ("wait", "Out[3]: 2"),
    )
    assert "Out[2]" not in text


@pytest.mark.support(action="run all", note="A cell with several questions asks them in order.")
def test_c5_questions_of_one_cell_are_asked_in_order(play: Steps) -> None:
    play(
        ("run", f"first = {ASK}; print('FIRST', first); second = {ASK.replace('or', 'and')}; print('SECOND', second)"),
        ("wait", "/cancel:"),
        ("type", "1"),
        ("wait", "FIRST Red\n"),
        ("wait", "asks: Red and blue?\n  1. Red\n  2. Blue\nNumber 1 to 2"),
        ("type", "2"),
        ("wait", "SECOND Blue\n"),
    )


@pytest.mark.support(action="reload", cell="–", note="A window has no page to reload.")
def test_a_secret_is_asked_as_one_and_the_console_says_that_it_cannot_hide_it(play: Steps) -> None:
    play(
        ("run", 'len(put(Ask(Question("Key?", secret=True))).value)'),
        ("wait", "QtConsole does not support password mode"),
        ("wait", "/cancel:"),
        ("type", "hunter2"),
        ("wait", "Out[2]: 7"),
    )
