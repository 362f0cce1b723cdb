"""The MCP server of this kernel: a thread with a loop of its own, so that it answers while a cell computes."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import threading
import time
from contextvars import copy_context
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.transport_security import TransportSecuritySettings

from nbask import runtime
from nbask.hosts.kernel import belong_to_no_cell
from nbask.serve import rendezvous
from nbask.serve.calls import Calls
from nbask.serve.edge import sdk_server
from nbask.serve.guard import Guard
from nbask.serve.hooks import Hooks

log = logging.getLogger("nbask")

LARGEST_BODY = 1024 * 1024
CONNECTIONS = 200
START_LIMIT = 20.0
ANSWER_LIMIT = 2.0
STOP_LIMIT = 5.0
QUIET = ("mcp.server", "uvicorn", "sse_starlette")


class Server:
    """One running server.

    Args:
        port: The port, or 0 for a free one.

    Raises:
        OSError: The port is taken.
    """

    def __init__(self, port: int = 0) -> None:
        self.token = secrets.token_urlsafe(32)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            self._socket.bind(("127.0.0.1", port))
        except OSError as fault:
            self._socket.close()
            raise OSError(f"port {port} cannot be had ({fault.strerror}); leave it out for a free one") from None
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._uvicorn: uvicorn.Server | None = None
        self._calls: Calls | None = None
        self._hooks: Hooks | None = None
        self._guard: Guard | None = None
        self._levels: dict[str, int] = {}
        self._file: Path | None = None
        self._stopped = False
        self._ended = False
        # In the context of the cell that starts it: what a question shows where there is no inbox goes there.
        context = copy_context()
        self._thread = threading.Thread(target=context.run, args=(self._run,), name="nbask-serve", daemon=True)

    def __repr__(self) -> str:
        return f"<nbask server at {self.url}>"

    @property
    def running(self) -> bool:
        """Whether it answers."""
        return self._ready.is_set() and self._thread.is_alive() and not self._ended

    def start(self) -> None:
        """Start the thread, and return once it answers.

        Raises:
            RuntimeError: It does not.
        """
        self._silence()
        self._thread.start()
        self._ready.wait(START_LIMIT)
        if not self.running:
            raise RuntimeError("nbask's server did not start; the notebook's log says why")
        current = runtime.current()
        found = rendezvous.Rendezvous(
            self.url, self.token, _kernel_id(), os.getpid(), _notebook(current.host.shell), time.time()
        )
        self._file = rendezvous.write(found)

    def stop(self) -> None:
        """End every open call, stop the thread, and take the rendezvous file away. Again changes nothing.

        A start that was given up is undone as well, however far it came.
        """
        if self._file is not None:
            rendezvous.remove(self._file, self.token)
        self._stopped = True  # before the look: a thread that has no server yet looks at this once it has
        loop, server = self._loop, self._uvicorn
        if self._thread.is_alive():
            if loop is not None and server is not None and not self._ended:
                asyncio.run_coroutine_threadsafe(self._end(server), loop)
            self._thread.join(STOP_LIMIT)
        self._socket.close()
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)

    async def _end(self, server: uvicorn.Server) -> None:
        assert self._calls is not None
        assert self._hooks is not None
        assert self._guard is not None
        self._calls.close()
        self._hooks.close()
        await self._guard.answered(ANSWER_LIMIT)
        server.should_exit = True

    def _silence(self) -> None:
        # They would write into the cell; what matters to a person is on the cards, and faults go to nbask's own log.
        for name in QUIET:
            logger = logging.getLogger(name)
            self._levels[name] = logger.level
            logger.setLevel(logging.CRITICAL + 1)

    def _run(self) -> None:
        belong_to_no_cell()
        self._loop = asyncio.new_event_loop()
        try:
            self._loop.run_until_complete(self._serve())
        except Exception:
            log.exception("nbask's server ended")
        finally:
            self._ended = True  # before it tidies up, which takes a moment
            self._ready.set()
            _finish(self._loop)

    async def _serve(self) -> None:
        self._calls = Calls(runtime.current)
        self._hooks = Hooks(_app(self._calls))
        self._guard = Guard(self._hooks, self.token, self.port)
        config = uvicorn.Config(
            self._guard,  # type: ignore[arg-type]
            log_config=None,
            access_log=False,
            lifespan="on",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=1,
            limit_concurrency=CONNECTIONS,
        )
        self._uvicorn = _Uvicorn(config, self._ready)
        self._uvicorn.should_exit = self._stopped
        await self._uvicorn.serve(sockets=[self._socket])


def _finish(loop: asyncio.AbstractEventLoop) -> None:
    """Close a loop as `asyncio.run` does, which a patched asyncio may no longer."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


class _Uvicorn(uvicorn.Server):
    """uvicorn, which says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready.set()


def _app(calls: Calls) -> Any:
    server = sdk_server(calls.call)
    # What a client brings back from a form is sealed to its own call.
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="nbask"))
    return server.streamable_http_app(
        max_request_body_size=LARGEST_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard's
    )


def _kernel_id() -> str:
    try:
        from ipykernel.connect import get_connection_file

        file = Path(get_connection_file())
    except (ImportError, RuntimeError):
        return f"pid-{os.getpid()}"
    return file.stem.removeprefix("kernel-")


def _notebook(shell: Any) -> str | None:
    """The notebook's path, where its front end tells: Jupyter's server in the environment, VS Code by a variable."""
    told = os.environ.get("JPY_SESSION_NAME") or getattr(shell, "user_ns", {}).get("__vsc_ipynb_file__")
    return str(told) if told else None
