"""The plain-text front: the questions as numbered text, the answers as typed lines."""

from __future__ import annotations

from collections.abc import Callable

from nbask.kinds import FieldKind, InvalidAnswer, wire_answer
from nbask.kinds.consent import may_open, url_warnings
from nbask.questions import Ask, Option, Question
from nbask.reading import Refused, read_answer, read_answers
from nbask.render import plain
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply
from nbask.text import one_line, printable
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
        The reply: an end of file cancels, and so does a word of :data:`COMMANDS`. None where a prompt was
        given up, because the ask ended elsewhere.

    Example:
        >>> from nbask.questions import Ask, Question
        >>> ask = Ask(Question("Red or blue?", ["Red", "Blue"]))
        >>> converse(ask, lambda prompt, secret: "2", print).value
        'Blue'
    """

    def tell(sentence: str) -> None:
        say(printable(sentence))

    if ask.message:
        tell(ask.message)
    given: dict[str, AnswerWire] = {}
    asked = list(ask.questions)
    hint = True
    while True:
        for question in asked:
            try:
                answer = _answer(ask, question, read_line, tell, hint)
            except EOFError:
                return Cancelled(via="text")
            except Left as left:
                return left.reply
            if answer is None:
                return None
            given[question.id] = answer
            hint = False
        try:
            return Answered(answers=read_answers(ask, given), via="text")
        except Refused as fault:  # the answers do not add up, or everything was skipped
            tell(refusal(ask, fault))
            asked = to_mend(ask, fault)


def refusal(ask: Ask, fault: Refused) -> str:
    """Why answers were refused, with the question before each sentence that is about one."""
    texts = {question.id: f"{question.text}: " for question in ask.questions}
    return "\n".join(texts.get(name, "") + sentence for name, sentence in fault.errors.items()) or str(fault)


def to_mend(ask: Ask, fault: Refused) -> list[Question]:
    """The questions to ask again: those with a fault, or all where it is nobody's in particular."""
    return [question for question in ask.questions if question.id in fault.errors] or list(ask.questions)


class Left(Exception):
    """The person leaves the ask without answering it, with `reply`."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        super().__init__(reply.kind)


COMMANDS = ("/discuss", "/decline", "/cancel")
"""Typed in place of an answer; an option of the same name is the option."""


def leave_by(line: str, via: str) -> None:
    """Raise :class:`Left` where a line is one of :data:`COMMANDS`; with `/discuss` go the words after it."""
    command, _, words = line.strip().partition(" ")
    match command.lower(), words.strip():
        case "/discuss", text:
            raise Left(Discussed(text=text, via=via))
        case "/decline", "":
            raise Left(Declined(via=via))
        case "/cancel", "":
            raise Left(Cancelled(via=via))


def _answer(
    ask: Ask, question: Question, read_line: ReadLine, tell: Callable[[str], None], hint: bool
) -> AnswerWire | None:
    """Ask one question until its answer fits; None where the prompt was given up."""
    while True:
        line = read_line(prompt_for(ask, question, hint), question.secret)
        if line is None:
            return None
        if not any(_option_id(question, part) for part in (line.strip(), *line.split(","))):
            leave_by(line, "text")
        try:
            given = line_answer(question, line)
            read_answer(question, given)
        except InvalidAnswer as fault:
            tell(str(fault))
            continue
        return _with_note(question, given, read_line)


def _with_note(question: Question, given: AnswerWire, read_line: ReadLine) -> AnswerWire | None:
    """The answer with a note, where the question takes one; own words hold their own."""
    if not question.notes or given["other"] is not None:
        return given
    note = read_line("Note to the asker, empty for none: ", False)
    return None if note is None else {**given, "notes": note}


def prompt_for(ask: Ask, question: Question, hint: bool = False) -> str:
    """The question as text, with numbered options, the default and how to answer, or with `hint` how to leave."""
    lines = heading(ask, question)
    for number, option in enumerate(question.options, 1):
        lines.append(f"  {number}. {described(option)}")
        if option.preview is not None:
            lines.extend(f"     {line}" for line in plain(option.preview).splitlines())
    lines.append(_how(question, hint))
    return printable("\n".join(lines)) + " "


def heading(ask: Ask, question: Question) -> list[str]:
    """Who asks what, with the warnings, the help and the address, a line each."""
    lines = [f"{ask.who} asks: {question.text}", *question.warnings]
    if question.description:
        lines.append(question.description)
    if question.url is not None:
        lines += [question.url, *url_warnings(question.url)]
    return lines


def described(option: Option) -> str:
    """An option's label with its mark and its description."""
    mark = " (recommended)" if option.recommended else ""
    return f"{option.shown_label}{mark}{f' – {option.description}' if option.description else ''}"


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


def _how(question: Question, hint: bool) -> str:
    leave = f"; or {', '.join(COMMANDS[:-1])} or {COMMANDS[-1]}" if hint else ""
    if question.url is not None and not may_open(question.url):
        return f"{', '.join(COMMANDS[:-1])} or {COMMANDS[-1]}:"
    default = f" [{_default_words(question.default)}]" if question.default is not None else ""
    skip = "" if question.required or question.default is not None else ", empty to skip"
    if isinstance(question.rules, FieldKind):
        return f"{question.rules.hint}{skip}{default}{leave}:"
    numbers = "Numbers, with commas" if question.many else f"Number 1 to {len(question.options)}"
    own = ", or your own words" if question.other else ""
    return f"{numbers}{own}{skip}{default}{leave}:"


def _default_words(default: object) -> str:
    """A default as a person would type it."""
    if isinstance(default, bool):
        return "yes" if default else "no"
    return ", ".join(map(str, default)) if isinstance(default, list) else str(default)
