"""`import_over_ipywidgets`: `import nbask`, over `import ipywidgets`; `load_ext_ms`: `%load_ext nbask` in a new kernel.

Each import is timed in a process of its own, without the interpreter's own start. `import nbask` loads nothing before
it is used; `ask_import_over_ipywidgets` is `from nbask import ask`, which loads all that builds a question: pydantic,
for the most part.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

from figures import TAP, Figure, figure, kernel, python, ratio

ROUNDS = 9
STARTS = 4
OURS = {"import_over_ipywidgets": "import nbask", "ask_import_over_ipywidgets": "from nbask import ask"}
THEIRS = "import ipywidgets"
LOAD = """
import time
begun = time.perf_counter()
%load_ext nbask
print(1000 * (time.perf_counter() - begun))
"""


def measure() -> Iterator[Figure]:
    times: dict[str, list[float]] = {statement: [] for statement in (*OURS.values(), THEIRS)}
    for _ in range(1 + ROUNDS):
        for statement, took in times.items():
            took.append(_import(statement))
    for name, statement in OURS.items():
        yield ratio(name, times[statement][1:], times[THEIRS][1:])
    yield figure("load_ext_ms", [_load() for _ in range(STARTS)], "ms")


def _import(statement: str) -> float:
    interpreter, env = python()
    code = f"import time; begun = time.perf_counter(); {statement}; print(1000 * (time.perf_counter() - begun))"
    done = subprocess.run(
        [str(interpreter), "-c", code], env=env, check=True, capture_output=True, text=True, timeout=60
    )
    return float(done.stdout)


def _load() -> float:
    subject = kernel(TAP)
    try:
        return float(subject.run(LOAD).ok())
    finally:
        subject.shutdown()
