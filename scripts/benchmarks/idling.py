"""`idle_cpu_ms_per_s`: the CPU time of a kernel while an ask waits, less that of the same kernel while it idles.

All threads count. The kernels wait side by side for 20 s, and idle side by side for 20 s, in slices that alternate:
what else the machine does falls upon both.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import psutil
from driver import Kernel
from figures import GATE, TAP, Figure, figure, kernel
from forms import AWAIT, SYNC, Form
from waking import README_LOOP, click

SLICES, SLICE_S = 4, 5.0
CALM_S = 0.5
"""What opening or ending an ask sets off is over by then."""


@dataclass
class Case:
    """One way of waiting, in a kernel of its own."""

    name: str
    kernel: Kernel
    wait: Callable[[Kernel], Callable[[], object]]
    waiting: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pid = int(self.kernel.run("import os\nprint(os.getpid())").ok())


def measure() -> Iterator[Figure]:
    with ExitStack() as stack:
        cases = [_case(stack, *given) for given in _GIVEN]
        for case in cases:
            case.wait(case.kernel)()  # what is loaded with the first one is not what waiting costs
        for _ in range(SLICES):
            ends = [case.wait(case.kernel) for case in cases]
            for case, seconds in zip(cases, _slice(cases), strict=True):
                case.waiting.append(seconds)
            for end in ends:
                end()
            for case, seconds in zip(cases, _slice(cases), strict=True):
                case.idle.append(seconds)
    for case in cases:
        more = [waiting - idle for waiting, idle in zip(case.waiting, case.idle, strict=True)]
        sides = {"waiting": statistics.median(case.waiting), "idle": statistics.median(case.idle)}
        yield figure(f"idle_cpu_ms_per_s.{case.name}", more, "ms/s", **sides)


def _asked(form: Form) -> Callable[[Kernel], Callable[[], object]]:
    def wait(subject: Kernel) -> Callable[[], object]:
        asking = subject.run(form.cell())
        card = subject.wait_card().attach()
        subject.wait_handled(card.last_sent)

        def end() -> None:
            card.pick("Red")
            asking.ok()

        return end

    return wait


def _polled(subject: Kernel) -> Callable[[], object]:
    polling = subject.run(README_LOOP)
    polling.wait_text(".")

    def end() -> None:
        click(subject)
        polling.ok()

    return end


_GIVEN = (
    ("tap_sync", TAP, _asked(SYNC)),
    ("tap_await", TAP, _asked(AWAIT)),
    ("gate_sync", GATE, _asked(SYNC)),
    ("gate_await", GATE, _asked(AWAIT)),
    ("jupyter_ui_poll", GATE, _polled),
)


def _case(stack: ExitStack, name: str, version: str, wait: Callable[[Kernel], Callable[[], object]]) -> Case:
    subject = kernel(version, beside=wait is _polled)
    stack.callback(subject.shutdown)
    subject.run("%load_ext nbask\nfrom nbask import *").ok()
    return Case(name, subject, wait)


def _slice(cases: list[Case]) -> list[float]:
    """Milliseconds of CPU time a second that each kernel takes from now on."""
    time.sleep(CALM_S)
    before, begun = [_cpu(case.pid) for case in cases], time.perf_counter()
    time.sleep(SLICE_S)
    after, seconds = [_cpu(case.pid) for case in cases], time.perf_counter() - begun
    return [1000 * (late - early) / seconds for early, late in zip(before, after, strict=True)]


def _cpu(pid: int) -> float:
    """Seconds of CPU time that a process has had, in all its threads."""
    if sys.platform == "linux":
        return time.clock_gettime((~pid << 3) | 2)  # its own clock: /proc counts in hundredths of a second
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system
