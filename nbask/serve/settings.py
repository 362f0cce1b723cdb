"""What `%nbask serve` prints: settings to paste into a coding agent. The one place where the token is shown."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbask.serve.server import Server

BRIDGE = ("-m", "nbask", "mcp")


def settings_of(server: Server) -> str:
    """The settings for the common agents: by the bridge, which finds the kernel, and over HTTP with the token."""
    entry = {"command": sys.executable, "args": list(BRIDGE)}
    command = shlex.join([sys.executable, *BRIDGE])
    http = {"type": "http", "url": server.url, "headers": {"Authorization": f"Bearer {server.token}"}}
    return f"""\
Coding agents can ask in this notebook now, until %nbask stop. Tell an agent once; it finds this kernel by itself:

  Claude Code     claude mcp add nbask -- {command}
  Codex CLI       codex mcp add nbask -- {command}
  Gemini CLI      gemini mcp add nbask {shlex.quote(sys.executable)} -- {shlex.join(BRIDGE)}
  VS Code         code --add-mcp {shlex.quote(json.dumps({"name": "nbask", **entry}))}
  Cursor, others  {json.dumps({"mcpServers": {"nbask": entry}})}

Or over HTTP, for as long as this server runs; whoever has this token can ask here:

  {json.dumps({"mcpServers": {"nbask": http}})}"""
