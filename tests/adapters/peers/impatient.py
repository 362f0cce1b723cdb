"""A server on mcp 2 that pushes a question, and gives it up."""

from __future__ import annotations

import anyio
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

server = MCPServer("Impatient")


class Answer(BaseModel):
    city: str


@server.tool()
async def hurry(ctx: Context, seconds: float, after: float = 0) -> str:
    """Ask after a while, and wait for so long."""
    await anyio.sleep(after)
    with anyio.move_on_after(seconds):
        result = await ctx.elicit("Where to, quick?", Answer)
        return f"{result.action}"
    return "gave up"


if __name__ == "__main__":
    server.run("stdio")
