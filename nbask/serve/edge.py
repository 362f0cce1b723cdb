"""Where a call meets the SDK, in the kernel and in the bridge alike: tools listed, arguments checked, results made."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool

import nbask
from nbask.questions import Asker
from nbask.schema_faults import check_schema
from nbask.serve.tools import TOOLS, Tool
from nbask.text import one_line, printable, sendable

NAMELESS = "An MCP client"
INSTRUCTIONS = (
    "The user sits at a notebook, where these tools show a question card and wait for the answer. Ask what only the "
    "user can decide. No status but `answered` is an answer."
)

Context = ServerRequestContext[Any, Any]
Result = CallToolResult | InputRequiredResult


def sdk_server(answer: Callable[[Context, CallToolRequestParams], Awaitable[Result]]) -> Server[Any]:
    """The SDK's server with nbask's tools.

    Args:
        answer: Answers a `tools/call`.
    """

    async def list_tools(_ctx: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(tool) for tool in TOOLS.values()])

    return Server(
        "nbask",
        title="nbask",
        version=nbask.__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=answer,
    )


def _listed(tool: Tool) -> ListedTool:
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=dict(tool.output_schema),
        annotations=ToolAnnotations(
            title=tool.title, read_only_hint=True, destructive_hint=False, idempotent_hint=False, open_world_hint=False
        ),
    )


def tool_named(name: str) -> Tool:
    """The tool; a protocol error where there is none."""
    if name not in TOOLS:
        raise MCPError(INVALID_PARAMS, f"there is no tool {one_line(name, 60)!r}; there are {', '.join(TOOLS)}")
    return TOOLS[name]


def checked(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as the tool takes them.

    Raises:
        ValueError: They do not fit its input schema; the message has the path and the mend.
    """
    try:
        plain = sendable(json.loads(json.dumps(dict(arguments))))
        check_schema(plain, tool.input_schema)
    except RecursionError:
        raise ValueError("the arguments are nested too deeply; send them flatter") from None
    return plain


def structured(tool: Tool, record: dict[str, Any]) -> CallToolResult:
    """A result that fits the tool's output schema, and the same as text for clients that read no other."""
    check_schema(record, tool.output_schema)
    text = json.dumps(record, ensure_ascii=False, indent=1)
    return CallToolResult(content=[TextContent(text=text)], structured_content=record)


def failed(words: str) -> CallToolResult:
    """A tool's error, for the agent to read and mend."""
    return CallToolResult(content=[TextContent(text=words)], is_error=True)


def asker_of(ctx: Context, tool: Tool) -> Asker:
    """Who asks, as the client names itself."""
    info = getattr(ctx.session.client_params, "client_info", None)
    said = one_line(printable((info.title or info.name) if info is not None else ""), 60)
    return Asker(said or NAMELESS, tool.name)


def can_elicit(ctx: Context) -> bool:
    """Whether the calling client said that it can show forms."""
    elicitation = getattr(ctx.session.client_capabilities, "elicitation", None)
    # Before there was a second mode, an empty capability meant forms.
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)
