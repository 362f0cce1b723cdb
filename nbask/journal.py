"""The decision log: every question that ended in this kernel, each record chained to the one before it.

A record's `hash` is the SHA-256 of its other fields and of the hash before it, so that
an edit shows (:func:`verify`). The chain has no key: whoever can rewrite the whole log
can also compute it anew, unless its last hash was noted somewhere else.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from nbask.desk import Pending
from nbask.kinds import Answer
from nbask.questions import Question
from nbask.replies import Answered, Reply, TimedOut, Unavailable, ending, words_of
from nbask.text import utc

__all__ = ["Broken", "verify"]

COLUMNS = (
    *("number", "at", "asker", "message", "question", "answer", "note", "default"),
    *("kind", "ended", "via", "seconds", "cell", "hash"),
)
"""What a record says; every field is there in every record, and text is empty where there is none."""


class Broken(ValueError):
    """A log was edited; the message says which record shows it, and `place` where in the log that is (from 1)."""

    def __init__(self, place: int, message: str) -> None:
        self.place = place
        super().__init__(message)


class Journal:
    """Records of what ended; an ask adds one record a question, at a cost that does not grow with the log."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: list[dict[str, Any]] = []
        self._last = ""

    def note(self, pending: Pending) -> None:
        """Take in an ask that has ended; the desk's observer."""
        drafts = list(_drafts(pending))
        with self._lock:
            for draft in drafts:
                record = {"number": len(self._records) + 1, **draft}
                self._last = record["hash"] = _hash(record, self._last)
                self._records.append(record)

    def records(self) -> list[dict[str, Any]]:
        """A copy of every record, in the order the asks ended."""
        with self._lock:
            return [dict(record) for record in self._records]


def verify(records: Iterable[Mapping[str, Any]], last: str | None = None) -> None:
    """Check that records are as they were written: none changed, removed, inserted or moved.

    Args:
        records: All records of one log, as `nbask.decisions("records")` gave them.
        last: The last record's hash, where it was noted somewhere else. Without it nothing shows that
            records are missing from the end, or were added there by someone who computed their hashes.

    Raises:
        Broken: They are not; the message names the first record that shows it.

    Example:
        >>> from nbask import decisions
        >>> verify(decisions("records"))
    """
    before = ""
    place = 0
    for place, record in enumerate(records, 1):
        _check(place, record, before)
        before = record["hash"]
    if last is not None and last != before:
        raise Broken(
            place, f"the log ends with record {place}, whose hash is not {last!r}; its end was cut or added to"
        )


def _check(place: int, given: Any, before: str) -> None:
    record: Mapping[str, Any] = cast("Mapping[str, Any]", given) if isinstance(given, Mapping) else {}
    if not isinstance(record.get("hash"), str):
        raise Broken(place, f"record {place} is no record of a decision: it has no hash")
    if record["hash"] == _hash(record, before):
        return
    number = record.get("number")
    if isinstance(number, int) and number > place:
        raise Broken(place, f"record {place} is missing: record {number} stands in its place")
    if isinstance(number, int) and number < place:
        raise Broken(place, f"record {number} stands where record {place} belongs; it was inserted or moved")
    raise Broken(place, f"record {place} was changed")


def _hash(record: Mapping[str, Any], before: str) -> str:
    fields = {str(name): value for name, value in record.items() if name != "hash"}
    canonical = json.dumps(fields, sort_keys=True, separators=(",", ":"), default=repr)
    return hashlib.sha256(f"{canonical}{before}".encode()).hexdigest()


def _drafts(pending: Pending) -> Iterator[dict[str, Any]]:
    """The ask's records, without what their place in the log adds."""
    ask, reply = pending.ask, pending.reply
    assert reply is not None  # it has ended
    for question in ask.questions:
        answer = _of(question, reply.answers if isinstance(reply, Answered) else None)
        default = _of(question, reply.fallback if isinstance(reply, Unavailable | TimedOut) else None)
        yield {
            "at": utc(pending.opened + reply.elapsed),
            "asker": ask.who,
            "message": ask.message or "",
            "question": question.text,
            "answer": _words(question, answer),
            "note": "" if answer is None or question.secret else answer.notes or "",
            "default": _words(question, default),
            "kind": reply.kind,
            "ended": _ended(reply, answer),
            "via": reply.via,
            "seconds": round(reply.elapsed, 3),
            "cell": pending.origin or "",
        }


def _of(question: Question, answers: Mapping[str, Answer] | None) -> Answer | None:
    return None if answers is None else answers.get(question.id)


def _words(question: Question, answer: Answer | None) -> str:
    return "" if answer is None or answer.is_note_alone else words_of(question, answer)


def _ended(reply: Reply, answer: Answer | None) -> str:
    left = isinstance(reply, Answered) and (answer is None or answer.is_note_alone)
    return "the person left it unanswered" if left else ending(reply)
