"""The kernel's side of a card, with no front end: what a view sends, and what it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from nbask import Ask, Option, Question
from nbask.desk import PAUSE, Desk, Pending
from nbask.forms import form_from
from nbask.fronts import built
from nbask.fronts import card as card_module
from nbask.fronts import shown as shown_module
from nbask.fronts.card import CardFront
from nbask.fronts.shown import ROLL_CALL
from nbask.fronts.widget import VIEW
from nbask.kinds import wire_answer
from nbask.replies import Answered, Declined
from nbask.testing import FakeClock
from nbask.waiting.plain import Plain
from nbask.wire import RECEIPT

OPEN = {"state": "open", "deadline": None, "paused_until": None}


class Waiter(Plain):
    def __init__(self) -> None:
        super().__init__()
        self.adopted: dict[str, Any] = {}

    def adopt(self, comm_id: str, handle: Any) -> None:
        self.adopted[comm_id] = handle

    def release(self, comm_id: str) -> None:
        self.adopted.pop(comm_id, None)


class Lab:
    """A desk, its card front, and what was displayed and sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.desk, self.waiter = Desk(), Waiter()
        self.front = CardFront(self.desk, self.waiter, copy_context)
        self.desk.observe(self.front.close)
        self.displayed: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self.sent: list[Any] = []
        self.ids: list[str] = []
        monkeypatch.setattr(card_module, "display", lambda bundle, **how: self.displayed.append((bundle, how)))
        monkeypatch.setattr(card_module.Card, "send", lambda card, content, buffers=None: self.sent.append(content))

    def show(self, ask: Ask | None = None) -> Pending:
        pending = self.desk.open(ask or Ask(Question("Which DB?", ["Postgres", "SQLite"])))
        self.front.show(pending)
        return pending

    def say(self, pending: Pending, content: Any) -> None:
        """A view's custom message, as it comes by the tap."""
        shown = self.front._shown[pending]
        assert shown.card is not None
        data = {"method": "custom", "content": content}
        self.waiter.adopted[shown.card.model_id]({"content": {"data": data}, "buffers": []})

    def card(self, pending: Pending) -> Any:
        return self.front._shown[pending].card


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    monkeypatch.setattr(built, "text", lambda name: f"/* nbask 0123abcd */ {name}")
    built.build_id.cache_clear()
    yield Lab(monkeypatch)
    built.build_id.cache_clear()


def reply(pending: Pending, *selected: str, **change: Any) -> dict[str, Any]:
    answers = {"q1": wire_answer(selected)}
    return {"type": "reply", "ask": pending.ask.id, "action": "submit", "answers": answers, "message": None} | change


def test_a_card_is_displayed_with_its_words_in_plain_text(lab: Lab) -> None:
    pending = lab.show()
    ((bundle, how),) = lab.displayed
    assert bundle["text/plain"] == "This notebook asks: Which DB?"
    assert bundle[VIEW]["model_id"] == lab.card(pending).model_id
    assert "update" not in how


def test_a_preview_may_have_a_card_of_its_own_shown_while_it_is_drawn(lab: Lab) -> None:
    """A preview that takes its time does not keep other cards waiting either."""

    class Asking:
        def _repr_html_(self) -> str:
            lab.show(Ask(Question("How large?", ["small"])))
            return "drawn"

    lab.show(Ask(Question("Which?", [Option("one", preview=Asking())])))
    assert [bundle["text/plain"] for bundle, _ in lab.displayed] == [
        "This notebook asks: How large?",
        "This notebook asks: Which?",
    ]


def test_a_cards_style_is_kept_where_its_stub_looks_for_it(lab: Lab) -> None:
    """Wherever the class stands: `js/src/stub.ts` knows it by this name."""
    assert lab.card(lab.show())._anywidget_id == "nbask.fronts.card.Card"


def test_a_reply_settles_the_ask_and_the_receipt_takes_the_cards_place(lab: Lab) -> None:
    pending = lab.show()
    lab.say(pending, reply(pending, "o2"))
    assert isinstance(pending.reply, Answered)
    assert (pending.reply.value, pending.reply.via) == ("SQLite", "card")
    bundle, how = lab.displayed[-1]
    assert bundle[RECEIPT]["kind"] == "answered"
    assert (how["update"], how["display_id"]) == (True, lab.displayed[0][1]["display_id"])
    assert lab.sent == []


