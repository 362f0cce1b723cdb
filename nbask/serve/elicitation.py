"""Asking through the calling client, where the notebook can show nothing: an ask as a form of MCP's, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nbask.kinds import InvalidAnswer
from nbask.questions import Ask, Question
from nbask.reading import Refused, read_answers
from nbask.replies import Answered, Cancelled, Declined, Reply, Unavailable
from nbask.text import has_words

VIA = "elicitation"
TOO_FAST = 0.3
"""Seconds: what refuses sooner is no person."""
_OTHER = "_in_other_words"


def form_of(ask: Ask) -> dict[str, Any]:
    """The flat schema that asks the same.

    Example:
        >>> from nbask.questions import Question
        >>> form_of(Ask(Question("Red?", ["Red", "Blue"], other=False)))["properties"]["q1"]["enum"]
        ['Red', 'Blue']
    """
    properties: dict[str, Any] = {}
    required: list[str] = []
    for question in ask.questions:
        properties[question.id] = {"title": question.text, **_shape(question)}
        if question.other:
            properties[question.id + _OTHER] = {"type": "string", "title": question.other_label or "In other words"}
        elif question.required:
            required.append(question.id)
    return {"type": "object", "properties": properties, "required": required}


def _shape(question: Question) -> dict[str, Any]:
    labels = [option.label for option in question.options]
    if question.kind == "confirm":
        return {"type": "boolean"}
    if question.kind != "choice":
        return {"type": "string", "minLength": 1}
    if not question.many:
        return {"type": "string", "enum": labels}
    most = {} if question.max is None else {"maxItems": question.max}
    least = 0 if question.other or not question.required else question.min or 1
    return {"type": "array", "items": {"type": "string", "enum": labels}, "minItems": least, **most}


def words_of(ask: Ask) -> str:
    """What is asked, for above the form: the message, and what the options mean."""
    lines = [] if ask.message is None else [ask.message]
    for question in ask.questions:
        lines += [question.text] if ask.layout != "form" else []
        lines += [f"- {option.label}: {option.description}" for option in question.options if option.description]
    return "\n".join(lines)


def reply_of(ask: Ask, action: str, content: Mapping[str, Any] | None, elapsed: float) -> Reply:
    """What the client's answer means; what does not fit the form is no answer.

    Args:
        ask: What was asked.
        action: `accept`, `decline` or `cancel`.
        content: The form's values.
        elapsed: Seconds it took.
    """
    if action == "decline":
        return Declined(via=VIA, elapsed=elapsed)
    if action != "accept":
        return Cancelled(via=VIA, elapsed=elapsed)
    try:
        given = {question.id: _written(question, content or {}) for question in ask.questions}
        answers = read_answers(ask, {name: answer for name, answer in given.items() if answer is not None})
    except (Refused, InvalidAnswer) as fault:
        said = "; ".join(getattr(fault, "errors", {}).values()) or str(fault)
        reason = f"the client sent an answer that does not fit: {said.rstrip('.')}"
        return Unavailable(via=VIA, elapsed=elapsed, reason=reason)
    return Answered(via=VIA, elapsed=elapsed, answers=answers)


def _written(question: Question, content: Mapping[str, Any]) -> Any:
    plain, words = content.get(question.id), content.get(question.id + _OTHER)
    if question.other and has_words(words):
        plain = [*(plain or []), words] if question.many else words
    if question.kind == "integer" and isinstance(plain, float) and plain.is_integer():  # as JSON Schema counts
        plain = int(plain)
    return None if plain is None else question.rules.write(question, plain)
