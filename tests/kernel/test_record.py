"""Answers clicked on cards are recorded before the next line runs, and replayed by a kernel that knows nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver import Kernel
from forms import SYNC

from nbask.record.answers import read

SETUP = "%load_ext nbask\nfrom nbask import *"


@pytest.mark.fresh
def test_c26_what_was_clicked_is_replayed_after_a_restart(kernel: Kernel, tmp_path: Path) -> None:
    """C26: live with cards first, then headless, as nbclient runs a cell."""
    file = tmp_path / "answers.json"
    kernel.run(f"%nbask record {file}").ok()
    for label in ("Blue", "Red"):
        cell = kernel.run(f"{SYNC.cell()}\nprint(len(open({str(file)!r}).read()) > 100)")
        kernel.wait_card().attach().pick(label)
        assert cell.ok() == f"FIRST {label}\nTrue\n"
    before = file.read_bytes()
    assert [one["occurrence"] for one in read(file)] == [1, 2]

    kernel.restart()
    kernel.run(SETUP, allow_stdin=False).ok()
    kernel.run(f"%nbask replay {file}", allow_stdin=False).ok()
    for label in ("Blue", "Red"):
        cell = kernel.run(SYNC.cell(), allow_stdin=False)
        assert cell.ok() == f"FIRST {label}\n"
        assert "replayed from recorded answers" in cell.html
    last = kernel.run(SYNC.cell(), allow_stdin=False).wait()
    assert last.error == "NoAnswer"
    assert "answers.json has no answer to it (asked 3 times)" in last.error_text
    assert file.read_bytes() == before


def test_c26_a_broken_answers_file_is_refused_in_one_sentence(kernel: Kernel, tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_text("{broken")
    cell = kernel.run(f"%nbask replay {file}").wait()
    assert f"{file} is no answers file: it is no JSON" in cell.stderr
    assert "Traceback" not in cell.stderr
    assert kernel.run("print(1 + 1)").ok() == "2\n"
