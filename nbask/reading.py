"""From a front's message to a :class:`~nbask.replies.Reply`: what comes from a front is input, not truth."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import assert_never

from nbask.kinds import Answer, InvalidAnswer, InvalidForm, wire_answer
from nbask.questions import Ask, Question
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply
from nbask.text import sendable
from nbask.wire import AnswerWire, DraftWire, RefusedWire, ReplyWire

log = logging.getLogger("nbask")

Code = Literal["malformed", "foreign", "late", "invalid"]
WORDS: dict[Code, str] = {
    "malformed": "The notebook sent a reply nbask cannot read; nothing was lost, please try again.",
    "foreign": "This reply belongs to another question.",
    "late": "This question has already ended; the reply did not count.",
    "invalid": "Something is missing or does not fit.",
}
_STRICT = ConfigDict(extra="forbid", strict=True)
_REPLY: TypeAdapter[ReplyWire] = TypeAdapter(with_config(_STRICT)(ReplyWire))
_DRAFT: TypeAdapter[DraftWire] = TypeAdapter(with_config(_STRICT)(DraftWire))


class Refused(ValueError):
    """A reply does not count; `code` says why, `errors` which questions to mend (by id)."""

    def __init__(self, code: Code, message: str = "", errors: Mapping[str, str] | None = None) -> None:
        self.code: Code = code
        self.errors = dict(errors or {})
        super().__init__(message or WORDS[code])

    def wire(self, ask_id: str) -> RefusedWire:
        """What the view is told."""
        said, errors = sendable(str(self)), sendable(self.errors)
        return {"type": "refused", "ask": ask_id, "code": self.code, "message": said, "errors": errors}


def read_reply(ask: Ask, message: object, via: str) -> Reply:
    """Read a front's reply message.

    Args:
        ask: The ask it should belong to.
        message: What came, of any shape at all; right is :class:`~nbask.wire.ReplyWire`.
        via: The front's name, for the reply.

    Returns:
        The reply it stands for.

    Raises:
        Refused: It is malformed, belongs to another ask, or its answers do not fit the questions.

    Example:
        >>> from nbask.questions import Question
        >>> ask = Ask(Question("Red or blue?", ["Red", "Blue"]))
        >>> picked = {"q1": {"selected": ["o2"], "other": None, "value": None, "notes": None}}
        >>> message = {"type": "reply", "ask": ask.id, "action": "submit", "answers": picked, "message": None}
        >>> read_reply(ask, message, "card").value
        'Blue'
    """
    try:
        reply = _REPLY.validate_python(sendable(message))
    except (ValidationError, RecursionError):
        raise Refused("malformed") from None
    if reply["ask"] != ask.id:
        raise Refused("foreign")
    match reply["action"]:
        case "submit":
            return Answered(answers=read_answers(ask, reply["answers"]), via=via)
        case "discuss":
            return Discussed(text=(reply["message"] or "").strip(), via=via)
        case "decline":
            return Declined(via=via)
        case "cancel":
            return Cancelled(via=via)
        case _:
            assert_never(reply["action"])


def read_answers(ask: Ask, given: Mapping[str, AnswerWire]) -> dict[str, Answer]:
    """Read the answers of one submit.

    Args:
        ask: The ask they belong to.
        given: Question id to answer.

    Returns:
        Question id to answer, without the questions that were left unanswered.

    Raises:
        Refused: An unknown question, an answer that does not fit, a required question unanswered, or no answer at all.
    """
    if stray := sorted(set(given) - {question.id for question in ask.questions}):
        raise Refused("malformed", f"There is no question {stray[0]!r} on this card.")
    answers: dict[str, Answer] = {}
    errors: dict[str, str] = {}
    for question in ask.questions:
        try:
            answer = read_answer(question, given.get(question.id) or wire_answer())
        except InvalidAnswer as error:
            errors[question.id] = str(error)
            continue
        if answer is not None:
            answers[question.id] = answer
    if errors:
        raise Refused("invalid", errors=errors)
    if ask.form is not None:
        _check_form(ask, answers)
    # An empty submit is silence, and silence is no answer.
    elif all(answer.is_note_alone for answer in answers.values()):
        raise Refused("invalid", "Nothing is answered yet. Answer a question, or decline.")
    return answers


def read_answer(question: Question, given: AnswerWire) -> Answer | None:
    """Read the answer to one question; None where it was left unanswered.

    Raises:
        InvalidAnswer: It does not fit, or there is none to a question that needs one.
    """
    answer = question.rules.read(question, given)
    if question.required and (answer is None or answer.is_note_alone):
        raise InvalidAnswer("This question needs an answer.")
    return answer


def _check_form(ask: Ask, answers: Mapping[str, Answer]) -> None:
    assert ask.form is not None
    try:
        ask.form({name: answer.value for name, answer in answers.items() if not answer.is_note_alone})
    except InvalidForm as fault:
        known = {question.id for question in ask.questions}
        secrets = {question.id for question in ask.questions if question.secret}
        # A fault of a field that is not on the card is a fault of the whole.
        errors = {
            # A validator's sentence may repeat the value.
            name if name in known else "": "This does not fit what is asked for." if name in secrets else sentence
            for name, sentence in fault.errors.items()
        }
        raise Refused("invalid", errors=errors) from None
    except Exception:  # a model's own check may fail in any way, and the person must hear of it
        log.exception("the answers to ask %s could not be checked", ask.id)
        raise Refused("invalid", "These answers could not be checked; see the kernel's log.") from None


def without_secrets(draft: DraftWire, secrets: Collection[str]) -> DraftWire:
    """A draft without the answers to questions whose answer is a secret."""
    kept = {name: answer for name, answer in draft["answers"].items() if name not in secrets}
    return {"answers": kept, "message": draft["message"]}


def read_draft(draft: Any) -> DraftWire | None:
    """Read a front's draft; None where it is malformed (a draft is a convenience, so it is dropped and not refused)."""
    try:
        return _DRAFT.validate_python(sendable(draft))
    except (ValidationError, RecursionError):
        return None
