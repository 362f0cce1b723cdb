"""A model's AskUserQuestion call as a card, and the reply as the result that its agents were measured to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from nbask.adapters.claude.inputs import QUESTION_TOOL, questions_in
from nbask.adapters.claude.tool import ASK_USER_QUESTION_TOOL
from nbask.adapters.toolkit.words import joined
from nbask.asking import aput, put
from nbask.kinds import Answer, first_repeated
from nbask.options import Option, is_recommended
from nbask.questions import Ask, Asker, Question
from nbask.replies import Answered, Discussed, NoAnswer, Reply
from nbask.schema_faults import check_schema

_ASKER = Asker("Claude", QUESTION_TOOL)


def ask_user_question(
    tool_input: Any, *, strict: bool = True, asker: str | Asker = _ASKER, timeout: float | None = None
) -> dict[str, Any]:
    """Answer a model's AskUserQuestion call by asking the person at the notebook, and block until they have.

    Args:
        tool_input: The call's input: `{"questions": [...]}`.
        strict: Whether to refuse what the tool's schema refuses, so that the model can mend its call. If not,
            it is read as well as it can be: a missing description, header or `multiSelect`, more options,
            unknown properties, and questions that came as a JSON string.
        asker: Who asks, as the card says it.
        timeout: Seconds until it ends unanswered; None waits as long as it takes.

    Returns:
        `{"questions", "answers", "annotations"}`: the questions as they came; question text to answer (a
        label exactly as given, or typed words; several joined by ", ", an item with ", " or a quote in it
        JSON-quoted), without the unanswered; and question text to `{"notes", "preview"}` where there is
        any. Where the person wants to talk first, `answers` is empty and `response` has their words.

    Raises:
        ValueError: The input breaks the schema, or two questions have one text; the message has the path of
            the fault and the mend, and nothing was shown.
        NoAnswer: The person declined or dismissed it, or nobody could answer. Its text is a fit tool error.

    Example:
        >>> from nbask.testing import scripted
        >>> options = [{"label": "CSV", "description": "Plain"}, {"label": "Parquet", "description": "Small"}]
        >>> question = {"question": "Which format?", "header": "Format", "options": options, "multiSelect": False}
        >>> with scripted({"Which format?": "Parquet"}):
        ...     ask_user_question({"questions": [question]})["answers"]
        {'Which format?': 'Parquet'}
    """
    ask, result = prepared(tool_input, strict, asker, timeout)
    return result(put(ask))


async def aask_user_question(
    tool_input: Any, *, strict: bool = True, asker: str | Asker = _ASKER, timeout: float | None = None
) -> dict[str, Any]:
    """The awaitable twin of :func:`ask_user_question`: the same arguments, result and errors.

    Example:
        >>> import asyncio
        >>> from nbask.testing import scripted
        >>> options = [{"label": "CSV", "description": "Plain"}, {"label": "Parquet", "description": "Small"}]
        >>> question = {"question": "Which format?", "header": "Format", "options": options, "multiSelect": False}
        >>> with scripted({"Which format?": "CSV"}):
        ...     asyncio.run(aask_user_question({"questions": [question]}))["answers"]
        {'Which format?': 'CSV'}
    """
    ask, result = prepared(tool_input, strict, asker, timeout)
    return result(await aput(ask))


def prepared(
    tool_input: Any, strict: bool, asker: str | Asker, timeout: float | None
) -> tuple[Ask, Callable[[Reply], dict[str, Any]]]:
    """The ask of one call, for whoever puts it in another way, and what makes the result of its reply."""
    questions = _read_input(tool_input, strict)
    ask = _ask(questions, asker, timeout)
    return ask, partial(_result, questions, ask)


def _read_input(tool_input: Any, strict: bool) -> list[dict[str, Any]]:
    if strict:
        check_schema(tool_input, ASK_USER_QUESTION_TOOL["input_schema"])
        questions = tool_input["questions"]
    else:
        questions = questions_in(tool_input)
    if twice := first_repeated(question["question"] for question in questions):
        raise ValueError(f"questions: {twice!r} is asked twice, and answers are keyed by question; word them apart")
    return questions


def _ask(questions: list[dict[str, Any]], asker: str | Asker, timeout: float | None) -> Ask:
    several = len(questions) > 1
    asked = [_question(index, question, required=not several) for index, question in enumerate(questions)]
    return Ask(asked, asker=asker, timeout=timeout)


def _question(index: int, given: dict[str, Any], required: bool) -> Question:
    try:
        options = [_option(option) for option in given["options"]]
        return Question(
            given["question"],
            options,
            header=given.get("header") or None,
            many=bool(given.get("multiSelect", False)),
            notes=True,
            required=required,
        )
    except ValueError as fault:
        raise ValueError(f"questions[{index}]: {fault}") from None


def _option(given: Any) -> Option:
    option = {"label": given} if isinstance(given, str) else given
    label = option.get("label") if isinstance(option, Mapping) else None
    if not isinstance(label, str):
        raise ValueError(f"option {given!r} has no label; give it one")
    recommended = is_recommended(label)
    return Option(label, option.get("description") or None, preview=option.get("preview"), recommended=recommended)


def _result(questions: list[dict[str, Any]], ask: Ask, reply: Reply) -> dict[str, Any]:
    result: dict[str, Any] = {"questions": questions, "answers": {}, "annotations": {}}
    if isinstance(reply, Discussed):
        return {**result, "response": reply.text or "The user wants to talk about this before answering."}
    if not isinstance(reply, Answered):
        raise NoAnswer(reply, ask)
    for question in ask.questions:
        answer = reply.answers.get(question.id)
        if answer is None:
            continue
        if not answer.is_note_alone:
            result["answers"][question.text] = _words(question, answer)
        if annotation := _annotation(question, answer):
            result["annotations"][question.text] = annotation
    return result


def _words(question: Question, answer: Answer) -> str:
    items = [*answer.selected, *([answer.other] if answer.other is not None else [])]
    return joined(items) if question.many else items[0]


def _annotation(question: Question, answer: Answer) -> dict[str, str]:
    annotation: dict[str, str] = {}
    if answer.notes:
        annotation["notes"] = answer.notes
    chosen = [option for option in question.options if option.label in answer.selected]
    if not question.many and chosen and isinstance(chosen[0].preview, str):
        annotation["preview"] = chosen[0].preview
    return annotation
