"""MCP clients: every elicitation of every server becomes a card that names the server.

    Client(server, elicitation_callback=nbask.adapters.mcp.elicitation_callback)         # mcp 1.30 and 2.x
    fastmcp.Client(server, elicitation_handler=nbask.adapters.mcp.elicitation_handler)   # fastmcp 4

Both kinds of elicitation (form and address) and both eras of the protocol. See `docs/mcp.md`.
"""

from __future__ import annotations

from nbask.adapters.mcp.callbacks import Elicitations
from nbask.adapters.mcp.connection import Connection, connect
from nbask.adapters.toolkit.labels import check_label, check_timeout

__all__ = [
    "Connection",
    "Elicitations",
    "accept_required",
    "connect",
    "elicitation_callback",
    "elicitation_handler",
    "with_label",
]

_plain = Elicitations()
elicitation_callback = _plain.elicitation_callback
elicitation_handler = _plain.elicitation_handler
accept_required = _plain.accept_required


def with_label(label: str, *, timeout: float | None = None) -> Elicitations:
    """The same callbacks, with your own name for the server on their cards.

    Args:
        label: Who asks, as the card says it; what the server calls itself stands beside it.
        timeout: Seconds after which your client gives up on a call (its `read_timeout_seconds`): shown on the card,
            and not paused by typing. A callback is not told of such a limit.

    Returns:
        An object with `elicitation_callback`, `elicitation_handler` and `accept_required`.

    Raises:
        ValueError: The label is blank, or the timeout is not above zero and finite.

    Example:
        >>> callbacks = with_label("Flights")
        >>> callbacks.elicitation_callback.__name__
        'elicitation_callback'
    """
    check_label(label)
    check_timeout(timeout)
    return Elicitations(label, timeout)
