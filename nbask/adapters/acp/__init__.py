"""Agents that speak the Agent Client Protocol: what they ask, and what they want permission for, become cards.

    async with nbask.adapters.acp.agent("my-agent", "--acp") as session:
        print(await session.prompt("Tidy up the data folder"))

`agent` runs one from a notebook. A client of your own gets the cards by inheriting from `NotebookClient`.
"""

from __future__ import annotations

from nbask.adapters.acp.client import NotebookClient, capabilities
from nbask.adapters.acp.session import Session, Turn, agent

__all__ = ["NotebookClient", "Session", "Turn", "agent", "capabilities"]
