"""A stranger's patterns, matched in bounded time; see `docs/decisions/0009-patterns.md`.

Python's `re` and a page's RegExp backtrack, and a pattern can be built to keep them busy for ever. Pydantic's
engine does not backtrack: its time grows with the text and with the pattern as written out, and both are bounded here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod
from typing import Any

LONGEST_PATTERN = 300
"""Characters a stranger's pattern may have."""
LONGEST_TEXT = 2000
"""Characters of a text that is matched; whoever asked has to check a longer one itself."""
_COUNTS = re.compile(r"\{([0-9]+),?([0-9]*)\}")
_WRITTEN_OUT = 300
"""How often a part may be repeated by counts: `(a{9}){9}` repeats it 81 times."""


def is_bounded(pattern: Any) -> bool:
    """Whether a pattern can be matched in bounded time; if not (it looks around, refers back, is huge), nobody should.

    Example:
        >>> is_bounded("^(a+)+$"), is_bounded("^(?=.*a)")
        (True, False)
    """
    if not isinstance(pattern, str) or len(pattern) > LONGEST_PATTERN:
        return False
    counts = [int(most or least) for least, most in _COUNTS.findall(pattern)]
    return prod(max(count, 1) for count in counts) <= _WRITTEN_OUT and _engine(pattern) is not None


def matches(pattern: str, text: str) -> bool:
    """Whether a bounded pattern matches somewhere in a text, as JSON Schema has it; yes where the text is too long."""
    from pydantic_core import ValidationError

    engine = _engine(pattern)
    if engine is None or len(text) > LONGEST_TEXT:
        return True
    try:
        engine.validate_python(text)
    except ValidationError:
        return False
    return True


@lru_cache(maxsize=256)
def _engine(pattern: str) -> Any:
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        return None
