"""What a wait goes through: queues, second runs, restarts, threads and tasks, many asks, asks inside asks.

Cases of the project's list that are tested here, by id: A14, A19, A28, A30, C1, C5, C13, C15, C17, C18, C22, C25.
"""

from __future__ import annotations

import pytest
from driver import WIDGET_VIEW, Kernel
from forms import AWAIT, LATER, SYNC, Form

pytestmark = pytest.mark.key_versions

reachable = pytest.mark.parametrize("form", [SYNC, AWAIT], ids=str)


@reachable
def test_c5_a_waiting_cell_that_is_run_again_asks_again_after_the_answer(kernel: Kernel, form: Form, route) -> None:
    """C5: the second run queues. The front end has cleared the first card away, so that it comes back under the queue."""
    first = kernel.run(form.cell())
    card = kernel.wait_card().attach()
    kernel.wait_handled(card.last_sent)
    second = kernel.run(form.cell())
    card.detach()
    kernel.until(lambda: any(WIDGET_VIEW in out.data for out in second.outputs), "the card, under the second run", 20)
    card.attach()
    card.pick("Red")
    assert first.ok() == "FIRST Red\n"
    kernel.until(lambda: "Red" in second.html, "the receipt, under the second run", 20)
    again = kernel.wait_card().attach()
    assert again.ask["id"] != card.ask["id"]
    again.pick("Blue")
    assert second.ok() == "FIRST Blue\n"
    assert first.ended < second.started


def test_a_card_that_is_seen_stays_where_it_is_when_cells_queue(kernel: Kernel, route) -> None:
    first = kernel.run(SYNC.cell())
    card = kernel.wait_card().attach()
    kernel.wait_handled(card.last_sent)
    second = kernel.run("print('second')")
    card.pick("Red")
    assert (first.ok(), second.ok()) == ("FIRST Red\n", "second\n")
    assert not second.html


@reachable
def test_c5_run_all_with_a_question_in_every_cell(kernel: Kernel, form: Form, route) -> None:
    cells = [kernel.run(form.cell(f'ask("Number {n}?", ["Odd", "Even"])', f"print({n}, answer)")) for n in range(1, 5)]
    for number in range(1, 5):
        card = kernel.wait_card().attach()
        assert card.ask["questions"][0]["text"] == f"Number {number}?"
        card.pick("Odd" if number % 2 else "Even")
    assert [cell.ok() for cell in cells] == ["1 Odd\n", "2 Even\n", "3 Odd\n", "4 Even\n"]


@pytest.mark.fresh
@reachable
def test_a_restart_ends_the_wait_and_the_kernel_asks_again(kernel: Kernel, form: Form) -> None:
    """The answer to a card of the kernel before is for a comm that the new one does not know: it harms nothing."""
    kernel.run(form.cell())
    stale = kernel.wait_card().attach()
    kernel.restart()
    stale.pick("Red")
    kernel.run("%load_ext nbask\nfrom nbask import *").ok()
    cell = kernel.run(form.cell())
    kernel.wait_card().attach().pick("Blue")
    assert cell.ok() == "FIRST Blue\n"


@pytest.mark.parametrize("kind", ["reply", "draft"])
def test_c18_a_message_for_a_comm_of_another_kernel_is_for_nobody(kernel: Kernel, kind: str, route) -> None:
    cell = kernel.run(SYNC.cell())
    card = kernel.wait_card().attach()
    own, card.comm_id = card.comm_id, "0" * 32
    if kind == "reply":
        card.pick("Red")
    else:
        card.set_draft(card.answer("Red"))
    card.comm_id = own
    card.reply("explode")
    assert card.wait_refused()["code"] == "malformed"
    assert not cell.done
    assert card.phase["state"] == "open"
    card.pick("Blue")
    assert cell.ok() == "FIRST Blue\n"


def test_a_stale_draft_changes_nothing(kernel: Kernel, route) -> None:
    """What an old view still sends after the end is no draft of the question that is asked next."""
    cell = kernel.run('for _ in range(2): print(ask("Red or blue?", ["Red", "Blue"]))')
    old = kernel.wait_card().attach()
    old.pick("Red")
    new = kernel.wait_card().attach()
    old.set_draft(old.answer("Red", notes="too late"))
    draft = new.set_draft(new.answer("Blue"))
    kernel.wait_handled(new.last_sent)
    kernel.reload()
    again = next(card for card in kernel.cards if card.comm_id == new.comm_id)
    assert (again.draft, again.phase["state"]) == (draft, "open")
    again.attach().pick("Blue")
    assert cell.ok() == "Red\nBlue\n"


def test_a19_lines_that_threads_print_around_a_card(kernel: Kernel, route) -> None:
    """A19: the card stays where it is, and the lines before and after it are all there."""
    cell = kernel.run(
        "def lines(count):\n    for n in range(count): print('line', n, flush=True)\n"
        "first = threading.Thread(target=lines, args=(25,)); first.start(); first.join()\n"
        "second = threading.Thread(target=lines, args=(25,)); second.start()\n"
        "answer = ask('Red or blue?', ['Red', 'Blue'])\nsecond.join()\nprint(answer)"
    )
    card = kernel.wait_card().attach()
    cell.wait_text("line 24\n")
    card.pick("Red")
    assert cell.ok().count("line") == 50
    assert cell.text.endswith("Red\n")
    assert "Red" in cell.html


