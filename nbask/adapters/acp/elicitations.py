"""An elicitation as an ask: a form, an address, or the question cards that Claude's bridge sends as a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from nbask.adapters.toolkit.elicitations import Elicitation, Result, elicitation_from
from nbask.options import Option, is_recommended
from nbask.questions import Ask, Asker, Question
from nbask.replies import Answered, Reply, Withdrawn
from nbask.text import has_words

CUSTOM = "_custom"
"""What a field's name ends with where it takes the person's own words, in place of the choice before it."""
_PREVIEW = ("_claude/askUserQuestionOption", "preview")


@dataclass(frozen=True)
class Elicited:
    """One elicitation, made an ask.

    Args:
        ask: What to ask.
        elicitation: What it is as a form or an address.
        several: Whether it is asked as question cards, each with its Other row.
    """

    ask: Ask
    elicitation: Elicitation
    several: bool = False

    def result(self, reply: Reply) -> Result:
        """What goes back.

        Raises:
            Fault: The agent gets an error: nobody could be asked, or the form could not be drawn.
        """
        if self.several and isinstance(reply, Answered):
            return Result("accept", _answers(self.ask, reply))
        if isinstance(reply, Withdrawn):  # the session was cancelled, and its agent waits for nothing else
            return Result("cancel")
        return self.elicitation.result(reply)


def elicited(message: str, mode: Any, asker: Asker, timeout: float | None) -> Elicited:
    """Make an ask of an elicitation's parameters.

    Args:
        message: What is asked.
        mode: The protocol's mode object, with a `requested_schema` or a `url`.
        asker: Who asks.
        timeout: Seconds until it ends unanswered.

    Raises:
        Fault: They are malformed.
    """
    params: dict[str, Any] = mode.model_dump(by_alias=True, mode="json", exclude_none=True)
    params |= {"message": message, "mode": "url" if "url" in params else "form"}
    elicitation = elicitation_from(params, asker, timeout)
    properties = (params.get("requestedSchema") or {}).get("properties") or {}
    if elicitation.undrawable is None and _are_questions(properties):
        return Elicited(_questions(elicitation.ask, properties), elicitation, several=True)
    return Elicited(elicitation.ask, elicitation)


def _are_questions(properties: Mapping[str, Any]) -> bool:
    """Whether every field is a choice with a field for own words, or the latter."""
    names = [name for name in properties if not name.endswith(CUSTOM)]
    pairs = {part for name in names for part in (name, name + CUSTOM)}
    return bool(names) and pairs == set(properties) and all(_options(properties[name]) for name in names)


def _questions(form: Ask, properties: Mapping[str, Any]) -> Ask:
    fields = {question.id: question for question in form.questions}
    asked = [question for question in form.questions if not question.id.endswith(CUSTOM)]
    alone = len(asked) == 1
    questions = [_question(one, properties[one.id], fields[one.id + CUSTOM], form.message, alone) for one in asked]
    above = None if alone and questions[0].text == form.message else form.message
    return Ask(questions, message=above, plain=True, asker=form.asker, timeout=form.timeout, when_unanswered="raise")


def _question(field: Question, schema: Any, custom: Question, message: str | None, alone: bool) -> Question:
    # The title is Claude's header; what it asks is the description, or for a single question the message.
    text = field.description or (message if alone else None) or field.text
    previews = {option.get("const"): _preview(option) for option in _options(schema)}
    options = [
        Option(
            option.label,
            option.description,
            value=option.result,
            preview=None if field.many else previews.get(option.result),
            recommended=is_recommended(option.label),
        )
        for option in field.options
    ]
    return Question(
        text,
        options,
        id=field.id,
        header=field.text if field.text != text else None,
        many=field.many,
        other_label=custom.text if custom.text != custom.id else None,
        notes=not field.many,
        required=alone,
    )


def _options(schema: Any) -> list[dict[str, Any]]:
    whole = cast("dict[str, Any]", schema)
    items = whole.get("items") or {}
    found = whole.get("oneOf") or items.get("anyOf") or items.get("oneOf") or []
    return [option for option in found if isinstance(option, dict) and "const" in option]


def _preview(option: Mapping[str, Any]) -> str | None:
    outer, inner = _PREVIEW
    preview = ((option.get("_meta") or {}).get(outer) or {}).get(inner)
    return preview if has_words(preview) else None


def _answers(ask: Ask, reply: Answered) -> dict[str, Any]:
    """The fields: picks under the question's own name, typed words (and a note to a pick) under its other one."""
    content: dict[str, Any] = {}
    for question in ask.questions:
        answer = reply.answers.get(question.id)
        if answer is None:
            continue
        values = [option.result for option in question.options if option.label in answer.selected]
        if values:
            content[question.id] = values if question.many else values[0]
        if words := answer.other or answer.notes:
            content[question.id + CUSTOM] = words
    return content
