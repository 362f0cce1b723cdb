"""A short chaos run on each way of waiting; `scripts/chaos` is the long one."""

from __future__ import annotations

import pytest
from chaos_steps import Round
from kernels import OLD_KERNEL
from playwright.sync_api import Browser
from server import LabServer

SEEDS = {"python3": 4, OLD_KERNEL: 6}
"""Seeds whose first steps are many things, by kernel."""
STEPS = 15


@pytest.mark.parametrize("kernel", SEEDS, ids=("tap", "gate"))
def test_what_people_and_networks_do_at_random_loses_no_question_and_no_answer(
    server: LabServer, browser: Browser, kernel: str
) -> None:
    """Cells run in order and once, every question is settled once and can be answered, and nothing is left behind."""
    chaos = Round(server, browser, kernel, SEEDS[kernel])
    try:
        chaos.begin()
        while len(chaos.steps) < STEPS:
            chaos.step()
        chaos.settle()
    except BaseException:
        chaos.keep(f"chaos {kernel}")
        raise
    finally:
        chaos.end()
    assert chaos.done["reload"]
    assert any(one.got for one in chaos.account.asked.values())