def test_a_thread_that_outlives_its_cell_asks_where_it_can_be_seen(kernel: Kernel) -> None:
    """With no inbox its card comes under the cell it came from, as late output does."""
    kernel.run(LATER).ok()
    cell = kernel.run('got = later("Go?", ["Yes", "No"])')
    card = kernel.wait_card().attach()
    cell.ok()
    card.pick("Yes")
    assert kernel.run("print(wait_for(got)[0].value)").ok() == "Yes\n"
    assert kernel.input_requests == []


def test_a_thread_of_an_ended_cell_asks_under_the_one_that_runs(kernel: Kernel, route, major: int) -> None:
    """Threads do not know their cell; what one publishes belongs to the cell that runs."""
    kernel.run(
        "go, got = threading.Event(), []\ndef work():\n    go.wait()\n    got.append(ask('Go?', ['Yes', 'No']))"
    ).ok()
    kernel.run("threading.Thread(target=work, daemon=True).start()").ok()
    other = kernel.run("go.set()\nwhile not got: await asyncio.sleep(0.01)\nprint(got)")
    card = kernel.wait_card().attach()
    assert any(WIDGET_VIEW in out.data for out in other.outputs)
    card.pick("Yes")
    assert other.ok().endswith("['Yes']\n")


def test_a_question_of_before_is_answered_while_a_cell_awaits(kernel: Kernel, route) -> None:
    kernel.run(LATER).ok()
    kernel.run('got = later("Go?", ["Yes", "No"])').ok()
    card = kernel.wait_card().attach()
    other = kernel.run("while not got: await asyncio.sleep(0.01)\nprint(got[0].value)")
    last = kernel.run("print('last')")
    kernel.until(lambda: other.started, "the cell's beginning", 20)
    card.pick("Yes")
    assert (other.ok(), last.ok()) == ("Yes\n", "last\n")


def test_fifty_asks_of_one_gather(kernel: Kernel, route) -> None:
    """All are shown, in order; each is answered once, in whatever order."""
    cell = kernel.run(
        "print(await asyncio.gather(*[nbask.aio.ask(f'Number {n}?', ['a', 'b'], other=False) for n in range(50)]))"
    )
    cards = [kernel.wait_card().attach() for _ in range(50)]
    assert [card.ask["questions"][0]["text"] for card in cards] == [f"Number {n}?" for n in range(50)]
    for number in [*range(1, 50, 2), *range(48, -1, -2)]:
        cards[number].pick("b" if number % 3 else "a")
    assert cell.ok(timeout=60) == str(["b" if number % 3 else "a" for number in range(50)]) + "\n"
    assert all(card.wait_ended() == "answered" for card in cards)


INSIDE = """
async def agent(approve):
    first = await nbask.aio.ask("First?", ["a", "b"])
    return first + await approve(first)

async def approve(first):
    return await nbask.aio.ask(f"{first}, and then?", ["c", "d"])
"""


def test_a28_a_callback_of_an_agent_that_the_cell_awaits_asks(kernel: Kernel, route) -> None:
    """A28: an ask inside an ask; what goes on after an answer asks again."""
    kernel.run(INSIDE).ok()
    cell = kernel.run("print(await agent(approve))")
    kernel.wait_card().attach().pick("a")
    card = kernel.wait_card().attach()
    assert card.ask["questions"][0]["text"] == "a, and then?"
    card.pick("d")
    assert cell.ok() == "ad\n"


def test_a28_a_blocking_ask_in_a_callback_while_another_ask_is_awaited(kernel: Kernel, route) -> None:
    """The loop is blocked by the inner ask; the outer one's answer is kept, and counts when the loop goes on."""
    cell = kernel.run(
        "async def inner():\n    await asyncio.sleep(0)\n    return ask('Inner?', ['a', 'b'])\n"
        "print(await asyncio.gather(nbask.aio.ask('Outer?', ['c', 'd']), inner()))"
    )
    cards = {card.ask["questions"][0]["text"]: card.attach() for card in (kernel.wait_card(), kernel.wait_card())}
    cards["Outer?"].pick("c")
    assert cards["Outer?"].wait_ended() == "answered"
    assert not cell.done
    cards["Inner?"].pick("b")
    assert cell.ok() == "['c', 'b']\n"


def test_other_tasks_go_on_under_a_blocking_ask_that_keeps_the_loop_running(kernel: Kernel, route) -> None:
    cell = kernel.run(
        "ticks = []\nasync def tick():\n    while True:\n        ticks.append(1)\n"
        "        print('tick', flush=True) if len(ticks) == 5 else None\n        await asyncio.sleep(0.01)\n"
        "task = asyncio.create_task(tick())\nawait asyncio.sleep(0)\n"
        "print(ask('Go?', ['Yes', 'No'], keep_loop_running=True))\ntask.cancel()"
    )
    card = kernel.wait_card().attach()
    cell.wait_text("tick\n")
    card.pick("Yes")
    assert cell.ok() == "tick\nYes\n"
    assert kernel.run("print('next')").ok() == "next\n"


