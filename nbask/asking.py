"""The questions a caller can put: each is written once, and opens on two doors, a blocking and an awaitable one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar, cast

from nbask.errors import unknown_keyword
from nbask.questions import Ask, Asker, Option, Policy, Question
from nbask.replies import Answered, NoAnswer, Reply, TimedOut, Unavailable

P = ParamSpec("P")
T = TypeVar("T")
C = TypeVar("C", bound=Callable[..., Any])


@dataclass(frozen=True)
class Request(Generic[T]):
    """An ask, and how the caller wants its answer."""

    ask: Ask
    value: Callable[[Answered], T]
    keep_loop_running: bool | None = None

    def result(self, reply: Reply) -> T:
        """The answer in the caller's shape, or its default where its policy says so; else :class:`NoAnswer`."""
        if isinstance(reply, Answered):
            return self.value(reply)
        if isinstance(reply, Unavailable | TimedOut) and reply.fallback is not None:
            return self.value(Answered(answers=reply.fallback, via="default", elapsed=reply.elapsed))
        raise NoAnswer(reply, self.ask)


def put(ask: Ask, *, keep_loop_running: bool | None = None) -> Reply:
    """Put an ask to the person and block until it has ended. The general form of every question.

    Args:
        ask: What to ask.
        keep_loop_running: Whether other tasks of the running event loop go on meanwhile, by
            `nest_asyncio2`; None leaves it to the settings.

    Returns:
        How it ended. It never raises for a non-answer: only :class:`~nbask.replies.Answered` is true.

    Raises:
        KeyboardInterrupt: The kernel was interrupted; the ask has ended as cancelled.

    Example:
        >>> from nbask import Ask, Question, put
        >>> from nbask.testing import scripted
        >>> with scripted({"Red or blue?": "Red"}):
        ...     put(Ask(Question("Red or blue?", ["Red", "Blue"]))).value
        'Red'
    """
    from nbask import runtime

    return runtime.current().put(_an_ask(ask), keep_loop_running)


async def aput(ask: Ask, *, keep_loop_running: bool | None = None) -> Reply:  # noqa: ARG001
    """Put an ask to the person and await its end; the awaitable twin of :func:`nbask.put`.

    Args:
        ask: What to ask.
        keep_loop_running: Taken for the twins' sake; awaiting always lets the loop run.

    Returns:
        How it ended.

    Raises:
        CancelledError: The kernel was interrupted, or the awaiting task was cancelled; the ask has ended.

    Example:
        >>> import asyncio
        >>> from nbask import Ask, Question, aio
        >>> from nbask.testing import scripted
        >>> with scripted({"Name?": "Ann"}):
        ...     asyncio.run(aio.put(Ask(Question("Name?")))).value
        'Ann'
    """
    from nbask import runtime

    return await runtime.current().aput(_an_ask(ask))


def _an_ask(given: Any) -> Ask:
    if not isinstance(given, Ask):
        raise ValueError(f"{given!r} is no Ask; give Ask(Question({given!r}))")
    return given


