"""What may happen while a cell waits: interrupts, a reloaded page, loading and unloading, no person.

Cases of the project's list that are tested here, by id: A2, A29, C10, C23, C26, C27.
"""

from __future__ import annotations

import time

import pytest
from driver import Kernel
from forms import AWAIT, FORMS, SYNC, THREAD, Form

forms = pytest.mark.parametrize("form", FORMS, ids=str)
reachable = pytest.mark.parametrize("form", [SYNC, AWAIT], ids=str)
SOON = 5.0
"""Seconds that a machine with other work may take to do at once what is asked."""


@pytest.mark.support(action="interrupt")
@reachable
def test_c10_interrupt_ends_the_wait(kernel: Kernel, form: Form, route) -> None:
    """C10: the cell ends, the card says so, and the next cell runs.

    It takes 0.1 to 0.4 s on a quiet machine; what waits without looking at the world would take the whole wait.
    """
    cell = kernel.run(form.cell())
    card = kernel.wait_card()
    kernel.wait_handled(card.attach().last_sent)
    pressed = time.monotonic()
    kernel.interrupt()
    cell.wait()
    assert cell.ended - pressed < SOON
    assert cell.error in ("KeyboardInterrupt", "CancelledError")
    assert "FIRST" not in cell.text
    assert card.wait_ended() == "cancelled"
    assert "interrupt" in cell.html.lower()
    assert kernel.run("print(1 + 1)").ok() == "2\n"


@pytest.mark.fresh
def test_a29_interrupt_with_an_ask_in_a_thread(kernel: Kernel) -> None:
    """A29: the cell's thread waits for a person, the cell is interrupted, the kernel is usable."""
    cell = kernel.run(
        'worker = threading.Thread(target=lambda: ask("Red or blue?", ["Red", "Blue"]), daemon=True)\n'
        # Of a bare join, Linux may give the signal to another thread, which wakes nobody.
        "worker.start()\nwhile worker.is_alive(): worker.join(0.1)"
    )
    kernel.wait_card().attach()
    kernel.interrupt()
    assert cell.wait().error == "KeyboardInterrupt"
    assert kernel.run("print(1 + 1)").ok() == "2\n"
    again = kernel.run(SYNC.cell())
    kernel.wait_card().attach().pick("Blue")
    assert again.ok().endswith("FIRST Blue\n")


@pytest.mark.support(action="reload")
@reachable
def test_page_reloaded_during_a_wait(kernel: Kernel, form: Form, route) -> None:
    """The new page asks on the main shell for every widget's state, and gets the card with its draft."""
    cell = kernel.run(form.cell())
    card = kernel.wait_card().attach()
    draft = card.set_draft(card.answer("Blue", notes="half a no"))
    kernel.wait_handled(card.last_sent)

    kernel.reload()
    again = kernel.wait_card()
    assert again.comm_id == card.comm_id
    assert again.draft == draft
    assert again.phase["state"] == "open"
    again.attach().pick("Blue")
    assert again.wait_ended() == "answered"
    assert cell.ok() == "FIRST Blue\n"
    assert kernel.run("print('next')").ok() == "next\n"


@pytest.mark.fresh
def test_loading_twice_unloading_and_loading_again(kernel: Kernel) -> None:
    kernel.run("%load_ext nbask\n%reload_ext nbask").ok()
    cell = kernel.run(SYNC.cell())
    kernel.wait_card().attach().pick("Red")
    assert cell.ok() == "FIRST Red\n"

    kernel.run("%unload_ext nbask").ok()
    assert kernel.run("print('plain')").ok() == "plain\n"

    kernel.run("%load_ext nbask").ok()
    cell = kernel.run(SYNC.cell())
    kernel.wait_card().attach().pick("Blue")
    assert cell.ok() == "FIRST Blue\n"


@pytest.mark.fresh
@forms
def test_c26_c27_headless_is_decided_at_once(kernel: Kernel, form: Form) -> None:
    """A2, C23, C26, C27: nobody can answer, so the ask fails, typed and named, before anything is shown."""
    asking = form.cell(then="print('ANSWERED', answer)")
    begun = time.monotonic()
    cell = kernel.run(asking, allow_stdin=False).wait()
    assert time.monotonic() - begun < 5
    assert kernel.cards == []
    assert "ANSWERED" not in cell.text
    if form is THREAD:
        # The thread's exception ends the thread, with a traceback where Python prints those.
        assert "NoAnswer" in cell.stderr + cell.text
    else:
        assert cell.error == "NoAnswer"
        assert "Red or blue?" in cell.error_text


@pytest.mark.fresh
def test_a_page_that_is_gone_is_nobody(kernel: Kernel) -> None:
    """A reloaded page never said `detached` of its old views: they neither keep a card nor stand for a person."""
    cell = kernel.run(SYNC.cell())
    kernel.wait_card().attach()
    kernel.reload()
    card = kernel.wait_card().attach()
    card.pick("Red")
    assert cell.ok() == "FIRST Red\n"
    card.detach()
    card.wait_closed(timeout=5)
    assert kernel.run(SYNC.cell(), allow_stdin=False).wait(timeout=5).error == "NoAnswer"


@pytest.mark.fresh
def test_c23_no_answer_carries_the_reply(kernel: Kernel) -> None:
    """C23: "nobody could be asked" is an outcome of its own, never an empty answer."""
    cell = kernel.run(
        "try:\n    ask('Red or blue?', ['Red', 'Blue'])\n"
        "except nbask.NoAnswer as no:\n    print(type(no.reply).__name__)",
        allow_stdin=False,
    )
    assert cell.ok() == "Unavailable\n"
