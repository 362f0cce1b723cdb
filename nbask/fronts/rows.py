"""What a terminal's lists hold, and what is said around them: pure, and safe for a terminal to show."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nbask.fronts.text import described
from nbask.kinds import InvalidAnswer
from nbask.kinds.consent import may_open
from nbask.questions import Ask, Question
from nbask.reading import read_answer
from nbask.render import plain
from nbask.replies import words_of
from nbask.text import one_line, printable
from nbask.wire import AnswerWire

Named = tuple[str, str]
"""What a row returns, and what it shows."""

AWAY: Sequence[Named] = (("discuss", "Discuss it first"), ("decline", "Decline to answer"))
"""The rows at the end of every list: ways to leave a question without answering it."""
BACK: Sequence[Named] = (("back", "Go on answering"), ("cancel", "Cancel, and drop what was said"))


def option_rows(question: Question, said: AnswerWire) -> list[Named]:
    """The options, numbered as their digits are, and the row for own words, with those that were typed."""
    pairs = list(zip(question.option_ids, question.options, strict=True))
    if question.danger:
        pairs.reverse()  # the one that can be undone comes first
    rows = [(name, described(option)) for name, option in pairs]
    if question.other:
        rows.append(("other", f"{question.other_label or 'Other'}{f': {words}' if (words := said['other']) else ' …'}"))
    return [(name, printable(f"{number}. {title}")) for number, (name, title) in enumerate(rows, 1)]


def consent_rows(ask: Ask, question: Question) -> list[Named]:
    """To agree, where that is possible, or not to."""
    if question.url is not None and not may_open(question.url):
        return [*reversed(AWAY)]
    return [("agree", printable(ask.submit or "Agree")), *AWAY]


def review_rows(ask: Ask, said: dict[str, AnswerWire]) -> list[Named]:
    """To send, or to change one of the answers, which are all shown."""
    rows: list[Named] = [("send", ask.submit or "Send these answers")]
    for question in ask.questions:
        words = words_of_answer(question, said[question.id])
        rows.append((f"change {question.id}", f"Change: {one_line(question.text, 60)} – {words}"))
    return [(name, printable(title)) for name, title in rows]


def words_of_answer(question: Question, given: AnswerWire) -> str:
    """An answer as a person reads it; of a secret dots."""
    answer = question.rules.read(question, given)
    if answer is None:
        return "not answered"
    return one_line(words_of(question, answer), 60)


def picked(given: AnswerWire) -> list[str]:
    """The rows that an answer stands for."""
    return [*given["selected"], *(["other"] if given["other"] is not None else [])]


def options_among(question: Question, names: Collection[str]) -> list[str]:
    """The options among these rows."""
    return [name for name in question.option_ids if name in names]


def preview_of(question: Question, name: str) -> str:
    """What the option of this row would look like, set in from the list."""
    option = question.option(name)
    if option is None or option.preview is None:
        return ""
    return "\n".join(f"     {line}" for line in printable(plain(option.preview)).splitlines())


def turning(question: Question) -> str:
    """How to read on in a preview, where there is one."""
    return ", PgDn reads on" if any(option.preview is not None for option in question.options) else ""


def count(question: Question) -> str:
    """How many to choose, as the start of a sentence."""
    low, high = question.min, question.max
    if low and high:
        return f"choose {low}: " if low == high else f"choose {low} to {high}: "
    return f"choose at least {low}: " if low else f"choose at most {high}: " if high else ""


def fault_of(question: Question, given: AnswerWire) -> str | None:
    """Why an answer does not fit its question, or None where it does."""
    try:
        read_answer(question, given)
    except InvalidAnswer as fault:
        return str(fault)
    return None


def as_text(value: object) -> str:
    """A field's value as it is typed on a line."""
    return ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