@reachable
def test_a14_c22_typing_pauses_a_deadline_and_its_end_keeps_the_draft(kernel: Kernel, form: Form, route) -> None:
    """A14, C22: the time runs out only after the last word, and what was typed by then is in the reply, not an answer."""
    kernel.run("import nbask.desk; nbask.desk.PAUSE = 0.5").ok()
    put = "aio.put" if form is AWAIT else "put"
    prefix = "await " if form is AWAIT else ""
    cell = kernel.run(
        f"from nbask import aio\nreply = {prefix}{put}(Ask(Question('Name?'), timeout=0.6))\n"
        "print(reply.kind, reply.draft['answers']['q1']['value'], reply.elapsed > 1)"
    )
    card = kernel.wait_card().attach()
    for text in ("a", "ab", "abc"):
        deadline = card.phase["deadline"]
        card.set_draft(card.answer(value=text))
        kernel.until(lambda before=deadline: card.phase.get("deadline") != before, "a later deadline", 20)
    assert card.wait_ended() == "timed_out"
    assert cell.ok() == "timed_out abc True\n"
    kernel.run("nbask.desk.PAUSE = 5.0").ok()


def test_c17_an_answer_that_comes_after_the_deadline_is_refused_in_words(kernel: Kernel, route) -> None:
    """C17: the card says how it ended, and the late click is told so and does not count."""
    cell = kernel.run("print(put(Ask(Question('Red or blue?', ['Red', 'Blue']), timeout=2)).kind)")
    kernel.wait_card()
    kernel.reload()  # after which the receipt finds no output to take over, and the view stays
    card = kernel.wait_card().attach()
    assert cell.ok() == "timed_out\n"
    assert card.wait_ended() == "timed_out"
    card.attach()
    card.pick("Red")
    assert card.wait_refused()["code"] == "late"


@pytest.mark.fresh
@pytest.mark.parametrize("limit", ["asked", "set"])
def test_c25_the_limit_that_counts_is_the_one_in_the_card(kernel: Kernel, limit: str) -> None:
    """C25: nobody's limit is hidden: the card has the caller's, or that of the settings where the caller has none."""
    asked = "60" if limit == "asked" else "None"
    kernel.run("%config NbAsk.timeout = 90" if limit == "set" else "%config NbAsk.timeout = 30").ok()
    cell = kernel.run(f"print(put(Ask(Question('Name?'), timeout={asked})).value)")
    card = kernel.wait_card().attach()
    seconds = (card.ask["deadline"] - card.ask["opened"]) / 1000
    assert seconds == (60 if limit == "asked" else 90)
    assert card.phase["deadline"] == card.ask["deadline"]
    card.pick(value="Ann")
    assert cell.ok() == "Ann\n"


def test_c13_c15_asked_while_no_page_is_there_and_answered_by_one_that_comes(kernel: Kernel, route) -> None:
    """C13, C15: the state is the kernel's; a page that comes later has the card from there."""
    cell = kernel.run(SYNC.cell())
    kernel.wait_card()
    kernel.reload()
    card = kernel.wait_card().attach()
    assert card.phase["state"] == "open"
    card.pick("Red")
    assert cell.ok() == "FIRST Red\n"


def test_two_pages_and_the_first_answer_counts(kernel: Kernel, route) -> None:
    """Two tabs are two views of one card, each with an id of its own."""
    cell = kernel.run(SYNC.cell())
    card = kernel.wait_card().attach()
    card.send({"type": "attached", "view": "the other tab"})
    card.pick("Blue")
    card.pick("Red")
    assert card.wait_refused()["code"] == "late"
    assert cell.ok() == "FIRST Blue\n"


@reachable
def test_a_page_has_its_draft_back_as_the_answer_to_what_it_sent(kernel: Kernel, form: Form, route) -> None:
    """A page takes no other page's draft until its own has come back."""
    cell = kernel.run(form.cell())
    card = kernel.wait_card().attach()
    card.set_draft(card.answer("Red"))
    kernel.until(lambda: card.last_sent in card.echoed, "the draft, sent back", 20)
    card.pick("Red")
    assert cell.ok() == "FIRST Red\n"
    assert "Red" in cell.html


def test_c1_a_widgets_callback_asks_while_no_cell_runs(kernel: Kernel) -> None:
    """C1: its output has no cell, so that the question is in the inbox; the kernel reads the answer while it blocks."""
    inbox = kernel.open_inbox()
    kernel.run(
        "import ipywidgets\nbutton, said = ipywidgets.Button(), []\n"
        "button.on_click(lambda _: said.append(ask('Sure?', ['Yes', 'No'])))"
    ).ok()
    model_id = kernel.run("print(button.model_id)").ok().strip()
    kernel.send_comm(model_id, {"method": "custom", "content": {"event": "click"}})
    (card,) = inbox.wait_listed("Sure?")
    card.pick("Yes")
    inbox.wait_listed()
    assert kernel.run("print(said)").ok() == "['Yes']\n"
