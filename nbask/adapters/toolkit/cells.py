"""Which cell a framework's callback belongs to."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any, TypeVar

T = TypeVar("T")


async def under_the_running_cell(asking: Coroutine[Any, Any, T]) -> T:
    """Await what asks, so that its card shows under the cell that runs now.

    A framework's own tasks belong to the cell that opened its connection. That cell has often ended when
    another one uses the connection, and its output is no place for a card.

    Example:
        >>> async def answer():
        ...     return "Red"
        >>> asyncio.run(under_the_running_cell(answer()))
        'Red'
    """
    from nbask import runtime

    if runtime.current().in_a_cell():
        return await asking
    # Outside of every cell, whichever runs is the one.
    return await Context().run(asyncio.ensure_future, asking)
