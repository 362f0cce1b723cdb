"""What a model reads of a call that a person did not allow."""

from __future__ import annotations

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
