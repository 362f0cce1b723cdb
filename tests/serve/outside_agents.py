"""Agents outside of the kernel, as the tests play them, and the contracts that they hold the tools to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

MODES = ("legacy", "2026-07-28")
"""The two eras of the protocol: the handshake, and the one without."""

OPTION = {"label": "CSV", "description": "Plain"}
QUESTION = {
    "question": "Which format?",
    "header": "Format",
    "options": [OPTION, {"label": "Parquet", "description": "Small"}],
    "multiSelect": False,
}
SCHEMA = {
    "type": "object",
    "properties": {"repo": {"type": "string", "description": "Which repository?"}, "days": {"type": "integer"}},
    "required": ["repo"],
}
CALLS: Mapping[str, dict[str, Any]] = {
    "ask_user_question": {"questions": [QUESTION]},
    "ask_choice": {"question": "Red or blue?", "options": ["Red", "Blue"]},
    "ask_multi_select": {"question": "Which checks?", "options": ["lint", "types", "units"], "min": 1, "max": 2},
    "ask_confirm": {"question": "Delete 3 files?"},
    "ask_text": {"question": "Name it?"},
    "ask_form": {"prompt": "Where?", "outputSchema": SCHEMA},
    "approve_plan": {"plan": "1. Drop the column"},
    "human_input_status": {},
}
"""A call of every tool."""
ANSWERS: Mapping[str, Any] = {
    "Which format?": "Parquet",
    "Red or blue?": "Red",
    "Which checks?": ["lint", "types"],
    "Delete 3 files?": True,
    "Name it?": "exp-1",
    "Where?": {"repo": "a/b", "days": 3},
    "Go ahead with this plan?": "Yes, and go on by itself",
}
"""What the person says to them, as a script has it."""

SEED_001 = {
    "via": str,
    "tool": str,
    "answer": (str, type(None)),
    "status": str,
    "message": str,
    "fallback": str,
    "form_url": (str, type(None)),
    "question": (str, type(None)),
    "selected": list,
    "confirmed": (bool, type(None)),
    "free_text": (str, type(None)),
    "next_step": str,
    "elapsed_ms": int,
    "client_elicitation": bool,
    "auto_reject_suspected": bool,
}
"""The human_input tools' output, as seed 001 has it: every name required, and what it holds."""


@asynccontextmanager
async def agent(
    url: str, token: str, *, mode: str = "2026-07-28", name: str = "an agent", **rest: Any
) -> AsyncIterator[Client]:
    """A client of the Python SDK, connected; `rest` goes to :class:`mcp.client.Client`."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(
            streamable_http_client(url, http_client=http),
            mode=mode,  # type: ignore[arg-type]
            client_info=Implementation(name=name, version="1"),
            **rest,
        ) as client,
    ):
        yield client


def check_contract(tool: str, result: Mapping[str, Any]) -> None:
    """Hold an answered call's structured result to its seed, with what :data:`ANSWERS` says."""
    if tool == "ask_user_question":
        assert result["questions"] == [QUESTION]
        assert result["answers"] == {"Which format?": "Parquet"}
        assert result["annotations"] == {}
    elif tool == "ask_form":
        assert result == {"answer": {"repo": "a/b", "days": 3}, "answered": True}
    elif tool == "approve_plan":
        assert (result["approved"], result["mode"], result["status"]) == (True, "auto", "answered")
    else:
        check_seed_001(tool, result)


def check_seed_001(tool: str, result: Mapping[str, Any]) -> None:
    """Hold one of the human_input tools' results to seed 001."""
    assert set(result) == set(SEED_001)
    assert [name for name, kind in SEED_001.items() if not isinstance(result[name], kind)] == []
    assert (result["tool"], result["form_url"]) == (tool, None)
    assert result["next_step"]
    expected = {
        "ask_choice": ("Red", ["Red"], None),
        "ask_multi_select": ("lint, types", ["lint", "types"], None),
        "ask_confirm": ("yes", [], True),
        "ask_text": ("exp-1", [], None),
        "human_input_status": (None, [], None),
    }
    assert (result["answer"], result["selected"], result["confirmed"]) == expected[tool]
    assert result["status"] == ("answered" if tool != "human_input_status" else "available")
