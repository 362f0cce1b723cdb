"""A model's AskUserQuestion input, read as well as it can be: what a framework has let through, or a hook has sent.

It imports nothing of nbask, so that `nbask hook` can look at a payload at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

QUESTION_TOOL = "AskUserQuestion"
PLAN_TOOL = "ExitPlanMode"


def questions_in(given: Any) -> list[dict[str, Any]]:
    """The questions of a tool input, or of a text with its JSON; each has a text and a list of options.

    Raises:
        ValueError: There are none; the message has the path of the fault and the mend.

    Example:
        >>> questions_in('{"questions": [{"question": "Red?", "options": ["Yes", "No"]}]}')[0]["question"]
        'Red?'
    """
    given = _unquoted(given)
    if isinstance(given, Mapping) and "questions" in given:
        given = _unquoted(cast("Mapping[str, Any]", given)["questions"])
    questions = [given] if isinstance(given, Mapping) else given
    if not isinstance(questions, list) or not questions:
        raise ValueError(f"questions: {given!r} is no list of questions; send at least one")
    for index, question in enumerate(cast("list[Any]", questions)):
        if not isinstance(question, dict) or not isinstance(question.get("question"), str):
            raise ValueError(f"questions[{index}].question: missing; say what is asked")
        if not isinstance(question.get("options"), list):
            raise ValueError(f"questions[{index}].options: missing; give the answers to choose from")
    return cast("list[dict[str, Any]]", questions)


def _unquoted(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except ValueError as fault:
        raise ValueError(f"questions: the text is no JSON ({fault}); send the list itself") from None
