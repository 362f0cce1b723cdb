"""A server on mcp 2 whose questions fit both eras of the protocol: parameters that are resolved by asking."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server.mcpserver import Elicit, ElicitationResult, MCPServer, Resolve
from pydantic import BaseModel, Field

server = MCPServer("Ice cream kiosk")


class Order(BaseModel):
    flavour: Literal["vanilla", "pistachio"]
    scoops: int = Field(ge=1, le=3, title="How many scoops?")


def ask_order() -> Elicit[Order]:
    return Elicit("What shall it be?", Order)


@server.tool()
async def order(choice: Annotated[ElicitationResult[Order], Resolve(ask_order)]) -> str:
    """Order ice cream."""
    if choice.action != "accept":
        return choice.action
    return f"{choice.data.scoops} x {choice.data.flavour}"


if __name__ == "__main__":
    server.run("stdio")
