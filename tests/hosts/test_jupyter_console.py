"""Jupyter console on a real kernel: it shows no widgets, so questions are asked by its input().

Cases of the project's list that are tested here, by id: A30, C5, C10.
"""

from __future__ import annotations

import pytest
from screen import ENTER, INTERRUPT, Cells

pytestmark = pytest.mark.support(front="Jupyter console", kernel="ipykernel 7.4.0", how="pseudo-terminal", cell="text")

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
def test_a30_the_first_ask_waits_for_a_card_to_be_seen_and_the_next_is_text_at_once(console: Cells, cell: str) -> None:
    console.begin(cell)
    console.screen.wait("/cancel:")
    console.screen.press("2" + ENTER)
    assert "Out[2]: 'Blue'" in console.end()
    console.begin(f"print(nbask.runtime.current().route().reason); {ASK}")
    text = console.screen.wait(lambda text: text.count("Number 1 to 2") == 2)
    assert "no card was ever seen in this kernel, so text asks at once" in text
    console.screen.press("mauve" + ENTER)
    assert "'mauve'" in console.end()


@pytest.mark.support(action="interrupt", cell="✓")
def test_c10_ctrl_c_ends_the_wait_and_the_next_cell_runs(console: Cells) -> None:
    console.begin(ASK)
    console.screen.wait("/cancel:")
    console.screen.press(INTERRUPT)
    assert "KeyboardInterrupt" in console.end()
    assert "Out[3]: 2" in console.run("1 + 1")
    console.begin(ASK)
    console.screen.wait(lambda text: text.count("/cancel:") == 2)
    console.screen.press("1" + ENTER)
    assert "'Red'" in console.end()


def test_a_secret_is_not_shown(console: Cells) -> None:
    console.begin('len(ask_text("Key?", secret=True)) if 0 else len(put(Ask(Question("Key?", secret=True))).value)')
    console.screen.wait("/cancel:")
    console.screen.press("hunter2" + ENTER)
    assert "Out[2]: 7" in console.end()
    assert "hunter2" not in console.screen.raw


@pytest.mark.support(action="run all", note="Several questions of one cell, as there is no Run All.")
def test_c5_questions_of_one_cell_are_asked_in_order(console: Cells) -> None:
    console.begin(f"first = {ASK}; print('FIRST', first); second = {ASK}; print('SECOND', second)")
    console.screen.wait("/cancel:")
    console.screen.press("1" + ENTER)
    console.screen.wait(lambda text: "FIRST Red" in text and text.count("/cancel:") == 2)
    console.screen.press("2" + ENTER)
    assert "SECOND Blue" in console.end()


@pytest.mark.support(action="reload", cell="–", note="A terminal has no page to reload.")
def test_control_characters_of_an_asker_do_not_reach_the_terminal(console: Cells) -> None:
    console.begin(r'ask("Q\x1b]52;c;Zm9v\x07\x1b[2J", ["A\x9b2J", "B"], asker="me\u202e")')
    console.screen.wait("/cancel:")
    console.screen.press("2" + ENTER)
    assert "'B'" in console.end()
    for sequence in ("\x1b]52", "\x1b[2J", "\x9b", "\u202e"):
        assert sequence not in console.screen.raw
