"""The inbox: what is open is listed there and answered there, and what no running cell asks goes there alone.

Cases of the project's list that are tested here, by id: C11, C14, C15.
"""

from __future__ import annotations

import pytest
from driver import WIDGET_VIEW, Kernel
from forms import LATER, SYNC

pytestmark = pytest.mark.key_versions

GO = 'got = later("Go?", ["Yes", "No"])'
SAID = "print(wait_for(got)[0].value)"


def test_an_ask_that_no_running_cell_makes_goes_to_the_inbox_alone(kernel: Kernel) -> None:
    """Its receipt is under the inbox, since the cell that began it may be gone."""
    kernel.run(LATER).ok()
    inbox = kernel.open_inbox()
    under = list(kernel.executions.values())[-1]
    began = kernel.run(GO)
    (card,) = inbox.wait_listed("Go?")
    began.ok()
    assert began.outputs == []
    card.pick("Yes")
    inbox.wait_listed()
    assert kernel.run(SAID).ok() == "Yes\n"
    kernel.until(lambda: "Yes" in under.html, "the receipt under the inbox", 20)
    assert inbox.state["recent"][-1] == {"ask": card.ask["id"], "text": "Go? → Yes"}
    assert kernel.input_requests == []


def test_the_inbox_lists_what_cells_ask_too_and_their_receipts_stay_with_them(kernel: Kernel, route) -> None:
    inbox = kernel.open_inbox()
    under = list(kernel.executions.values())[-1]
    cell = kernel.run(SYNC.cell())
    shown = kernel.wait_card().attach()
    (listed,) = inbox.wait_listed("Red or blue?")
    assert listed is shown
    listed.pick("Red")
    assert cell.ok() == "FIRST Red\n"
    assert "Red" in cell.html
    assert "Red" not in under.html
    inbox.wait_listed()


def test_an_inbox_that_is_opened_later_lists_what_is_open_already(kernel: Kernel) -> None:
    kernel.run(LATER).ok()
    kernel.run('one = later("One?", ["a"])\ntwo = later("Two?", ["b"])').ok()
    kernel.run("while len(nbask.runtime.current().desk.snapshot()) < 2: time.sleep(0.01)").ok()
    texts = kernel.run("for p in nbask.runtime.current().desk.snapshot(): print(p.ask.questions[0].text)").ok().split()
    inbox = kernel.open_inbox()
    for card in inbox.wait_listed(*texts):
        card.pick(card.ask["questions"][0]["options"][0]["label"])
    inbox.wait_listed()
    assert kernel.run("print(wait_for(one)[0].value, wait_for(two)[0].value)").ok() == "a b\n"


@pytest.mark.fresh
def test_an_ask_that_nobody_sees_while_no_cell_runs_ends_and_names_the_mend(kernel: Kernel) -> None:
    """C23: never a silent hang, and never a prompt that nobody reads."""
    kernel.run(LATER + "\n%config NbAsk.grace = 0.3").ok()
    kernel.run(GO).ok()
    assert kernel.wait_card().wait_ended() == "unavailable"
    cell = kernel.run("print(wait_for(got)[0].reason)")
    assert "%nbask inbox" in cell.ok()
    assert kernel.input_requests == []


@pytest.mark.fresh
def test_an_inbox_that_comes_within_the_grace_keeps_the_ask(kernel: Kernel) -> None:
    kernel.run(LATER + "\n%config NbAsk.grace = 2").ok()
    kernel.run(GO).ok()
    kernel.wait_card()
    (card,) = kernel.open_inbox().wait_listed("Go?")
    kernel.run("import threading; threading.Event().wait(2.1)").ok()
    card.pick("No")
    assert kernel.run(SAID).ok() == "No\n"


def test_c11_queued_cells_wait_and_the_inbox_says_for_which_question(kernel: Kernel, route) -> None:
    """C11: what keeps the queue waiting is listed, with its words, and is answered there."""
    inbox = kernel.open_inbox()
    first = kernel.run(SYNC.cell())
    second, third = kernel.run("print('second')"), kernel.run("print('third')")
    (card,) = inbox.wait_listed("Red or blue?")
    assert not second.started
    card.pick("Blue")
    assert (first.ok(), second.ok(), third.ok()) == ("FIRST Blue\n", "second\n", "third\n")
    assert first.ended < second.started < second.ended < third.started


def test_c15_questions_of_queued_cells_reach_an_inbox_after_a_reload(kernel: Kernel, route) -> None:
    """C15: the new page has no output of those cells, but the inbox, which lists what they ask."""
    kernel.open_inbox()
    first = kernel.run(SYNC.cell())
    second = kernel.run('print("SECOND", ask("Left or right?", ["Left", "Right"]))')
    kernel.wait_card()
    kernel.reload()
    inbox = kernel.wait_inbox()
    kernel.wait_handled(inbox.attach().last_sent)
    (card,) = inbox.wait_listed("Red or blue?")
    card.pick("Red")
    (card,) = inbox.wait_listed("Left or right?")
    card.pick("Right")
    assert (first.ok(), second.ok()) == ("FIRST Red\n", "SECOND Right\n")
    assert [one["text"] for one in inbox.state["recent"][-2:]] == ["Red or blue? → Red", "Left or right? → Right"]


@pytest.mark.fresh
def test_a_cell_that_a_tool_runs_asks_in_the_inbox_of_the_person_who_has_the_notebook_open(kernel: Kernel) -> None:
    inbox = kernel.open_inbox()
    cell = kernel.run(SYNC.cell(), allow_stdin=False)
    (card,) = inbox.wait_listed("Red or blue?")
    assert not any(WIDGET_VIEW in out.data for out in cell.outputs)
    card.pick("Red")
    assert cell.ok() == "FIRST Red\n"
    inbox.detach()
    card.detach()
    kernel.wait_handled(card.last_sent)
    assert kernel.run(SYNC.cell(), allow_stdin=False).wait().error == "NoAnswer"


OUTLIVING = """
ended = asyncio.Event()
async def work():
    await ended.wait()
    return await nbask.aio.ask("Go?", ["Yes", "No"])
task = asyncio.create_task(work())
"""
AWAITING = "ended.set()\nprint(await task)"


def test_a_task_that_outlives_its_cell_does_not_ask_under_another(kernel: Kernel, major: int) -> None:
    """It knows its cell where the kernel keeps one parent a context, which ipykernel 6 does not."""
    inbox = kernel.open_inbox()
    kernel.run(OUTLIVING).ok()
    other = kernel.run(AWAITING)
    (card,) = inbox.wait_listed("Go?")
    assert any(WIDGET_VIEW in out.data for out in other.outputs) == (major == 6)
    card.pick("Yes")
    assert other.ok().endswith("Yes\n")


@pytest.mark.fresh
def test_c14_every_open_question_is_shown_again(kernel: Kernel) -> None:
    """C14: `%nbask pending`, in a page that has lost them."""
    kernel.run(LATER).ok()
    kernel.run(GO).ok()
    kernel.wait_card().attach()
    kernel.reload()
    cell = kernel.run("%nbask pending")
    card = kernel.wait_card().attach()
    cell.ok()
    card.pick("Yes")
    assert kernel.run(SAID).ok() == "Yes\n"
    kernel.until(lambda: "Yes" in cell.html, "the receipt", 20)
    assert kernel.run("%nbask pending").ok() == "No question is open.\n"
