"""The MCP SDK, imported when it is first needed: version 1 and version 2 are one door with two handles."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def sdk(module: str) -> Any:
    """A module of the SDK or of fastmcp.

    Raises:
        ImportError: It is not installed; the message names what to install.

    Example:
        >>> sdk("mcp").__name__
        'mcp'
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as fault:
        if fault.name is None or fault.name.partition(".")[0] != package:
            raise
        extra = "nbask[mcp]" if package == "mcp" else package
        raise ImportError(f"this needs the package {package}: pip install '{extra}'") from None
