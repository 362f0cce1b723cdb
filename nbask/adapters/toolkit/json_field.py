"""JSON that a person types: a field of it, for what no form can be drawn for."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from nbask.forms import Form
from nbask.kinds import InvalidForm
from nbask.questions import Question
from nbask.text import one_line


def json_form(name: str, text: str, finish: Callable[[Any], Any], *before: Any) -> Form:
    """A form of one field, which holds JSON.

    Args:
        name: The field's id.
        text: What is asked.
        finish: Makes of the value what the form gives, or refuses it with an `InvalidForm`.
        before: The value that it is prefilled with, if any.

    Returns:
        The form; what is no JSON (`NaN` and `1e400` neither) is refused at the field.

    Example:
        >>> form = json_form("n", "A number, as JSON", abs, -3)
        >>> form.questions[0].default, form.finish({"n": "-4"})
        ('-3', 4)
    """
    default = json.dumps(before[0], indent=2, ensure_ascii=False, default=str) if before else None
    field = Question(text, id=name, multiline=True, default=default, notes=False)

    def filled(values: Mapping[str, Any]) -> Any:
        try:
            value = read_json(values[name])
        except ValueError as fault:
            raise InvalidForm({name: f"This is no JSON: {fault}."}) from None
        return finish(value)

    return Form((field,), filled)


def read_json(text: str) -> Any:
    """The value of a text that a person typed, who means JSON and not what Python takes for it besides.

    Raises:
        ValueError: It is no JSON, or nested too deeply to be read.

    Example:
        >>> read_json('{"days": [1, 2]}')
        {'days': [1, 2]}
    """
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except RecursionError as fault:
        raise ValueError(str(fault)) from None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number in JSON")


def _finite(digits: str) -> float:
    if math.isinf(number := float(digits)):
        raise ValueError(f"{one_line(digits, 40)} is larger than numbers can be here")
    return number
