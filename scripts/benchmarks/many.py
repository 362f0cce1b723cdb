"""`open_10k_over_1k`: the cost of one ask among 10,000, over that of one among 1,000.

Each is asked, settled by a script and taken into the decision log, whole, by the public door; in a process of its own,
in CPU time, which other processes do not lengthen. `memory_per_open_ask_bytes` and `memory_per_settled_ask_bytes` are
what Python has allocated for asks that tasks of a cell await, cards and all, and what is left of each when it has
ended: its record in the decision log.

`answers_file_10k_over_1k`: what one more answer costs that is also recorded into a file with as many. The file is
written whole and atomically after every answer, which is promised, so that this grows with it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

from figures import TAP, Figure, figure, kernel, python, ratio

ROUNDS = 3
OPEN = 300
ANSWERS = 20

SETTLING = """
import sys, time
from nbask import ask
from nbask.testing import scripted

def ask_all(count):
    with scripted(lambda _ask: "Red"):
        for number in range(count):
            ask(f"Question {number}?", ["Red", "Blue"])

ask_all(100)  # which loads what is loaded with the first ask
count = int(sys.argv[1])
begun = time.process_time()
ask_all(count)
print(1e6 * (time.process_time() - begun) / count)
"""

RECORDING = """
import statistics, sys, tempfile, time
from pathlib import Path
from nbask import Ask, Question
from nbask.record.entries import entry_of
from nbask.record.fingerprint import fingerprint
from nbask.record.recorder import Recorder
from nbask.replies import Discussed

def entries(count):
    ask = Ask(Question("Red or blue?", ["Red", "Blue"]))
    mark = fingerprint(ask)
    return (entry_of(ask, Discussed(text="Both?"), mark, number) for number in range(1, count + 1))

count, more = int(sys.argv[1]), int(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    recorder, took = Recorder(Path(folder, "answers.json")), []
    *before, = entries(count + more)
    recorder._file.merge(before[:count])
    for entry in before[count:]:
        begun = time.perf_counter()
        recorder.add(entry)
        took.append(1e3 * (time.perf_counter() - begun))
print(statistics.median(took))
"""

HOLDING = f"""
import asyncio, gc, tracemalloc
from nbask import Ask, Question, aio, runtime
from nbask.replies import Declined

async def open_all(count):
    asks = [Ask(Question(f"Question {{number}}?", ["Red", "Blue"])) for number in range(count)]
    tasks = [asyncio.ensure_future(aio.put(ask)) for ask in asks]
    while len(runtime.current().desk.snapshot()) < count + 1:
        await asyncio.sleep(0.01)
    return tasks

async def settle_all(tasks):
    for pending in runtime.current().desk.snapshot()[1:]:
        runtime.current().desk.settle(pending.ask.id, Declined())
    await asyncio.gather(*tasks)

def held():
    gc.collect()
    return tracemalloc.get_traced_memory()[0]

kept = asyncio.ensure_future(aio.put(Ask(Question("Kept?"))))
await settle_all(await open_all(20))
tracemalloc.start()
before = held()
tasks = await open_all({OPEN})
opened = held()
await settle_all(tasks)
print((opened - before) / {OPEN})
"""
LEFT = f"""
del tasks
print((held() - before) / {OPEN})
tracemalloc.stop()
"""


def measure() -> Iterator[Figure]:
    many, few = [], []
    for _ in range(ROUNDS):
        few.append(_run(SETTLING, 1000))
        many.append(_run(SETTLING, 10_000))
    yield ratio("open_10k_over_1k", many, few, "us")
    many, few = [], []
    for _ in range(ROUNDS):
        few.append(_run(RECORDING, 1000, ANSWERS))
        many.append(_run(RECORDING, 10_000, ANSWERS))
    yield ratio("answers_file_10k_over_1k", many, few)
    yield from _memory()


def _run(code: str, *arguments: int) -> float:
    interpreter, env = python()
    command = [str(interpreter), "-c", code, *map(str, arguments)]
    return float(subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=120).stdout)


def _memory() -> Iterator[Figure]:
    subject = kernel(TAP)
    try:
        subject.run("%load_ext nbask").ok()
        measuring = subject.run(HOLDING)
        card = subject.wait_card().attach()  # somebody sees them
        opened = float(measuring.ok(60))
        settled = float(subject.run(LEFT).ok())  # by another cell: the first one holds what it has awaited
        card.reply("decline")
    finally:
        subject.shutdown()
    yield figure("memory_per_open_ask_bytes", [opened], "B")
    yield figure("memory_per_settled_ask_bytes", [settled], "B")
