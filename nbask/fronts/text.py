"""The plain-text front: the questions as numbered text, the answers as typed lines."""

from __future__ import annotations

from collections.abc import Callable

from nbask.kinds import FieldKind, InvalidAnswer, wire_answer
from nbask.kinds.consent import url_warnings
from nbask.questions import Ask, Question
from nbask.reading import Refused, read_answers
from nbask.render import plain
from nbask.replies import Answered, Cancelled, Reply
from nbask.text import one_line
from nbask.wire import AnswerWire

ReadLine = Callable[[str, bool], str | None]
"""Shows a prompt and returns the line typed, unseen if the second argument says that it is a secret; None where
the prompt was given up; `EOFError` where input ended."""


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
        >>> converse(ask, lambda prompt, secret: "2", print).value
        'Blue'
    """
    if ask.message:
        say(ask.message)
    while True:
        given: dict[str, AnswerWire] = {}
        for question in ask.questions:
            try:
                answer = _answer(ask, question, read_line, say)
            except EOFError:
                return Cancelled(via="text")
            if answer is None:
                return None
            given[question.id] = answer
        try:
            return Answered(answers=read_answers(ask, given), via="text")
        except Refused as fault:  # the answers do not add up, or everything was skipped
            texts = {question.id: f"{question.text}: " for question in ask.questions}
            say("\n".join(texts.get(name, "") + sentence for name, sentence in fault.errors.items()) or str(fault))


def _answer(ask: Ask, question: Question, read_line: ReadLine, say: Callable[[str], None]) -> AnswerWire | None:
    """Ask one question until its answer fits; None where the prompt was given up."""
    while True:
        line = read_line(prompt_for(ask, question), question.secret)
        if line is None:
            return None
        try:
            given = line_answer(question, line)
            if question.rules.read(question, given) is not None or not question.required:
                return given
            say("This question needs an answer.")
        except InvalidAnswer as fault:
            say(str(fault))


def prompt_for(ask: Ask, question: Question) -> str:
    """The question as text, with numbered options, the default and how to answer."""
    lines = [f"{ask.who} asks: {question.text}", *question.warnings]
    if question.description:
        lines.append(question.description)
    if question.url is not None:
        lines += [question.url, *url_warnings(question.url)]
    for number, option in enumerate(question.options, 1):
        mark = " (recommended)" if option.recommended else ""
        description = f" – {option.description}" if option.description else ""
        lines.append(f"  {number}. {option.shown_label}{mark}{description}")
        if option.preview is not None:
            lines.extend(f"     {line}" for line in plain(option.preview).splitlines())
    lines.append(_how(question))
    return "\n".join(lines) + " "


def line_answer(question: Question, line: str) -> AnswerWire:
    """What a typed line answers: labels or numbers of options, else words; empty takes the default, or skips.

    Raises:
        InvalidAnswer: It is no option, and the question takes no other words.
    """
    text = line.strip()
    if not text:
        return wire_answer() if question.default is None else question.rules.write(question, question.default)
    if isinstance(question.rules, FieldKind):
        return question.rules.typed(question, line)
    parts = [part.strip() for part in text.split(",")] if question.many else [text]
    for picks in ([text], parts):  # a label may have a comma in it
        found = [_option_id(question, pick) for pick in picks]
        if all(found):
            return wire_answer(found)
    if question.other:
        return wire_answer(other=text)
    raise InvalidAnswer(f"{one_line(text)!r} is none of the options 1 to {len(question.options)}.")


def _option_id(question: Question, pick: str) -> str:
    """The option a pick means: by its label, by its number, or by its label in another case; else empty."""
    options = dict(zip(question.option_ids, question.options, strict=True))
    exact = [name for name, option in options.items() if pick in (option.label, option.shown_label)]
    number = int(pick) if pick.isdecimal() and len(pick) <= len(str(len(options))) else 0
    if not exact and 1 <= number <= len(options):
        return question.option_ids[number - 1]
    folded = [
        name
        for name, option in options.items()
        if pick.casefold() in (option.label.casefold(), option.shown_label.casefold())
    ]
    found = exact or folded
    return found[0] if len(found) == 1 else ""


def _how(question: Question) -> str:
    default = f" [{_words(question.default)}]" if question.default is not None else ""
    skip = "" if question.required or question.default is not None else ", empty to skip"
    if isinstance(question.rules, FieldKind):
        return f"{question.rules.hint}{skip}{default}:"
    numbers = "Numbers, with commas" if question.many else f"Number 1 to {len(question.options)}"
    return f"{numbers}{', or your own words' if question.other else ''}{skip}{default}:"


def _words(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return ", ".join(map(str, default)) if isinstance(default, list) else str(default)
