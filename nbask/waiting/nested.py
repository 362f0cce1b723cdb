"""A blocking ask that lets other tasks of the running loop go on, by `nest_asyncio2`.

Only where the caller chose it: a patched loop can break anyio-based libraries. See
`docs/decisions/0003-nest-asyncio2.md`.
"""

from __future__ import annotations

import asyncio

from nbask.desk import Pending
from nbask.waiting.base import Waiter


def wait_nested(waiter: Waiter, pending: Pending) -> None:
    """Block until the ask has ended, while this thread's running loop serves its other tasks.

    Where no loop runs in this thread there is nothing to keep running, and it is a plain wait.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        waiter.wait(pending)
        return
    import nest_asyncio2

    nest_asyncio2.apply(loop, run_close_loop=True)
    loop.run_until_complete(waiter.wait_async(pending))
