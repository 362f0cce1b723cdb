"""The terminal front: keys in, replies out, without a terminal. Real ones are in `tests/hosts/`."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from contextvars import copy_context
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from nbask import Ask, Option, Question
from nbask.desk import Clock, Desk, Pending
from nbask.forms import form_from
from nbask.fronts import rows, terminal
from nbask.fronts.conversation import Conversation
from nbask.fronts.terminal import TerminalFront
from nbask.kinds import wire_answer
from nbask.plans import request_plan
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, Withdrawn

DOWN, UP, ENTER, PAGE_DOWN = "\x1b[B", "\x1b[A", "\r", "\x1b[6~"
CHOICE = Question("Red or blue?", ["Red", "Blue", "Dark green"])
MANY = Question("Which checks?", ["Lint", "Types", "Docs"], many=True, min=1, max=2)


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    with create_pipe_input() as keys, create_app_session(keys, DummyOutput()):
        yield keys


@pytest.fixture
def talk(keyboard: PipeInput) -> Callable[..., Reply]:
    """What a person who presses these keys ends an ask with."""

    def make(ask: Ask | Question, keys: str, desk: Desk | None = None) -> Reply:
        desk = desk or Desk()
        pending = desk.open(ask if isinstance(ask, Ask) else Ask(ask))
        keyboard.send_text(keys)
        reply = asyncio.run(asyncio.wait_for(Conversation(desk, pending).run(), 10))
        assert reply.via == "terminal"
        return reply

    return make


Talk = Callable[..., Any]


@pytest.mark.parametrize(
    ("question", "keys", "value"),
    [
        (CHOICE, "2", "Blue"),
        (CHOICE, ENTER, "Red"),
        (CHOICE, DOWN + DOWN + UP + ENTER, "Blue"),
        (CHOICE, "gre" + ENTER, "Dark green"),
        (CHOICE, "GRE" + ENTER, "Dark green"),
        (CHOICE, "4mauve" + ENTER, "mauve"),
        (CHOICE, "mauve" + ENTER + "!" + ENTER, "mauve!"),
        (CHOICE, "4" + ENTER + "x" + ENTER, "x"),
        (Question("A?", ["A", "B"], default="B"), ENTER, "B"),
        (Question("A?", ["A", "B"], default="B"), "1", "A"),
        (Question("Größe?", ["klein", "größer"]), "ö" + ENTER, "größer"),
        (Question("A?", [Option("A", value=1.5), Option("B", value=None)]), "1", 1.5),
        (Question("A?", [str(i) for i in range(1, 30)]), "1", "1"),
        (Question("A?", ["A", "B"], other=False), "zzz" + ENTER + "2", "B"),
        (Question("Go?", kind="confirm"), "1", True),
        (Question("Go?", kind="confirm", danger=True), ENTER, False),
        (Question("Go?", kind="confirm", danger=True), "2", True),
        (Question("Agreed?", kind="consent"), ENTER, True),
        (MANY, "13" + ENTER, ["Lint", "Docs"]),
        (MANY, " " + DOWN + " " + ENTER, ["Lint", "Types"]),
        (MANY, "14" + ENTER + "ARM" + ENTER, ["Lint", "ARM"]),
        (MANY, "1ARM" + ENTER + ENTER + ENTER, ["Lint", "ARM"]),
        (MANY, ENTER + "2" + ENTER, ["Types"]),
        (MANY, "123" + ENTER + "1" + ENTER, ["Types", "Docs"]),
        (MANY, "\x01\t2" + ENTER, ["Types"]),
        (Question("A?", ["A", "B"], many=True, default=["A", "B"]), ENTER, ["A", "B"]),
        (Question("A?", ["A", "B"], many=True, min=0), ENTER, []),
        (Question("Name?"), ENTER + "exp-1" + ENTER, "exp-1"),
        (Question("Name?", default="exp"), "-2" + ENTER, "exp-2"),
        (Question("Say?", multiline=True), "a" + ENTER + "b\x1b" + ENTER, "a\nb"),
        (Question("N?", kind="integer", max=9), "42" + ENTER + "\x7f" + ENTER, 4),
        (Question("Tags?", kind="list"), "a, b" + ENTER, ["a", "b"]),
        (Question("Tags?", kind="list", default=["a, b", "c"]), ENTER, ["a, b", "c"]),
        (Question("Mail?", format="email"), "ann" + ENTER + "@example.org" + ENTER, "ann@example.org"),
        (Question("Key?", secret=True, min=3), "hu" + ENTER + "nt" + ENTER, "hunt"),
    ],
    ids=lambda value: repr(value.text if isinstance(value, Question) else value)[:24],
)
def test_every_kind_is_answered_by_keys(talk: Talk, question: Question, keys: str, value: Any) -> None:
    reply = talk(question, keys)
    assert isinstance(reply, Answered)
    assert reply.value == value


@pytest.mark.parametrize(
    ("question", "keys", "reply"),
    [
        (CHOICE, "discuss" + ENTER + "why?" + ENTER, Discussed(text="why?", via="terminal")),
        (MANY, "discuss" + ENTER + ENTER, Discussed(text="", via="terminal")),
        (CHOICE, "decline" + ENTER, Declined(via="terminal")),
        (MANY, "decline" + ENTER, Declined(via="terminal")),
        (CHOICE, "\x04", Cancelled(via="terminal")),
        (Question("Name?"), "\x04", Cancelled(via="terminal")),
        (Question("Name?"), "/decline" + ENTER, Declined(via="terminal")),
        (Question("Key?", secret=True), "/discuss why?" + ENTER, Discussed(text="why?", via="terminal")),
        (Question("N?", kind="integer"), "/cancel" + ENTER, Cancelled(via="terminal")),
        (Question("Agreed?", kind="consent"), "decline" + ENTER, Declined(via="terminal")),
        (Question("Open?", kind="consent", url="javascript:1"), ENTER, Declined(via="terminal")),
        (CHOICE, "\x03", Cancelled(by="interrupt", via="terminal")),
        (Question("Name?"), "x\x03", Cancelled(by="interrupt", via="terminal")),
    ],
    ids=lambda value: repr(value.text if isinstance(value, Question) else value)[:24],
)
def test_a_question_is_left_without_an_answer(talk: Talk, question: Question, keys: str, reply: Reply) -> None:
    assert talk(question, keys) == reply


def test_an_address_that_cannot_be_opened_has_no_row_to_agree() -> None:
    question = Question("Open?", kind="consent", url="javascript:1")
    assert [name for name, _ in rows.consent_rows(Ask(question), question)] == ["decline", "discuss"]


def test_a23_several_questions_are_answered_by_id_after_a_look_at_all_of_them(talk: Talk) -> None:
    ask = Ask([Question("Name?", id="a"), Question("Name?", id="b"), Question("Skip?", ["x"], required=False)])
    reply = talk(ask, "Ann" + ENTER + "Bo" + ENTER + "leave" + ENTER + ENTER)
    assert reply.values == {"a": "Ann", "b": "Bo"}


def test_an_answer_is_changed_from_where_it_was(talk: Talk) -> None:
    ask = Ask([Question("Name?"), CHOICE])
    reply = talk(ask, "Ann" + ENTER + "2" + DOWN + ENTER + "a" + ENTER + ENTER)
    assert reply.values == {"q1": "Anna", "q2": "Blue"}


def test_what_would_be_lost_by_cancelling_is_asked_about(talk: Talk) -> None:
    ask = Ask([Question("Name?"), CHOICE])
    assert talk(ask, "Ann" + ENTER + "\x04" + ENTER + "1" + ENTER).values == {"q1": "Ann", "q2": "Red"}
    assert talk(Ask([Question("Name?"), CHOICE]), "Ann" + ENTER + "\x04" + DOWN + ENTER).kind == "cancelled"


def test_only_the_fields_at_fault_are_asked_again(talk: Talk) -> None:
    shape = {
        "properties": {"city": {"type": "string"}, "n": {"type": "integer", "multipleOf": 6}},
        "required": ["city", "n"],
    }
    form = form_from(shape)
    ask = Ask(form.questions, message="Where to?", layout="form", form=form.finish)
    reply = talk(ask, "Rome" + ENTER + "5" + ENTER + ENTER + "\x7f6" + ENTER + ENTER)
    assert reply.values == {"city": "Rome", "n": 6}


def test_a9_a_note_goes_with_the_answer_and_own_words_need_none(talk: Talk) -> None:
    question = Question("A?", ["A", "B"], notes=True)
    (answer,) = talk(question, "1wider" + ENTER).answers.values()
    assert (answer.selected, answer.notes) == (("A",), "wider")
    (answer,) = talk(question, "2" + ENTER).answers.values()
    assert (answer.selected, answer.notes) == (("B",), None)
    (answer,) = talk(question, "3mine" + ENTER).answers.values()
    assert (answer.other, answer.notes) == ("mine", None)


@pytest.mark.parametrize(
    ("keys", "approved", "feedback"),
    [
        ("1" + ENTER, "auto", None),
        ("2careful" + ENTER, "manual", "careful"),
        ("3keep old" + ENTER, None, "keep old"),
    ],
)
def test_a_plan_is_approved_or_changed(talk: Talk, keys: str, approved: Any, feedback: Any) -> None:
    request = request_plan("1. Drop `old`")
    decision = request.result(talk(request.ask, keys))
    assert (decision.approved, decision.feedback) == (approved, feedback)


def test_c22_what_is_typed_and_ticked_is_the_draft_and_keeps_the_deadline_waiting(keyboard: PipeInput) -> None:
    now = [0.0]
    desk = Desk(Clock(steady=lambda: now[0]))
    pending = desk.open(Ask([MANY, Question("Name?"), Question("Key?", secret=True)], timeout=60))

    async def leave_it() -> None:
        keyboard.send_text("13" + ENTER + "An" + ENTER + "hunter2")
        talking = asyncio.create_task(Conversation(desk, pending).run())
        while pending.draft is None or len(pending.draft["answers"]) < 2:
            await asyncio.sleep(0.01)
        now[0] = 3.0
        remaining = pending.remaining()
        assert remaining is not None
        assert remaining >= 60
        talking.cancel()
        await asyncio.wait({talking})

    asyncio.run(asyncio.wait_for(leave_it(), 10))
    assert pending.draft is not None
    assert pending.draft["answers"] == {"q1": wire_answer(["o1", "o3"]), "q2": wire_answer(value="An")}


# Rows


def test_the_rows_say_what_is_recommended_and_described_in_printable_words() -> None:
    question = Question(
        "A?", [Option("Good (Recommended)", "Fast\x1b[2J", recommended=True), "Bad\u202e"], other_label="Mine"
    )
    assert rows.option_rows(question, wire_answer()) == [
        ("o1", "1. Good (recommended) – Fast␛[2J"),
        ("o2", "2. Bad\ufffd"),
        ("other", "3. Mine …"),
    ]
    assert rows.option_rows(question, wire_answer(other="x"))[2] == ("other", "3. Mine: x")


def test_a_preview_is_text_and_only_where_there_is_one() -> None:
    question = Question("A?", [Option("A", preview="+--+\n\x1b|"), Option("B", preview=[1, 2]), "C"])
    previews = [rows.preview_of(question, name) for name in ("o1", "o2", "o3", "other", "discuss")]
    assert previews == ["     +--+\n     ␛|", "     [1, 2]", "", "", ""]
    assert rows.turning(question)
    assert not rows.turning(CHOICE)


@pytest.mark.parametrize(
    ("low", "high", "says"),
    [
        (None, None, ""),
        (2, 2, "choose 2: "),
        (1, 2, "choose 1 to 2: "),
        (2, None, "choose at least 2: "),
        (None, 2, "choose at most 2: "),
        (0, 2, "choose at most 2: "),
    ],
)
def test_how_many_to_choose_is_said(low: Any, high: Any, says: str) -> None:
    assert rows.count(Question("A?", ["A", "B", "C"], many=True, min=low, max=high)) == says


# The front


@pytest.fixture
def asks(keyboard: PipeInput) -> Callable[..., tuple[Desk, Pending]]:
    """Show an ask with the terminal front."""

    def make(ask: Ask | Question) -> tuple[Desk, Pending]:
        desk = Desk()
        front = TerminalFront(desk, lambda prompt, secret, stopped: "2", copy_context)
        desk.observe(front.close)
        pending = desk.open(ask if isinstance(ask, Ask) else Ask(ask))
        front.show(pending)
        return desk, pending

    return make


def prompt_of(pending: Pending) -> threading.Thread | None:
    return next((thread for thread in threading.enumerate() if pending.ask.id in thread.name), None)


def test_the_front_settles_the_ask_while_a_loop_runs(keyboard: PipeInput, asks: Talk) -> None:
    """questionary's own ask() calls asyncio.run(), which a running loop refuses."""

    async def main() -> Pending:
        _, pending = asks(CHOICE)
        keyboard.send_text("2")
        assert await asyncio.to_thread(pending.wait, 10)
        return pending

    pending = asyncio.run(main())
    assert isinstance(pending.reply, Answered)
    assert (pending.reply.value, pending.reply.via) == ("Blue", "terminal")


