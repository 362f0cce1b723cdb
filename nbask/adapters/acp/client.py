"""The client's side of the protocol, for the part that asks a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from nbask.adapters.acp.elicitations import elicited
from nbask.adapters.acp.permissions import PACKAGE, chosen, permission_ask
from nbask.adapters.toolkit.cells import under_the_running_cell
from nbask.adapters.toolkit.elicitations import INTERNAL_ERROR, SAID, Fault
from nbask.adapters.toolkit.extras import given, needed
from nbask.asking import aput
from nbask.questions import Ask, Asker
from nbask.replies import Discussed, Reply, Unavailable, Withdrawn
from nbask.text import one_line

NAMELESS = "an ACP agent that gives no name"
_KEPT = ("title", "kind", "content", "raw_input", "locations")


@dataclass
class _State:
    """What one client keeps: who the agent is, what it said, its tool calls, and the asks that are open."""

    agent: str | None = None
    gone: bool = False
    open: dict[asyncio.Task[Reply], tuple[str, str]] = field(default_factory=dict)
    calls: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)


class NotebookClient:
    """An ACP client's methods that ask the person: inherit from it, and add what else your client does.

    A class that overrides `session_update` or `on_connect` calls them here, too: the first knows what a tool call
    is about, the second what the agent is called, and that a session was cancelled.

    Example:
        >>> class MyClient(NotebookClient):
        ...     label = "My agent"
        >>> MyClient().label
        'My agent'
    """

    label: str | None = None
    """Who asks, as the cards say it; by default what the agent calls itself."""
    timeout: float | None = None
    """Seconds after which a card ends unanswered; none by default."""

    async def request_permission(self, session_id: str, tool_call: Any, options: Sequence[Any], **_meta: Any) -> Any:
        """Ask the person for permission, with the agent's own options.

        Returns:
            The SDK's `RequestPermissionResponse`: the chosen option, or that the request was cancelled.

        Raises:
            RequestError: The agent gets an error: it gave no options, or nobody can be asked.
        """
        schema = needed("acp.schema", install="nbask[acp]")
        if not options:
            raise _error(-32602, "options is empty; give at least one")
        call = self._known(session_id, tool_call)
        reply = await self._put(permission_ask(call, options, self._asker("permission"), self.timeout), session_id)
        if isinstance(reply, Unavailable):
            raise _error(INTERNAL_ERROR, "nobody can be asked here: no person has this notebook open")
        said = {"field_meta": {SAID: reply.text}} if isinstance(reply, Discussed) and reply.text else {}
        option_id = chosen(reply, options)
        if option_id is None:
            return schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"), **said)
        return schema.RequestPermissionResponse(outcome=schema.AllowedOutcome(outcome="selected", option_id=option_id))

    async def create_elicitation(self, message: str, mode: Any, **_meta: Any) -> Any:
        """Put a form, an address or questions to the person.

        Returns:
            The SDK's accept, decline or cancel response.

        Raises:
            RequestError: The agent gets an error: the form cannot be drawn, or nobody can be asked.
        """
        schema = needed("acp.schema", install="nbask[acp]")
        try:
            asked = elicited(message, mode, self._asker("elicitation"), self.timeout)
            reply = await self._put(
                asked.ask, getattr(mode, "session_id", None) or "", getattr(mode, "elicitation_id", None) or ""
            )
            result = asked.result(reply)
        except Fault as fault:
            raise _error(fault.code, str(fault)) from None
        meta = {"field_meta": result.meta} if result.meta else {}
        if result.action == "accept":
            return schema.AcceptElicitationResponse(action="accept", content=result.content, **meta)
        answer = schema.DeclineElicitationResponse if result.action == "decline" else schema.CancelElicitationResponse
        return answer(action=result.action, **meta)

    async def complete_elicitation(self, elicitation_id: str, **_meta: Any) -> None:
        """What an address was opened for is done: its card, if still there, is closed."""
        self._withdraw(lambda _session, elicitation: elicitation == elicitation_id)

    async def session_update(self, session_id: str, update: Any, **_meta: Any) -> None:
        """Keep what the agent says, and what is known of its tool calls: a request for permission may only name one."""
        state = self._state
        kind = given(update, "session_update", PACKAGE)
        if kind == "agent_message_chunk":
            state.texts.setdefault(session_id, []).append(getattr(update.content, "text", ""))
        elif kind in ("tool_call", "tool_call_update"):
            state.calls[session_id, update.tool_call_id] = self._known(session_id, update)
            if update.status in ("completed", "failed"):
                del state.calls[session_id, update.tool_call_id]

    def on_connect(self, connection: Any) -> None:
        """Hear of the agent's name, and of every session that is cancelled: its cards are closed."""
        initialize, cancel = connection.initialize, connection.cancel

        async def initialize_and_note(*args: Any, **kwargs: Any) -> Any:
            told = await initialize(*args, **kwargs)
            info = getattr(told, "agent_info", None)
            self._state.agent = (info and (info.title or info.name)) or None
            return told

        async def cancel_and_withdraw(session_id: str, **meta: Any) -> None:
            # The protocol leaves it to the client to answer what is open, and a handler is not told.
            await cancel(session_id=session_id, **meta)
            self.withdraw(session_id)

        connection.initialize, connection.cancel = initialize_and_note, cancel_and_withdraw

    def withdraw(self, session_id: str | None = None) -> None:
        """Close the cards of one session, or of all: the agent gets *cancelled* for each."""
        self._withdraw(lambda session, _elicitation: session_id in (None, session))

    def leave(self) -> None:
        """The agent is gone, or about to be: close its cards, and answer nothing any more."""
        self._state.gone = True
        self.withdraw()

    def take_text(self, session_id: str) -> str:
        """What the agent has said in a session since this was last called."""
        return "".join(self._state.texts.pop(session_id, []))

    @property
    def _state(self) -> _State:
        # Not in __init__, which a class with several parents may never call.
        return self.__dict__.setdefault("_nbask", _State())

    def _asker(self, what: str) -> Asker:
        name = one_line(self._state.agent or "", 60)
        if self.label is None:
            return Asker(name or NAMELESS, f"ACP {what}")
        return Asker(self.label, f"ACP {what} · {name}" if name and name != self.label else f"ACP {what}")

    def _known(self, session_id: str, update: Any) -> dict[str, Any]:
        call_id = given(update, "tool_call_id", PACKAGE)
        now = {name: given(update, name, PACKAGE) for name in _KEPT}
        known = self._state.calls.get((session_id, call_id), {})
        return {**known, **{name: value for name, value in now.items() if value is not None}}

    async def _put(self, ask: Ask, session_id: str, elicitation_id: str = "") -> Reply:
        async def asked() -> Reply:
            return await under_the_running_cell(aput(ask))

        task = asyncio.ensure_future(asked())
        self._state.open[task] = session_id, elicitation_id
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:  # the connection has gone
            task.cancel()
            await asyncio.wait({task})
            raise
        finally:
            del self._state.open[task]
        if task.cancelled() and self._state.gone:
            raise asyncio.CancelledError  # there is nobody to send an answer to
        return Withdrawn() if task.cancelled() else task.result()

    def _withdraw(self, meant: Callable[[str, str], bool]) -> None:
        for task, (session, elicitation) in list(self._state.open.items()):
            if meant(session, elicitation):
                task.cancel()


def capabilities(**more: Any) -> Any:
    """The SDK's `ClientCapabilities`, saying that this client takes forms and addresses; agents ask only then.

    Args:
        more: Your client's other capabilities.

    Example:
        >>> capabilities(terminal=True).elicitation.form is not None
        True
    """
    schema = needed("acp.schema", install="nbask[acp]")
    form, url = schema.ElicitationFormCapabilities(), schema.ElicitationUrlCapabilities()
    return schema.ClientCapabilities(elicitation=schema.ElicitationCapabilities(form=form, url=url), **more)


def _error(code: int, sentence: str) -> Exception:
    return needed("acp", install="nbask[acp]").RequestError(code, sentence)
