"""A client session that stays open from cell to cell.

The SDK's sessions have to be entered and left by one task, and each cell is a task of
its own. So a connection has a thread with a loop, and in it one task that enters the
session, waits, and leaves it. Its keep-alives go on while a cell computes.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TextIO, TypeVar

from typing_extensions import Self

from nbask.adapters.mcp.callbacks import Elicitations, name_in
from nbask.adapters.mcp.sdk import sdk
from nbask.adapters.toolkit.labels import check_label, check_timeout
from nbask.text import one_line

T = TypeVar("T")
_TICK = 0.1
"""Seconds between looks at the world: a bare wait is not always interrupted (see `nbask/waiting`)."""


async def connect(server: Any, *, label: str | None = None, timeout: float | None = None, **options: Any) -> Connection:
    """Open a session with an MCP server that every later cell can use, and whose questions become cards.

    Args:
        server: `mcp.StdioServerParameters`, the address of a server on streamable HTTP, or (mcp 2) whatever else
            the SDK's `Client` takes.
        label: Your own name for the server, on its cards.
        timeout: Seconds after which a call is given up; the person's time counts against it where the server asks
            through a push (protocol 2025-11-25 and before), so it is shown on the card. None: no limit.
        **options: Passed on to the SDK's `Client` (mcp 2) or `ClientSession` (mcp 1).

    Returns:
        The connection: `await connection.call_tool(...)` in any cell, `await connection.close()` at the end.

    Raises:
        ConnectionError: There is no session; the message says why, and where the server's errors are.
        ImportError: The package `mcp` is not installed.
        ValueError: The server is none of these, the label is blank, or the timeout is not above zero and finite.

    Example:
        >>> async def main():
        ...     from mcp.server.mcpserver import MCPServer
        ...     async with await connect(MCPServer("kiosk"), label="Kiosk") as kiosk:
        ...         return len((await kiosk.list_tools()).tools)
        >>> asyncio.run(main())
        0
    """
    if label is not None:
        check_label(label)
    check_timeout(timeout)
    sdk("mcp")
    if not isinstance(server, str) and type(server).__module__ == "builtins":  # its text may hold keys
        wanted = "mcp.StdioServerParameters(command=..., args=[...]), or an address"
        raise ValueError(f"server is of type {type(server).__name__}; give {wanted}")
    connection = Connection(server, label, timeout, options)
    await connection.start()
    return connection


class Connection:
    """An open session with a server; :func:`connect` makes it.

    Attributes:
        client: The SDK's `Client` (mcp 2) or `ClientSession` (mcp 1). It lives on the connection's own loop:
            use it through :meth:`run`.
        elicitations: The callbacks that it was opened with.
        log: The file that a server on stdio writes its errors to; removed on closing.
    """

    client: Any = None

    def __init__(self, server: Any, label: str | None, timeout: float | None, options: dict[str, Any]) -> None:
        self.elicitations = Elicitations(label, timeout)
        handle, path = tempfile.mkstemp(prefix="nbask-mcp-", suffix=".log")
        os.close(handle)
        self.log = Path(path)
        self._session = lambda errlog: _session(server, self.elicitations, timeout, options, errlog)
        self._ready: Future[None] = Future()
        self._ended: Future[None] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._life: asyncio.Task[None] | None = None
        self._leave = asyncio.Event()
        self._used = 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="nbask-mcp", daemon=True)

    async def start(self) -> None:
        """Enter the session; :func:`connect` does."""
        self._thread.start()
        atexit.register(self._stop)
        try:
            await _finished(self._ready)
        except BaseException:
            self._stop()
            raise

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None, **options: Any) -> Any:
        """Call a tool, and let other tasks of this loop run meanwhile; `options` are those of the SDK's `call_tool`.

        Raises:
            ConnectionError: The connection is closed.
            Exception: As the SDK raises it: an error of the server, or that its time is over.
        """
        return await self.run(lambda client: client.call_tool(name, arguments, **options))

    def call(self, name: str, arguments: dict[str, Any] | None = None, **options: Any) -> Any:
        """Call a tool and block until it has answered, for code that cannot await.

        Raises:
            KeyboardInterrupt: The kernel was interrupted; the call is cancelled.
            Exception: As :meth:`call_tool`.
        """
        from nbask import runtime

        return runtime.current().block_on(self._submit(lambda client: client.call_tool(name, arguments, **options)))

    async def list_tools(self) -> Any:
        """The server's tools, as the SDK gives them."""
        return await self.run(lambda client: client.list_tools())

    async def run(self, use: Callable[[Any], Awaitable[T]]) -> T:
        """Do anything else with the client: `await connection.run(lambda client: client.list_prompts())`.

        Raises:
            ConnectionError: The connection is closed.
            CancelledError: The awaiting task was cancelled; what was begun is cancelled too.
            Exception: Whatever `use` raises.
        """
        return await _finished(self._submit(use))

    async def close(self) -> None:
        """Leave the session, and end the server's process where there is one. Closing twice is harmless.

        Raises:
            CancelledError: The awaiting task was cancelled; the session is left all the same.
        """
        self._stop()
        await _finished(self._ended)
        self.log.unlink(missing_ok=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _submit(self, use: Callable[[Any], Awaitable[T]]) -> Future[T]:
        if self._loop is None or self._ended.done() or self._leave.is_set():
            raise ConnectionError("this connection is closed; connect again")

        async def used() -> T:
            self._used += 1
            try:
                return await use(self.client)
            except BaseException:
                if self._used == 1:  # a server asks in the course of a call, and may keep its question for all that
                    self.elicitations.withdraw()
                raise
            finally:
                self._used -= 1

        return asyncio.run_coroutine_threadsafe(used(), self._loop)

    async def _live(self) -> None:
        self._loop, self._life = asyncio.get_running_loop(), asyncio.current_task()
        try:
            with self.log.open("w", encoding="utf-8", errors="replace") as errlog:
                async with self._session(errlog) as self.client:
                    self._ready.set_result(None)
                    await self._leave.wait()
        except (Exception, asyncio.CancelledError) as fault:  # noqa: BLE001 - whatever a transport raises
            if not self._ready.done():
                self._ready.set_exception(ConnectionError(self._why(fault)))
        finally:
            self._ended.set_result(None)

    def _stop(self) -> None:
        atexit.unregister(self._stop)
        if self._loop is not None and self._life is not None:
            # A server that never answers the greeting is not waited for.
            leave = self._leave.set if self._ready.done() else self._life.cancel
            with contextlib.suppress(RuntimeError):  # the loop is closed already
                self._loop.call_soon_threadsafe(leave)

    def _why(self, fault: BaseException) -> str:
        while (inner := getattr(fault, "exceptions", None)) is not None:
            fault = inner[0]
        written = self.log.read_text(encoding="utf-8", errors="replace").strip()
        if not written:
            self.log.unlink(missing_ok=True)
            return f"no session with the MCP server: {fault or type(fault).__name__}"
        last = one_line(written.splitlines()[-1], 200)
        return f"no session with the MCP server: {fault}; it wrote {last!r} at the end of {self.log}"


async def _finished(future: Future[T]) -> T:
    waiting = asyncio.wrap_future(future)
    try:
        while not waiting.done():
            await asyncio.wait({waiting}, timeout=_TICK)
    except asyncio.CancelledError:
        waiting.cancel()
        raise
    return waiting.result()


@asynccontextmanager
async def _session(
    server: Any, elicitations: Elicitations, timeout: float | None, options: dict[str, Any], errlog: TextIO
) -> AsyncIterator[Any]:
    mcp = sdk("mcp")
    callback = {"elicitation_callback": elicitations.elicitation_callback}
    # Not on this process's own stderr: a kernel's has no file behind it everywhere.
    on_stdio = isinstance(server, mcp.StdioServerParameters)
    transport: Any = mcp.stdio_client(server, errlog=errlog) if on_stdio else server
    if hasattr(mcp, "Client"):
        async with mcp.Client(transport, read_timeout_seconds=timeout, **callback, **options) as client:
            elicitations.name = name_in(client.session.server_info)
            yield client
        return
    if not on_stdio:
        transport = sdk("mcp.client.streamable_http").streamablehttp_client(server)
    limit = None if timeout is None else timedelta(seconds=timeout)
    async with (
        transport as (read, write, *_),
        mcp.ClientSession(read, write, read_timeout_seconds=limit, **callback, **options) as session,
    ):
        elicitations.name = name_in((await session.initialize()).serverInfo)
        yield session
