"""A server on mcp 2 that answers a call with what it still needs: two questions at once, then a state alone."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequest,
    InputRequiredResult,
    TextContent,
)

server = MCPServer("Travel agent")


def wanted(message: str, name: str) -> ElicitRequest:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


@server.tool()
async def book(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Book a trip; needs to know where from and where to, and then a moment."""
    match ctx.request_state:
        case None:
            asked: dict[str, InputRequest] = {"from": wanted("Where from?", "city"), "to": wanted("Where to?", "city")}
            return InputRequiredResult(input_requests=asked, request_state="asked")
        case "asked":
            answers: Any = ctx.input_responses or {}
            said = "/".join(
                f"{answers[key].action}:{(answers[key].content or {}).get('city')}" for key in ("from", "to")
            )
            return InputRequiredResult(request_state=f"said {said}")
        case said:
            return CallToolResult(content=[TextContent(type="text", text=said)])


if __name__ == "__main__":
    server.run("stdio")
