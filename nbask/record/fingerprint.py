"""What makes two asks the same question, and which of the times it was asked this one is."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter

from nbask.questions import Ask, Question


def fingerprint(ask: Ask) -> str:
    """A short text that is the same for the same question, in any run and any kernel.

    In it: the message (a plan, a form's question), and of each question its id, kind, text, address,
    option labels, and whether it takes several. The labels count in any order, since options often come
    from a set; only a confirm's order has a meaning. Not in it: what does not change what is asked (the
    asker, descriptions, previews, the default, the deadline), and what only limits the answer (bounds,
    patterns), since an answer is checked against those anyway when it is replayed.

    Example:
        >>> one, two = (Ask(Question("Red or blue?", ["Red", "Blue"]), asker=name) for name in ("Ann", "Bob"))
        >>> fingerprint(one) == fingerprint(two), fingerprint(one) == fingerprint(Ask(Question("Red?")))
        (True, False)
    """
    asked = [ask.message or "", *(_asked(question) for question in ask.questions)]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]


def _asked(question: Question) -> list[object]:
    labels = [option.label for option in question.options]
    if question.kind != "confirm":
        labels.sort()
    return [question.id, question.kind, question.many, question.text, question.url, labels]


class Occurrences:
    """Numbers the times each question is asked, from 1; from any thread."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def next(self, mark: str) -> int:
        """The number of the time the question with this fingerprint is asked now."""
        with self._lock:
            self._asked[mark] += 1
            return self._asked[mark]

    def give_back(self, mark: str, number: int) -> None:
        """That time does not count; nothing changes where the question was asked again since."""
        with self._lock:
            if self._asked[mark] == number:
                self._asked[mark] -= 1
