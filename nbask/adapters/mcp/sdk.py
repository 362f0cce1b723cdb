"""The MCP SDK, imported when it is first needed: version 1 and version 2 are one door with two handles."""

from __future__ import annotations

from typing import Any

from nbask.adapters.toolkit.extras import needed


def sdk(module: str) -> Any:
    """A module of the SDK or of fastmcp.

    Raises:
        ImportError: It is not installed; the message names what to install.

    Example:
        >>> sdk("mcp").__name__
        'mcp'
    """
    return needed(module, install="nbask[mcp]" if module.partition(".")[0] == "mcp" else "fastmcp")
