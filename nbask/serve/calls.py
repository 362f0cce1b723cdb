"""One tool call from its first byte to its result: checked, bounded, put to the person, kept alive, withdrawn."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, cast

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from nbask import aio
from nbask.replies import Cancelled, Declined, Reply, Unavailable
from nbask.runtime import Runtime
from nbask.serve.edge import Context, Result, asker_of, can_elicit, checked, failed, structured, tool_named
from nbask.serve.elicitation import TOO_FAST, VIA, form_of, reply_of, words_of
from nbask.serve.guard import GONE
from nbask.serve.posing import DEFAULT_MS, Posed, ToolFault
from nbask.serve.results import Circumstances, Fallback, empty, status_of
from nbask.serve.tools import Tool
from nbask.text import one_line

log = logging.getLogger("nbask")

HEARTBEAT = 5.0
"""Seconds between signs of life to a client while the person thinks: clients give up on calls that are silent."""
PER_CLIENT = 20
TOTAL = 50
"""Questions that may be open at once: more than a person answers, and fewer than hurt."""
LONGEST_FORM = 3600.0
"""Seconds a client has to answer a form without a limit: some drop it, and would be waited for for ever."""
STOPPED = "the notebook's server was stopped"


class Calls:
    """The calls of one server.

    Args:
        runtime: Finds the runtime that asks.
    """

    def __init__(self, runtime: Callable[[], Runtime]) -> None:
        self._runtime = runtime
        self._open: Counter[str] = Counter()
        self._closing = asyncio.Event()

    def close(self) -> None:
        """End every open call; in the server's own loop."""
        self._closing.set()

    async def call(self, ctx: Context, params: CallToolRequestParams) -> Result:
        """Answer one `tools/call`."""
        tool = tool_named(params.name)
        try:
            posed = self._posed(ctx, tool, params.arguments or {})
            if posed is None:
                return structured(tool, self._status(ctx))
            with self._counted(_client_key(ctx)):
                return await self._answered(ctx, params, tool, posed)
        except ToolFault as fault:
            return failed(str(fault))
        except MCPError:
            raise
        except Exception:  # its text might hold anything, and would be the agent's to read
            log.exception("a call of %s failed", tool.name)
            return failed("The question could not be asked: nbask failed on it. The notebook's log says why.")

    def _posed(self, ctx: Context, tool: Tool, given: dict[str, Any]) -> Posed | None:
        seconds = self._runtime().settings.timeout
        default_ms = DEFAULT_MS if seconds is None else round(seconds * 1000)
        try:
            arguments = checked(tool, given)
            return None if tool.pose is None else tool.pose(arguments, asker_of(ctx, tool), default_ms)
        except ValueError as fault:
            raise ToolFault(str(fault)) from None

    async def _answered(self, ctx: Context, params: CallToolRequestParams, tool: Tool, posed: Posed) -> Result:
        elicits = can_elicit(ctx)
        modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        if modern and params.request_state is not None:
            reply = self._noted(posed, _answer_brought(params, posed))
        else:
            reply = await self._alive(ctx, aio.put(posed.ask))
            # Nobody may ask for a secret by a client's form; the protocol forbids it.
            secret = any(question.secret for question in posed.ask.questions)
            if isinstance(reply, Unavailable) and elicits and not secret and not self._closing.is_set():
                if modern:
                    return _ask_client(posed)
                reply = self._noted(posed, await self._alive(ctx, _elicited(ctx, posed)))
        refused = isinstance(reply, Declined | Cancelled) and reply.via == VIA
        around = Circumstances(
            fallback=self._fallback,
            elicits=elicits,
            suspected=refused and reply.elapsed < TOO_FAST,
            said=posed.said,
        )
        return structured(tool, posed.result(reply, around))

    def _noted(self, posed: Posed, reply: Reply) -> Reply:
        self._runtime().note(posed.ask, reply)
        return reply

    async def _alive(self, ctx: Context, work: Coroutine[Any, Any, Reply]) -> Reply:
        """Await a reply, and tell the client that its call is alive; who is gone takes the question along."""
        asking = asyncio.ensure_future(work)
        ends = [asyncio.ensure_future(event.wait()) for event in (self._closing, _gone(ctx)) if event is not None]
        started = time.monotonic()
        try:
            while not asking.done() and not any(end.done() for end in ends):
                await asyncio.wait({asking, *ends}, timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
                if not asking.done():
                    seconds = round(time.monotonic() - started, 3)
                    await ctx.session.report_progress(seconds, message="waiting for the person at the notebook")
            return asking.result() if asking.done() else Unavailable(reason=STOPPED)
        finally:
            for task in (asking, *ends):
                task.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait({asking, *ends})

    def _status(self, ctx: Context) -> dict[str, Any]:
        current = self._runtime()
        route, open_asks = current.route(), len(current.desk.snapshot())
        elicits = can_elicit(ctx)
        status = "available" if route.fronts or elicits else status_of(Unavailable(), self._fallback)
        record = empty("human_input_status", status, Circumstances(self._fallback, elicits))
        via = next(iter(route.fronts), VIA if elicits else "none")
        asked = f"{open_asks or 'no'} question{'s' * (open_asks != 1)} open"
        return {**record, "via": via, "message": f"{route.reason}; {asked}"}

    @property
    def _fallback(self) -> Fallback:
        return cast("Fallback", self._runtime().settings.serve_fallback)

    @contextmanager
    def _counted(self, client: str) -> Iterator[None]:
        if self._open[client] >= PER_CLIENT or self._open.total() >= TOTAL:
            open_now = f"{self._open.total()} questions are open already, {self._open[client]} of them yours"
            raise ToolFault(f"{open_now}; wait for answers, or put several questions into one ask_user_question")
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


async def _elicited(ctx: Context, posed: Posed) -> Reply:
    """Have a client of the older protocols ask."""
    started = time.monotonic()
    with anyio.move_on_after(posed.ask.timeout or LONGEST_FORM):
        try:
            form = dict(posed.schema or form_of(posed.ask))
            said = await ctx.session.elicit_form(words_of(posed.ask), form, related_request_id=ctx.request_id)
        except MCPError as fault:
            return Unavailable(reason=f"the client could not ask either: {one_line(fault.message)}")
        return reply_of(posed.ask, said.action, said.content, time.monotonic() - started)
    return Unavailable(reason="the client was to ask, and nobody answered in time")


def _client_key(ctx: Context) -> str:
    headers = getattr(ctx.request, "headers", {})
    info = getattr(ctx.session.client_params, "client_info", None)
    return headers.get("mcp-session-id") or getattr(info, "name", "")


def _gone(ctx: Context) -> asyncio.Event | None:
    return getattr(ctx.request, "scope", {}).get(GONE)


def _ask_client(posed: Posed) -> InputRequiredResult:
    """Have a client of 2026-07-28 ask, and call again with what was said."""
    form = dict(posed.schema or form_of(posed.ask))
    request = ElicitRequest(params=ElicitRequestFormParams(message=words_of(posed.ask), requested_schema=form))
    return InputRequiredResult(input_requests={"answer": request}, request_state=json.dumps(time.time()))


def _answer_brought(params: CallToolRequestParams, posed: Posed) -> Reply:
    # The state comes back sealed: the server's RequestStateBoundary has checked it against this very call.
    elapsed = max(0.0, time.time() - float(json.loads(params.request_state or "0")))
    said = (params.input_responses or {}).get("answer")
    if not isinstance(said, ElicitResult):
        return Unavailable(reason="the client called again and brought no answer")
    return reply_of(posed.ask, said.action, said.content, elapsed)
