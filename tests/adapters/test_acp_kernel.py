"""An ACP agent run from a notebook: a real kernel, a real agent process, and its cards under the cell that prompts.

Cases of the project's list that are tested here, by id: A19, A29, A30.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driver import Kernel
from environments import ROOT
from page import CardView

AGENT = Path(__file__).parent / "peers" / "acp_agent.py"
OPTIONS = [
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]
OPEN = f"""
%load_ext nbask
import asyncio, json, sys, time
from contextlib import AsyncExitStack
from nbask.adapters import acp
stack = AsyncExitStack()
session = await stack.enter_async_context(acp.agent(sys.executable, {str(AGENT)!r}))
"""


def permission(title: str) -> dict[str, Any]:
    params = {"sessionId": "s1", "toolCall": {"toolCallId": title, "title": title}, "options": OPTIONS}
    return {"method": "session/request_permission", "params": params}


def prompting(*titles: str) -> str:
    return f"await session.prompt({json.dumps([permission(title) for title in titles])!r})"


def came(text: str) -> list[str]:
    return [one["outcome"].get("optionId", "cancelled") for one in json.loads(text.splitlines()[-1])["came"]]


def text(card: CardView) -> str:
    return card.ask["questions"][0]["text"]


@pytest.fixture(scope="module")
def alive() -> Iterator[dict[str, Kernel]]:
    kernels: dict[str, Kernel] = {}
    yield kernels
    for kernel in kernels.values():
        kernel.shutdown()


@pytest.fixture
def kernel(alive: dict[str, Kernel], failed: Callable[[], bool]) -> Iterator[Kernel]:
    """A kernel of this environment, which has the SDK, with an agent that an earlier cell has started."""
    if "here" not in alive:
        alive["here"] = Kernel(Path(sys.executable), pythonpath=ROOT)
        alive["here"].run(OPEN).ok(timeout=60)
    yield alive["here"]
    if failed():
        alive.pop("here").shutdown()
    else:
        alive["here"].forget()


def test_the_card_is_under_the_cell_that_prompts_and_not_under_the_one_that_connected(kernel: Kernel) -> None:
    cell = kernel.run(f"print({prompting('Run tests')})")
    card = kernel.wait_card().attach()
    assert text(card) == "Allow “Run tests”?"
    card.pick("Yes")
    assert came(cell.ok()) == ["yes"]
    assert "Run tests" in cell.html


def test_two_cards_at_once_are_answered_in_any_order(kernel: Kernel) -> None:
    cell = kernel.run(f"print({prompting('First', 'Second')})")
    cards = {text(card): card for card in (kernel.wait_card().attach(), kernel.wait_card().attach())}
    cards["Allow “Second”?"].pick("Yes")
    cards["Allow “First”?"].pick("No")
    assert came(cell.ok()) == ["no", "yes"]


def test_a19_a_card_counts_after_output_below_it_and_a_reloaded_page(kernel: Kernel) -> None:
    cell = kernel.run(
        f"turn = asyncio.ensure_future({prompting('Run tests').removeprefix('await ')})\n"
        "await asyncio.sleep(0.2)\nprint(*range(50), sep='\\n')\nprint(await turn)"
    )
    kernel.wait_card().attach()
    cell.wait_text("49")
    kernel.reload()
    kernel.wait_card().attach().pick("No")
    assert came(cell.ok()) == ["no"]


def test_a29_the_stop_button_cancels_the_card_and_the_agent_goes_on(kernel: Kernel) -> None:
    cell = kernel.run(prompting("Run tests"))
    card = kernel.wait_card()
    kernel.wait_handled(card.attach().last_sent)
    kernel.interrupt()
    assert cell.wait().error in ("CancelledError", "KeyboardInterrupt")
    assert card.wait_ended() == "cancelled"
    again = kernel.run(f"print({prompting('Once more')})")
    kernel.wait_card().attach().pick("Yes")
    assert came(again.ok()) == ["yes"]


def test_a30_five_prompts_in_a_loop_are_five_cards(kernel: Kernel) -> None:
    cell = kernel.run(f"for _ in range(5):\n    print({prompting('Go on')})")
    for _ in range(5):
        kernel.wait_card().attach().pick("Yes")
    assert cell.ok().count('"yes"') == 5