def test_the_prompt_is_gone_when_an_ask_that_ended_elsewhere_wakes_its_asker(keyboard: PipeInput, asks: Talk) -> None:
    desk, pending = asks(CHOICE)
    keyboard.send_text("4m")
    while pending.draft is None:
        pending.wait(0.01)
    assert desk.settle(pending.ask.id, Withdrawn())
    if (thread := prompt_of(pending)) is not None:
        thread.join(5)
    assert prompt_of(pending) is None
    assert pending.draft == {"answers": {"q1": wire_answer(other="m")}, "message": None}


def test_an_ask_that_ended_just_before_its_prompt_leaves_no_loop_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    loops: list[asyncio.AbstractEventLoop] = []
    new = asyncio.new_event_loop
    monkeypatch.setattr(asyncio, "new_event_loop", lambda: loops.append(new()) or loops[-1])
    desk = Desk()
    pending = desk.open(Ask(CHOICE))
    desk.settle(pending.ask.id, Declined())
    assert TerminalFront(desk, lambda *_: pytest.fail("asked"), copy_context)._talk(pending) is None
    assert [loop.is_closed() for loop in loops] == [True]


def test_ctrl_c_interrupts_the_main_thread_and_ends_the_ask(
    keyboard: PipeInput, asks: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted = threading.Event()
    monkeypatch.setattr(terminal, "_interrupt_main_thread", interrupted.set)
    _, pending = asks(CHOICE)
    keyboard.send_text("\x03")
    assert pending.wait(10)
    assert interrupted.is_set()
    assert pending.reply is not None
    assert (pending.reply.kind, getattr(pending.reply, "by", "")) == ("cancelled", "interrupt")


def test_where_picking_fails_the_question_is_asked_as_text(
    asks: Talk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> Any:
        raise OSError("no terminal after all")

    monkeypatch.setattr("nbask.fronts.conversation.Conversation.run", fail)
    with caplog.at_level(logging.CRITICAL, "nbask"):
        _, pending = asks(CHOICE)
        assert pending.wait(10)
    assert isinstance(pending.reply, Answered)
    assert (pending.reply.value, pending.reply.via) == ("Blue", "text")
