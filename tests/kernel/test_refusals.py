"""A reply is input, not truth: wrong ones are refused and told so, and nothing is lost by them."""

from __future__ import annotations

import pytest
from driver import Kernel
from forms import SYNC

WRONG = {
    "foreign-ask": ({"ask": "somebody-elses"}, "foreign"),
    "unknown-action": ({"action": "explode"}, "malformed"),
    "answers-no-mapping": ({"answers": ["Red"]}, "malformed"),
    "answer-without-parts": ({"answers": {"QUESTION": {"selected": "Red"}}}, "malformed"),
    "unknown-option": (
        {"answers": {"QUESTION": {"selected": ["no-such"], "other": None, "value": None, "notes": None}}},
        "invalid",
    ),
    "nothing-picked": ({"answers": {}}, "invalid"),
}


@pytest.mark.parametrize(("over", "code"), WRONG.values(), ids=WRONG)
def test_a_wrong_reply_is_refused_and_the_card_stays(kernel: Kernel, route, over: dict, code: str) -> None:
    """A3, too: a bare submit is no answer."""
    cell = kernel.run(SYNC.cell())
    card = kernel.wait_card().attach()
    question = card.ask["questions"][0]["id"]
    if isinstance(over.get("answers"), dict):
        over = {"answers": {question if key == "QUESTION" else key: value for key, value in over["answers"].items()}}
    card.reply(**over)
    refused = card.wait_refused()
    assert refused["code"] == code
    assert refused["message"]
    assert card.phase["state"] == "open"
    assert not cell.done
    card.pick("Red")
    assert cell.ok() == "FIRST Red\n"


@pytest.mark.parametrize("content", ["a string", None, 7, [], {}, {"type": "no-such"}, {"type": "reply"}], ids=repr)
def test_a_message_of_no_known_shape_harms_nothing(kernel: Kernel, content: object) -> None:
    cell = kernel.run(SYNC.cell())
    card = kernel.wait_card().attach()
    kernel.wait_handled(card.send(content))
    card.pick("Red")
    assert cell.ok() == "FIRST Red\n"


def test_a_repeated_reply_is_told_that_it_is_late(kernel: Kernel, route) -> None:
    """A second click while the first is on its way: the first one counts, once."""
    cell = kernel.run(SYNC.cell())
    card = kernel.wait_card().attach()
    card.pick("Red")
    card.pick("Blue")
    assert card.wait_refused()["code"] == "late"
    assert cell.ok() == "FIRST Red\n"


def test_a_view_that_outlives_its_card_is_told_that_it_is_late(kernel: Kernel) -> None:
    """After a reload the receipt finds no output to replace: the view stays, and its second click comes late."""
    cell = kernel.run(SYNC.cell())
    kernel.wait_card().attach()
    kernel.reload()
    card = kernel.wait_card().attach()
    card.pick("Red")
    assert cell.ok() == "FIRST Red\n"
    card.pick("Blue")
    assert card.wait_refused()["code"] == "late"
    assert kernel.run("print(answer)").ok() == "Red\n"
