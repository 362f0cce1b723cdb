"""The callbacks that an MCP client takes: a request in, a card, the client's own result out."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from nbask.adapters.mcp.sdk import sdk
from nbask.adapters.toolkit.cells import under_the_running_cell
from nbask.adapters.toolkit.elicitations import INTERNAL_ERROR, Fault, Result, asker_of, elicitation_from
from nbask.asking import aput
from nbask.questions import Asker
from nbask.text import one_line

log = logging.getLogger("nbask")

MOST_OPEN = 20
"""Asks one server may have open at once; the rest get an error, so that it cannot bury the person."""
TOO_MANY = -32000
_SETTLING = 0.05
"""Seconds before a card is shown. A loop that was blocked reads a request and its cancellation in one go, and a
request that is gone by then shows nothing."""
URL_REQUIRED = -32042

_open: Counter[str] = Counter()
_lock = threading.Lock()


class Elicitations:
    """The callbacks, with a label for whoever asks; made by :func:`nbask.adapters.mcp.with_label`."""

    name: str | None = None
    """What the server calls itself, for where its session does not tell (mcp 1)."""

    def __init__(self, label: str | None = None, timeout: float | None = None) -> None:
        self._label = label
        self._timeout = timeout
        self._asks: set[str] = set()

    async def elicitation_callback(self, context: Any, params: Any) -> Any:
        """For `elicitation_callback=` of the MCP SDK's `Client` and `ClientSession` (mcp 1.30 and 2.x).

        Args:
            context: The SDK's context; the server's name is read from its session.
            params: The request's parameters.

        Returns:
            The SDK's `ElicitResult` or `ErrorData`.

        Raises:
            CancelledError: The request was cancelled, by the server or by whoever called the tool.
        """
        types = sdk("mcp").types
        try:
            result = await self._ask(params, context)
        except Fault as fault:
            return types.ErrorData(code=fault.code, message=str(fault))
        return types.ElicitResult(**_given(result))

    async def elicitation_handler(self, message: str, response_type: Any, params: Any, context: Any) -> Any:  # noqa: ARG002
        """For `elicitation_handler=` of `fastmcp.Client`.

        Args:
            message: What is asked; `params` has it as well.
            response_type: Not used: titled choices are lost in it.
            params: The request's parameters.
            context: As in :meth:`elicitation_callback`.

        Returns:
            fastmcp's `ElicitResult`.

        Raises:
            Fault: The server gets an error, in this exception's words.
            CancelledError: The request was cancelled.
        """
        answer = sdk("fastmcp.client.elicitation").ElicitResult
        return answer(**_given(await self._ask(params, context)))

    async def accept_required(self, error: Exception) -> bool:
        """Show the addresses that a tool's error -32042 asks to open first (handshake versions of the protocol).

        Args:
            error: What the call raised.

        Returns:
            Whether to call again: the person has agreed to all of them. False for any other error.
        """
        data = getattr(error, "error", None)
        if getattr(data, "code", None) != URL_REQUIRED:
            return False
        wanted = (getattr(data, "data", None) or {}).get("elicitations", [])
        asked = [self._ask({**one, "mode": "url"}, None) for one in wanted[:MOST_OPEN] if isinstance(one, Mapping)]
        results = await asyncio.gather(*asked, return_exceptions=True)
        accepted = [isinstance(result, Result) and result.action == "accept" for result in results]
        return bool(accepted) and all(accepted)

    def withdraw(self) -> None:
        """Close what is open: nobody waits for it any more."""
        from nbask import runtime

        for ask_id in list(self._asks):
            runtime.current().desk.withdraw(ask_id)

    async def _ask(self, params: Any, context: Any) -> Result:
        await asyncio.sleep(_SETTLING)
        try:
            asker = asker_of(self._label, _name_of(context) or self.name)
            with _counted(asker):
                elicitation = elicitation_from(_wire(params), asker, self._timeout)
                self._asks.add(elicitation.ask.id)
                try:
                    return elicitation.result(await under_the_running_cell(aput(elicitation.ask)))
                finally:
                    self._asks.discard(elicitation.ask.id)
        except Fault:
            raise
        except Exception:
            # What went wrong here is nothing for a stranger to read.
            log.exception("an MCP elicitation could not be put to the person")
            raise Fault(INTERNAL_ERROR, "this client could not ask its user") from None


@contextmanager
def _counted(asker: Asker) -> Iterator[None]:
    with _lock:
        if _open[asker.label] >= MOST_OPEN:
            raise Fault(TOO_MANY, f"{MOST_OPEN} questions of this server are open already; wait until one is answered")
        _open[asker.label] += 1
    try:
        yield
    finally:
        with _lock:
            _open[asker.label] -= 1
            if not _open[asker.label]:
                del _open[asker.label]


def _wire(params: Any) -> Mapping[str, Any]:
    if isinstance(params, Mapping):
        return cast("Mapping[str, Any]", params)
    try:
        return params.model_dump(by_alias=True, mode="json", exclude_none=True)
    except ValueError:  # pydantic's answer to endless nesting
        return {"message": params.message, "requestedSchema": "nested too deeply"}


def _given(result: Result) -> dict[str, Any]:
    parts = {"action": result.action, "content": result.content, "_meta": result.meta}
    return {name: value for name, value in parts.items() if value is not None}


def _name_of(context: Any) -> str | None:
    return name_in(getattr(getattr(context, "session", None), "server_info", None))


def name_in(info: Any) -> str | None:
    """What a server calls itself, in what it told of itself; None where that is nothing."""
    name = getattr(info, "title", None) or getattr(info, "name", None)
    return one_line(name, 60) or None if isinstance(name, str) else None
