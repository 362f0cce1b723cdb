"""`nbask mcp`: a stdio server for a coding agent, which hands each call to the kernel that is served.

It holds no connection: every call finds the kernel anew, so that a kernel may restart, or come later.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    ErrorData,
    Implementation,
    InputRequiredResult,
)
from mcp_types.version import LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS

import nbask
from nbask.replies import Unavailable
from nbask.serve import rendezvous
from nbask.serve.edge import (
    Context,
    Result,
    asker_of,
    can_elicit,
    checked,
    failed,
    sdk_server,
    structured,
    tool_named,
)
from nbask.serve.posing import DEFAULT_MS, ToolFault
from nbask.serve.rendezvous import Rendezvous
from nbask.serve.results import Circumstances, empty
from nbask.serve.tools import Tool

log = logging.getLogger("nbask")

NO_KERNEL = "no notebook is served; run %nbask serve in one"
LOST = "the notebook's kernel ended or was restarted while the question was open; run %nbask serve in it again"
ROUNDS = 10


def run(notebook: str | None = None) -> None:
    """Serve on standard input and output until the agent is gone.

    Args:
        notebook: The notebook to ask in: its name, its path or its kernel's id; by default the one served last.
    """
    logging.disable(logging.CRITICAL)  # standard error is the agent's log, and has no use for ours
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever reads standard input cannot be cancelled
    asyncio.run(_serve(Bridge(notebook)))


async def _serve(bridge: Bridge) -> None:
    server = sdk_server(bridge.call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


class Bridge:
    """Answers an agent's calls from the kernel.

    Args:
        notebook: The notebook to ask in, or None for the one that was served last.
    """

    def __init__(self, notebook: str | None) -> None:
        self._notebook = notebook

    async def call(self, ctx: Context, params: CallToolRequestParams) -> Result:
        """Answer one `tools/call`."""
        tool = tool_named(params.name)
        found = await asyncio.to_thread(rendezvous.find, self._notebook)
        if found is None:
            wanted = f"no notebook {self._notebook!r} is served; run %nbask serve in it"
            return _nobody(ctx, tool, params, wanted if self._notebook else NO_KERNEL)
        try:
            return await self._forwarded(ctx, params, found)
        except MCPError as fault:
            if fault.code not in (CONNECTION_CLOSED, INTERNAL_ERROR):
                raise
        except Exception:  # however the SDK says that the other side is gone
            log.debug("the kernel is gone", exc_info=True)
        return _nobody(ctx, tool, params, LOST)

    async def _forwarded(self, ctx: Context, params: CallToolRequestParams, found: Rendezvous) -> Result:
        headers = {"Authorization": f"Bearer {found.token}"}
        # A person may take an hour; the kernel gives a sign of life every few seconds.
        async with (
            httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(10, read=60), trust_env=False) as http,
            Client(
                streamable_http_client(found.url, http_client=http),
                mode=LATEST_MODERN_VERSION,
                client_info=_agent(ctx),
                elicitation_callback=_unused if can_elicit(ctx) else None,
            ) as client,
        ):
            return await _asked(ctx, params, client)


async def _asked(ctx: Context, params: CallToolRequestParams, client: Client) -> Result:
    async def still_alive(progress: float, total: float | None, message: str | None) -> None:
        await ctx.session.report_progress(progress, total, message)

    brought: Any = params.input_responses
    state = params.request_state
    for _ in range(ROUNDS):
        result = await client.session.call_tool(
            params.name,
            params.arguments,
            progress_callback=still_alive,
            input_responses=brought,
            request_state=state,
            allow_input_required=True,
        )
        if not isinstance(result, InputRequiredResult) or ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return result
        requests = result.input_requests or {}
        brought = {name: await _elicited(ctx, request) for name, request in requests.items()}
        state = result.request_state
    return failed("the notebook's server asked again and again; something is wrong with it")


async def _elicited(ctx: Context, request: Any) -> ElicitResult:
    """Have an agent of an older protocol ask, for the kernel, which speaks the newer one."""
    if not isinstance(request, ElicitRequest) or not isinstance(request.params, ElicitRequestFormParams):
        return ElicitResult(action="cancel")
    form = request.params.requested_schema
    return await ctx.session.elicit_form(request.params.message, form, related_request_id=ctx.request_id)


async def _unused(context: Any, params: Any) -> ErrorData:  # noqa: ARG001 - the SDK's names
    # It says that the agent can show forms; the requests are answered by _asked, not by the SDK.
    return ErrorData(code=INTERNAL_ERROR, message="asked by no call")


def _agent(ctx: Context) -> Implementation:
    """The agent as the kernel is to name it."""
    given = getattr(ctx.session.client_params, "client_info", None)
    return given or Implementation(name="", version=nbask.__version__)


def _nobody(ctx: Context, tool: Tool, params: CallToolRequestParams, reason: str) -> CallToolResult:
    """The result of a call that reaches no kernel: the question comes back to the agent, as it would from there."""
    around = Circumstances(elicits=can_elicit(ctx))
    try:
        arguments = checked(tool, params.arguments or {})
        if tool.pose is None:
            return structured(tool, {**empty(tool.name, "needs_user_input", around), "message": reason})
        posed = tool.pose(arguments, asker_of(ctx, tool), DEFAULT_MS)
        return structured(tool, posed.result(Unavailable(reason=reason), around))
    except (ToolFault, ValueError) as fault:
        return failed(str(fault))
