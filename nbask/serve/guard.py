"""Who may speak to a kernel's server: whoever has the token, from this machine, and no web page by accident."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEARING, HEARD = 1.0, 65536
"""Seconds and bytes of a request that is refused, for which it is let speak."""
GONE = "nbask.gone"
"""Where a request's scope has the event that is set once nobody listens to its response any more."""


class Guard:
    """Refuses a request by its head, before the app sees anything of it.

    Args:
        app: What the others reach.
        token: The bearer token.
        port: The port that the server listens on.
    """

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app = app
        self._token = f"Bearer {token}".encode()
        # A page whose own name was made to point here (DNS rebinding) still sends that name.
        self._hosts = {f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost")}
        self._origins = {b"http://" + host for host in self._hosts}
        self._answering: set[asyncio.Event] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        if (fault := self._fault(scope["headers"])) is not None:
            await _refuse(receive, send, *fault)
            return
        scope[GONE] = gone = asyncio.Event()
        if scope["method"] == "POST":  # a GET is a stream that ends when the server does
            self._answering.add(gone)
        try:
            await self._app(scope, receive, send)
        finally:
            gone.set()
            self._answering.discard(gone)

    async def answered(self, limit: float) -> None:
        """Wait until every request has its answer, for `limit` seconds."""
        waits = [asyncio.ensure_future(gone.wait()) for gone in self._answering]
        if waits:
            await asyncio.wait(waits, timeout=limit)
        for wait in waits:
            wait.cancel()

    def _fault(self, headers: Iterable[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        named: dict[bytes, list[bytes]] = {}
        for name, value in headers:
            named.setdefault(name.lower(), []).append(value)
        hosts, origins = named.get(b"host", []), named.get(b"origin", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "this server answers to 127.0.0.1 and localhost alone"
        if any(origin not in self._origins for origin in origins):
            return 403, "this server answers no web pages"
        tokens = named.get(b"authorization", [])
        if len(tokens) != 1 or not hmac.compare_digest(tokens[0], self._token):
            return 401, "the token is missing or wrong; %nbask serve prints it"
        return None


async def _hear_out(receive: Receive) -> None:
    heard = 0
    while heard < HEARD and (message := await receive()).get("more_body"):
        heard += len(message.get("body", b""))


async def _refuse(receive: Receive, send: Send, status: int, words: str) -> None:
    with contextlib.suppress(asyncio.TimeoutError):  # who is cut off while it speaks may not hear why
        await asyncio.wait_for(_hear_out(receive), HEARING)
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode()})
