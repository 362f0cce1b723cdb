"""The receipt: the static record that takes a card's place in the cell.

It needs no kernel, no script and no style sheet: HTML with a few inline styles, one
line of plain text, and `application/vnd.nbask.reply+json` for replay. In it: who
asked, what, the answer, the note, when, how long it took and by which way. Not in
it: drafts, previews, and anything the person did not say.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from html import escape
from typing import Any

from nbask.kinds import Answer
from nbask.questions import Ask, Question
from nbask.replies import Answered, Discussed, Reply, TimedOut, Unavailable, ending
from nbask.wire import HtmlWire

MIME = "application/vnd.nbask.reply+json"
VERSION = 1
_BOX = (
    "border:1px solid var(--jp-border-color2,#8884);border-left-width:3px;border-radius:8px;padding:9px 14px;"
    "max-width:920px;box-sizing:border-box;font:13px/1.5 var(--jp-ui-font-family,system-ui,sans-serif);"
    "overflow-wrap:anywhere"
)
_QUIET = "font-size:12px;opacity:.75"
_SAID = "font-weight:600;white-space:pre-wrap"


def receipt(ask: Ask, reply: Reply, ended: float) -> dict[str, Any]:
    """The receipt as a MIME bundle.

    Args:
        ask: What was asked.
        reply: How it ended.
        ended: When, in seconds since the epoch.

    Returns:
        `text/html`, `text/plain` and `application/vnd.nbask.reply+json`.

    Example:
        >>> from nbask.replies import Declined
        >>> receipt(Ask(Question("Red or blue?", ["Red", "Blue"])), Declined(via="card"), 0.0)["text/plain"]
        'Red or blue? → the person declined to answer'
    """
    return {
        "text/html": receipt_html(ask, reply, ended)["html"],
        "text/plain": "; ".join(f"{question.text} → {_said(question, reply)}" for question in ask.questions),
        MIME: _record(ask, reply, ended),
    }


def receipt_html(ask: Ask, reply: Reply, ended: float) -> HtmlWire:
    """The receipt's HTML alone; everything in it that is not nbask's own is escaped."""
    rows = "".join(_row(ask, question, reply) for question in ask.questions)
    facts = _line(" · ".join(filter(None, [_how(reply), f"via {reply.via}" if reply.via else "", _date(ended)])))
    html = f'<div class="nbask-receipt nbask-{escape(ask.id)}" style="{_BOX}">{rows}{facts}</div>'
    return {"kind": "html", "html": html}


def duration(seconds: float) -> str:
    """Seconds as `m:ss`, or `h:mm:ss` from an hour on.

    Example:
        >>> duration(42.6), duration(3725)
        ('0:42', '1:02:05')
    """
    minutes, rest = divmod(int(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _row(ask: Ask, question: Question, reply: Reply) -> str:
    answer = _answer(question, reply)
    parts = [
        f'<div style="{_QUIET}">{_bdi(ask.who)} asked: {_bdi(question.text)}</div>',
        f'<div dir="auto" style="{_SAID}">{escape(_said(question, reply))}</div>',
    ]
    if answer is not None and answer.notes:
        parts.append(_line(f"Note: {answer.notes}"))
    left = [option.label for option in question.options if answer is None or option.label not in answer.selected]
    if left:
        items = "".join(f'<li dir="auto">{escape(label)}</li>' for label in left)
        count = f"{len(left)} option{'s' * (len(left) > 1)} not chosen"
        parts.append(f'<details style="{_QUIET}"><summary>{count}</summary><ul style="margin:0">{items}</ul></details>')
    return "".join(parts)


def _answer(question: Question, reply: Reply) -> Answer | None:
    return reply.answers.get(question.id) if isinstance(reply, Answered) else None


def _said(question: Question, reply: Reply) -> str:
    if isinstance(reply, Answered):
        answer = reply.answers.get(question.id)
        return answer.words if answer is not None else "not answered"
    if isinstance(reply, Unavailable | TimedOut) and reply.fallback and question.id in reply.fallback:
        return f"{ending(reply)}; the default was used: {reply.fallback[question.id].words}"
    return ending(reply)


def _how(reply: Reply) -> str:
    verb = {"answered": "answered in", "unavailable": ""}.get(reply.kind, "ended after")
    return f"{verb} {duration(reply.elapsed)}" if verb else ""


def _line(text: str) -> str:
    return f'<div dir="auto" style="{_QUIET}">{escape(text)}</div>'


def _bdi(text: str) -> str:
    # The asker's script must not decide the direction of the question's.
    return f'<bdi dir="auto">{escape(text)}</bdi>'


def _date(moment: float) -> str:
    local = time.localtime(moment)
    return f"{local.tm_mday} {time.strftime('%b %Y, %H:%M', local)}"


def _record(ask: Ask, reply: Reply, ended: float) -> dict[str, Any]:
    answers = reply.answers if isinstance(reply, Answered) else {}
    defaults = reply.fallback if isinstance(reply, Unavailable | TimedOut) else None
    return {
        "v": VERSION,
        "kind": reply.kind,
        "via": reply.via,
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ended)),
        "seconds": round(reply.elapsed, 3),
        "asker": ask.who,
        "text": reply.text if isinstance(reply, Discussed) else None,
        "questions": list(_recorded(ask.questions, answers)),
        "defaults": None if defaults is None else {name: _spoken(answer) for name, answer in defaults.items()},
    }


def _recorded(questions: Iterable[Question], answers: Any) -> Iterable[dict[str, Any]]:
    for question in questions:
        answer: Answer | None = answers.get(question.id)
        yield {"id": question.id, "kind": question.kind, "text": question.text, "answer": _spoken(answer)}


def _spoken(answer: Answer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    # An option's `value` may be any object; only what the person said is recorded.
    words = answer.value if isinstance(answer.value, str) and not answer.selected and answer.other is None else None
    return {"selected": list(answer.selected), "other": answer.other, "value": words, "notes": answer.notes}
