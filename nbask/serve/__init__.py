"""The MCP server of a kernel: coding agents outside of it ask in the notebook. `%nbask serve` starts it.

Example:
    >>> from nbask import serve
    >>> server = serve.start()
    >>> server.url.startswith("http://127.0.0.1:")
    True
    >>> serve.stop()
    True
"""

from __future__ import annotations

import atexit
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbask.serve.server import Server

__all__ = ["running", "start", "stop"]

INSTALL = "pip install --upgrade 'mcp>=2' 'nbask[mcp]'"
"""What brings all that serving needs; the extra alone is content with the SDK's version 1, which clients may have."""

LAST_PORT = 65535

_server: Server | None = None
_lock = threading.Lock()


def start(port: int = 0) -> Server:
    """Serve this kernel over MCP, or go on serving it.

    Args:
        port: The port on 127.0.0.1, or 0 for a free one.

    Returns:
        The server: its `url` and `token`.

    Raises:
        ImportError: The MCP SDK is missing, or older than 2.0.
        OSError: The port cannot be had.
        RuntimeError: The server does not start.
        ValueError: The port is none.

    Example:
        >>> from nbask import serve
        >>> serve.start() is serve.start()
        True
        >>> serve.stop()
        True
    """
    global _server  # noqa: PLW0603 - one a process, as its kernel is
    if type(port) is not int or not 0 <= port <= LAST_PORT:
        raise ValueError(f"port is {port!r}; give a number up to {LAST_PORT}, or 0 for a free one")
    try:
        from nbask import runtime
        from nbask.serve.server import Server
    except ImportError as fault:
        raise ImportError(f"serving needs the MCP SDK, 2.0 or newer ({fault}): {INSTALL}") from fault
    with _lock:
        if _server is not None and _server.running:
            if port not in (0, _server.port):
                raise OSError(f"this kernel is served on port {_server.port} already; stop that first")
            return _server
        server = Server(port)
        try:
            server.start()
        except BaseException:
            server.stop()  # what had begun: nobody else would
            raise
        _server = server
    runtime.current().when_unloaded(stop)
    atexit.register(stop)
    return server


def running() -> Server | None:
    """The server of this kernel, where there is one."""
    return _server


def stop() -> bool:
    """Stop serving; whether there was a server. Agents whose questions are open are told."""
    global _server
    with _lock:
        server, _server = _server, None
    if server is None:
        return False
    server.stop()
    atexit.unregister(stop)
    return True
