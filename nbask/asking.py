"""How a question is put: `put` and its twin, and the two doors, blocking and awaitable, to a :class:`Request`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

from nbask.errors import unknown_keyword
from nbask.questions import Ask, Question
from nbask.replies import Answered, NoAnswer, Reply, TimedOut, Unavailable
from nbask.text import one_line

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


_AWAITS = (
    "Awaits instead of blocking: the event loop runs on meanwhile. An interrupt raises `CancelledError` where that\n"
    "raises `KeyboardInterrupt`."
)


def _an_ask(given: Any) -> Ask:
    if not isinstance(given, Ask):
        mend = "Ask(question)" if isinstance(given, Question) else "Ask(Question(…)), or call ask()"
        raise ValueError(f"{one_line(repr(given))} is no Ask; give {mend}")
    return given


def blocking(build: Callable[P, Request[T]], name: str) -> Callable[P, T]:
    """The blocking door to a request."""
    checked = checked_call(build, name)

    @wraps(build)
    def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        request = checked(*args, **kwargs)
        return request.result(put(request.ask, keep_loop_running=request.keep_loop_running))

    return named(ask, build, name, "nbask")


def awaiting(build: Callable[P, Request[T]], name: str) -> Callable[P, Coroutine[Any, Any, T]]:
    """The awaitable door to the same request."""
    checked = checked_call(build, name)

    @wraps(build)
    async def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        request = checked(*args, **kwargs)
        return request.result(await aput(request.ask))

    return named(ask, build, name, "nbask.aio", _AWAITS)


def checked_call(build: Callable[P, T], name: str) -> Callable[P, T]:
    """A builder that names the door, and the keywords it takes, where it is called wrongly."""
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


def named(door: C, build: Callable[..., Any], name: str, module: str, differs: str = "") -> C:
    """A door under its own name, with its builder's docstring and what differs from the blocking door."""
    door.__name__ = door.__qualname__ = name
    door.__module__ = module
    if differs:
        first, _, rest = inspect.cleandoc(build.__doc__ or "").partition("\n")
        door.__doc__ = f"{first}\n\n{differs} What follows is said of the blocking :func:`nbask.{name}`.\n{rest}"
    # help() and editors should see the caller's side, which gets the answer and not a Request.
    del door.__wrapped__  # type: ignore[attr-defined]
    signature = inspect.signature(build)
    door.__signature__ = signature.replace(return_annotation=inspect.Signature.empty)  # type: ignore[attr-defined]
    return door
