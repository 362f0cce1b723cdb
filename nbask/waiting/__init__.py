"""How a caller blocks or awaits, and the only code in nbask that touches kernel privates.

One strategy a module behind :class:`~nbask.waiting.base.Waiter`; each says in one
sentence what a kernel lacks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nbask.waiting.base import Finishing, Interrupts, Message, Waiter
from nbask.waiting.marimo import MarimoGate, Session
from nbask.waiting.nested import wait_nested
from nbask.waiting.outlet import answering, replace_output, show_under
from nbask.waiting.plain import Plain

__all__ = [
    "Finishing",
    "Interrupts",
    "Session",
    "Waiter",
    "answering",
    "choose",
    "foreseen",
    "replace_output",
    "show_under",
    "wait_nested",
]


def choose(
    kernel: Any | None,
    waiting: Callable[[], bool],
    route: str = "auto",
    queued: Callable[[Message], None] = lambda _request: None,
) -> Waiter:
    """Choose the way of waiting that fits a kernel.

    Args:
        kernel: The ipykernel kernel or the marimo session, or None outside of one.
        waiting: Whether an ask is open.
        route: `"auto"`, or the name of one strategy to insist on.
        queued: Told of each cell that comes while an ask is open, with the header of its request.

    Returns:
        The first that fits; :class:`~nbask.waiting.plain.Plain`, with the reasons, where none does.
    """
    if kernel is None:
        return Plain()
    if isinstance(kernel, Session):
        return MarimoGate(kernel)
    from nbask.waiting.gate import Gate
    from nbask.waiting.tap import Tap

    reasons: list[str] = []
    for strategy, make in ((Tap, lambda: Tap(kernel, waiting, queued)), (Gate, lambda: Gate(kernel, queued))):
        if route not in ("auto", strategy.name):
            continue
        missing = strategy.missing(kernel)
        if missing is None:
            return make()
        reasons.append(f"no {strategy.name}: {missing}")
    return Plain("; ".join(reasons) or f"the setting NbAsk.route is {route!r}")


def foreseen() -> tuple[str, str]:
    """Which way a kernel started in this environment would wait, and why; no kernel need run for it.

    Returns:
        The strategy's name, and its reason.

    Raises:
        ImportError: What a kernel needs is not installed.
    """
    from ipykernel.kernelbase import Kernel

    from nbask.waiting.gate import Gate
    from nbask.waiting.tap import Tap

    strategy = Tap if hasattr(Kernel, "shell_channel_thread") else Gate
    return strategy.name, strategy.reason
