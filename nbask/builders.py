"""The questions a caller can put, each written once: what it asks, and how the answer comes back.

:mod:`nbask.asking` opens two doors on each of them, a blocking and an awaitable one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, overload

from typing_extensions import TypedDict, Unpack

from nbask.asking import Request
from nbask.choosing import request_choice, single
from nbask.options import Option
from nbask.questions import Ask, Asker, Policy, Question
from nbask.replies import Answered
from nbask.text import has_words

__all__ = ["request_choice", "request_confirm", "request_form", "request_questions", "request_text"]

T = TypeVar("T")


def request_confirm(
    question: str,
    *,
    yes: str = "Yes",
    no: str = "No",
    danger: bool = False,
    header: str | None = None,
    default: bool | None = None,
    notes: bool | None = None,
    message: str | None = None,
    timeout: float | None = None,
    when_unanswered: Policy | None = None,
    asker: str | Asker | None = None,
    keep_loop_running: bool | None = None,
) -> Request[bool]:
    """Ask the person for a yes or no.

    Args:
        question: What to ask.
        yes: Words on the button that means yes.
        no: Words on the button that means no.
        danger: Whether yes cannot be undone: the safe button then comes first.
        default: What applies by `when_unanswered="default"`.
        header: As in :func:`nbask.ask`, like the rest.
        notes: Whether a note can be added.
        message: Markdown above the question.
        timeout: Seconds until it ends unanswered.
        when_unanswered: `"raise"` or `"default"`.
        asker: Who asks.
        keep_loop_running: Whether other tasks of the running event loop go on.

    Returns:
        True for yes, False for no.

    Raises:
        ValueError: As :func:`nbask.ask`, like the rest.
        NoAnswer: There is no answer.
        KeyboardInterrupt: The kernel was interrupted.

    Example:
        >>> from nbask import confirm
        >>> from nbask.testing import scripted
        >>> with scripted({"Delete 3 files?": False}):
        ...     confirm("Delete 3 files?")
        False
    """
    options = [Option(yes, value=True), Option(no, value=False)]
    one = Question(question, options, kind="confirm", danger=danger, header=header, default=default, notes=notes)
    return single(one, message, timeout, when_unanswered, asker, keep_loop_running)


def request_text(
    question: str,
    *,
    header: str | None = None,
    default: str | None = None,
    placeholder: str | None = None,
    multiline: bool = False,
    secret: bool = False,
    notes: bool | None = None,
    message: str | None = None,
    timeout: float | None = None,
    when_unanswered: Policy | None = None,
    asker: str | Asker | None = None,
    keep_loop_running: bool | None = None,
) -> Request[str]:
    """Ask the person for words.

    Args:
        question: What to ask.
        header: As in :func:`nbask.ask`, like the rest.
        default: What is prefilled.
        placeholder: A hint in the empty field.
        multiline: Whether the field has several lines.
        secret: Whether it is shown as dots, and kept out of the receipt, the draft and the notebook.
        notes: Whether a note can be added.
        message: Markdown above the question.
        timeout: Seconds until it ends unanswered.
        when_unanswered: `"raise"` or `"default"`.
        asker: Who asks.
        keep_loop_running: Whether other tasks of the running event loop go on.

    Returns:
        What was typed; never empty, but for a default that is.

    Raises:
        ValueError: As :func:`nbask.ask`, like the rest.
        NoAnswer: There is no answer.
        KeyboardInterrupt: The kernel was interrupted.

    Example:
        >>> from nbask import ask_text
        >>> from nbask.testing import scripted
        >>> with scripted({"Name the experiment": "exp-1"}):
        ...     ask_text("Name the experiment", placeholder="exp-1")
        'exp-1'
    """
    one = Question(
        question,
        header=header,
        default=default,
        placeholder=placeholder,
        multiline=multiline,
        secret=secret,
        notes=notes,
    )
    return single(one, message, timeout, when_unanswered, asker, keep_loop_running)


def request_questions(
    questions: Iterable[Question],
    *,
    message: str | None = None,
    timeout: float | None = None,
    when_unanswered: Policy | None = None,
    asker: str | Asker | None = None,
    keep_loop_running: bool | None = None,
) -> Request[Answered]:
    """Ask the person several questions on one card.

    Args:
        questions: The questions.
        message: Markdown above them.
        timeout: Seconds until it ends unanswered.
        when_unanswered: `"raise"` or `"default"`.
        asker: Who asks.
        keep_loop_running: Whether other tasks of the running event loop go on.

    Returns:
        The :class:`~nbask.replies.Answered`: `reply[id]` is one question's value, `reply.values` all of them.

    Raises:
        ValueError: As :func:`nbask.ask`, like the rest.
        NoAnswer: There is no answer.
        KeyboardInterrupt: The kernel was interrupted.

    Example:
        >>> from nbask import Question, ask_questions
        >>> from nbask.testing import scripted
        >>> with scripted({"Name?": "Ann", "Red or blue?": "Blue"}):
        ...     ask_questions([Question("Name?"), Question("Red or blue?", ["Red", "Blue"])]).values
        {'q1': 'Ann', 'q2': 'Blue'}
    """
    ask = Ask(questions, message=message, timeout=timeout, when_unanswered=when_unanswered, asker=asker)
    return Request(ask, lambda reply: reply, keep_loop_running)


class _Beside(TypedDict, total=False):
    """Keywords of a form that say nothing of what is returned."""

    default: Any
    submit: str | None
    timeout: float | None
    when_unanswered: Policy | None
    asker: str | Asker | None
    keep_loop_running: bool | None


@overload
def request_form(question: str, shape: type[T], **beside: Unpack[_Beside]) -> Request[T]: ...
@overload
def request_form(question: str, shape: Mapping[str, Any], **beside: Unpack[_Beside]) -> Request[dict[str, Any]]: ...
def request_form(
    question: str,
    shape: Any,
    *,
    default: Any = None,
    submit: str | None = None,
    timeout: float | None = None,
    when_unanswered: Policy | None = None,
    asker: str | Asker | None = None,
    keep_loop_running: bool | None = None,
) -> Request[Any]:
    """Ask the person to fill in a form.

    Args:
        question: What to ask, as markdown above the fields.
        shape: A pydantic model class, or a flat JSON Schema (an object of strings, numbers, booleans, enums and
            lists of strings, as in MCP's `requestedSchema`).
        default: What is prefilled: a dict of field to value, or an instance of the model.
        submit: Words on the submit button.
        timeout: Seconds until it ends unanswered.
        when_unanswered: `"raise"`, or `"default"` to get the default when nobody can answer.
        asker: Who asks.
        keep_loop_running: Whether other tasks of the running event loop go on.

    Returns:
        An instance of the model; or, for a schema, a dict that fits it, without the fields left empty. The
        card stays open, with what was typed, until the answers fit.

    Raises:
        ValueError: The shape cannot be drawn as a form, or the default does not fit it.
        NoAnswer: There is no answer.
        KeyboardInterrupt: The kernel was interrupted.

    Example:
        >>> from nbask import ask_form
        >>> from nbask.testing import scripted
        >>> schema = {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
        >>> with scripted({"Where to?": {"city": "Cap Ferret", "days": 3}}):
        ...     ask_form("Where to?", schema)
        {'city': 'Cap Ferret', 'days': 3}
    """
    from nbask.forms import form_from

    if not has_words(question):
        raise ValueError(f"the form's question is {question!r}; say what is asked")
    form = form_from(shape, default)
    ask = Ask(
        form.questions, message=question, layout="form", form=form.finish, submit=submit, timeout=timeout,
        when_unanswered=when_unanswered, asker=asker,
    )  # fmt: skip
    return Request(ask, lambda reply: form.finish(reply.values), keep_loop_running)
