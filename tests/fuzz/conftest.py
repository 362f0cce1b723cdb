"""What attacks share: a runtime of their own, and quiet."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from nbask import runtime


@pytest.fixture(autouse=True, scope="module")
def fresh_runtime() -> Iterator[None]:
    """Nothing is open, recorded or scripted from before, and what is refused is not logged thousands of times."""
    runtime.unload()
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
    runtime.unload()