def test_the_first_card_carries_the_code_and_later_ones_a_stub(lab: Lab) -> None:
    first, second = lab.show(), lab.show()
    assert (lab.card(first)._esm, lab.card(first)._css) == (
        "/* nbask 0123abcd */ card.js",
        "/* nbask 0123abcd */ card.css",
    )
    assert (lab.card(second)._esm, lab.card(second)._css) == ("/* nbask 0123abcd */ stub.js", "")


def test_a_stub_is_sent_the_code_it_asks_for(lab: Lab) -> None:
    pending = lab.show()
    lab.say(pending, {"type": "code"})
    assert lab.sent == [
        {
            "type": "code",
            "build": "0123abcd",
            "esm": "/* nbask 0123abcd */ card.js",
            "css": "/* nbask 0123abcd */ card.css",
        }
    ]


def test_a_front_end_that_is_not_built_says_how_to_build_it() -> None:
    with pytest.raises(RuntimeError, match=r"nothing\.js is missing.*scripts/build in a checkout.*pip install"):
        built.text("nothing.js")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ask": "another"}, "foreign"),
        ({"stray": 1}, "malformed"),
        ({"answers": {}}, "invalid"),
        ({"answers": {"q1": wire_answer(["o9"])}}, "invalid"),
    ],
)
def test_a_reply_that_does_not_count_is_told_so_and_the_card_stays(
    lab: Lab, caplog: pytest.LogCaptureFixture, change: Any, code: str
) -> None:
    pending = lab.show()
    lab.say(pending, reply(pending, "o1") | change)
    (told,) = lab.sent
    assert (told["type"], told["ask"], told["code"]) == ("refused", pending.ask.id, code)
    assert pending.reply is None
    assert lab.card(pending).phase == OPEN
    assert len(caplog.records) == 1
    lab.say(pending, reply(pending, "o1"))
    assert pending.reply is not None


@pytest.mark.parametrize("content", [None, "reply", [], {}, {"type": ["reply"]}, {"type": "stop"}, {"type": None}])
def test_a_message_of_no_known_sort_is_refused_as_malformed(lab: Lab, content: Any) -> None:
    pending = lab.show()
    lab.say(pending, content)
    assert [told["code"] for told in lab.sent] == ["malformed"]


def test_c17_a_late_reply_of_a_view_that_is_still_there_is_refused(lab: Lab) -> None:
    pending = lab.show()
    lab.say(pending, {"type": "attached", "view": "v"})
    lab.desk.settle(pending.ask.id, Declined())
    lab.say(pending, reply(pending, "o1"))
    assert [told["code"] for told in lab.sent] == ["late"]
    assert pending.reply is not None
    assert pending.reply.kind == "declined"


def test_attached_views_are_known_until_they_detach(lab: Lab) -> None:
    pending = lab.show()
    assert (lab.front.attached, lab.front.ever_attached) == (False, False)
    assert lab.front.wait_attached(pending, 0) is False
    assert (lab.front.wait_seen(pending, 0.01), lab.front.unseen) == (False, 1)
    lab.say(pending, {"type": "attached", "view": "v"})
    assert lab.front.attached
    assert lab.front.wait_attached(pending, 0) is True
    lab.say(pending, {"type": "detached", "view": "v"})
    assert (lab.front.attached, lab.front.ever_attached) == (False, True)


def test_a_card_is_closed_once_its_ask_has_ended_and_its_last_view_is_gone(lab: Lab) -> None:
    pending = lab.show()
    lab.say(pending, {"type": "attached", "view": "v"})
    card = lab.card(pending)
    lab.desk.settle(pending.ask.id, Declined())
    assert card.phase["kind"] == "declined"
    assert "declined" in card.phase["receipt"]["html"]
    assert lab.waiter.adopted
    lab.say(pending, {"type": "detached", "view": "v"})
    assert (lab.waiter.adopted, lab.front._shown, card.comm) == ({}, {}, None)


