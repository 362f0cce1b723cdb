"""Other functions in place of a kernel's own `input()` and `getpass.getpass()`, in its cells and between them."""

from __future__ import annotations

import builtins
import getpass
from collections.abc import Callable
from typing import Any


class Replaced:
    """Two functions that every caller in this kernel reads a line with, until :meth:`restore`.

    Around each cell ipykernel sets `input` and `getpass` to methods of the kernel, and then puts back what was
    there. So there are three places for each: the kernel, the word itself, and what is put back after the cell.

    Args:
        kernel: The ipykernel kernel.
        read: For `input()`.
        read_secret: For `getpass.getpass()`.
        in_cell: Whether a cell runs, which reads with the kernel's own methods.
    """

    def __init__(
        self, kernel: Any, read: Callable[..., str], read_secret: Callable[..., str], in_cell: Callable[[], bool]
    ) -> None:
        self._in_cell = in_cell
        self._words = [
            _Word(kernel, "raw_input", builtins, "input", "_sys_raw_input", read),
            _Word(kernel, "getpass", getpass, "getpass", "_save_getpass", read_secret),
        ]

    def restore(self) -> None:
        """Put back what was there before; what somebody else has replaced since is left."""
        for word in self._words:
            word.restore(self._in_cell())


class _Word:
    """One of the two: `place.name` is what people call, `kernel.method` what a cell makes of it."""

    def __init__(self, kernel: Any, method: str, place: Any, name: str, saved: str, new: Callable[..., str]) -> None:
        self._kernel, self._method, self._place, self._name, self._saved = kernel, method, place, name, saved
        self._new = new
        self._own = getattr(kernel, method)
        self._was_set = method in vars(kernel)
        in_cell = getattr(place, name) == self._own
        self._outer = getattr(kernel, saved, self._own) if in_cell else getattr(place, name)
        setattr(kernel, method, new)
        setattr(place, name, new)
        if in_cell:
            setattr(kernel, saved, new)

    def restore(self, in_cell: bool) -> None:
        if vars(self._kernel).get(self._method) is self._new:
            if self._was_set:
                setattr(self._kernel, self._method, self._own)
            else:
                delattr(self._kernel, self._method)
        if getattr(self._place, self._name) is self._new:
            setattr(self._place, self._name, self._own if in_cell else self._outer)
        if getattr(self._kernel, self._saved, None) is self._new:
            setattr(self._kernel, self._saved, self._outer)
