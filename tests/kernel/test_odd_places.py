"""Asking where output or the process is not what it was: captured, forked, in the middle of drawing another card."""

from __future__ import annotations

import pytest
from driver import Kernel


@pytest.mark.key_versions
def test_a_question_of_a_captured_cell_is_seen_and_the_rest_is_captured(kernel: Kernel) -> None:
    """A card that `%%capture` keeps to itself is a question that nobody sees, and a cell that waits for ever."""
    cell = kernel.run('%%capture kept\nprint("before")\nanswer = ask("Red or blue?", ["Red", "Blue"])\nprint(answer)')
    kernel.wait_card().attach().pick("Red")
    assert cell.ok() == ""
    assert "Red or blue?" in cell.html
    assert kernel.run("print(kept.stdout, len(kept.outputs))").ok() == "before\nRed\n 0\n"


@pytest.mark.key_versions
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_forked_from_the_kernel_is_told_at_once_that_nobody_hears_it(kernel: Kernel) -> None:
    kernel.run(
        "import multiprocessing\n"
        "def child(said):\n"
        "    try:\n"
        '        said.put(ask("Red or blue?", ["Red", "Blue"]))\n'
        "    except NoAnswer as fault:\n"
        "        said.put(fault)\n"
        'forking = multiprocessing.get_context("fork")\n'
        "said = forking.Queue()\n"
        "process = forking.Process(target=child, args=(said,))\n"
        "process.start()\n"
        "fault = said.get(timeout=20)\n"
        "process.join(20)"
    ).ok()
    assert "forked from the kernel" in kernel.run("print(fault.reply.reason)").ok()
    again = kernel.run('print(ask("Red or blue?", ["Red", "Blue"]))')
    kernel.wait_card().attach().pick("Blue")
    assert again.ok() == "Blue\n"


@pytest.mark.key_versions
def test_a_preview_may_ask_something_before_it_is_drawn(kernel: Kernel) -> None:
    cell = kernel.run(
        "class Preview:\n"
        '    def _repr_html_(self): return ask("How large?", ["small", "large"])\n'
        'print(ask("Which?", [Option("one", preview=Preview()), "two"]))'
    )
    kernel.wait_card().attach().pick("large")
    kernel.wait_card().attach().pick("two")
    assert cell.ok() == "two\n"
