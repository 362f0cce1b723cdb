"""How a caller blocks or awaits, and the only code in nbask that touches kernel privates.

One strategy a module behind :class:`~nbask.waiting.base.Waiter`; each says in one
sentence what a kernel lacks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nbask.waiting.base import Interrupts, Waiter
from nbask.waiting.nested import wait_nested
from nbask.waiting.plain import Plain

__all__ = ["Interrupts", "Waiter", "choose", "wait_nested"]


def choose(kernel: Any | None, waiting: Callable[[], bool], route: str = "auto") -> Waiter:
    """Choose the way of waiting that fits a kernel.

    Args:
        kernel: The ipykernel kernel, or None outside of one.
        waiting: Whether an ask is open.
        route: `"auto"`, or the name of one strategy to insist on.

    Returns:
        The first that fits; :class:`~nbask.waiting.plain.Plain`, with the reasons, where none does.
    """
    if kernel is None:
        return Plain()
    from nbask.waiting.gate import Gate
    from nbask.waiting.tap import Tap

    reasons: list[str] = []
    for strategy, make in ((Tap, lambda: Tap(kernel, waiting)), (Gate, lambda: Gate(kernel))):
        if route not in ("auto", strategy.name):
            continue
        missing = strategy.missing(kernel)
        if missing is None:
            return make()
        reasons.append(f"no {strategy.name}: {missing}")
    return Plain("; ".join(reasons) or f"the setting NbAsk.route is {route!r}")
