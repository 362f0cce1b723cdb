"""What a page sends about a card: a reply that fits the ask, or a refusal and a card that is still open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any
from unittest.mock import patch

import asks
from asks import is_sentence, sendable
from pydantic import ConfigDict, TypeAdapter, with_config
from source import Source

from nbask import Ask
from nbask.desk import Desk, Pending
from nbask.fronts import built
from nbask.fronts.card import Card, CardFront
from nbask.fronts.drawing import draw
from nbask.questions import Question
from nbask.reading import read_draft
from nbask.receipts import receipt
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply
from nbask.testing import FakeClock
from nbask.waiting.plain import Plain
from nbask.wire import RECEIPT, AskWire, EndedWire, OpenWire, RefusedWire

_STRICT = ConfigDict(extra="forbid", strict=True)
ASK: TypeAdapter[Any] = TypeAdapter(with_config(_STRICT)(AskWire))
REFUSED: TypeAdapter[Any] = TypeAdapter(with_config(_STRICT)(RefusedWire))
PHASES: tuple[TypeAdapter[Any], ...] = tuple(TypeAdapter(with_config(_STRICT)(one)) for one in (OpenWire, EndedWire))


class Page(Plain):
    """A kernel with one card: what a page says reaches it, and what it is told is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers: dict[str, Any] = {}
        self.told: list[Any] = []

    def adopt(self, comm_id: str, handle: Any) -> None:
        self.handlers[comm_id] = handle

    def release(self, comm_id: str) -> None:
        self.handlers.pop(comm_id, None)

    def say(self, data: Any) -> None:
        for handler in list(self.handlers.values()):
            handler({"content": {"data": data}, "buffers": []})


@contextmanager
def page() -> Iterator[Page]:
    """A page, with nothing built and nothing sent anywhere."""
    made = Page()
    with (
        patch.object(built, "text", lambda name: f"/* nbask 0123abcd */ {name}"),
        patch.object(Card, "send", lambda _card, content, _buffers=None: made.told.append(content)),
    ):
        yield made


def attack(data: bytes) -> None:
    source = Source(data)
    try:
        ask = asks.ask(source)
    except ValueError as fault:
        assert is_sentence(fault), fault
        return
    desk = Desk(FakeClock(1000))
    with page() as shown:
        front = CardFront(desk, shown, copy_context, show=lambda bundle, _id, _update: sendable(bundle))
        desk.observe(front.close)
        pending = desk.open(ask)
        drawn: Any = draw(pending)
        assert ASK.validate_python(sendable(drawn)) == drawn
        front.show(pending)
        for _ in range(6):
            _say(source, shown, desk, pending)
        desk.withdraw(ask.id)
        front.drop(pending)
        assert not shown.handlers
        assert pending.reply is not None
        assert not desk.snapshot()


def _say(source: Source, shown: Page, desk: Desk, pending: Pending) -> None:
    """One thing that a page says, and what must hold after it."""
    before, told = pending.reply, len(shown.told)
    message = _message(source, pending.ask)
    shown.say(message)
    is_open = pending.reply is None
    assert desk.snapshot() == ((pending,) if is_open else ())
    assert before is None or pending.reply is before, "an ask that had ended was settled again"
    for content in shown.told[told:]:
        sendable(content)
        if content["type"] == "refused":
            REFUSED.validate_python(content)
            assert pending.reply is before
            assert content["message"].strip()
            assert content["ask"] == pending.ask.id
            assert set(content["errors"]) <= {"", *(one.id for one in pending.ask.questions)}
    _check_draft(pending)
    if pending.reply is not None and before is None:
        _check_reply(pending.ask, pending.reply)


def _message(source: Source, ask: Ask) -> Any:
    match source.byte() % 8:
        case 0:
            return {"method": "custom", "content": source.json()}
        case 1:
            kind = source.pick(("attached", "detached", "typing", "code", "x"))
            return {"method": "custom", "content": {"type": kind, "view": source.maybe("v")}}
        case 2:
            draft = {"answers": {one.id: asks.answer(source, one) for one in ask.questions}, "message": source.text()}
            return {"method": "update", "state": {"draft": source.maybe(draft), source.text(): source.json(1)}}
        case 3:
            names = source.pick(("ask", "phase", "draft", "_esm", "comm", "layout"))
            return {"method": "update", "state": {names: source.json(2)}}
        case 4:
            return {"method": source.pick(("request_state", "x", ""))}
        case _:
            return {"method": "custom", "content": asks.reply_message(source, ask)}


def _check_draft(pending: Pending) -> None:
    if pending.draft is not None:
        assert read_draft(pending.draft) == pending.draft
        secrets = {one.id for one in pending.ask.questions if one.secret}
        assert not secrets & set(pending.draft["answers"])


def _check_reply(ask: Ask, reply: Reply) -> None:
    assert isinstance(reply, Answered | Discussed | Declined | Cancelled)
    assert reply.via == "card"
    if isinstance(reply, Answered):
        check_answers(ask, reply)
    bundle = sendable(receipt(ask, reply, 0.0))
    assert set(bundle) == {"text/html", "text/plain", RECEIPT}
    for question in ask.questions:
        answer = reply.answers.get(question.id) if isinstance(reply, Answered) else None
        if question.secret and answer is not None and len(answer.words) > 8 and answer.words not in str(ask):
            assert answer.words not in str(bundle), "a secret is in the receipt"


def check_answers(ask: Ask, reply: Answered) -> None:
    """What is read as an answer fits what was asked."""
    asked = {question.id: question for question in ask.questions}
    assert set(reply.answers) <= set(asked)
    assert reply.answers or ask.form
    for name, question in asked.items():
        answer = reply.answers.get(name)
        if answer is None or answer.is_note_alone:
            assert not question.required
            continue
        assert answer.notes is None or question.notes
        _check_answer(question, answer)


def _check_answer(question: Question, answer: Any) -> None:
    labels = [option.label for option in question.options]
    assert set(answer.selected) <= set(labels)
    assert answer.other is None or question.other
    if question.options:
        count = len(answer.selected) + (answer.other is not None)
        assert question.many or count == 1
        if question.many:
            assert isinstance(answer.value, list)
            assert count == len(answer.value)
            assert is_within(question, count)
    elif question.kind in ("number", "integer"):
        assert is_within(question, answer.value)
    elif question.kind in ("text", "list"):
        assert is_within(question, len(answer.value))


def is_within(question: Question, amount: float) -> bool:
    """Whether a number, or a count, keeps to the question's bounds."""
    low, high = question.min, question.max
    return (low is None or amount >= low) and (high is None or amount <= high)
