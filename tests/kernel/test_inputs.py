"""`%nbask input on`: `input()` and `getpass()` become cards, wherever in the kernel they are called.

Cases of the project's list that are tested here, by id: A19, A29, A30.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from driver import Kernel
from page import CardView

pytestmark = pytest.mark.key_versions

TYPED = 'line = input("Your name? ")\nprint("GOT", repr(line))'
AFTER = """
import threading
ended, got = threading.Event(), []
def note(_result):
    get_ipython().events.unregister("post_run_cell", note)
    ended.set()
def work():
    ended.wait()
    try:
        got.append(input("Still there? "))
    except BaseException as fault:
        got.append(repr(fault))
get_ipython().events.register("post_run_cell", note)
threading.Thread(target=work, daemon=True).start()
"""


@pytest.fixture
def reading(kernel: Kernel) -> Iterator[Kernel]:
    """A kernel whose `input()` asks with a card."""
    assert kernel.run("import getpass\n%nbask input on").ok() == "input() and getpass() ask with a card.\n"
    yield kernel
    if kernel.is_alive():
        kernel.run("%nbask input off").ok()


def text(card: CardView) -> str:
    return card.ask["questions"][0]["text"]


def typed(card: CardView, line: str | None) -> None:
    card.attach().pick(value=line)


@pytest.mark.parametrize(
    "line",
    [
        'line = input("Your name? ")',
        'import asyncio\nline = await asyncio.to_thread(input, "Your name? ")',
        'import asyncio\nawait asyncio.sleep(0)\nline = input("Your name? ")',
    ],
    ids=["main thread", "worker thread", "asynchronous cell"],
)
def test_a_line_is_asked_for_with_a_card(reading: Kernel, line: str) -> None:
    cell = reading.run(f"{line}\nprint('GOT', repr(line))")
    card = reading.wait_card()
    assert text(card) == "Your name?"
    typed(card, " Ann, of course")
    assert cell.ok() == "GOT ' Ann, of course'\n"
    assert reading.input_requests == []


def test_a_thread_that_the_cell_waits_for_reads_its_line(reading: Kernel, major: int) -> None:
    cell = reading.run(
        "import threading\nlines = []\n"
        'worker = threading.Thread(target=lambda: lines.append(input("Your name? ")))\n'
        "worker.start()\nworker.join()\nprint('GOT', lines)"
    )
    card = reading.wait_card().attach()
    if major < 7:  # nothing reads a click while the main thread is blocked outside of nbask, so it is typed
        assert "Your name?" in cell.text or reading.wait_input_request()
        reading.wait_input_request()
        reading.answer_input("Ann")
    else:
        typed(card, "Ann")
    assert "GOT ['Ann']\n" in cell.ok()


def test_a_password_is_dots_and_stays_out_of_the_notebook(reading: Kernel) -> None:
    cell = reading.run("secret = getpass.getpass('Token: ')\nprint(len(secret), secret == 'hunter2')\nsecret")
    card = reading.wait_card()
    assert (text(card), card.ask["questions"][0]["secret"]) == ("Token:", True)
    typed(card, "hunter2")
    assert cell.ok() == "7 True\n"
    assert "hunter2" not in str(cell.outputs)


def test_an_empty_line_is_one_that_the_person_submitted(reading: Kernel) -> None:
    cell = reading.run(TYPED.replace("Your name? ", ""))
    card = reading.wait_card()
    assert text(card) == "The code here waits for a line of text."
    card.attach().reply()
    assert cell.ok() == "GOT ''\n"


@pytest.mark.parametrize(
    ("action", "raised"), [("decline", "EOFError"), ("discuss", "EOFError"), ("cancel", "KeyboardInterrupt")]
)
def test_no_answer_ends_the_cell_as_ctrl_d_or_ctrl_c_would(reading: Kernel, action: str, raised: str) -> None:
    cell = reading.run(TYPED)
    reading.wait_card().attach().reply(action, message="which one?" if action == "discuss" else None)
    assert cell.wait().error == raised
    assert "GOT" not in cell.text
    assert reading.run("print('next')").ok() == "next\n"


@pytest.mark.parametrize(
    "code",
    [
        'await asyncio.to_thread(input, "Your name? ")',
        "await asyncio.ensure_future(asyncio.sleep(0, None)); await asyncio.create_task(own())",
    ],
    ids=["worker thread", "task"],
)
def test_a_dismissed_card_never_ends_the_kernel(reading: Kernel, code: str) -> None:
    cell = reading.run(f"import asyncio\nasync def own():\n    return input('Your name? ')\n{code}")
    reading.wait_card().attach().reply("cancel")
    assert cell.wait().error == "EOFError"
    assert reading.run("print('alive')").ok() == "alive\n"


@pytest.mark.fresh
def test_a29_an_interrupt_frees_a_thread_that_reads(reading: Kernel, major: int) -> None:
    """A29: the thread's card ends with its cell, and the next cell runs."""
    cell = reading.run(
        "import threading, time\nworker = threading.Thread(target=input, args=['Your name? '], daemon=True)\n"
        "worker.start()\nwhile worker.is_alive():\n    time.sleep(0.05)"
    )
    card = reading.wait_card().attach()
    reading.interrupt()
    assert cell.wait().error == "KeyboardInterrupt"
    assert card.wait_ended() == "cancelled"
    assert reading.run("worker.join(5); print(worker.is_alive())").ok() == "False\n"


