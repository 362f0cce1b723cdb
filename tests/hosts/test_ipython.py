"""IPython in a terminal: cells, awaits, interrupts, and what is asked while no cell runs.

Cases of the project's list that are tested here, by id: A29, C5, C10.
"""

from __future__ import annotations

import pytest
from screen import ENTER, INTERRUPT, Cells

pytestmark = pytest.mark.support(front="IPython in a terminal", kernel="none", how="pseudo-terminal")

ASK = 'ask("Red or blue?", ["Red", "Blue"])'
FORMS = pytest.mark.parametrize(
    "cell",
    [
        pytest.param(ASK, marks=pytest.mark.support(action="ask")),
        pytest.param(f"await nbask.aio.{ASK}", marks=pytest.mark.support(action="await")),
    ],
    ids=["sync", "await"],
)


@FORMS
def test_a_cell_asks_and_the_next_one_has_the_answer(ipython: Cells, cell: str) -> None:
    number = ipython.begin(cell)
    ipython.screen.wait("Esc cancels")
    ipython.screen.press("2")
    assert f"Out[{number}]: 'Blue'" in ipython.end()
    assert "Out[3]: 'Blue'" in ipython.run("_")


@pytest.mark.parametrize("cell", [ASK, f"await nbask.aio.{ASK}"], ids=["sync", "await"])
@pytest.mark.support(action="interrupt")
def test_c10_ctrl_c_ends_the_cell_and_leaves_nothing_behind(ipython: Cells, cell: str) -> None:
    ipython.begin(cell)
    ipython.screen.wait("Esc cancels")
    ipython.screen.press(INTERRUPT)
    text = ipython.end()
    assert "KeyboardInterrupt" in text or "CancelledError" in text
    assert "Out[3]: 'again'" in ipython.run("await asyncio.sleep(0, 'again')")
    ipython.begin(cell)
    ipython.screen.wait(lambda text: text.count("Esc cancels") == 1)
    ipython.screen.press("1")
    assert "'Red'" in ipython.end()


@pytest.mark.support(action="run all", note="Several questions of one cell, as there is no Run All.")
def test_c5_cells_typed_ahead_of_an_answer_run_after_it(ipython: Cells) -> None:
    """What is typed before a question is shown does not answer it; what IPython has already read runs in order."""
    ipython.begin(f"first = {ASK}; print('FIRST', first); second = {ASK}; print('SECOND', second)")
    ipython.screen.wait("Esc cancels")
    ipython.screen.press("1")
    ipython.screen.wait(lambda text: "FIRST Red" in text and text.endswith("Decline to answer"))
    ipython.screen.press("2")
    assert "SECOND Blue" in ipython.end()


@pytest.mark.support(action="reload", cell="–", note="A terminal has no page to reload.")
def test_the_magic_and_the_status_name_the_terminal(ipython: Cells) -> None:
    ipython.run("%load_ext nbask")
    assert "terminal: in a terminal, questions are asked with arrow keys and typing" in ipython.run("%nbask")
    ipython.begin('%ask "Red or blue?" Red Blue')
    ipython.screen.wait("Esc cancels")
    ipython.screen.press("1")
    assert "'Red'" in ipython.end()


THREAD = "import threading; threading.Thread(target=lambda: print('GOT', {ask}), daemon=True).start()"


def test_a29_what_a_thread_asks_after_its_cell_has_the_terminal_to_itself(ipython: Cells) -> None:
    begin = "import time; wait = lambda: (time.sleep(1), ask('Idle?', ['a', 'b']))[1]"
    ipython.run(begin)
    ipython.run(THREAD.format(ask="wait()"))
    ipython.screen.wait("Esc cancels")
    ipython.screen.press("2")
    ipython.screen.wait("GOT b")
    ipython.screen.wait(lambda text: text.rstrip().endswith("In [4]:"))
    ipython.screen.press("1 + 1" + ENTER)
    ipython.screen.wait("Out[4]: 2")


def test_what_a_thread_asks_before_its_cell_has_ended_is_answered_before_the_next_prompt(ipython: Cells) -> None:
    ipython.begin(THREAD.format(ask=ASK) + "; threading.Event().wait(0.5)")
    ipython.screen.wait("Esc cancels")
    ipython.screen.press("2")
    assert "GOT Blue" in ipython.end() or ipython.screen.wait("GOT Blue")
    assert "Out[3]: 2" in ipython.run("1 + 1")
