"""`nbask mcp`: a coding agent's stdio server, which finds the kernel, and finds it again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import ElicitResult, Implementation
from outside_agents import CALLS, MODES, check_contract, check_seed_001
from served import SCRIPTED, Served

from nbask.serve.tools import TOOLS

RED = CALLS["ask_choice"]
EACH = json.dumps(list(CALLS.items()))


@asynccontextmanager
async def bridged(served: Served, *words: str, mode: str = MODES[1], **rest: Any) -> AsyncIterator[Client]:
    """An agent that has the bridge in its settings."""
    command, args = served.bridge
    params = StdioServerParameters(command=command, args=[*args, *words], env=served.env)
    with tempfile.TemporaryFile("w+") as errors:
        transport = stdio_client(params, errlog=errors)
        info = Implementation(name="bridged", version="1")
        async with Client(transport, mode=mode, client_info=info, **rest) as client:  # type: ignore[arg-type]
            yield client
        errors.seek(0)
        assert errors.read() == ""


async def asked(served: Served, *calls: tuple[str, Any], words: tuple[str, ...] = (), **rest: Any) -> list[Any]:
    async with bridged(served, *words, **rest) as client:
        return [await client.call_tool(tool, arguments) for tool, arguments in calls]


def test_the_python_client_calls_every_tool_through_the_bridge(served: Served, state: str) -> None:
    for mode in MODES:
        results = served.wait(served.beside(asked(served, *CALLS.items(), mode=mode)), 60)
        for tool, result in zip(CALLS, results, strict=True):
            check_contract(tool, result.structured_content)


def test_the_reference_typescript_client_calls_every_tool_through_the_bridge(served: Served, state: str) -> None:
    command, args = served.bridge
    listed, *results = served.wait(served.peer(EACH, command=command, args=args), 60)
    assert listed["tools"] == list(TOOLS)
    for result in results:
        check_contract(result["tool"], result["structuredContent"])


def test_the_card_names_the_agent_and_not_the_bridge(served: Served) -> None:
    asking = served.beside(asked(served, ("ask_choice", RED)))
    (card,) = served.inbox().wait_listed("Red or blue?")
    assert card.ask["asker"]["label"] == "bridged"
    card.pick("Red")
    (result,) = served.wait(asking)
    check_seed_001("ask_choice", result.structured_content)


@pytest.mark.parametrize("mode", MODES)
def test_an_agent_that_gives_up_withdraws_its_card_through_the_bridge(served: Served, mode: str) -> None:
    async def impatient() -> None:
        async with bridged(served, mode=mode) as client:
            asking = asyncio.ensure_future(client.call_tool("ask_choice", RED))
            await asyncio.to_thread(shown.wait, 30)
            asking.cancel()
            await asyncio.wait({asking})

    shown = threading.Event()
    gone = served.beside(impatient())
    (card,) = served.inbox().wait_listed("Red or blue?")
    shown.set()
    assert card.wait_ended() == "withdrawn"
    served.wait(gone)


@pytest.mark.parametrize("mode", MODES)
def test_without_a_kernel_every_call_is_answered_and_says_what_to_do(mode: str, served: Served) -> None:
    served.kernel.run("%nbask stop").ok()
    results = dict(zip(CALLS, served.wait(served.beside(asked(served, *CALLS.items(), mode=mode)), 60), strict=True))
    for tool in ("ask_choice", "ask_multi_select", "ask_confirm", "ask_text", "human_input_status"):
        record = results[tool].structured_content
        assert (record["status"], record["answer"]) == ("needs_user_input", None)
        assert "no notebook is served; run %nbask serve in one" in record["message"]
    assert "no notebook is served" in results["ask_user_question"].content[0].text
    assert results["ask_form"].is_error
    assert results["approve_plan"].structured_content["approved"] is False


def test_a_notebook_is_picked_by_name_and_another_is_not_asked_in_its_place(served: Served) -> None:
    served.kernel.run(SCRIPTED).ok()
    (found,) = served.wait(served.beside(asked(served, ("ask_choice", RED), words=("--notebook", "study"))))
    assert found.structured_content["status"] == "answered"
    (other,) = served.wait(served.beside(asked(served, ("ask_choice", RED), words=("--notebook", "other.ipynb"))))
    assert "no notebook 'other.ipynb' is served" in other.structured_content["message"]


def test_the_list_names_the_notebook(served: Served) -> None:
    command, args = served.bridge
    done = subprocess.run([command, *args, "--list"], env=served.env, capture_output=True, text=True, timeout=60, check=True)  # fmt: skip
    assert done.stdout.startswith("study.ipynb  kernel ")
    assert served.rendezvous["token"] not in done.stdout


@pytest.mark.parametrize("mode", MODES)
def test_a_kernel_restart_ends_the_open_call_and_the_next_one_finds_the_new_kernel(served: Served, mode: str) -> None:
    restarted = threading.Event()

    async def main() -> tuple[Any, Any]:
        async with bridged(served, mode=mode) as client:
            lost = await client.call_tool("ask_choice", RED)
            await asyncio.to_thread(restarted.wait, 100)
            return lost, await client.call_tool("ask_confirm", CALLS["ask_confirm"])

    both = served.beside(main())
    served.inbox().wait_listed("Red or blue?")
    before = served.rendezvous
    served.kernel.restart()
    served.begin()
    assert served.rendezvous["token"] != before["token"]
    restarted.set()
    (card,) = served.inbox().wait_listed("Delete 3 files?")
    card.pick("Yes")
    lost, found = served.wait(both, 60)
    record = lost.structured_content
    assert (record["status"], record["answer"]) == ("needs_user_input", None)
    assert "the notebook's kernel ended or was restarted" in record["message"]
    assert found.structured_content["confirmed"] is True


@pytest.mark.parametrize("mode", MODES)
def test_where_the_notebook_cannot_ask_the_bridges_agent_does(served: Served, mode: str) -> None:
    served.kernel.run("%config NbAsk.headless = 'always'").ok()

    async def accept(context: Any, params: Any) -> ElicitResult:
        assert params.requested_schema["properties"]["q1"]["enum"] == ["Red", "Blue"]
        return ElicitResult(action="accept", content={"q1": "Red"})

    try:
        (result,) = served.wait(served.beside(asked(served, ("ask_choice", RED), mode=mode, elicitation_callback=accept)))  # fmt: skip
    finally:
        served.kernel.run("%config NbAsk.headless = 'auto'").ok()
    record = result.structured_content
    check_seed_001("ask_choice", record)
    assert (record["via"], record["client_elicitation"]) == ("elicitation", True)


def test_the_reference_client_asks_for_a_notebook_that_cannot(served: Served) -> None:
    served.kernel.run("%config NbAsk.headless = 'always'").ok()
    options = json.dumps({"elicit": {"action": "decline"}})
    found = served.rendezvous
    try:
        _, result = served.wait(served.peer(json.dumps([["ask_choice", RED]]), options, url=found["url"], token=found["token"]), 60)  # fmt: skip
    finally:
        served.kernel.run("%config NbAsk.headless = 'auto'").ok()
    record = result["structuredContent"]
    assert (record["status"], record["client_elicitation"], record["auto_reject_suspected"]) == ("declined", True, True)


def test_the_bridge_starts_light() -> None:
    """A coding agent waits for it at every start; the kernel's own packages are not needed for it."""
    code = "import sys, nbask.serve.bridge; print(*{name.partition('.')[0] for name in sys.modules})"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=root, check=True, env=os.environ)  # fmt: skip
    assert not {"IPython", "ipywidgets", "anywidget", "ipykernel", "zmq"} & set(done.stdout.split())


def test_ctrl_c_ends_the_bridge_though_its_standard_input_is_open(tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    env = {**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-m", "nbask", "mcp"], stdin=-1, stdout=-1, stderr=-1, env=env) as bridge:
        assert bridge.stdin is not None
        assert bridge.stdout is not None
        try:
            call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
            bridge.stdin.write(json.dumps(call).encode() + b"\n")
            bridge.stdin.flush()
            assert b'"id":1' in bridge.stdout.readline()
            bridge.send_signal(signal.SIGINT)
            assert bridge.wait(20) == -signal.SIGINT
        finally:
            bridge.kill()
        assert bridge.stderr is not None
        assert bridge.stderr.read() == b""
