"""A server on fastmcp, which asks for a scalar as one property named `value`."""

from __future__ import annotations

from fastmcp import Context, FastMCP

server = FastMCP("Namer")


@server.tool
async def name_it(ctx: Context) -> str:
    """Ask for a name."""
    result = await ctx.elicit("Name the experiment", str)
    return f"named {result.data}" if result.action == "accept" else result.action


if __name__ == "__main__":
    server.run("stdio", show_banner=False)
