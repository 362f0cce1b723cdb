"""One adapter, two doors: its work is written once as a coroutine, and run by blocking or by awaiting.

What differs lies in :class:`Doors`: the blocking ones do all they have to do before they return, so that
:func:`at_once` can run the coroutine to its end without an event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from nbask.adapters.toolkit.approval import Approval, aapprove, approve
from nbask.asking import aput, put
from nbask.questions import Ask
from nbask.replies import Reply

T = TypeVar("T")
Work = Coroutine[Any, Any, T]


@dataclass(frozen=True)
class Doors:
    """How a coroutine asks.

    Args:
        put: Puts an ask.
        approve: Has a call approved.
        all: Runs several coroutines; their results in order.
    """

    put: Callable[[Ask], Awaitable[Reply]]
    approve: Callable[..., Awaitable[Approval | Reply]]
    all: Callable[[Iterable[Work[Any]]], Awaitable[list[Any]]]


async def all_at_once(work: Iterable[Work[T]]) -> list[T]:
    """Run coroutines side by side; where one fails, the others are cancelled, so that no card of theirs is left.

    Example:
        >>> async def double(number):
        ...     return 2 * number
        >>> asyncio.run(all_at_once([double(1), double(2)]))
        [2, 4]
    """
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


async def _one_by_one(work: Iterable[Work[T]]) -> list[T]:
    waiting = list(work)
    try:
        return [await one for one in waiting]
    finally:
        for one in waiting:
            one.close()


def blocking(function: Callable[..., T]) -> Callable[..., Work[T]]:
    """A function that blocks, as one that can be awaited: it blocks all the same."""

    async def called(*args: Any, **kwargs: Any) -> T:
        return function(*args, **kwargs)

    return called


def at_once(work: Work[T]) -> T:
    """Run a coroutine that goes through blocking doors alone.

    Example:
        >>> at_once(blocking(max)(1, 2))
        2
    """
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    work.close()
    raise RuntimeError("a blocking door awaited something; this is a fault of nbask")


BLOCKING = Doors(blocking(put), blocking(approve), _one_by_one)
AWAITING = Doors(aput, aapprove, all_at_once)
