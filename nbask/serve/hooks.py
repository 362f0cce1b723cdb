"""Where `nbask hook` reaches the kernel: a small address beside the MCP server's, behind the same guard.

The MCP tools would not do: a hook of Claude Code has answers that no tool's result has room for (an elicitation's
cancel, a permission's mode), and has no time to load an MCP client.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

from nbask.adapters.claude.answers import answer_hook
from nbask.serve.guard import App, Message, Receive, Scope, Send

log = logging.getLogger("nbask")

PATH = "/hook"
MOST_OPEN = 64
"""Hooks that may wait at once; the agent of one more asks in its own way."""
LARGEST = 1024 * 1024


class Hooks:
    """Answers hooks, and leaves the rest to another application.

    Args:
        app: What the others reach.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._open: set[asyncio.Task[Any]] = set()

    def close(self) -> None:
        """End every open one; in the server's own loop."""
        for task in self._open:
            task.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        status, body = await self._answered(scope, receive)
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answered(self, scope: Scope, receive: Receive) -> tuple[int, bytes]:
        if scope["method"] != "POST":
            return 405, b""
        payload = await _payload(receive)
        if payload is None:
            return 400, b""
        if len(self._open) >= MOST_OPEN:
            return 503, b""
        asking = asyncio.ensure_future(answer_hook(payload))
        self._open.add(asking)
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({asking, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done() or asking.cancelled():
                return 204, b""
            output = asking.result()
            return (204, b"") if output is None else (200, json.dumps(output).encode())
        except Exception:  # its text might hold anything
            log.exception("a hook could not be answered")
            return 500, b""
        finally:
            self._open.discard(asking)
            for task in (asking, gone):
                task.cancel()
            await asyncio.wait({asking, gone})


async def _payload(receive: Receive) -> Any:
    """The JSON of the request's body; None where there is none, or too much."""
    body = b""
    more = True
    while more:
        message: Message = await receive()
        body += message.get("body", b"")
        more = message["type"] == "http.request" and message.get("more_body", False)
        if len(body) > LARGEST or message["type"] == "http.disconnect":
            return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


async def _gone(receive: Receive) -> None:
    """Ends once nobody listens to the response any more: the agent has ended its hook."""
    while (await receive())["type"] != "http.disconnect":
        pass