def test_a_card_nobody_saw_is_closed_with_its_ask(lab: Lab) -> None:
    pending = lab.show()
    lab.desk.settle(pending.ask.id, Declined())
    assert (lab.waiter.adopted, lab.front._shown) == ({}, {})
    assert lab.front.wait_attached(pending, 0) is True


def test_an_open_card_outlives_its_last_view(lab: Lab) -> None:
    pending = lab.show()
    lab.say(pending, {"type": "attached", "view": "v"})
    lab.say(pending, {"type": "detached", "view": "v"})
    assert lab.card(pending) is not None
    assert pending.reply is None


def test_a_view_writes_its_draft_and_nothing_else(lab: Lab) -> None:
    pending = lab.show()
    card = lab.card(pending)
    draft = {"answers": {"q1": wire_answer(other="abc")}, "message": None}
    card.set_state({"draft": draft, "phase": {"state": "ended"}, "ask": {}, "_esm": "alert(1)"})
    assert pending.draft == draft
    assert card.phase == OPEN
    assert (card.ask["id"], "alert" in card._esm) == (pending.ask.id, False)


@pytest.mark.parametrize("draft", [None, 5, {}, {"answers": {"q1": {}}, "message": None}])
def test_a_malformed_draft_is_dropped_and_the_last_good_one_kept(lab: Lab, draft: Any) -> None:
    pending = lab.show()
    good = {"answers": {}, "message": "abc"}
    lab.card(pending).set_state({"draft": good})
    lab.card(pending).set_state({"draft": draft})
    assert pending.draft == good


def at(clock: FakeClock) -> int:
    """Now, as the wire has it."""
    return int(1000 * clock.wall())


def clocked(lab: Lab) -> FakeClock:
    """Have the lab's desk read a clock that moves when told."""
    clock = FakeClock(1000)
    lab.desk._clock = clock
    return clock


def test_widgets_that_come_and_go_do_not_stop_a_page_that_asks_for_all_of_them(lab: Lab) -> None:
    """Of ipywidgets' own table, the loop below raises `RuntimeError: dictionary changed size during iteration`."""
    from ipywidgets.widgets.widget import _instances

    lab.show(Ask(Question("Name?")))
    before = len(_instances)
    for widget in _instances.values():
        lab.show(Ask(Question(f"More than {widget.model_id}?")))
    assert len(_instances) == 2 * before


def test_a14_a_draft_pauses_the_deadline_and_the_card_says_until_when(lab: Lab) -> None:
    clock = clocked(lab)
    pending = lab.show(Ask(Question("Name?"), timeout=60))
    assert lab.card(pending).phase == {"state": "open", "deadline": at(clock) + 60_000, "paused_until": None}
    clock.advance(10)
    lab.card(pending).set_state({"draft": {"answers": {}, "message": "ab"}})
    assert lab.card(pending).phase == {
        "state": "open",
        "deadline": 1_060_000 + int(1000 * PAUSE),
        "paused_until": at(clock) + int(1000 * PAUSE),
    }


def test_a14_typing_a_secret_pauses_the_deadline_without_a_draft(lab: Lab) -> None:
    clock = clocked(lab)
    pending = lab.show(Ask(Question("Key?", secret=True), timeout=60))
    clock.advance(10)
    lab.say(pending, {"type": "typing"})
    assert lab.card(pending).phase["paused_until"] == at(clock) + int(1000 * PAUSE)
    assert pending.draft is None


def test_typing_after_the_end_changes_nothing(lab: Lab) -> None:
    pending = lab.show(Ask(Question("Key?", secret=True), timeout=60))
    lab.say(pending, {"type": "attached", "view": "v"})
    card = lab.card(pending)
    lab.desk.settle(pending.ask.id, Declined())
    lab.say(pending, {"type": "typing"})
    assert card.phase["state"] == "ended"


@pytest.mark.parametrize("rest", [{}, {"timeout": 60, "pausable": False}])
def test_a_draft_moves_no_deadline_that_is_not_there_or_not_ours(lab: Lab, rest: Any) -> None:
    clocked(lab)
    pending = lab.show(Ask(Question("Name?"), **rest))
    before = lab.card(pending).phase
    lab.card(pending).set_state({"draft": {"answers": {}, "message": "ab"}})
    assert lab.card(pending).phase == before
    assert pending.draft is not None


