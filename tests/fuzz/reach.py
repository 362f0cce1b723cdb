"""Which inputs say most: those that reach, together, most steps from line to line within nbask."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import nbask

Step = tuple[str, int, int]
_NBASK = str(Path(nbask.__file__).parent)


def chosen(target: Callable[[bytes], None], inputs: Iterable[bytes], most: int) -> list[bytes]:
    """Up to `most` inputs: again and again the one that adds most, and of several the shortest.

    Args:
        target: What takes them.
        inputs: All there are.
        most: How many may be kept.
    """
    left = {data: steps(target, data) for data in sorted(inputs, key=lambda data: (len(data), data))}
    kept: list[bytes] = []
    while left and len(kept) < most:
        best = max(left, key=lambda data: len(left[data]))
        if not (new := left.pop(best)):
            break
        kept.append(best)
        left = {data: reached - new for data, reached in left.items()}
    return kept


def steps(target: Callable[[bytes], None], data: bytes) -> set[Step]:
    """The steps from line to line that one input takes within nbask; none where it shows a fault."""
    reached: set[Step] = set()

    def enter(frame: FrameType, _event: str, _arg: Any) -> Any:
        name = frame.f_code.co_filename
        if not name.startswith(_NBASK):
            return None
        before = frame.f_code.co_firstlineno

        def step(inner: FrameType, event: str, _arg: Any) -> Any:
            nonlocal before
            if event == "line":
                reached.add((name, before, inner.f_lineno))
                before = inner.f_lineno
            return step

        return step

    sys.settrace(enter)
    try:
        target(data)
    except Exception:
        return set()
    finally:
        sys.settrace(None)
    return reached
