"""The plain-text front: the questions as numbered text, the answers as typed lines."""

from __future__ import annotations

from collections.abc import Callable

from nbask.kinds import Answer, InvalidAnswer, wire_answer
from nbask.questions import Ask, Question
from nbask.reading import Refused, read_answers
from nbask.render import plain
from nbask.replies import Answered, Cancelled, Reply
from nbask.wire import AnswerWire

ReadLine = Callable[[str], str | None]
"""Shows a prompt and returns the line typed, None where the prompt was given up; `EOFError` where input ended."""


def converse(ask: Ask, read_line: ReadLine, say: Callable[[str], None]) -> Reply | None:
    """Put an ask by text, asking again where an answer does not fit.

    Args:
        ask: What to ask.
        read_line: Reads one line, with a prompt.
        say: Shows text.

    Returns:
        The reply: an end of file cancels. None where a prompt was given up, because the ask ended elsewhere.

    Example:
        >>> from nbask.questions import Ask, Question
        >>> ask = Ask(Question("Red or blue?", ["Red", "Blue"]))
        >>> converse(ask, lambda prompt: "2", print).value
        'Blue'
    """
    if ask.message:
        say(ask.message)
    answers: dict[str, Answer] = {}
    for question in ask.questions:
        said: str | None = None
        while said is None:
            try:
                line = read_line(prompt_for(ask, question))
                if line is None:
                    return None
                given = {question.id: line_answer(question, line)}
                read = read_answers(ask.model_copy(update={"questions": (question,)}), given)
                answers.update(read)
                said = line
            except (InvalidAnswer, Refused) as fault:
                say(_fault(question, fault))
            except EOFError:
                return Cancelled(via="text")
    return Answered(answers=answers, via="text")


def prompt_for(ask: Ask, question: Question) -> str:
    """The question as text, with numbered options, the default and how to answer."""
    lines = [f"{ask.who} asks: {question.text}"]
    for number, option in enumerate(question.options, 1):
        mark = " (recommended)" if option.recommended else ""
        description = f" – {option.description}" if option.description else ""
        lines.append(f"  {number}. {option.shown_label}{mark}{description}")
        if option.preview is not None:
            lines.extend(f"     {line}" for line in plain(option.preview).splitlines())
    lines.append(_how(question))
    return "\n".join(lines) + " "


def line_answer(question: Question, line: str) -> AnswerWire:
    """What a typed line answers: numbers or labels of options, else words; empty takes the default.

    Raises:
        InvalidAnswer: It is no option, and the question takes no other words.
    """
    text = line.strip()
    if not text and question.default is not None:
        return question.rules.write(question, question.default)
    if not question.options:
        return wire_answer(value=line)
    parts = [part.strip() for part in text.split(",")] if question.many else [text]
    labels = {option.label: option_id for option_id, option in zip(question.option_ids, question.options, strict=True)}
    if all(_option_id(question, part, labels) for part in parts):
        return wire_answer([_option_id(question, part, labels) for part in parts])
    if question.other and text:
        return wire_answer(other=text)
    raise InvalidAnswer(f"{text!r} is none of the options 1 to {len(question.options)}.")


def _option_id(question: Question, part: str, labels: dict[str, str]) -> str:
    if part.isdecimal() and 1 <= int(part) <= len(question.options):
        return question.option_ids[int(part) - 1]
    exact = labels.get(part)
    folded = [option_id for label, option_id in labels.items() if label.casefold() == part.casefold()]
    return exact or (folded[0] if len(folded) == 1 else "")


def _how(question: Question) -> str:
    default = f" [{_words(question.default)}]" if question.default is not None else ""
    if not question.options:
        return f"Your answer{default}:"
    numbers = "Numbers, with commas" if question.many else f"Number 1 to {len(question.options)}"
    return f"{numbers}{', or your own words' if question.other else ''}{default}:"


def _words(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return ", ".join(map(str, default)) if isinstance(default, list) else str(default)


def _fault(question: Question, fault: ValueError) -> str:
    if isinstance(fault, Refused):
        return fault.errors.get(question.id, str(fault))
    return str(fault)