def test_a_draft_that_comes_after_the_end_changes_nothing(lab: Lab) -> None:
    pending = lab.show(Ask(Question("Name?"), timeout=60))
    lab.say(pending, {"type": "attached", "view": "v"})
    card = lab.card(pending)
    lab.desk.settle(pending.ask.id, Declined())
    card.set_state({"draft": {"answers": {}, "message": "late"}})
    assert (pending.draft, card.phase["state"]) == (None, "ended")


def test_a_malformed_draft_pauses_nothing(lab: Lab) -> None:
    clocked(lab)
    pending = lab.show(Ask(Question("Name?"), timeout=60))
    before = lab.card(pending).phase
    lab.card(pending).set_state({"draft": {"answers": 5}})
    assert lab.card(pending).phase == before


@pytest.mark.parametrize("notify", [True, False])
def test_a_card_knows_whether_the_person_wants_to_be_notified(lab: Lab, notify: bool) -> None:
    front = CardFront(lab.desk, lab.waiter, copy_context, lambda: notify)
    pending = lab.desk.open(Ask(Question("Name?")))
    front.show(pending)
    shown = front._shown[pending]
    assert shown.card is not None
    assert shown.card.ask["notify"] is notify


FORM = form_from(
    {
        "type": "object",
        "properties": {"name": {"type": "string", "minLength": 2}, "n": {"type": "integer", "multipleOf": 5}},
        "required": ["name"],
    }
)


def form_ask() -> Ask:
    return Ask(FORM.questions, message="Where to?", layout="form", form=FORM.finish, submit="Send")


def sent(pending: Pending, **values: str) -> dict[str, Any]:
    answers = {name: wire_answer(value=value) for name, value in values.items()}
    return reply(pending) | {"answers": answers}


@pytest.mark.parametrize(
    ("values", "errors"),
    [
        ({"name": "x"}, {"name": "At least 2 characters; it has 1."}),
        ({"n": "5"}, {"name": "This question needs an answer."}),
        ({"name": "Ann", "n": "7"}, {"n": "7 is not a multiple of 5."}),
    ],
)
def test_a_form_that_does_not_fit_stays_open_and_says_what_to_mend(lab: Lab, values: Any, errors: Any) -> None:
    pending = lab.show(form_ask())
    lab.say(pending, sent(pending, **values))
    (told,) = lab.sent
    assert (told["code"], told["errors"], pending.reply) == ("invalid", errors, None)
    lab.say(pending, sent(pending, name="Ann", n="5"))
    assert isinstance(pending.reply, Answered)
    assert pending.reply.values == {"name": "Ann", "n": 5}


def test_a_forms_card_says_its_question_where_there_is_only_text(lab: Lab) -> None:
    lab.show(form_ask())
    assert "Where to?" in lab.displayed[0][0]["text/plain"]


@pytest.mark.parametrize("secret", [True, False])
def test_a_secret_is_not_kept_in_a_draft(lab: Lab, secret: bool) -> None:
    pending = lab.show(Ask([Question("Key?", secret=secret), Question("Name?")]))
    typed = {"q1": wire_answer(value="hunter2"), "q2": wire_answer(value="Ann")}
    lab.card(pending).set_state({"draft": {"answers": typed, "message": None}})
    kept = {"q2": typed["q2"]} if secret else typed
    assert lab.card(pending).draft == {"answers": kept, "message": None}
    assert pending.draft == {"answers": kept, "message": None}


