"""The receipt: the static record that takes a card's place in the cell.

It needs no kernel, no script and no style sheet: HTML with a few inline styles, one
line of plain text, and `application/vnd.nbask.reply+json` for replay. In it: who
asked, what, the answer, the note, when, how long it took and by which way. Not in
it: drafts, previews, and anything the person did not say.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, cast

from nbask.kinds import Answer
from nbask.questions import Ask, Question
from nbask.record.fingerprint import fingerprint
from nbask.render import message_html
from nbask.replies import Answered, Cancelled, Discussed, Reply, TimedOut, Unavailable, ending, words_of
from nbask.text import printable, sendable, utc
from nbask.wire import RECEIPT, HtmlWire

VERSION = 1
_EXACT = 2**53
"""Past which a front end that saves the notebook rounds a whole number."""
_BOX = (
    "border:1px solid var(--jp-border-color2,#8884);border-left-width:3px;border-radius:8px;padding:9px 14px;"
    "max-width:920px;box-sizing:border-box;font:13px/1.5 var(--jp-ui-font-family,system-ui,sans-serif);"
    "overflow-wrap:anywhere"
)
_QUIET = "font-size:12px;opacity:.75"
_SAID = "font-weight:600;white-space:pre-wrap"
_CELL = "border:0;padding:1px 0;text-align:left;vertical-align:top"


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
        "text/plain": printable("; ".join(f"{question.text} → {_said(question, reply)}" for question in ask.questions)),
        RECEIPT: sendable(_record(ask, reply, ended)),
    }


def receipt_html(ask: Ask, reply: Reply, ended: float) -> HtmlWire:
    """The receipt's HTML alone; what in it is not nbask's own is escaped, or sanitised by the renderer."""
    several = len(ask.questions) > 1
    parts = [_heading(ask), *(_several(ask, reply) if several else _single(ask.questions[0], reply))]
    if ask.message and ask.layout == "tabs":
        parts.append(_folded("What was said above it", message_html(ask.message, ask.plain)["html"]))
    facts = " · ".join(filter(None, [*_how(reply), _date(ended)]))
    parts.append(f'<div style="{_QUIET}">{_bdi(facts)}</div>')
    html = f'<div class="nbask-receipt nbask-{escape(ask.id)}" style="{_BOX}">{"".join(parts)}</div>'
    return {"kind": "html", "html": sendable(html)}


def duration(seconds: float) -> str:
    """Seconds as `m:ss`, or `h:mm:ss` from an hour on.

    Example:
        >>> duration(42.6), duration(3725)
        ('0:42', '1:02:05')
    """
    minutes, rest = divmod(int(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _heading(ask: Ask) -> str:
    if ask.layout == "form" and ask.message:
        asked = _bdi(ask.message)
    elif len(ask.questions) == 1:
        asked = _bdi(ask.questions[0].text)
    else:
        asked = f"{len(ask.questions)} questions"
    return f'<div style="{_QUIET}">{_bdi(ask.who)} asked: {asked}</div>'


def _single(question: Question, reply: Reply) -> list[str]:
    answer = _answer(question, reply)
    parts = [f'<div style="{_SAID}">{_bdi(_capital(_said(question, reply), question, reply))}</div>']
    if question.url is not None:
        parts.append(f'<div style="{_QUIET}">{_bdi(question.url)}</div>')
    if answer is not None and answer.notes:
        parts.append(f'<div style="{_QUIET}">Note: {_bdi(answer.notes)}</div>')
    left = [option.label for option in question.options if answer is None or option.label not in answer.selected]
    if left:
        items = "".join(f"<li>{_bdi(label)}</li>" for label in left)
        parts.append(
            _folded(f"{len(left)} option{'s' * (len(left) > 1)} not chosen", f'<ul style="margin:0">{items}</ul>')
        )
    return parts


def _several(ask: Ask, reply: Reply) -> list[str]:
    defaulted = isinstance(reply, Unavailable | TimedOut) and bool(reply.fallback)
    if not isinstance(reply, Answered) and not defaulted:
        items = "".join(f"<li>{_bdi(question.text)}</li>" for question in ask.questions)
        ended = f'<div style="{_SAID}">{_bdi(_sentence(ending(reply)))}</div>'
        return [ended, _folded("The questions", f'<ul style="margin:0">{items}</ul>')]
    lead = f'<div style="{_SAID}">{_bdi(_sentence(ending(reply)))}; the defaults were used</div>' if defaulted else ""
    rows = "".join(_pair(question, reply) for question in ask.questions)
    return [f'{lead}<table style="border-collapse:collapse;margin:2px 0">{rows}</table>']


def _pair(question: Question, reply: Reply) -> str:
    answer = _answer(question, reply)
    fallback = reply.fallback if isinstance(reply, Unavailable | TimedOut) else None
    answer = answer or (fallback or {}).get(question.id)
    words = "not answered" if answer is None else words_of(question, answer)
    note = f'<div style="{_QUIET}">Note: {_bdi(answer.notes)}</div>' if answer is not None and answer.notes else ""
    asked = f'<td style="{_QUIET};{_CELL};padding-right:14px">{_bdi(question.text)}</td>'
    # Notebooks stripe tables, which this one is not.
    said = f'<td style="{_CELL}"><div style="{_SAID}">{_bdi(words)}</div>{note}</td>'
    return f'<tr style="background:none">{asked}{said}</tr>'


def _folded(summary: str, html: str) -> str:
    return f'<details style="{_QUIET}"><summary style="display:list-item">{escape(summary)}</summary>{html}</details>'


def _capital(said: str, question: Question, reply: Reply) -> str:
    # What the person said is shown as they said it; a sentence of ours begins like one.
    return said if _answer(question, reply) is not None else _sentence(said)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _answer(question: Question, reply: Reply) -> Answer | None:
    return reply.answers.get(question.id) if isinstance(reply, Answered) else None


def _said(question: Question, reply: Reply) -> str:
    if isinstance(reply, Answered):
        answer = reply.answers.get(question.id)
        return words_of(question, answer) if answer is not None else "not answered"
    if isinstance(reply, Unavailable | TimedOut) and reply.fallback and question.id in reply.fallback:
        return f"{ending(reply)}; the default was used: {reply.fallback[question.id].words}"
    return ending(reply)


def _how(reply: Reply) -> tuple[str, str]:
    if reply.via == "replay":  # nobody took any time for it
        return "replayed from recorded answers", ""
    verb = {"answered": "answered in", "unavailable": ""}.get(reply.kind, "ended after")
    return f"{verb} {duration(reply.elapsed)}" if verb else "", f"via {reply.via}" if reply.via else ""


def _bdi(text: str) -> str:
    # The asker's script must not decide the direction of the question's.
    return f'<bdi dir="auto">{escape(text)}</bdi>'


def _date(moment: float) -> str:
    local = time.localtime(moment)
    return f"{local.tm_mday} {time.strftime('%b %Y, %H:%M', local)}"


def _record(ask: Ask, reply: Reply, ended: float) -> dict[str, Any]:
    answers: Mapping[str, Answer] = reply.answers if isinstance(reply, Answered) else {}
    defaults = reply.fallback if isinstance(reply, Unavailable | TimedOut) else None
    return {
        "v": VERSION,
        "ask": ask.id,
        "fingerprint": fingerprint(ask),
        "kind": reply.kind,
        "by": reply.by if isinstance(reply, Cancelled) else None,
        "via": reply.via,
        "at": utc(ended),
        "seconds": round(reply.elapsed, 3),
        "asker": ask.who,
        "text": reply.text if isinstance(reply, Discussed) else None,
        "questions": list(_recorded(ask.questions, answers)),
        "defaults": None if defaults is None else {name: _spoken(answer) for name, answer in defaults.items()},
    }


def _recorded(questions: Iterable[Question], answers: Mapping[str, Answer]) -> Iterable[dict[str, Any]]:
    for question in questions:
        answer = answers.get(question.id)
        asked = {"id": question.id, "kind": question.kind, "text": question.text}
        if question.secret and answer is not None and not answer.is_note_alone:
            yield {**asked, "answer": None, "secret": True}
        else:
            yield {**asked, "answer": None if question.secret else _spoken(answer)}


def _spoken(answer: Answer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    # An option's `value` may be any object; only what the person said is recorded.
    picked = bool(answer.selected) or answer.other is not None
    words = None if picked else _json(answer.value)
    return {"selected": list(answer.selected), "other": answer.other, "value": words, "notes": answer.notes}


def _json(value: Any) -> Any:
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, int) and abs(value) > _EXACT:
        return str(value)
    return value if isinstance(value, str | int | float) or _is_texts(value) else None


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and value != [] and all(isinstance(one, str) for one in cast("list[Any]", value))
