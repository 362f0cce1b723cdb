"""Many agents that ask at random, for a while: no ask lost, none answered twice, memory level.

    python tests/serve/soak.py --seconds 600 --agents 20

One kernel is served; agents of both eras ask and some give up; the page answers, declines, lets some questions wait,
and is reloaded now and then. Prints what happened, and fails where something is wrong. A short one runs with the tests.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "kernel")]

from driver import Kernel  # noqa: E402
from environments import ROOT, python_of  # noqa: E402
from outside_agents import MODES, agent  # noqa: E402
from served import Served  # noqa: E402

PATIENT = 60.0
WARM = 0.25
"""The part of the time after which memory is looked at for the first time."""


SLACK = 20.0
RECORD = 0.005
"""MB that memory may grow: by itself, and for each ask."""


@dataclass
class Tally:
    """What came of the asks, by what the agents and the page each know."""

    results: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    picked: dict[str, str] = field(default_factory=dict)
    """Question to the label that the page picked."""
    reloads: int = 0
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the start, and the kernel's memory in MB."""

    recorded: dict[str, int] = field(default_factory=dict)
    """How many asks the kernel has on record, by how they ended."""

    def grown(self) -> float:
        """By how many MB memory grew since it was first looked at."""
        return self.memory[-1][1] - self.memory[0][1]


async def live(name: str, found: dict[str, Any], tally: Tally, until: float, dice: random.Random) -> None:
    """One agent: it asks again and again, and sometimes gives up, or connects anew."""
    asked = 0
    while time.monotonic() < until:
        async with agent(found["url"], found["token"], mode=dice.choice(MODES), name=name) as client:
            for _ in range(dice.randint(1, 20)):
                if time.monotonic() >= until:
                    return
                asked += 1
                await ask(client, f"{name} asks {asked}?", tally, dice)
                await asyncio.sleep(dice.random() * 0.3)


async def ask(client: Any, question: str, tally: Tally, dice: random.Random) -> None:
    arguments = {"question": question, "options": ["yes", "no", "maybe"]}
    calling = asyncio.ensure_future(client.call_tool("ask_choice", arguments))
    patience = dice.uniform(0.05, 1.0) if dice.random() < 0.2 else PATIENT
    await asyncio.wait({calling}, timeout=patience)
    if not calling.done():
        calling.cancel()
        await asyncio.wait({calling})
        tally.results["given up" if patience < PATIENT else "lost"] += 1
        if patience == PATIENT:
            tally.faults.append(f"lost: {question}")
        return
    record = calling.result().structured_content
    tally.results[record["status"]] += 1
    picked = tally.picked.get(question)
    if record["question"] != question or record["status"] not in ("answered", "declined"):
        tally.faults.append(f"{question}: {record}")
    elif record["answer"] != (picked if record["status"] == "answered" else None):
        tally.faults.append(f"{question}: answered {record['answer']!r}, picked {picked!r}")


def tend(served: Served, tally: Tally, until: float, dice: random.Random, working: Any, reload_every: float) -> None:
    """The page: answers what is listed, and is reloaded now and then."""
    kernel, begun = served.kernel, time.monotonic()
    length = until - begun
    next_reload, next_look = begun + reload_every, begun + length * WARM
    done: set[str] = set()
    while not working.done():
        now = time.monotonic()
        if now >= next_reload:
            kernel.reload()
            served.inbox().attach()
            tally.reloads += 1
            next_reload = now + reload_every
            done.clear()
        if now >= next_look:
            tally.memory.append((round(now - begun), memory(served)))
            next_look = now + max(2.0, length / 20)
        for card in list(served.inbox().listed):
            answer(card, tally, done, dice)
        pump(served, 0.02)
    tally.memory.append((round(time.monotonic() - begun), memory(served)))


def answer(card: Any, tally: Tally, done: set[str], dice: random.Random) -> None:
    if card.comm_id in done or card.phase.get("state") != "open" or dice.random() < 0.3:
        return
    done.add(card.comm_id)
    if not card.attached:
        card.attach()
    (question,) = card.ask["questions"]
    if question["text"] in tally.picked:
        return  # answered before the page was reloaded; the kernel may just not have taken it off the list
    if dice.random() < 0.1:
        card.reply("decline")
        return
    label = dice.choice(["yes", "no", "maybe"])
    tally.picked[question["text"]] = label
    card.pick(label)
    if dice.random() < 0.1:
        card.pick("maybe")  # a second click, which must not count


def pump(served: Served, seconds: float) -> None:
    end = time.monotonic() + seconds
    served.kernel.until(lambda: time.monotonic() >= end, "time to pass", 30)


def memory(served: Served) -> float:
    """The kernel's resident memory, in MB."""
    status = Path(f"/proc/{served.rendezvous['pid']}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def soak(seconds: float, agents: int, version: str, seed: int = 0, reload_every: float = 7.0) -> Tally:
    """Run it; returns what happened."""
    tally, dice = Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        kernel = Kernel(python_of(version), pythonpath=ROOT, env={"JUPYTER_RUNTIME_DIR": place})
        served = Served(kernel, Path(place))
        try:
            served.begin()
            until = time.monotonic() + seconds

            async def all_agents() -> None:
                lives = [
                    live(f"agent {n}", served.rendezvous, tally, until, random.Random(f"{seed} {n}"))
                    for n in range(agents)
                ]
                await asyncio.gather(*lives)

            working = served.beside(all_agents(), seconds + 2 * PATIENT)
            tend(served, tally, until, dice, working, reload_every)
            working.result()
            check(served, tally)
        finally:
            served.end()
    return tally


def check(served: Served, tally: Tally) -> None:
    """What the kernel has on record: every ask ended, once, and as its agent was told."""
    said = "print(len(nbask.runtime.current().desk.snapshot()))\nimport json\n"
    said += "print(json.dumps([(one['question'], one['kind']) for one in nbask.decisions('records')]))"
    left, ended = served.kernel.run(said).ok(60).splitlines()
    kinds = Counter(kind for _, kind in json.loads(ended))
    twice = [
        question for question, times in Counter(question for question, _ in json.loads(ended)).items() if times > 1
    ]
    if left != "0" or twice:
        tally.faults.append(f"{left} asks are open still; ended twice: {twice}")
    # One that is answered while its agent gives up counts as answered here alone.
    if kinds["answered"] < tally.results["answered"] or kinds["declined"] < tally.results["declined"]:
        tally.faults.append(f"agents were told of more answers than came: {kinds}, {tally.results}")
    tally.recorded = dict(kinds)
    # Each ask leaves a record in the log of decisions, and nothing else.
    if tally.grown() > SLACK + RECORD * kinds.total():
        tally.faults.append(f"memory grew by {tally.grown():.0f} MB over {kinds.total()} asks")


def main() -> int:
    parser = argparse.ArgumentParser(description="Many agents that ask at random, for a while.")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--agents", type=int, default=20)
    parser.add_argument("--kernel", default="7.4.0", help="an ipykernel version that scripts/setup made")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reload-every", type=float, default=20.0, help="seconds")
    given = parser.parse_args()
    tally = soak(given.seconds, given.agents, given.kernel, given.seed, given.reload_every)
    print(f"asks       {tally.results.total()}: {dict(tally.results)}")
    print(f"on record  {tally.recorded}")
    print(f"reloads    {tally.reloads}")
    print(f"memory     {', '.join(f'{mb:.0f} MB at {at} s' for at, mb in tally.memory)}")
    print(f"faults     {len(tally.faults)}", *tally.faults[:20], sep="\n           ")
    return bool(tally.faults)


if __name__ == "__main__":
    sys.exit(main())
