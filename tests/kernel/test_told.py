"""What a kernel tells about itself: the route the doctor foresaw, the status, and the decision log."""

from __future__ import annotations

from driver import Kernel


def test_the_route_that_doctor_foresees_is_the_one_a_kernel_takes(kernel: Kernel) -> None:
    code = "from nbask import runtime\nfrom nbask.waiting import foreseen\nwaiter = runtime.current().waiter\n"
    told = kernel.run(f"{code}print(foreseen() == (waiter.name, waiter.reason), waiter.name)").ok()
    assert told in ("True tap\n", "True gate\n")


def test_status_says_whether_a_card_is_seen_while_it_is(kernel: Kernel) -> None:
    cell = kernel.run("print(ask('Red or blue?', ['Red', 'Blue']))")
    card = kernel.wait_card()
    kernel.wait_handled(card.attach().last_sent)
    card.pick("Red")
    assert cell.ok() == "Red\n"
    said = kernel.run("%nbask").ok()
    assert "\nviews     a card is on a page now\n" in said or "\nviews     cards were seen in this kernel\n" in said
    assert "\nopen      no questions\n" in said
    assert "mend" not in said


def test_the_log_has_what_was_answered_on_a_card_and_verifies(kernel: Kernel) -> None:
    cell = kernel.run("print(ask('Sun | rain?', ['Sun', 'Rain']))")
    kernel.wait_card().attach().pick("Rain")
    assert cell.ok() == "Rain\n"
    code = "from nbask.journal import verify\nlog = decisions('records')\nverify(log)\nlast = log[-1]\n"
    names = ("question", "answer", "kind", "via", "asker")
    told = kernel.run(f"{code}print([last[name] for name in {names}], bool(last['cell']))").ok()
    assert told == "['Sun | rain?', 'Rain', 'answered', 'card', 'This notebook'] True\n"
    shown = kernel.run("%nbask decisions")
    shown.ok()
    assert "| Sun &#124; rain? | Rain |" in str(shown.outputs)
