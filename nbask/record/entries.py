"""One recorded reply: how it is written down, and how it is read back against the question it answers."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

from typing_extensions import NotRequired, TypedDict

from nbask.kinds import Answer, wire_answer
from nbask.questions import Ask, Question
from nbask.reading import Refused, read_answers
from nbask.replies import (
    Answered,
    Cancelled,
    Declined,
    Discussed,
    Reply,
    TimedOut,
    Unavailable,
    Withdrawn,
    fallback_of,
)
from nbask.text import one_line, sendable
from nbask.wire import AnswerWire, DraftWire

VIA = "replay"


class SaidEntry(TypedDict, total=False):
    """What was said to one question: labels, not ids, so that a person can read and edit it."""

    selected: list[str]
    other: str
    value: Any
    notes: str


class QuestionEntry(TypedDict):
    id: str
    kind: str
    text: str
    options: NotRequired[list[str]]
    answer: NotRequired[SaidEntry]
    draft: NotRequired[SaidEntry]
    secret: NotRequired[bool]


class Entry(TypedDict):
    """One reply. `fingerprint` and `occurrence` find it; the question is there for the person who reads the file."""

    fingerprint: str
    occurrence: int
    message: NotRequired[str]
    reply: str
    text: NotRequired[str]
    questions: list[QuestionEntry]


class NotReplayed(ValueError):
    """A recorded reply cannot be used; the message says why, after the file's name.

    `fault` says whether something is wrong with the record, and not merely missing.
    """

    def __init__(self, message: str, fault: bool = True) -> None:
        self.fault = fault
        super().__init__(message)


def is_kept(reply: Reply) -> bool:
    """Whether a reply is worth recording: whatever a person did about the question, and a deadline that passed.

    An :class:`~nbask.replies.Unavailable` tells of the place and not of the person, so that it would
    silence the question where somebody is there; a :class:`~nbask.replies.Withdrawn` and an interrupt
    tell of the run, which withdraws or is interrupted again, or is not.
    """
    interrupted = isinstance(reply, Cancelled) and reply.by == "interrupt"
    return not interrupted and not isinstance(reply, Unavailable | Withdrawn)


def entry_of(ask: Ask, reply: Reply, mark: str, number: int) -> Entry:
    """Write a reply down. Secrets are left out, as is an option's `value`: only what the person said is kept.

    Args:
        ask: What was asked.
        reply: How it ended.
        mark: The ask's fingerprint.
        number: Which of the times it was asked this was.
    """
    entry: Entry = {"fingerprint": mark, "occurrence": number, "reply": reply.kind, "questions": []}
    if ask.message:
        entry["message"] = ask.message
    if text := _text(reply):
        entry["text"] = text
    entry["questions"] = [_question_entry(question, reply) for question in ask.questions]
    return entry


def reply_of(ask: Ask, entry: Entry) -> Reply:
    """Read a reply back. What was recorded is input like a front's: it must fit the question as it is now.

    An answered ask whose secret was left out is asked again, whole. What a timed out ask falls back on
    are its asker's own defaults of today.

    Args:
        ask: What is asked.
        entry: What was recorded for it.

    Raises:
        NotReplayed: It does not fit, or its secret is not there.
    """
    match entry["reply"]:
        case "answered":
            return Answered(answers=_answers(ask, entry), via=VIA)
        case "discussed":
            return Discussed(text=entry.get("text", ""), via=VIA)
        case "declined":
            return Declined(via=VIA)
        case "cancelled":
            return Cancelled(via=VIA)
        case _:
            return TimedOut(draft=_draft(ask, entry), fallback=fallback_of(ask), via=VIA)


def _text(reply: Reply) -> str | None:
    if isinstance(reply, TimedOut) and reply.draft is not None:
        return reply.draft["message"]
    return reply.text if isinstance(reply, Discussed) else None


def _question_entry(question: Question, reply: Reply) -> QuestionEntry:
    entry: QuestionEntry = {"id": question.id, "kind": question.kind, "text": question.text}
    if question.options:
        entry["options"] = [option.label for option in question.options]
    answer = reply.answers.get(question.id) if isinstance(reply, Answered) else None
    draft = reply.draft["answers"].get(question.id) if isinstance(reply, TimedOut) and reply.draft else None
    if answer is not None and question.secret:
        entry["secret"] = True
    elif answer is not None:
        entry["answer"] = _said(question, answer)
    elif draft is not None and not question.secret:
        entry["draft"] = _drafted(question, draft)
    return entry


def _said(question: Question, answer: Answer) -> SaidEntry:
    said: SaidEntry = {}
    if answer.is_note_alone:
        pass
    elif answer.selected or answer.other is not None:
        said["selected"] = list(answer.selected)
        if answer.other is not None:
            said["other"] = answer.other
    elif isinstance(answer.value, dt.date):
        said["value"] = answer.value.isoformat()  # with its offset, which a field has no room for
    else:
        said = _written(question, question.rules.write(question, answer.value))
    if answer.notes is not None:
        said["notes"] = answer.notes
    return said


def _written(question: Question, wire: AnswerWire) -> SaidEntry:
    if not question.options:
        return {"value": wire["value"]}
    labels = dict(zip(question.option_ids, (option.label for option in question.options), strict=True))
    said: SaidEntry = {"selected": [labels[one] for one in wire["selected"] if one in labels]}
    if wire["other"] is not None:
        said["other"] = wire["other"]
    return said


def _drafted(question: Question, wire: AnswerWire) -> SaidEntry:
    said: SaidEntry = _written(question, wire) if question.options or _is_writable(wire["value"]) else {}
    if wire["notes"] is not None:
        said["notes"] = wire["notes"]
    return said


def _is_writable(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, str) for one in cast("list[object]", value))
    return isinstance(value, str | bool)


def _answers(ask: Ask, entry: Entry) -> dict[str, Answer]:
    given: dict[str, AnswerWire] = {}
    recorded = {one["id"]: one for one in entry["questions"]}
    for question in ask.questions:
        one = recorded.get(question.id)
        if one is not None and "answer" in one:
            given[question.id] = _wire(ask, question, one["answer"])
        elif question.secret and (question.required or (one or {}).get("secret")):
            raise NotReplayed("keeps no secrets, and its answer is one", fault=False)
    try:
        return read_answers(ask, given)
    except Refused as refused:
        raise NotReplayed(_unfit(ask, " ".join(refused.errors.values()) or str(refused))) from None


def _draft(ask: Ask, entry: Entry) -> DraftWire | None:
    recorded = {one["id"]: one["draft"] for one in entry["questions"] if "draft" in one}
    answers = {
        question.id: _wire(ask, question, recorded[question.id])
        for question in ask.questions
        if question.id in recorded
    }
    text = entry.get("text")
    return {"answers": answers, "message": text} if answers or text else None


def _wire(ask: Ask, question: Question, said: SaidEntry) -> AnswerWire:
    # A receipt has a label as a message can carry it.
    ids = {sendable(option.label): name for name, option in zip(question.option_ids, question.options, strict=True)}
    selected = sendable(said.get("selected", []))
    if (stray := next((label for label in selected if label not in ids), None)) is not None:
        raise NotReplayed(_unfit(ask, f"There is no option {one_line(stray)!r}."))
    value = said.get("value")
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)  # as a person writes it who edits the file; the wire has it as it was typed
    return wire_answer([ids[label] for label in selected], said.get("other"), value, said.get("notes"))


def _unfit(ask: Ask, why: str) -> str:
    return f"has an answer to {one_line(ask.quoted)} that no longer fits: {why}"
