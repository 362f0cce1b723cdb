"""Asking for a choice: what the caller gets is what was given to choose from, or words of the person's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeVar, overload

from typing_extensions import TypedDict, Unpack

from nbask.asking import Request
from nbask.options import Option
from nbask.questions import Ask, Asker, Policy, Question

T = TypeVar("T")


class _Beside(TypedDict, total=False):
    """Keywords of a choice that say nothing of what is returned."""

    min: int | None
    max: int | None
    header: str | None
    default: Any
    notes: bool | None
    message: str | None
    timeout: float | None
    when_unanswered: Policy | None
    asker: str | Asker | None
    keep_loop_running: bool | None


# Words typed under Other come back as they are, beside objects of any type; an option's value may be anything.
@overload
def request_choice(
    question: str, options: Iterable[str], *, many: Literal[True], other: bool = True, **beside: Unpack[_Beside]
) -> Request[list[str]]: ...
@overload
def request_choice(
    question: str,
    options: Iterable[str],
    *,
    many: Literal[False] = False,
    other: bool = True,
    **beside: Unpack[_Beside],
) -> Request[str]: ...
@overload
def request_choice(
    question: str,
    options: Iterable[Option | str],
    *,
    many: Literal[True],
    other: bool = True,
    **beside: Unpack[_Beside],
) -> Request[list[Any]]: ...
@overload
def request_choice(
    question: str,
    options: Iterable[Option | str],
    *,
    many: Literal[False] = False,
    other: bool = True,
    **beside: Unpack[_Beside],
) -> Request[Any]: ...
@overload
def request_choice(
    question: str, options: Iterable[T], *, many: Literal[True], other: Literal[False], **beside: Unpack[_Beside]
) -> Request[list[T]]: ...
@overload
def request_choice(
    question: str, options: Iterable[T], *, many: Literal[True], other: Literal[True] = True, **beside: Unpack[_Beside]
) -> Request[list[T | str]]: ...
@overload
def request_choice(
    question: str,
    options: Iterable[T],
    *,
    many: Literal[False] = False,
    other: Literal[False],
    **beside: Unpack[_Beside],
) -> Request[T]: ...
@overload
def request_choice(
    question: str,
    options: Iterable[T],
    *,
    many: Literal[False] = False,
    other: Literal[True] = True,
    **beside: Unpack[_Beside],
) -> Request[T | str]: ...
@overload
def request_choice(
    question: str,
    options: Any,
    *,
    many: bool = False,
    other: bool = True,
    required: bool = True,
    **beside: Unpack[_Beside],
) -> Request[Any]: ...
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
        default: What is preselected: a label or an option's value, or with `many` a list of them.
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
        question, options, kind="choice", many=many, min=min, max=max, header=header, default=default, other=other,
        notes=notes, required=required,
    )  # fmt: skip
    return single(one, message, timeout, when_unanswered, asker, keep_loop_running)


def single(
    question: Question,
    message: str | None,
    timeout: float | None,
    when_unanswered: Policy | None,
    asker: str | Asker | None,
    keep_loop_running: bool | None,
) -> Request[Any]:
    """A request that asks one question, and gets its value."""
    ask = Ask(question, message=message, timeout=timeout, when_unanswered=when_unanswered, asker=asker)
    return Request(ask, lambda reply: reply.value, keep_loop_running)
