"""A server that dies in the middle of a call."""

from __future__ import annotations

import os

from mcp.server.mcpserver import MCPServer

server = MCPServer("Mortal")


@server.tool()
async def die() -> str:
    """End this process."""
    os._exit(3)


if __name__ == "__main__":
    server.run("stdio")
