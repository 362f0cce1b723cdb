"""Every ipykernel version x every way of asking x both shells: the answer arrives, and the kernel goes on.

Cases of the project's list that are tested here, by id: A1, A28, A30, C1 (sync), C2 (await), C3, C4
(route main), C5.
"""

from __future__ import annotations

import pytest
from driver import Kernel
from forms import AWAIT, SYNC, THREAD, Form

reachable = pytest.mark.parametrize("form", [SYNC, AWAIT], ids=str)


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(SYNC, marks=pytest.mark.support(action=("ask", "run all")), id="sync"),
        pytest.param(AWAIT, marks=pytest.mark.support(action=("await", "run all")), id="await"),
        pytest.param(THREAD, id="thread"),
    ],
)
def test_c3_c4_c5_answer_arrives_and_queued_cells_run_after_it_once(kernel: Kernel, form: Form, route, major) -> None:
    """A1, A28, C1, C2, C3, C4, C5: three cells at once, as Run All sends them; the first one asks."""
    kernel.run("runs = 0").ok()
    first = kernel.run(form.cell())
    second = kernel.run("print('SECOND', answer)")
    third = kernel.run("runs += 1; print('THIRD', runs)")

    card = kernel.wait_card()
    if form is THREAD and major == 6:
        # One thread reads the channel, and it is in join(): the text front asks beside the card.
        prompt = kernel.wait_input_request()["prompt"]
        assert "1" in prompt + first.text
        assert "Red" in prompt + first.text
        kernel.answer_input("1")
    else:
        kernel.wait_handled(card.attach().last_sent)
        assert not first.done  # A1: no result before the pick
        card.pick("Red")

    assert first.ok().endswith("FIRST Red\n")
    assert second.ok() == "SECOND Red\n"
    assert third.ok() == "THIRD 1\n"
    assert first.ended < second.started < second.ended < third.started
    assert kernel.run("print(runs)").ok() == "1\n"


@reachable
def test_a30_asks_in_a_loop_each_wait(kernel: Kernel, form: Form, route) -> None:
    """A30: five sequential asks in one cell are five cards and five answers."""
    call = 'ask(f"Number {i}?", ["Odd", "Even"])'
    asked = f"await nbask.aio.{call}" if form is AWAIT else call
    cell = kernel.run(f"for i in range(1, 6):\n    print({asked}, flush=True)")
    for number in range(1, 6):
        card = kernel.wait_card().attach()
        assert card.ask["questions"][0]["text"] == f"Number {number}?"
        card.pick("Odd" if number % 2 else "Even")
        assert card.wait_ended() == "answered"
    assert cell.ok().split() == ["Odd", "Even", "Odd", "Even", "Odd"]


def test_two_asks_gathered_in_one_cell(kernel: Kernel, route) -> None:
    """Several asks share one wait, and are answered in any order."""
    cell = kernel.run(
        'print(await asyncio.gather(nbask.aio.ask("One?", ["a", "b"]), nbask.aio.ask("Two?", ["c", "d"])))'
    )
    cards = {card.ask["questions"][0]["text"]: card.attach() for card in (kernel.wait_card(), kernel.wait_card())}
    cards["Two?"].pick("d")
    assert cards["Two?"].wait_ended() == "answered"
    assert not cell.done
    cards["One?"].pick("a")
    assert cell.ok() == "['a', 'd']\n"


def test_asked_from_a_thread_while_its_cell_works_on(kernel: Kernel, route, major) -> None:
    """A worker asks while the main thread computes; on ipykernel 6 the text front asks for it."""
    cell = kernel.run(THREAD.cell().replace("worker.join()", "while worker.is_alive(): time.sleep(0.02)"))
    card = kernel.wait_card()
    if major == 6:
        kernel.wait_input_request()
        kernel.answer_input("2")
    else:
        card.attach().pick("Blue")
    assert cell.ok().endswith("FIRST Blue\n")


@pytest.mark.parametrize(
    ("call", "answer", "printed"),
    [
        ('ask("Which?", ["a", "b", "c"], many=True)', {"labels": ["a", "c"]}, "['a', 'c']"),
        ('ask("Which?", ["a", "b"], many=True)', {"labels": ["a"], "other": "also ARM"}, "['a', 'also ARM']"),
        ('ask("Which?", ["a", "b"])', {"other": "neither"}, "'neither'"),
        ('ask_text("Name?")', {"value": "Ann"}, "'Ann'"),
    ],
    ids=["many", "many-and-other", "other", "text"],
)
def test_what_is_picked_is_what_comes_back(kernel: Kernel, call: str, answer: dict, printed: str) -> None:
    cell = kernel.run(f"print(repr({call}))")
    card = kernel.wait_card().attach()
    card.pick(*answer.get("labels", []), other=answer.get("other"), value=answer.get("value"))
    assert cell.ok() == printed + "\n"


@pytest.mark.parametrize("yes", [True, False])
def test_confirm(kernel: Kernel, yes: bool) -> None:
    cell = kernel.run('print(confirm("Go?"))')
    card = kernel.wait_card().attach()
    options = [option["label"] for option in card.ask["questions"][0]["options"]]
    card.pick(options[0] if yes else options[1])
    assert cell.ok() == f"{yes}\n"


def test_receipt_takes_the_cards_place(kernel: Kernel, route) -> None:
    """The receipt is an update of the card's own display; the model is closed once no view is left."""
    cell = kernel.run(SYNC.cell())
    card = kernel.wait_card().attach()
    card.pick("Red")
    cell.ok()
    assert "Red" in cell.html
    assert not any("application/vnd.jupyter.widget-view+json" in out.data for out in cell.outputs)
    card.wait_closed()
