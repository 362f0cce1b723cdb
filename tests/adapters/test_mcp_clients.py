"""The MCP callbacks in clients of this process, with a scripted person: fastmcp's client, and the SDK's at its worst.

Cases of the project's list that are tested here, by id: B15, B24, B26.
"""

from __future__ import annotations

import asyncio
import io
import sys
import threading
import time
from pathlib import Path
from typing import Any

import fastmcp
import mcp
import pytest
from environments import cache
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError
from mcp.shared.exceptions import MCPError

from nbask import Ask
from nbask.adapters.mcp import connect, elicitation_callback, elicitation_handler, with_label
from nbask.replies import Declined, Reply, Unavailable
from nbask.testing import scripted

PEERS = Path(__file__).parent / "peers"
OF_MCP_1 = cache() / "mcp-1" / "bin" / "python"


def peer(name: str, python: Path = Path(sys.executable)) -> mcp.StdioServerParameters:
    return mcp.StdioServerParameters(command=str(python), args=[str(PEERS / f"{name}.py")])


def run(main: Any) -> Any:
    return asyncio.run(asyncio.wait_for(main, 60))


def kiosk() -> fastmcp.FastMCP:
    server = fastmcp.FastMCP("Kiosk")

    @server.tool
    async def order(ctx: fastmcp.Context) -> str:
        result = await ctx.elicit("How many scoops?", int)
        return f"{result.data} scoops" if result.action == "accept" else result.action

    return server


def ordered(said: Any, handler: Any = elicitation_handler) -> str:
    async def main() -> str:
        async with fastmcp.Client(kiosk(), elicitation_handler=handler, mode="legacy") as client:
            return (await client.call_tool("order")).data

    with scripted(lambda ask: said):
        return run(main())


def test_fastmcps_client_and_server_ask_with_the_handler() -> None:
    assert ordered(3) == "3 scoops"
    assert ordered(Declined(), with_label("Ice").elicitation_handler) == "decline"


def test_b15_fastmcps_server_gets_an_error_where_nobody_can_be_asked() -> None:
    with pytest.raises(ToolError, match="nobody can be asked here"):
        ordered(Unavailable())


def test_fastmcps_client_asks_for_a_server_of_mcp_2_in_the_modern_era() -> None:
    async def main() -> str:
        transport = StdioTransport(sys.executable, [str(PEERS / "resolving.py")])
        async with fastmcp.Client(transport, elicitation_handler=elicitation_handler) as client:
            result: Any = await client.call_tool("order")
            return result.content[0].text

    with scripted(lambda ask: {"flavour": "vanilla", "scoops": 1}) as asks:
        assert run(main()) == "1 x vanilla"
    assert asks[0].asker is not None
    assert asks[0].asker.label == "Ice cream kiosk"


def call(server: Any, tool: str, script: Any, **options: Any) -> str:
    async def main() -> str:
        async with await connect(server, **options) as connection:
            return (await connection.call_tool(tool)).content[-1].text

    with scripted(script):
        return run(main())


def test_b26_a_server_on_stdio_starts_where_standard_error_has_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert call(peer("resolving"), "order", lambda ask: {"flavour": "vanilla", "scoops": 1}) == "1 x vanilla"


def test_b24_an_error_for_one_of_two_questions_ends_the_round_and_its_other_card() -> None:
    def said(ask: Any) -> Reply:
        return Unavailable()

    with pytest.raises(MCPError, match="nobody can be asked here"):
        call(peer("rounds"), "book", said)


def test_b26_a_request_that_timed_out_while_the_loop_was_blocked_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The zombie: the loop wakes up, and finds the request and its cancellation side by side."""
    asks: list[Ask] = []

    async def put(ask: Ask) -> Reply:
        asks.append(ask)
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr("nbask.adapters.mcp.callbacks.aput", put)

    async def main() -> None:
        transport: Any = mcp.stdio_client(peer("impatient"))
        async with mcp.Client(transport, mode="legacy", elicitation_callback=elicitation_callback) as client:
            asking = asyncio.ensure_future(client.call_tool("hurry", {"seconds": 0.3, "after": 0.5}))
            await asyncio.sleep(0.25)  # the call is on its way
            time.sleep(2)  # noqa: ASYNC251 - the cell computes
            result: Any = await asking
            assert result.content[0].text == "gave up"

    run(main())
    assert asks == []


def test_a_server_that_dies_fails_the_calls_and_the_connection_still_closes() -> None:
    async def main() -> None:
        connection = await connect(peer("dying"))
        with pytest.raises(MCPError):
            await connection.call_tool("die")
        await connection.close()
        assert not connection.log.exists()

    run(main())


def test_a_server_that_never_answers_the_greeting_can_be_given_up() -> None:
    silent = mcp.StdioServerParameters(command=sys.executable, args=["-c", "import sys; sys.stdin.read()"])

    async def main() -> None:
        connecting = asyncio.ensure_future(connect(silent, mode="legacy"))
        await asyncio.wait({connecting}, timeout=1)
        connecting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await connecting

    run(main())
    for thread in [one for one in threading.enumerate() if one.name == "nbask-mcp"]:
        thread.join(20)
        assert not thread.is_alive()


def test_a_call_that_blocks_is_answered_from_the_connections_own_thread() -> None:
    async def opened() -> Any:
        return await connect(peer("resolving"))

    with scripted(lambda ask: {"flavour": "vanilla", "scoops": 2}):
        connection = run(opened())
        assert connection.call("order").content[0].text == "2 x vanilla"
        with pytest.raises(MCPError):
            connection.call("order", read_timeout_seconds=0.0001)
        run(connection.close())
        with pytest.raises(ConnectionError, match="closed; connect again"):
            connection.call("order")
