"""A server on mcp 1, which pushes its questions to the client."""

from __future__ import annotations

from mcp.server.fastmcp import Context, FastMCP  # pyright: ignore[reportAttributeAccessIssue] - of mcp 1
from pydantic import BaseModel

server = FastMCP("Old kiosk", log_level="ERROR")


class Order(BaseModel):
    scoops: int
    cone: bool
    note: str | None = None


@server.tool()
async def order(ctx: Context) -> str:
    """Order ice cream."""
    result = await ctx.elicit("What shall it be?", Order)
    return f"accept {result.data.model_dump()}" if result.action == "accept" else result.action


if __name__ == "__main__":
    server.run("stdio")