def test_a30_five_lines_in_a_loop_are_five_cards(reading: Kernel) -> None:
    """A30: each waits for its own answer, and none is read as an empty line."""
    cell = reading.run("print([input(f'Line {n}? ') for n in range(5)])")
    for n in range(5):
        card = reading.wait_card()
        assert text(card) == f"Line {n}?"
        typed(card, f"answer {n}")
    assert cell.ok() == "['answer 0', 'answer 1', 'answer 2', 'answer 3', 'answer 4']\n"


def test_a19_a_card_counts_after_output_below_it_and_a_reloaded_page(reading: Kernel) -> None:
    cell = reading.run(
        "import asyncio\nreads = asyncio.ensure_future(asyncio.to_thread(input, 'Your name? '))\n"
        "await asyncio.sleep(0.2)\nprint(*range(50), sep='\\n')\nprint('GOT', await reads)"
    )
    reading.wait_card().attach()
    cell.wait_text("49")
    reading.reload()
    typed(reading.wait_card(), "Ann")
    assert cell.ok().endswith("GOT Ann\n")


@pytest.mark.fresh
def test_a_thread_that_outlives_its_cell_asks_in_the_inbox(reading: Kernel) -> None:
    inbox = reading.open_inbox()
    reading.run(AFTER).ok()
    (card,) = inbox.wait_listed("Still there?")
    card.pick(value="yes")
    assert card.wait_ended() == "answered"
    # The card ends before the thread goes on.
    assert reading.run("while not got: time.sleep(0.01)\nprint(got)").ok() == "['yes']\n"


@pytest.mark.fresh
@pytest.mark.parametrize("undo", ["%nbask input off", "%unload_ext nbask"])
def test_off_and_unloading_put_the_kernels_own_back(kernel: Kernel, undo: str, tmp_path: Path) -> None:
    before = "import builtins, getpass\nkernel = get_ipython().kernel\nbefore = input, getpass.getpass"
    kernel.run(f"{before}\n%nbask input on\n%nbask input on\nassert input != before[0]\n{undo}").ok()
    cell = kernel.run("assert (input, getpass.getpass) == before\nassert 'raw_input' not in vars(kernel)\n" + TYPED)
    assert kernel.wait_input_request()["prompt"] == "Your name? "
    kernel.answer_input("Ann")
    assert cell.ok() == "GOT 'Ann'\n"
    # Between cells it is Python's own, as it was: no cell may begin before the thread has asked.
    over = tmp_path / "over"
    asking = AFTER.replace("got.append(input", "got.append(builtins.input")
    kernel.run(asking.replace("target=work", f"target=lambda: (work(), open({str(over)!r}, 'w').close())")).ok()
    kernel.until(over.exists, "the end of the thread", 20)
    told = kernel.run("print(got)").ok()
    assert "EOFError" in told or "StdinNotImplementedError" in told


def test_a_debugger_keeps_the_kernels_own_prompt(reading: Kernel) -> None:
    cell = reading.run("import cmd\nclass Loop(cmd.Cmd):\n    def do_q(self, _): return True\nLoop().cmdloop()")
    assert reading.wait_input_request()["prompt"] == "(Cmd) "
    reading.answer_input("q")
    cell.ok()
    assert reading.cards == []


@pytest.mark.fresh
def test_headless_it_is_answered_from_the_record_or_not_at_all(reading: Kernel) -> None:
    reading.run("%nbask record answers.json").ok()
    cell = reading.run(TYPED)
    typed(reading.wait_card(), "Ann")
    cell.ok()
    reading.run("%nbask off").ok()
    refused = reading.run(TYPED, allow_stdin=False).wait()
    assert refused.error == "EOFError"
    assert "Your name?" in refused.error_text
    reading.run("%nbask replay answers.json", allow_stdin=False).ok()
    assert reading.run(TYPED, allow_stdin=False).ok() == "GOT 'Ann'\n"
