"""Requests of no fixed shape: what an author's own code sends when it stops to ask, read as a question."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from nbask.adapters.toolkit.arguments import shown
from nbask.adapters.toolkit.json_field import read_json
from nbask.kinds import Answer
from nbask.options import Option
from nbask.questions import Question
from nbask.text import has_words, printable

_QUESTION = ("question", "message", "prompt", "query", "instruction", "instructions", "task")
_OPTIONS = ("options", "choices")
_SEVERAL = ("multi_select", "multiSelect", "multiple", "many")
_LABEL = ("label", "title", "name", "text", "value")
LONG = 300
"""Characters from which on a text is shown above the question, and is not the question."""


@dataclass(frozen=True)
class Loose:
    """A request, read.

    Args:
        question: What to ask.
        message: What else the request holds, as markdown.
        any_value: Whether an answer in braces or brackets is JSON: nothing in the request says what it wants.
    """

    question: Question
    message: str | None = None
    any_value: bool = False

    def value(self, answer: Answer) -> Any:
        """What goes back for an answer."""
        if not self.any_value or not str(answer.value).lstrip().startswith(("{", "[")):
            return answer.value
        try:
            return read_json(answer.value)
        except ValueError:
            return answer.value


def read(value: Any, otherwise: str = "What should the run go on with?") -> Loose:
    """Read a request: a text, a mapping with a question in it and perhaps options, or whatever it is.

    Args:
        value: The request.
        otherwise: What to ask where it says no question itself.

    Returns:
        The question, and what else to show.

    Example:
        >>> loose = read({"question": "Which one?", "options": ["A", "B"], "draft": "…"})
        >>> loose.question.text, [option.label for option in loose.question.options]
        ('Which one?', ['A', 'B'])
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    elif callable(dump := getattr(value, "model_dump", None)):
        value = dump(mode="json")
    if isinstance(value, str) and _is_short(value):
        return Loose(Question(printable(value), notes=False))
    if not isinstance(value, Mapping):
        return _whatever(value, otherwise)
    rest = dict(cast("Mapping[Any, Any]", value))
    name = next((name for name in _QUESTION if _is_short(rest.get(name))), None)
    options, used = _options(rest)
    if name is None and options is None:
        return _whatever(value, otherwise)
    text = otherwise if name is None else printable(rest.pop(name))
    several = next((one for one in _SEVERAL if isinstance(rest.get(one), bool)), None)
    for one in used:
        del rest[one]
    many = bool(options) and several is not None and rest.pop(several)
    header = rest.pop("header", None) if isinstance(rest.get("header"), str) else None
    question = Question(text, options, many=many, header=header or None, notes=False)
    return Loose(question, shown(rest) if rest else None)


def _is_short(text: Any) -> bool:
    return isinstance(text, str) and 0 < len(text.strip()) <= LONG


def _whatever(value: Any, question: str) -> Loose:
    text = isinstance(value, str)
    hint = None if text else "Words, or JSON in braces or brackets"
    asked = Question(question, multiline=True, placeholder=hint, notes=False)
    said_nothing = value is None or (text and not has_words(value))
    return Loose(asked, None if said_nothing else shown(value), any_value=not text)


def _options(request: Mapping[Any, Any]) -> tuple[list[Option] | None, list[str]]:
    """The options it offers, and the name they were under."""
    for name in _OPTIONS:
        given = request.get(name)
        if isinstance(given, Mapping):  # as `ask` takes them
            pairs = cast("Mapping[Any, Any]", given).items()
            given = [{"label": label, "description": said} for label, said in pairs]
        if isinstance(given, list | tuple) and given:
            options = [_option(one) for one in cast("Sequence[Any]", given)]
            labels = [option.label for option in options if option is not None]
            if len(labels) == len(options) == len(set(labels)):
                return [option for option in options if option is not None], [name]
    return None, []


def _option(given: Any) -> Option | None:
    """An option; None where it has no label, and then the whole list is only shown."""
    if isinstance(given, str):
        return Option(given) if given.strip() else None
    if isinstance(given, int | float):
        return Option(str(given), value=given)
    if not isinstance(given, Mapping):
        return None
    one = cast("Mapping[str, Any]", given)
    name = next((name for name in _LABEL if has_words(one.get(name))), None)
    if name is None:
        return None
    value = {"value": one["value"]} if "value" in one else {}
    # Whoever picks sees all that is said of it.
    said = [_said(key, fact) for key, fact in one.items() if key not in (name, "value") and fact not in (None, "")]
    return Option(one[name], "; ".join(said) or None, **value)


def _said(name: str, fact: Any) -> str:
    return fact if name == "description" and isinstance(fact, str) else f"{name}: {fact}"
