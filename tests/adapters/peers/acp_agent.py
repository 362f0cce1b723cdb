"""An ACP agent on the SDK, which sends what a prompt tells it to send, all at once, and says what came back.

A prompt is a list of requests and notifications of the protocol: `{"method", "params", "notify"?}`.
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

import acp
from acp.schema import AgentCapabilities, Implementation, InitializeResponse, NewSessionResponse, PromptResponse

INFO = Implementation(name="scribe", title="Scribe", version="1")


class Scribe:
    """Does as it is told."""

    cancelled = asks = False
    came: list[Any]

    def on_connect(self, conn: Any) -> None:
        self.conn = conn

    async def initialize(self, protocol_version: int, client_capabilities: Any = None, **_: Any) -> InitializeResponse:
        self.asks = client_capabilities.elicitation is not None
        return InitializeResponse(
            protocol_version=protocol_version, agent_capabilities=AgentCapabilities(), agent_info=INFO
        )

    async def new_session(self, cwd: str, **_: Any) -> NewSessionResponse:
        return NewSessionResponse(session_id="s1")

    async def cancel(self, session_id: str, **_: Any) -> None:
        self.cancelled = True

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> PromptResponse:
        self.cancelled = False
        steps = json.loads(prompt[0].text)
        self.came = await asyncio.gather(*(self.send(step) for step in steps))
        told = json.dumps({"came": self.came, "asks": self.asks})
        await self.conn.session_update(session_id, acp.update_agent_message_text(told))
        return PromptResponse(stop_reason="cancelled" if self.cancelled else "end_turn")

    async def send(self, step: dict[str, Any]) -> Any:
        connection = self.conn._conn
        if step.get("die"):
            os._exit(3)
        await asyncio.sleep(step.get("after", 0))
        if step.get("notify"):
            return await connection.send_notification(step["method"], step["params"])
        try:
            return await connection.send_request(step["method"], step["params"])
        except acp.RequestError as error:
            return {"error": error.code, "message": str(error), "data": error.data}


if __name__ == "__main__":
    scribe: Any = Scribe()
    asyncio.run(acp.run_agent(scribe, use_unstable_protocol=True))