def request_choice(
    question: str,
    options: Any,
    *,
    many: bool = False,
    min: int | None = None,
    max: int | None = None,
    header: str | None = None,
    default: Any = None,
    other: bool = True,
    notes: bool | None = None,
    required: bool = True,
    message: str | None = None,
    timeout: float | None = None,
    when_unanswered: Policy | None = None,
    asker: str | Asker | None = None,
    keep_loop_running: bool | None = None,
) -> Request[Any]:
    """Ask the person to choose.

    Args:
        question: What to ask.
        options: Labels, :class:`Option` objects, a mapping of label to description, an `Enum` class, or
            any objects (shown by `str()`).
        many: Whether several may be picked.
        min: Fewest picks, with `many`.
        max: Most picks, with `many`.
        header: A chip above the question, meant for 12 characters at most.
        default: What is preselected: a label, or with `many` a list of labels.
        other: Whether there is a row for an answer in the person's own words.
        notes: Whether a note can be added; None leaves it to the settings.
        required: Whether it can only be submitted with an answer.
        message: Markdown above the question.
        timeout: Seconds until it ends unanswered; None waits as long as it takes.
        when_unanswered: `"raise"`, or `"default"` to get the default when nobody can answer.
        asker: Who asks.
        keep_loop_running: Whether other tasks of the running event loop go on while this blocks.

    Returns:
        The picked label (or that option's `value`, or the object given as option), or the words typed
        under Other; with `many` a list of them.

    Raises:
        ValueError: Something does not fit together; nothing was shown.
        NoAnswer: The person declined, dismissed it or wants to discuss it, or nobody could answer.
        KeyboardInterrupt: The kernel was interrupted.

    Example:
        >>> from nbask import ask
        >>> from nbask.testing import scripted
        >>> with scripted({"Which model?": "large"}):
        ...     ask("Which model?", {"fast": "Cheaper", "large": "Better"})
        'large'
    """
    one = Question(
        question, options, many=many, min=min, max=max, header=header, default=default, other=other,
        notes=notes, required=required,
    )  # fmt: skip
    return _single(one, message, timeout, when_unanswered, asker, keep_loop_running)


def request_confirm(
    question: str,
    *,
    yes: str = "Yes",
    no: str = "No",
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
    one = Question(question, options, kind="confirm", header=header, default=default, notes=notes)
    return _single(one, message, timeout, when_unanswered, asker, keep_loop_running)


def request_text(
    question: str,
    *,
    header: str | None = None,
    default: str | None = None,
    placeholder: str | None = None,
    multiline: bool = False,
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
    one = Question(question, header=header, default=default, placeholder=placeholder, multiline=multiline, notes=notes)
    return _single(one, message, timeout, when_unanswered, asker, keep_loop_running)


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


def blocking(build: Callable[P, Request[T]], name: str) -> Callable[P, T]:
    """The blocking door to a request."""
    checked = _checked(build, name)

    @wraps(build)
    def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        request = checked(*args, **kwargs)
        return request.result(put(request.ask, keep_loop_running=request.keep_loop_running))

    return _named(ask, build, name, "nbask")


def awaiting(build: Callable[P, Request[T]], name: str) -> Callable[P, Coroutine[Any, Any, T]]:
    """The awaitable door to the same request."""
    checked = _checked(build, name)

    @wraps(build)
    async def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        request = checked(*args, **kwargs)
        return request.result(await aput(request.ask))

    return _named(ask, build, name, "nbask.aio")


def _checked(build: Callable[P, T], name: str) -> Callable[P, T]:
    signature = inspect.signature(build)

    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        for keyword in kwargs:
            if keyword not in signature.parameters:
                raise ValueError(unknown_keyword(f"{name}()", keyword, signature.parameters))
        try:
            signature.bind(*args, **kwargs)
        except TypeError as fault:
            raise TypeError(f"{name}(): {fault}") from None
        return build(*args, **kwargs)

    return checked


def _named(door: C, build: Callable[..., Any], name: str, module: str) -> C:
    door.__name__ = door.__qualname__ = name
    door.__module__ = module
    # help() and editors should see the caller's side, which gets the answer and not a Request.
    del door.__wrapped__  # type: ignore[attr-defined]
    signature = inspect.signature(build)
    door.__signature__ = signature.replace(return_annotation=inspect.Signature.empty)  # type: ignore[attr-defined]
    return door


def _single(
    question: Question,
    message: str | None,
    timeout: float | None,
    when_unanswered: Policy | None,
    asker: str | Asker | None,
    keep_loop_running: bool | None,
) -> Request[Any]:
    ask = Ask(question, message=message, timeout=timeout, when_unanswered=when_unanswered, asker=asker)
    return Request(ask, lambda reply: cast("Any", reply.value), keep_loop_running)
