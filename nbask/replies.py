"""How an ask ends: exactly one reply of a closed union.

::

    Reply
     ├─ Answered      the person submitted; the only one that carries a decision, the only one that is true
     ├─ Discussed     the person wants to talk about it first, maybe with words
     ├─ Declined      the person said no to answering
     ├─ Cancelled     the person dismissed the card, or interrupted the kernel
     ├─ TimedOut      the deadline passed; what was typed is kept
     ├─ Unavailable   nobody could be shown the question
     └─ Withdrawn     the asker gave up before the person answered

`match` over :data:`Reply` is exhaustive. Silence is never consent: nothing but
`Answered` says what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from typing_extensions import assert_never

from nbask.kinds import Answer
from nbask.text import DOTS
from nbask.wire import DraftWire, ReplyKind

if TYPE_CHECKING:
    from nbask.questions import Ask, Question


@dataclass(frozen=True, kw_only=True)
class _Base:
    """What every reply says.

    Args:
        via: By which way it came: `card`, `text`, `script`, `policy`, …
        elapsed: Seconds from the ask's opening to its end.
    """

    kind: ClassVar[ReplyKind]
    via: str = ""
    elapsed: float = 0.0


@dataclass(frozen=True, kw_only=True)
class _NoDecision(_Base):
    """Any reply but an answer, and so false."""

    def __bool__(self) -> Literal[False]:
        return False


@dataclass(frozen=True, kw_only=True)
class Answered(_Base):
    """The person submitted.

    Args:
        answers: Question id to :class:`~nbask.kinds.Answer`; a question left out was not answered.

    Example:
        >>> reply = Answered(answers={"q1": Answer("Red", ("Red",))})
        >>> reply.value, bool(reply)
        ('Red', True)
    """

    kind: ClassVar[Literal["answered"]] = "answered"
    answers: Mapping[str, Answer] = field(default_factory=dict[str, Answer])

    def __bool__(self) -> Literal[True]:
        return True

    def __getitem__(self, question_id: str) -> Any:
        """The value of one question's answer; `KeyError` where it was not answered."""
        return self.answers[question_id].value

    @property
    def value(self) -> Any:
        """The value of a single question's answer; `ValueError` where there is not exactly one."""
        if len(self.answers) != 1:
            raise ValueError(f"{len(self.answers)} questions were answered; use reply[id] or reply.values")
        return next(iter(self.answers.values())).value

    @property
    def values(self) -> dict[str, Any]:
        """Question id to value, of the questions that were answered."""
        return {name: answer.value for name, answer in self.answers.items() if not answer.is_note_alone}


@dataclass(frozen=True, kw_only=True)
class Discussed(_NoDecision):
    """The person wants to talk about it first. `text` is what they said, maybe empty; it is no decision."""

    kind: ClassVar[Literal["discussed"]] = "discussed"
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Declined(_NoDecision):
    """The person said no to answering."""

    kind: ClassVar[Literal["declined"]] = "declined"


@dataclass(frozen=True, kw_only=True)
class Cancelled(_NoDecision):
    """The card was dismissed (`by="person"`) or the kernel interrupted (`by="interrupt"`)."""

    kind: ClassVar[Literal["cancelled"]] = "cancelled"
    by: Literal["person", "interrupt"] = "person"


@dataclass(frozen=True, kw_only=True)
class _Unanswered(_NoDecision):
    """No person decided; `fallback` holds the asker's own defaults where its policy is to use them."""

    fallback: Mapping[str, Answer] | None = None


@dataclass(frozen=True, kw_only=True)
class TimedOut(_Unanswered):
    """The deadline passed. `draft` is what was typed and picked by then."""

    kind: ClassVar[Literal["timed_out"]] = "timed_out"
    draft: DraftWire | None = None


@dataclass(frozen=True, kw_only=True)
class Unavailable(_Unanswered):
    """Nobody could be shown the question; `reason` says why."""

    kind: ClassVar[Literal["unavailable"]] = "unavailable"
    reason: str = "nobody can be asked here"


@dataclass(frozen=True, kw_only=True)
class Withdrawn(_NoDecision):
    """The asker gave up before the person answered; `reason` says why."""

    kind: ClassVar[Literal["withdrawn"]] = "withdrawn"
    reason: str = "the asker no longer needs an answer"


Reply = Answered | Discussed | Declined | Cancelled | TimedOut | Unavailable | Withdrawn


UNATTENDED = (
    "Where nobody is there, an answer comes from a file (NBASK_ANSWERS=FILE, written by %nbask record FILE), "
    'or from the question itself (default=…, when_unanswered="default").'
)
"""What helps where nobody could be asked: a note to the exception, which its traceback ends with."""


class NoAnswer(Exception):
    """There is no answer to return. `reply` says how the ask ended, `ask` what was asked.

    Example:
        >>> from nbask.questions import Ask, Question
        >>> str(NoAnswer(Declined(), Ask(Question("Red or blue?", ["Red", "Blue"]))))
        "no answer to 'Red or blue?': the person declined to answer"
    """

    def __init__(self, reply: Reply, ask: Ask) -> None:
        self.reply = reply
        self.ask = ask
        super().__init__(f"no answer to {ask.quoted}: {ending(reply)}")
        if isinstance(reply, Unavailable):
            self.__notes__ = [UNATTENDED]  # add_note() is not in Python 3.10

    def __reduce__(self) -> tuple[type[NoAnswer], tuple[Reply, Ask]]:
        # From a worker process it comes back pickled; exceptions are made anew of their message alone.
        return type(self), (self.reply, self.ask)


def ending(reply: Reply) -> str:
    """How the ask ended, as the second half of a sentence.

    Example:
        >>> ending(Cancelled(by="interrupt"))
        'the kernel was interrupted'
    """
    match reply:
        case Answered():
            return "the person answered"
        case Discussed(text=text):
            return "the person wants to discuss it first" + (f": {text}" if text else "")
        case Declined():
            return "the person declined to answer"
        case Cancelled(by="interrupt"):
            return "the kernel was interrupted"
        case Cancelled():
            return "the person dismissed the question"
        case TimedOut():
            return "the time for it ran out"
        case Unavailable(reason=reason):
            return reason
        case Withdrawn(reason=reason):
            return f"it was withdrawn, because {reason}"
        case _:
            assert_never(reply)


def words_of(question: Question, answer: Answer) -> str:
    """The answer as a person reads it, and dots for a secret."""
    return DOTS if question.secret and not answer.is_note_alone else answer.words


def defaults_of(ask: Ask) -> dict[str, Answer]:
    """The asker's own answers: question id to the default, for the questions that have one."""
    return {question.id: _default(question) for question in ask.questions if question.default is not None}


def fallback_of(ask: Ask) -> dict[str, Answer] | None:
    """The asker's own answers where its policy is to use them, and they answer all that must be answered."""
    if ask.when_unanswered != "default":
        return None
    defaults = defaults_of(ask)
    # A policy of the settings applies to asks that were not built for it: half a set of defaults is no answer.
    complete = all(question.id in defaults for question in ask.questions if question.required)
    return defaults if defaults and complete else None


def _default(question: Question) -> Answer:
    written = question.rules.write(question, question.default)
    return question.rules.read(question, written) or Answer(question.default)
