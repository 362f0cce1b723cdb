"""The kernel's side of the inbox, with no front end: what it lists, what it records, who looks at it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any

import pytest

from nbask import Ask, Question
from nbask.desk import Desk, Pending
from nbask.fronts import built
from nbask.fronts import inbox as inbox_module
from nbask.fronts.card import CardFront
from nbask.fronts.inbox import RECENT, InboxFront
from nbask.replies import Cancelled, Declined
from nbask.waiting.plain import Plain
from nbask.wire import RECEIPT as MIME

Runner = Callable[..., Future[Any]]


class Waiter(Plain):
    def __init__(self) -> None:
        super().__init__()
        self.adopted: dict[str, Any] = {}

    def adopt(self, comm_id: str, handle: Any) -> None:
        self.adopted[comm_id] = handle

    def release(self, comm_id: str) -> None:
        self.adopted.pop(comm_id, None)


class Lab:
    """A desk, its cards and the inbox, and what was shown under the inbox's cell."""

    def __init__(self) -> None:
        self.desk, self.waiter = Desk(), Waiter()
        self.cards = CardFront(self.desk, self.waiter, copy_context, show=lambda bundle, display_id, update: None)
        self.shown: list[dict[str, Any]] = []
        self.inbox = InboxFront(self.cards, self.waiter, copy_context, lambda: self.shown.append)
        self.desk.observe(self.inbox.close)
        self.desk.observe(self.cards.close)

    @property
    def model(self) -> Any:
        return self.inbox._model

    def ask(self, text: str = "Go?", *, in_cell: bool = False) -> Pending:
        pending = self.desk.open(Ask(Question(text, ["Yes", "No"])))
        if in_cell:
            self.cards.show(pending)
        self.inbox.show(pending)
        return pending

    def say(self, content: Any) -> None:
        """A view's custom message, as it comes by the tap."""
        data = {"method": "custom", "content": content}
        self.waiter.adopted[self.model.model_id]({"content": {"data": data}, "buffers": []})


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.setattr(built, "text", lambda name: f"/* nbask 0123abcd */ {name}")
    return Lab()


def test_what_is_open_is_listed_in_order_until_it_ends(lab: Lab) -> None:
    first, second = lab.ask("One?"), lab.ask("Two?", in_cell=True)
    assert lab.model.cards == [lab.cards.open(first), lab.cards.open(second)]
    lab.desk.settle(first.ask.id, Declined())
    assert lab.model.cards == [lab.cards.open(second)]


def test_asks_are_listed_in_the_order_they_were_made_whichever_comes_here_first(lab: Lab) -> None:
    """Their threads may overtake one another on the way."""
    first, second = (lab.desk.open(Ask(Question(text, ["Yes"]))) for text in ("First?", "Second?"))
    lab.inbox.show(second)
    lab.inbox.show(first)
    assert lab.model.cards == [lab.cards.open(first), lab.cards.open(second)]


def test_a_view_that_comes_gets_the_list_again_since_what_its_page_was_sent_may_be_older(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(lab.model, "send_state", sent.append)
    lab.say({"type": "attached", "view": "v1"})
    lab.say({"type": "attached", "view": "v1"})
    lab.say({"type": "attached", "view": "v2"})
    assert sent == [["cards", "recent"]] * 2


def test_an_ask_is_listed_once_however_often_it_is_shown(lab: Lab) -> None:
    pending = lab.ask()
    lab.inbox.show(pending)
    assert len(lab.model.cards) == 1


def test_an_ask_that_ended_before_it_was_listed_is_not(lab: Lab) -> None:
    pending = lab.desk.open(Ask(Question("Go?")))
    lab.desk.settle(pending.ask.id, Declined())
    lab.inbox.show(pending)
    assert (lab.model.cards, lab.waiter.adopted.keys()) == ([], {lab.model.model_id})


@pytest.mark.parametrize("in_cell", [True, False])
def test_the_receipt_of_an_ask_without_a_cell_is_shown_under_the_inbox(lab: Lab, in_cell: bool) -> None:
    pending = lab.ask(in_cell=in_cell)
    lab.desk.settle(pending.ask.id, Cancelled())
    assert [bundle[MIME]["kind"] for bundle in lab.shown] == ([] if in_cell else ["cancelled"])


def test_the_last_endings_are_named(lab: Lab) -> None:
    asked = [lab.ask(f"Number {n}?") for n in range(RECENT + 2)]
    for pending in asked:
        lab.desk.settle(pending.ask.id, Declined())
    assert [one["ask"] for one in lab.model.recent] == [pending.ask.id for pending in asked[2:]]
    assert lab.model.recent[-1]["text"] == f"Number {RECENT + 1}? → the person declined to answer"


def test_a_secret_is_not_named(lab: Lab) -> None:
    from nbask.kinds import Answer
    from nbask.replies import Answered

    pending = lab.desk.open(Ask(Question("Key?", secret=True)))
    lab.inbox.show(pending)
    lab.desk.settle(pending.ask.id, Answered(answers={"q1": Answer("hunter2")}))
    assert "hunter2" not in repr([lab.model.get_state(), lab.shown])


def test_the_inbox_is_attached_while_a_view_of_it_is(lab: Lab) -> None:
    assert not lab.inbox.attached
    lab.say({"type": "attached", "view": "v"})
    assert (lab.inbox.attached, lab.inbox.ever_attached) == (True, True)
    lab.say({"type": "detached", "view": "v"})
    assert (lab.inbox.attached, lab.inbox.ever_attached) == (False, True)


def test_a_view_that_does_not_answer_a_change_has_gone(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that crashed never said `detached`."""
    timers: list[Callable[[], None]] = []
    monkeypatch.setattr(inbox_module, "later", lambda seconds, call: timers.append(call) or timers)
    lab.say({"type": "attached", "view": "gone"})
    lab.say({"type": "attached", "view": "there"})
    lab.ask()
    lab.ask()
    lab.say({"type": "attached", "view": "there"})
    (call,) = timers
    call()
    lab.say({"type": "detached", "view": "there"})
    assert not lab.inbox.attached


@pytest.mark.parametrize("content", [None, "attached", [], {}, {"type": "reply"}, {"type": ["attached"]}])
def test_a_message_of_no_known_sort_changes_nothing(lab: Lab, content: Any) -> None:
    lab.say(content)
    assert not lab.inbox.attached


def test_a_browser_writes_nothing_into_it(lab: Lab) -> None:
    pending = lab.ask()
    lab.model.set_state({"cards": [], "recent": [{"ask": "x", "text": "x"}], "_esm": "alert(1)"})
    assert (lab.model.cards, lab.model.recent) == ([lab.cards.open(pending)], [])
    assert "alert" not in lab.model._esm


def test_asks_that_begin_and_end_in_many_threads_leave_an_empty_list(lab: Lab, in_thread: Runner) -> None:
    together = threading.Barrier(16)

    def one(number: int) -> None:
        together.wait(5)
        pending = lab.ask(f"Number {number}?", in_cell=number % 2 == 0)
        lab.desk.settle(pending.ask.id, Declined())

    for future in [in_thread(one, number) for number in range(16)]:
        future.result(10)
    assert lab.model.cards == []
    assert len(lab.shown) == 8


def test_it_goes_when_nbask_is_unloaded(lab: Lab) -> None:
    lab.inbox.end()
    assert (lab.waiter.adopted, lab.model.comm) == ({}, None)
