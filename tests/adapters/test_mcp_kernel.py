"""MCP elicitation in real kernels, of real servers over stdio, answered on the card: no part of it is a stand-in.

Cases of the project's list that are tested here, by id: B1, B15, B17, B18, B21, B22, B24, B26.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from driver import Kernel
from environments import ROOT, cache
from page import CardView, Execution

PEERS = Path(__file__).parent / "peers"
EVERYTHING = ROOT / "tests/peers/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
OF_MCP_1 = cache() / "mcp-1" / "bin" / "python"
PYTHON = Path(sys.executable)
PATIENCE = 40.0
"""Seconds for a server to start on a busy machine."""


waits = pytest.mark.parametrize("how", ["await peer.call_tool", "peer.call"], ids=["await", "sync"])
"""How a cell calls a tool."""


def opened(program: object, *args: object, options: str = "") -> str:
    """A cell that connects."""
    server = f"StdioServerParameters(command={str(program)!r}, args={[str(arg) for arg in args]!r})"
    return f"peer = await connect({server}{options})"


def opened_peer(name: str, python: Path = PYTHON, options: str = "") -> str:
    return opened(python, PEERS / f"{name}.py", options=options)


def calls(tool: str, arguments: object = None, how: str = "await peer.call_tool") -> str:
    return f"result = {how}({tool!r}, {arguments!r})\nprint(result.content[-1].text)"


def connect(kernel: Kernel, cell: str) -> None:
    kernel.run(cell).ok(PATIENCE)


def close(kernel: Kernel) -> None:
    kernel.run("await peer.close()").ok(PATIENCE)


def fill(card: CardView, given: dict[str, Any]) -> None:
    """Submit a form: text, or labels to pick, by field."""
    answers: dict[str, Any] = {}
    for index, question in enumerate(card.ask["questions"]):
        said = given.get(question["id"])
        if said is not None:
            answers |= (
                card.answer(*said, question=index)
                if question["options"]
                else {**card.answer(question=index, value=said)}
            )
    card.reply(answers=answers)


def shown(kernel: Kernel) -> CardView:
    return kernel.wait_card(PATIENCE).attach()


FILLED = {
    "name": "Ann",
    "check": ["Yes"],
    "firstLine": "Call me Ishmael.",
    "email": "ann@example.org",
    "homepage": "https://example.org/ann",
    "birthdate": "2001-02-03",
    "integer": "7",
    "number": "2.5",
    "untitledSingleSelectEnum": ["Ross"],
    "untitledMultipleSelectEnum": ["Guitar", "Piano"],
    "titledSingleSelectEnum": ["Superman"],
    "titledMultipleSelectEnum": ["Tuna", "Salmon"],
    "legacyTitledEnum": ["Dogs"],
}


def raw(cell: Execution) -> dict[str, Any]:
    """What the reference server says it got."""
    return json.loads(cell.ok().partition("Raw result:")[2])


@waits
def test_b17_b22_the_reference_servers_form_is_accepted_declined_and_cancelled(kernel: Kernel, how: str) -> None:
    connect(kernel, opened("node", EVERYTHING, "stdio", options=", label='Reference'"))
    cell = kernel.run(calls("trigger-elicitation-request", how=how))
    card = shown(kernel)
    assert (card.ask["asker"]["label"], card.ask["asker"]["detail"]) == (
        "Reference",
        "MCP · Everything Reference Server",
    )
    assert [question["id"] for question in card.ask["questions"]] == list(FILLED)
    fill(card, {**FILLED, "integer": "101", "name": None, "email": "nobody"})
    assert set(card.wait_refused()["errors"]) == {"integer", "name", "email"}
    fill(card, FILLED)
    content = raw(cell)["content"]
    assert {name: content[name] for name in ("name", "check", "integer", "number")} == {
        "name": "Ann", "check": True, "integer": 7, "number": 2.5
    }  # fmt: skip
    assert content["titledSingleSelectEnum"].startswith("hero-")
    assert all(one.startswith("fish-") for one in content["titledMultipleSelectEnum"])
    assert content["legacyTitledEnum"].startswith("pet-")
    for action in ("decline", "cancel"):
        cell = kernel.run(calls("trigger-elicitation-request", how=how))
        shown(kernel).reply(action)
        assert raw(cell) == {"action": action}
    close(kernel)


URL = "https://example.org/sign-in?state=1"


@waits
def test_b21_the_reference_servers_address_is_asked_for_both_ways(kernel: Kernel, how: str) -> None:
    connect(kernel, opened("node", EVERYTHING, "stdio"))
    for action, said in (("submit", "accept"), ("decline", "decline")):
        cell = kernel.run(calls("trigger-url-elicitation", {"url": URL}, how))
        card = shown(kernel)
        assert card.ask["questions"][0]["url"] == URL
        card.reply(action, answers=card.answer(value=True) if action == "submit" else None)
        assert said in cell.ok(PATIENCE).lower()
    arguments = {"url": URL, "errorPath": True}
    cell = kernel.run(
        f"try:\n    {how}('trigger-url-elicitation', {arguments})\n"
        "except Exception as error:\n    print(await peer.elicitations.accept_required(error))\n"
        + calls("trigger-url-elicitation", arguments, how)
    )
    for _ in ("the error", "the call again"):
        card = shown(kernel)
        assert card.ask["asker"]["label"] == "Everything Reference Server"
        card.reply(answers=card.answer(value=True))
    assert cell.ok(PATIENCE).startswith("True\n")
    close(kernel)


@waits
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_b1_a_resolver_of_mcp_2_asks_in_both_eras_of_the_protocol(kernel: Kernel, mode: str, how: str) -> None:
    connect(kernel, opened_peer("resolving", options=f", mode={mode!r}"))
    cell = kernel.run(calls("order", how=how))
    card = shown(kernel)
    assert card.ask["asker"]["label"] == "Ice cream kiosk"
    fill(card, {"flavour": ["vanilla"], "scoops": "4"})
    assert "scoops" in card.wait_refused()["errors"]
    fill(card, {"flavour": ["vanilla"], "scoops": "2"})
    assert cell.ok(PATIENCE) == "2 x vanilla\n"
    assert "vanilla" in cell.html
    cell = kernel.run(calls("order", how=how))
    shown(kernel).reply("decline")
    assert cell.ok(PATIENCE) == "decline\n"
    close(kernel)


@waits
def test_b24_a_round_of_two_questions_is_two_cards_and_a_round_of_none_goes_on_by_itself(
    kernel: Kernel, how: str
) -> None:
    connect(kernel, opened_peer("rounds"))
    cell = kernel.run(calls("book", how=how))
    cards = {card.ask["message"]["html"]: card for card in (shown(kernel), shown(kernel))}
    assert sorted(cards) == ["<p>Where from?</p>", "<p>Where to?</p>"]
    fill(cards["<p>Where to?</p>"], {"city": "Ulm"})
    fill(cards["<p>Where from?</p>"], {"city": "Bonn"})
    assert cell.ok(PATIENCE) == "said accept:Bonn/accept:Ulm\n"
    close(kernel)


@waits
def test_a_server_on_mcp_1_pushes_its_question_into_a_cell(kernel: Kernel, how: str) -> None:
    connect(kernel, opened_peer("pushing", OF_MCP_1))
    cell = kernel.run(calls("order", how=how))
    fill(shown(kernel), {"scoops": "3", "cone": ["No"]})
    assert cell.ok(PATIENCE) == "accept {'scoops': 3, 'cone': False, 'note': None}\n"
    close(kernel)


@waits
def test_a_server_on_fastmcp_asks_for_a_scalar(kernel: Kernel, how: str) -> None:
    connect(kernel, opened_peer("scalars", options=", mode='legacy'"))
    cell = kernel.run(calls("name_it", how=how))
    card = shown(kernel)
    assert (card.ask["message"], card.ask["questions"][0]["text"]) == (None, "Name the experiment")
    fill(card, {"value": "exp-1"})
    assert cell.ok(PATIENCE) == "named exp-1\n"
    close(kernel)


def test_b26_a_connection_is_opened_used_and_closed_in_cells_of_their_own(kernel: Kernel) -> None:
    connect(kernel, opened_peer("resolving", options=", mode='legacy', label='Kiosk'"))
    for how in ("await peer.call_tool", "await peer.call_tool"):
        cell = kernel.run(calls("order", how=how))
        fill(shown(kernel), {"flavour": ["pistachio"], "scoops": "1"})
        assert cell.ok(PATIENCE) == "1 x pistachio\n"
        # Its card and its receipt are under the cell that called, and not under the one that connected.
        assert "pistachio" in cell.html
    close(kernel)
    close(kernel)
    assert kernel.run("await peer.call_tool('order')").wait().error == "ConnectionError"


def test_b26_an_interrupt_ends_the_call_and_its_card_and_the_connection_lives_on(kernel: Kernel) -> None:
    connect(kernel, opened_peer("resolving"))
    cell = kernel.run(calls("order"))
    card = shown(kernel)
    kernel.wait_handled(card.last_sent)
    kernel.interrupt()
    assert cell.wait(PATIENCE).error == "CancelledError"
    assert card.wait_ended() in ("cancelled", "withdrawn")
    cell = kernel.run(calls("order"))
    shown(kernel).reply("cancel")
    assert cell.ok(PATIENCE) == "cancel\n"
    close(kernel)


def test_b26_an_interrupt_ends_a_call_that_blocks_as_well(kernel: Kernel) -> None:
    connect(kernel, opened_peer("resolving", options=", mode='legacy'"))
    cell = kernel.run(calls("order", how="peer.call"))
    card = shown(kernel)
    kernel.interrupt()
    assert cell.wait(PATIENCE).error == "KeyboardInterrupt"
    assert card.wait_ended() in ("cancelled", "withdrawn")
    assert kernel.run("print(1 + 1)").ok() == "2\n"
    cell = kernel.run(calls("order"))
    shown(kernel).reply("decline")
    assert cell.ok(PATIENCE) == "decline\n"
    close(kernel)


def test_b15_where_no_person_runs_the_cell_the_server_gets_an_error_at_once(kernel: Kernel) -> None:
    connect(kernel, opened_peer("resolving"))
    cell = kernel.run(calls("order"), allow_stdin=False).wait(PATIENCE)
    assert cell.error == "MCPError"
    assert "nobody can be asked here" in cell.error_text
    close(kernel)


def test_a_client_of_the_sdk_that_an_earlier_cell_opened_asks_under_the_cell_that_calls(kernel: Kernel) -> None:
    server = f"StdioServerParameters(command={str(PYTHON)!r}, args=[{str(PEERS / 'resolving.py')!r}])"
    opening = (
        "import mcp, os\n"
        f"transport = mcp.stdio_client({server}, errlog=open(os.devnull, 'w'))\n"
        "client = mcp.Client(transport, mode='legacy', elicitation_callback=elicitation_callback)\n"
        "leave, there = asyncio.Event(), asyncio.Event()\n"
        "async def stay():\n    async with client:\n        there.set()\n        await leave.wait()\n"
        "staying = asyncio.create_task(stay())\nawait there.wait()"
    )
    connect(kernel, opening)
    cell = kernel.run(calls("order", how="await client.call_tool"))
    fill(shown(kernel), {"flavour": ["vanilla"], "scoops": "3"})
    assert cell.ok(PATIENCE) == "3 x vanilla\n"
    assert "vanilla" in cell.html
    kernel.run("leave.set()\nawait staying").ok(PATIENCE)


def test_b18_a_request_that_the_server_gives_up_takes_its_card_away(kernel: Kernel) -> None:
    connect(kernel, opened_peer("impatient", options=", mode='legacy'"))
    cell = kernel.run(calls("hurry", {"seconds": 1.0}))
    card = shown(kernel)
    assert card.ask["deadline"] is None  # nobody here knows of it
    assert cell.ok(PATIENCE) == "gave up\n"
    assert card.wait_ended() == "withdrawn"
    close(kernel)


def test_b18_the_callers_own_limit_is_on_the_card_and_typing_does_not_pause_it(kernel: Kernel) -> None:
    # The limit is each request's, also that of the first one, which a server answers when it has started.
    connect(kernel, opened_peer("impatient", options=", mode='legacy', timeout=8"))
    cell = kernel.run(calls("hurry", {"seconds": 60}))
    card = shown(kernel)
    assert card.ask["deadline"] is not None
    assert card.ask["pausable"] is False
    card.set_draft(card.answer(value="Ul"))
    cell.wait(PATIENCE)
    assert card.wait_ended() in ("withdrawn", "timed_out")
    close(kernel)


def test_a_client_on_mcp_1_asks_with_the_same_callback(kernel_with_mcp_1: Kernel) -> None:
    kernel = kernel_with_mcp_1
    connect(kernel, opened_peer("pushing", OF_MCP_1))
    cell = kernel.run(calls("order"))
    card = shown(kernel)
    assert card.ask["asker"] == {"label": "Old kiosk", "detail": "MCP"}
    fill(card, {"scoops": "1", "cone": ["Yes"], "note": "big"})
    assert cell.ok(PATIENCE) == "accept {'scoops': 1, 'cone': True, 'note': 'big'}\n"
    cell = kernel.run(calls("order"))
    shown(kernel).reply("cancel")
    assert cell.ok(PATIENCE) == "cancel\n"
    close(kernel)
