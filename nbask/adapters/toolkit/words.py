"""What a model reads: of a call that a person did not allow, and of several things that they picked."""

from __future__ import annotations

import json
from collections.abc import Iterable

from nbask.replies import Reply, ending


def denied(reason: str = "") -> str:
    """The person said no, perhaps why.

    Example:
        >>> denied("Keep it")
        'The user did not allow this call: Keep it'
    """
    words = "The user did not allow this call"
    return f"{words}: {reason}" if reason else f"{words}."


def undecided(reply: Reply) -> str:
    """Nobody said anything; the call is not run for all that.

    Example:
        >>> from nbask.replies import TimedOut
        >>> undecided(TimedOut())
        'Nobody has decided on this call, so it was not run: the time for it ran out.'
    """
    return f"Nobody has decided on this call, so it was not run: {ending(reply)}."


def joined(picks: Iterable[str]) -> str:
    """Several picks as one text, the one joining that can be taken apart again: a pick with a comma in it is quoted.

    Example:
        >>> print(joined(["Lint", "Types, strict"]))
        Lint, "Types, strict"
    """
    return ", ".join(json.dumps(one, ensure_ascii=False) if ", " in one or '"' in one else one for one in picks)
