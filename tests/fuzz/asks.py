"""Asks of any shape, and what a person, a page or a broken page might say to them."""

from __future__ import annotations

import json
from typing import Any

from source import Source

from nbask import Ask, Option, Question, text
from nbask.kinds import KINDS, wire_answer
from nbask.questions import Asker
from nbask.reading import Refused, read_reply
from nbask.replies import Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn, fallback_of

FORMATS = (None, "email", "uri", "x")
PATTERNS = (None, "^a", r"\d{2}", "[")
BOUNDS = (None, 0, 1, 2, 3, 0.5, -1, 40)


def sendable(value: Any) -> Any:
    """What a value is once it has gone through a kernel's messages; fails where it cannot go."""
    packed = json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogateescape")
    return json.loads(packed)


def is_sentence(fault: BaseException) -> bool:
    """Whether a refusal says something, and not all it was given many times over."""
    said = str(fault)
    return bool(said.strip()) and len(said) < 200_000


def option(source: Source) -> Any:
    """A label, or an option with more to it."""
    if not source.flag():
        return source.name()
    preview = source.text() if source.flag() else None
    value = {"value": source.json(2)} if source.flag() else {}
    return Option(source.name(), source.text() or None, preview=preview, recommended=source.flag(), **value)


def question(source: Source) -> Question:
    """A question; a `ValueError` where it does not fit together."""
    kind = source.pick(("", *KINDS))
    rest: dict[str, Any] = {
        "kind": kind,
        "id": source.text() if source.rarely() else "",
        "required": not source.flag(),
        "notes": source.flag(),
        "header": source.text() if source.rarely() else None,
        "description": source.text() if source.rarely() else None,
    }
    picks = source.flag()
    if kind in ("choice", "confirm") or (not kind and picks):
        rest["options"] = source.several(lambda: option(source), 4) or (["Red", "Blue"] if kind != "confirm" else None)
        rest["many"] = kind != "confirm" and source.flag()
        rest["other"] = source.pick((None, False, True)) if kind != "confirm" else None
    if kind in ("", "text") and not picks:
        rest |= {"format": source.pick(FORMATS), "pattern": source.pick(PATTERNS), "secret": source.flag()}
        rest |= {"multiline": source.flag(), "placeholder": source.text() or None}
    if kind == "consent" and source.flag():
        rest["url"] = source.text()
    if source.flag():
        rest |= {"min": source.pick(BOUNDS), "max": source.pick(BOUNDS)}
    if source.flag():
        rest["default"] = source.json(1)
    return Question(source.name(), rest.pop("options", None), **rest)


def ask(source: Source) -> Ask:
    """An ask; a `ValueError` where it does not fit together."""
    asked = [question(source), *source.several(lambda: question(source), 2)]
    return Ask(
        asked,
        asker=Asker(source.name(), source.text() or None) if source.flag() else None,
        message=source.text() if source.flag() else None,
        plain=source.flag(),
        timeout=source.pick((None, 5.0, 60.0)),
        when_unanswered=source.pick((None, "raise", "default")),
    )


def answer(source: Source, asked: Question) -> Any:
    """One question's answer as a page sends it: mostly of the right shape."""
    picked = source.several(lambda: source.pick((*asked.option_ids, "o9")), 3) if asked.options else []
    field = source.text() if not asked.options else None
    if asked.kind == "consent":
        field = source.flag() or None
    elif asked.kind == "list":
        field = source.several(source.text, 4)
    elif asked.kind in ("integer", "number") and source.flag():
        field = str(source.number()) if source.flag() else source.pick(("1", "2.5", "+7", "1e3", ".5"))
    said = wire_answer(
        picked, source.text() if source.flag() else None, field, source.text() if source.flag() else None
    )
    return {name: source.maybe(value) for name, value in said.items()}


def reply_message(source: Source, asked: Ask) -> Any:
    """A page's reply: mostly a reply to this ask, of the right shape."""
    if source.rarely():
        return source.json()
    answers = {one.id: source.maybe(answer(source, one)) for one in asked.questions if not source.rarely()}
    message = {
        "type": "reply",
        "ask": source.maybe(asked.id),
        "action": source.maybe(source.pick(("submit", "submit", "submit", "discuss", "decline", "cancel"))),
        "answers": source.maybe(answers),
        "message": source.text() if source.flag() else None,
    }
    if source.rarely():
        message[source.text()] = source.json(1)
    return message


def reply(source: Source, asked: Ask) -> Reply:
    """How an ask ends: by what a page sends where that can be read, else in one of the other ways."""
    match source.byte() % 8:
        case 0:
            return Declined(via="card")
        case 1:
            return Discussed(text=text.sendable(source.text()).strip(), via="card")
        case 2:
            return Cancelled(by=source.pick(("person", "interrupt")))
        case 3:
            draft: Any = {"answers": {}, "message": source.text()} if source.flag() else None
            return TimedOut(draft=draft, fallback=fallback_of(asked))
        case 4:
            return source.pick((Unavailable(fallback=fallback_of(asked)), Withdrawn()))
        case _:
            try:
                return read_reply(asked, reply_message(source, asked), "card")
            except Refused:
                return Declined(via="card")
