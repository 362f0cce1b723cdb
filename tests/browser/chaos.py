"""A chaos run: what people and networks do to a notebook that asks, at random, in real JupyterLab.

`scripts/chaos` runs it. A run is made of rounds, each with a seed, a notebook and a kernel of its own, and some dozen
steps (`chaos_steps.py`). After each step the kernel's own account (`chaos_account.py`, which `chaos_watch.py` writes)
and the pages are held against what may be (`chaos_world.py`). Nothing is timed: a step begins when all is at rest.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "kernel"))

from chaos_steps import Round
from environments import python_of
from lab import chromium
from playwright.sync_api import Error as PlaywrightError
from server import LabServer

STEPS = 40
"""How many steps a round has."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/chaos", description="What may happen to a notebook, at random.")
    parser.add_argument("--minutes", type=float, default=15, help="how long to go on with new rounds")
    parser.add_argument("--seed", type=int, help="of the first round; each later one has the next")
    parser.add_argument("--kernel", default="7.4.0", help="an ipykernel version that scripts/setup made")
    given = parser.parse_args()
    seed = secrets.randbelow(10**6) if given.seed is None else given.seed
    kernel = f"ipykernel-{given.kernel}"
    print(f"nbask: seed {seed}, {kernel}", flush=True)
    done: Counter[str] = Counter()
    until = time.monotonic() + 60 * given.minutes
    server = LabServer(kernels={kernel: python_of(given.kernel)})
    rounds = 0
    try:
        with chromium() as browser:
            while time.monotonic() < until:
                if not run(Round(server, browser, kernel, seed + rounds, _say), seed + rounds, until, done):
                    return 1
                rounds += 1
    finally:
        server.stop()
        print(f"nbask: {rounds} rounds without a fault, {done.total()} steps: {dict(done)}", flush=True)
    return 0


def run(one: Round, seed: int, until: float, done: Counter[str]) -> bool:
    """Run one round; whether it went well. Of one that did not, what a person would want to see is kept."""
    _say(f"round with seed {seed}")
    try:
        one.begin()
        while len(one.steps) < STEPS and time.monotonic() < until:
            one.step()
        one.settle()
    except (AssertionError, PlaywrightError) as fault:
        print(f"nbask: seed {seed} after {len(one.steps)} steps: {fault}", file=sys.stderr)
        one.keep(f"chaos-{seed}")
        traceback.print_exception(fault)
        return False
    finally:
        done.update(one.done)
        one.end()
    return True


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
