"""Who asks and for how long, as a caller of an adapter gives it: refused at once, and not with the first question."""

from __future__ import annotations

import math
from typing import Any

from nbask.text import has_words


def check_label(label: Any) -> None:
    """Refuse a name that says nothing.

    Raises:
        ValueError: The label is blank, or no text.

    Example:
        >>> check_label(" ")
        Traceback (most recent call last):
        ...
        ValueError: label is ' '; say who asks, in words that a person can read
    """
    if not has_words(label):
        raise ValueError(f"label is {label!r}; say who asks, in words that a person can read")


def check_timeout(timeout: Any) -> None:
    """Refuse a time in which nobody can answer, or that no clock can count.

    Raises:
        ValueError: The timeout is neither None nor seconds above 0.

    Example:
        >>> check_timeout(float("inf"))
        Traceback (most recent call last):
        ...
        ValueError: timeout is inf; give seconds above 0, or None for no limit
    """
    if timeout is not None and not (isinstance(timeout, int | float) and 0 < timeout < math.inf):
        raise ValueError(f"timeout is {timeout!r}; give seconds above 0, or None for no limit")
