"""Plain Python where nobody is: it ends at once and says why, whatever standard input is.

Cases of the project's list that are tested here, by id: A2, C23, C26, C27.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from screen import ROOT

TEN = """
import sys, nbask
from nbask import *
for number in range(10):
    try:
        ask(f"Number {number}?", ["Odd", "Even"])
    except NoAnswer as none:
        print(none.reply.kind, none)
"""


def run(code: str, home: Path, stdin: int = subprocess.DEVNULL, **env: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NBASK_")}
    return subprocess.run(
        [sys.executable, "-c", code],
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=home,
        env={**kept, "PYTHONPATH": str(ROOT), **env},
    )


@pytest.mark.parametrize("stdin", ["nothing", "an open pipe", "closed"])
def test_c23_c26_c27_ten_asks_end_at_once_as_unavailable_and_say_why(tmp_path: Path, stdin: str) -> None:
    reading, writing = os.pipe()  # nobody writes, and nobody closes it
    code = "import sys; sys.stdin.close(); sys.stdin = None\n" + TEN if stdin == "closed" else TEN
    begun = time.monotonic()
    try:
        done = run(code, tmp_path, reading if stdin == "an open pipe" else subprocess.DEVNULL)
    finally:
        os.close(reading)
        os.close(writing)
    assert time.monotonic() - begun < 20
    assert done.stdout.splitlines() == [
        f"unavailable no answer to 'Number {number}?': standard input is no terminal, so nobody can be asked here"
        for number in range(10)
    ], done.stderr


def test_a_default_applies_where_the_policy_says_so(tmp_path: Path) -> None:
    code = 'from nbask import ask\nprint(ask("Red or blue?", ["Red", "Blue"], default="Blue"))'
    done = run(code, tmp_path, NBASK_WHEN_UNANSWERED="default")
    assert done.stdout == "Blue\n", done.stderr


def test_c23_an_uncaught_one_ends_the_script_with_the_question_the_reason_and_what_helps(tmp_path: Path) -> None:
    done = run('from nbask import ask\nask("Red or blue?", ["Red", "Blue"])', tmp_path)
    assert done.returncode == 1
    *_, said, last = done.stderr.splitlines()
    if sys.version_info < (3, 11):  # which prints no notes
        said = last
    else:
        assert "NBASK_ANSWERS=FILE" in last
    assert "no answer to 'Red or blue?': standard input is no terminal, so nobody can be asked here" in said
