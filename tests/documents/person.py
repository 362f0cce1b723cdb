"""A person who answers everything: the first option, or what fits the field. Runs in notebooks' kernels too."""

from __future__ import annotations

from typing import Any

from nbask import Ask, Question

FIELDS = {
    "number": 2.5,
    "date": "2026-03-01",
    "datetime": "2026-03-01T14:30",
    "list": ["one", "two"],
    "consent": True,
}
TEXTS = {"email": "ann@example.org", "uri": "https://example.org/"}


def first(question: Question) -> Any:
    """An answer that fits this question."""
    if question.options:
        pick = question.options[0].label
        return [pick] if question.many else pick
    if question.kind == "integer":
        return int(question.min or 1)
    if question.kind == "text":
        return TEXTS.get(question.format or "", "ab-12" if question.pattern else "exp-1")
    return FIELDS[question.kind]


def willing(ask: Ask) -> dict[str, Any]:
    """Answers to all questions of an ask."""
    return {question.id: first(question) for question in ask.questions}
