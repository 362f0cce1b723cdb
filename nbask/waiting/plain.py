"""Waiting where no kernel reads comms: a terminal, a script, a test."""

from __future__ import annotations

from nbask.desk import Pending
from nbask.waiting.base import Handler, Waitable, block, settled


class Plain:
    """An event for blocking callers, a future for awaiting ones; nothing to intercept."""

    name = "plain"

    def __init__(self, reason: str = "no Jupyter kernel runs here") -> None:
        self.reason = reason

    def install(self) -> None: ...

    def uninstall(self) -> None: ...

    def adopt(self, comm_id: str, handle: Handler) -> None: ...

    def release(self, comm_id: str) -> None: ...

    def reachable(self) -> bool:
        return False

    def wait(self, pending: Waitable) -> None:
        block(pending)

    async def wait_async(self, pending: Pending) -> None:
        await settled(pending)

    def cell_started(self) -> None: ...

    def cell_ended(self) -> None: ...
