"""From an open ask to the wire: everything a view draws."""

from __future__ import annotations

from typing import Any, cast

from nbask.desk import Pending
from nbask.kinds.consent import url_warnings
from nbask.questions import Question
from nbask.render import message_html, preview
from nbask.text import sendable
from nbask.wire import VERSION, AskWire, OpenWire, OptionWire, QuestionWire


def draw(pending: Pending, notify: bool = False) -> AskWire:
    """Everything a view needs of an ask, rendered and sanitised.

    Args:
        pending: The open ask.
        notify: Whether the person wants desktop notifications.

    Returns:
        The `ask` trait's value; times are milliseconds since the epoch.
    """
    ask = pending.ask
    drawn: AskWire = {
        "v": VERSION,
        "id": ask.id,
        "asker": {"label": ask.who, "detail": ask.asker.detail if ask.asker else None},
        "message": message_html(ask.message, ask.plain) if ask.message else None,
        "opened": int(1000 * pending.opened),
        "deadline": None if ask.timeout is None else int(1000 * (pending.opened + ask.timeout)),
        "layout": ask.layout,
        "submit": ask.submit,
        "notify": notify,
        "pausable": ask.pausable,
        "questions": [_question(question) for question in ask.questions],
    }
    return sendable(drawn)


def _question(question: Question) -> QuestionWire:
    return {
        "id": question.id,
        "kind": question.kind,
        "text": question.text,
        "header": question.header,
        "required": question.required,
        "many": question.many,
        "min": question.min,
        "max": question.max,
        "other": bool(question.other),
        "notes": bool(question.notes),
        "options": _options(question),
        "default": None if question.default is None else question.rules.write(question, question.default),
        "placeholder": question.placeholder,
        "multiline": question.multiline,
        "description": question.description,
        "format": cast("Any", question.format),
        "pattern": question.pattern,
        "secret": question.secret,
        "other_label": question.other_label,
        "danger": question.danger,
        "url": question.url,
        "warnings": [*question.warnings, *(url_warnings(question.url) if question.url is not None else [])],
    }


def open_phase(pending: Pending) -> OpenWire:
    """The phase of an open ask: its deadline as it stands now, in milliseconds since the epoch."""
    deadline, paused_until = pending.deadline, pending.paused_until
    return {
        "state": "open",
        "deadline": None if deadline is None else int(1000 * deadline),
        "paused_until": None if paused_until is None else int(1000 * paused_until),
    }


def _options(question: Question) -> list[OptionWire]:
    return [
        {
            "id": option_id,
            "label": option.shown_label,
            "description": option.description,
            "recommended": option.recommended,
            "preview": None if option.preview is None else preview(option.preview),
        }
        for option_id, option in zip(question.option_ids, question.options, strict=True)
    ]
