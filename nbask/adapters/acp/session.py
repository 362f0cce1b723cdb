"""Running an agent from a notebook: start it, talk to it, and let go of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbask.adapters.acp.client import NotebookClient, capabilities
from nbask.adapters.toolkit.extras import needed

_LONGEST = 50 * 1024 * 1024
"""Bytes of one message; the SDK's own limit for agents."""

_PATIENCE = 10.0
"""Seconds that a stopped agent has for its last words."""
_OF_ITS_OWN = "import os, sys; os.setpgrp(); os.execvp(sys.argv[1], sys.argv[1:])"


@dataclass(frozen=True)
class Turn:
    """What came of one prompt.

    Args:
        text: What the agent said.
        stop_reason: Why it stopped: `end_turn`, `cancelled`, `refusal`, …
    """

    text: str
    stop_reason: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Session:
    """A conversation with an agent.

    Args:
        connection: The SDK's connection, for all else that the protocol has.
        id: The session's id.
        client: The client that answers the agent.
    """

    connection: Any
    id: str
    client: NotebookClient
    _ending: set[asyncio.Future[Any]] = field(init=False, default_factory=set[asyncio.Future[Any]], repr=False)

    async def prompt(self, text: str) -> Turn:
        """Send the agent a message, and wait until it has done what it does; what it asks meanwhile is a card."""
        helpers = needed("acp.helpers", install="nbask[acp]")
        if self._ending:  # what it says of a turn that was stopped belongs to that one
            await asyncio.wait(self._ending, timeout=_PATIENCE)
        self.client.take_text(self.id)
        prompted = self.connection.prompt(session_id=self.id, prompt=[helpers.text_block(text)])
        turn: asyncio.Future[Any] = asyncio.ensure_future(prompted)
        try:
            await asyncio.wait({turn})
        except asyncio.CancelledError:  # the stop button, which the agent does not hear
            self._ending.add(turn)
            turn.add_done_callback(self._ended)
            with contextlib.suppress(ConnectionError):
                await self.cancel()
            raise
        return Turn(self.client.take_text(self.id), turn.result().stop_reason)

    async def cancel(self) -> None:
        """Have the agent stop; its open cards are closed."""
        await self.connection.cancel(session_id=self.id)

    def _ended(self, turn: asyncio.Future[Any]) -> None:
        self._ending.discard(turn)
        if not turn.cancelled():
            turn.exception()  # nobody else asks


@asynccontextmanager
async def agent(
    command: str,
    *args: str,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    client: NotebookClient | None = None,
    mcp_servers: Sequence[Any] = (),
) -> AsyncIterator[Session]:
    """Run an agent that speaks the Agent Client Protocol on its standard input and output.

    Args:
        command: The program.
        args: Its arguments.
        cwd: The folder it works in; this process's by default.
        env: What is added to the few environment variables it gets (`PATH`, `HOME` …): a key, say.
        client: Your own client; a plain :class:`NotebookClient` by default.
        mcp_servers: MCP servers for the agent, as the SDK's objects.

    Yields:
        The session. When it is left, the agent is stopped and what it still asks is withdrawn.

    Raises:
        FileNotFoundError: There is no such program.
        ImportError: The SDK is not installed; the message names what to install.
    """
    acp = needed("acp", install="nbask[acp]")
    schema = needed("acp.schema", install="nbask[acp]")
    client = client or NotebookClient()
    folder = _folder(cwd)
    running = acp.spawn_agent_process(
        client,
        *_apart(command, args),
        cwd=folder,
        env=env,
        # Its standard error is the kernel's, which shows it.
        transport_kwargs={"limit": _LONGEST, "stderr": None},
        use_unstable_protocol=True,
    )
    async with running as (connection, process):
        watching = asyncio.ensure_future(_withdraw_at_its_end(process, client))
        try:
            await connection.initialize(
                protocol_version=acp.PROTOCOL_VERSION,
                client_capabilities=capabilities(),
                client_info=schema.Implementation(name="nbask", title="A notebook", version=_version()),
            )
            opened = await connection.new_session(cwd=str(folder), mcp_servers=list(mcp_servers))
            yield Session(connection, opened.session_id, client)
        finally:
            watching.cancel()
            client.leave()


def _apart(command: str, args: Sequence[str]) -> list[str]:
    """The command, in a process group of its own: the stop button interrupts the kernel's, and would end the agent."""
    if shutil.which(command) is None:
        raise FileNotFoundError(f"there is no program {command!r}; install the agent, or give its whole path")
    if os.name == "nt":
        return [command, *args]
    return [sys.executable, "-c", _OF_ITS_OWN, command, *args]


async def _withdraw_at_its_end(process: Any, client: NotebookClient) -> None:
    # The connection goes on waiting for a handler whose agent has died.
    await process.wait()
    client.leave()


def _folder(cwd: str | Path | None) -> Path:
    return Path(cwd or Path.cwd()).resolve()


def _version() -> str:
    from nbask import __version__

    return __version__