def test_a_secret_is_in_nothing_that_a_card_publishes(lab: Lab, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    pending = lab.show(Ask(Question("Key?", secret=True, min=3, pattern="^h"), timeout=60))
    card = lab.card(pending)
    lab.say(pending, {"type": "attached", "view": "v"})
    card.set_state({"draft": {"answers": {"q1": wire_answer(value="hunter2")}, "message": None}})
    for wrong in ("h2", "xunter2"):
        lab.say(pending, sent(pending, q1=wrong))
        assert wrong not in str(lab.sent)
    lab.say(pending, sent(pending, q1="hunter2"))
    assert isinstance(pending.reply, Answered)
    assert pending.reply.value == "hunter2"
    everything = [lab.displayed, lab.sent, card.get_state(), pending.draft, caplog.text]
    assert "hunter2" not in repr(everything)


def test_c14_an_open_ask_is_shown_again_with_the_same_card(lab: Lab) -> None:
    pending = lab.show()
    lab.front.show(pending)
    first, second = (bundle[VIEW]["model_id"] for bundle, _ in lab.displayed)
    assert first == second
    lab.desk.settle(pending.ask.id, Declined())
    assert [how["display_id"] for _, how in lab.displayed[2:]] == [how["display_id"] for _, how in lab.displayed[:2]]


def elsewhere(lab: Lab) -> list[str]:
    """Offer a place where lost cards may be shown; the ids they are shown by there."""
    shown: list[str] = []
    lab.front.rescue(lambda bundle, display_id: shown.append(display_id))
    return shown


def test_a_card_whose_last_view_is_gone_is_shown_elsewhere_and_its_receipt_too(lab: Lab) -> None:
    """A cell that is run again while it waits loses its output; the second run can show the card."""
    lost, seen, unseen = lab.show(), lab.show(), lab.show()
    for pending in (lost, seen):
        lab.say(pending, {"type": "attached", "view": "v"})
    assert elsewhere(lab) == []
    shown = elsewhere(lab)
    lab.say(lost, {"type": "detached", "view": "v"})
    assert len(shown) == 1
    again = elsewhere(lab)
    assert again == []  # its view is on its way
    lab.say(lost, {"type": "attached", "view": "w"})
    lab.say(lost, {"type": "detached", "view": "w"})
    lab.desk.settle(lost.ask.id, Declined())
    assert [how["display_id"] for _, how in lab.displayed[-2:]] == [*shown, *again]
    assert unseen.reply is None


def test_a_card_that_is_lost_already_is_shown_elsewhere_at_once_and_an_ended_one_never(lab: Lab) -> None:
    lost, ended = lab.show(), lab.show()
    for pending in (lost, ended):
        lab.say(pending, {"type": "attached", "view": "v"})
    lab.desk.settle(ended.ask.id, Declined())
    for pending in (lost, ended):
        lab.say(pending, {"type": "detached", "view": "v"})
    assert len(elsewhere(lab)) == 1


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Time stands still for cards until this is called, with seconds; what was put off then happens when it is due."""
    now = 0.0
    put_off: list[SimpleNamespace] = []

    def later(seconds: float, call: Callable[[], object]) -> SimpleNamespace:
        one = SimpleNamespace(due=now + seconds, call=call)
        one.cancel = partial(setattr, one, "call", lambda: None)
        put_off.append(one)
        return one

    def pass_it(seconds: float) -> None:
        nonlocal now
        end = now + seconds
        while due := sorted((one for one in put_off if one.due <= end), key=lambda one: one.due):
            put_off.remove(due[0])
            now = due[0].due
            due[0].call()
        now = end

    monkeypatch.setattr(shown_module, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(card_module, "later", later)
    return pass_it


def test_a_card_that_no_view_ever_showed_is_shown_elsewhere_as_well(
    lab: Lab, pass_time: Callable[[float], None]
) -> None:
    """A cell that was queued before the page was reloaded asks: the new page never shows what comes of that cell."""
    seen, _never = lab.show(), lab.show()
    shown = elsewhere(lab)
    pass_time(ROLL_CALL)
    assert shown == []  # a front end in which no card was ever seen may have none
    lab.say(seen, {"type": "attached", "view": "v"})
    assert len(elsewhere(lab)) == 1


def test_a_view_that_went_without_a_word_is_missed_when_the_roll_is_called(
    lab: Lab, pass_time: Callable[[float], None]
) -> None:
    """Its browser died, or its network: nobody tells the kernel, and no other page shows the card."""
    left, gone = lab.show(), lab.show()
    for pending, view in ((left, "v"), (gone, "w")):
        lab.say(pending, {"type": "attached", "view": view})
    shown = elsewhere(lab)
    assert lab.sent == [{"type": "call"}, {"type": "call"}]
    lab.say(left, {"type": "attached", "view": "v"})
    assert shown == []
    pass_time(ROLL_CALL)
    assert len(shown) == 1
    lab.desk.settle(gone.ask.id, Declined())
    assert shown[0] in [how["display_id"] for _, how in lab.displayed]
    assert left.reply is None


def test_a_card_that_is_lost_while_the_roll_is_called_is_shown_in_the_cell_that_is_run_after_it(
    lab: Lab, pass_time: Callable[[float], None]
) -> None:
    """A waiting cell is run again twice: what is shown under the first of the two goes with its output."""
    pending = lab.show()
    lab.say(pending, {"type": "attached", "view": "v"})
    first = elsewhere(lab)
    pass_time(ROLL_CALL / 2)
    lab.say(pending, {"type": "detached", "view": "v"})
    last = elsewhere(lab)
    assert (len(first), last) == (1, [])
    pass_time(ROLL_CALL)
    assert len(last) == 1
    assert lab.sent == [{"type": "call"}]


def test_a_card_that_is_open_in_no_cell_has_no_display(lab: Lab) -> None:
    pending = lab.desk.open(Ask(Question("Which DB?", ["Postgres"])))
    model_id = lab.front.open(pending)
    assert (model_id, lab.displayed, lab.front.displayed(pending)) == (lab.card(pending).model_id, [], False)
    lab.front.show(pending)
    assert (lab.front.open(pending), lab.front.displayed(pending)) == (model_id, True)


def test_an_ask_that_is_put_again_while_a_view_of_the_first_time_is_there_gets_an_open_card(lab: Lab) -> None:
    ask = Ask(Question("Again?", ["Yes", "No"]))
    first = lab.show(ask)
    lab.say(first, {"type": "attached", "view": "v"})
    lab.desk.settle(ask.id, Declined())
    second = lab.show(ask)
    assert lab.card(second).phase == OPEN
    lab.say(second, reply(second, "o1"))
    assert second.reply is not None


def test_an_ask_that_cannot_be_drawn_leaves_nothing_behind(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(pending: Pending, notify: bool) -> Any:
        raise RuntimeError("cannot draw")

    monkeypatch.setattr(card_module, "draw", fail)
    with pytest.raises(RuntimeError, match="cannot draw"):
        lab.show()
    for pending in lab.desk.snapshot():
        lab.desk.withdraw(pending.ask.id)
    assert lab.front._shown == {}


def test_a19_what_is_published_later_belongs_to_the_cell_that_asked(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextvars import ContextVar

    cell: ContextVar[str] = ContextVar("cell")
    cell.set("cell-1")
    pending = lab.show()
    seen: list[str] = []
    monkeypatch.setattr(card_module, "display", lambda bundle, **how: seen.append(cell.get()))
    cell.set("cell-2")
    lab.desk.settle(pending.ask.id, Declined())
    assert seen == ["cell-1"]


def test_options_with_any_value_are_not_sent(lab: Lab) -> None:
    pending = lab.show(Ask(Question("Which?", [Option("A", value=object()), "B"])))
    assert "value" not in lab.card(pending).ask["questions"][0]["options"][0]


def test_a_form_whose_own_check_fails_does_not_leave_the_person_in_silence(
    lab: Lab, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(values: Any) -> Any:
        raise TypeError("a validator of the caller's is broken")

    pending = lab.show(Ask(Question("Name?", id="name"), message="Who?", layout="form", form=fail))
    lab.say(pending, sent(pending, name="Ann"))
    assert lab.sent, "the view waits for a word on its submit"
    assert "a validator of the caller's is broken" in caplog.text


def test_a_card_that_another_thread_has_closed_meanwhile_ends_once_and_quietly(
    lab: Lab, caplog: pytest.LogCaptureFixture
) -> None:
    pending = lab.show()
    shown = lab.front._shown[pending]
    lock = shown.lock

    class Overtaken:
        """The card's lock, which another thread that was told of the end as well gets first."""

        def __enter__(self) -> None:
            shown.lock = lock
            lab.front.close(pending)
            lock.acquire()

        def __exit__(self, *_: object) -> None:
            lock.release()

    shown.lock = Overtaken()  # type: ignore[assignment]
    assert lab.desk.settle(pending.ask.id, Declined())
    assert caplog.records == []
    assert len(lab.displayed) == 2
