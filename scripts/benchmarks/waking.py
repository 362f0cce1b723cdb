"""`wake_over_echo`: from the reply's sending to the caller's next statement, over a bare comm echo on the same kernel.

Both sides begin when the front end hands a message to its socket. The wake ends at the statement after the one that
asked, in the cell; the echo, whose handler does nothing but send, when its answer is back at the front end's socket.
That is how the bare techniques were compared before nbask was written (1.7 ms against 1.9).

`wake_over_delivery` is the stricter look at the same rounds: the echo ends already when its handler begins, in the
kernel, so that what a wake costs beyond the bare delivery of a message shows whole. All times are read off one clock:
`time.perf_counter` is the machine's, for all its processes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from driver import Kernel
from figures import GATE, TAP, Figure, kernel, ratio
from forms import AWAIT, SYNC
from wire import Wire

ROUNDS, WARM_UP = 40, 5
ECHO = "nbask-bench-echo"
THINKING_S = 0.03
"""How long the person thinks: until the kernel does nothing but wait."""
FORMS = {"sync": SYNC, "await": AWAIT}
NOTED = "woken = time.perf_counter()\nprint()\nprint(woken)"
"""What the cell goes on with."""

SETUP = f"""
%load_ext nbask
from nbask import *
import comm, time
channel = comm.create_comm(target_name="echo", comm_id={ECHO!r})

@channel.on_msg
def echo(_message):
    at = time.perf_counter()
    channel.send({{"at": at}})
"""
README_LOOP = """
import ipywidgets, time
from jupyter_ui_poll import ui_events
done = False
def on_click(_button):
    global done
    done = True
button = ipywidgets.Button(description="Red")
button.on_click(on_click)
display(button)
with ui_events() as poll:
    while done is False:
        poll(10)
        print(".", end="")
        time.sleep(0.1)
"""
"""As its README has it."""


def measure() -> Iterator[Figure]:
    for way, version in (("tap", TAP), ("gate", GATE)):
        with bench(version) as (subject, wire):
            yield from _of_nbask(way, subject, wire)
    with bench(GATE, beside=True) as (subject, wire):
        yield _of_ui_poll(subject, wire)


@contextmanager
def bench(version: str, *, beside: bool = False) -> Iterator[tuple[Kernel, Wire]]:
    subject = kernel(version, beside=beside)
    try:
        subject.run(SETUP).ok()
        with Wire(subject) as wire:
            yield subject, wire
    finally:
        subject.shutdown()


def _of_nbask(way: str, subject: Kernel, wire: Wire) -> Iterator[Figure]:
    wakes: dict[str, list[float]] = {name: [] for name in FORMS}
    trips: dict[str, list[float]] = {name: [] for name in FORMS}
    deliveries: dict[str, list[float]] = {name: [] for name in FORMS}
    for _ in range(WARM_UP + ROUNDS):
        for name, form in FORMS.items():
            wakes[name].append(_wake(subject, form.cell(then=NOTED)))
            delivery, trip = _echo(subject, wire)
            deliveries[name].append(delivery)
            trips[name].append(trip)
    for name in FORMS:
        wake, trip, delivery = (times[name][WARM_UP:] for times in (wakes, trips, deliveries))
        yield ratio(f"wake_over_echo.{way}_{name}", wake, trip)
        yield ratio(f"wake_over_delivery.{way}_{name}", wake, delivery)


def _of_ui_poll(subject: Kernel, wire: Wire) -> Figure:
    wakes, trips = [], []
    for _ in range(1 + ROUNDS // 2):
        wakes.append(_wake_of_ui_poll(subject))
        trips.append(_echo(subject, wire)[1])
    return ratio("wake_over_echo.jupyter_ui_poll", wakes[1:], trips[1:])


def _wake(subject: Kernel, cell: str) -> float:
    """Milliseconds from the reply's sending to the next statement."""
    asking = subject.run(cell)
    card = subject.wait_card().attach()
    subject.wait_handled(card.last_sent)
    time.sleep(THINKING_S)
    sent = time.perf_counter()
    card.pick("Red")
    return 1000 * (float(asking.ok()) - sent)


def _wake_of_ui_poll(subject: Kernel) -> float:
    asking = subject.run(README_LOOP + NOTED)
    asking.wait_text(".")
    time.sleep(THINKING_S)
    sent = time.perf_counter()
    click(subject)
    return 1000 * (float(asking.ok().splitlines()[-1]) - sent)


def click(subject: Kernel) -> None:
    """Click the button that the loop waits for."""
    buttons = [one for one in subject.widgets.values() if one.state.get("_model_name") == "ButtonModel"]
    buttons[-1].send({"event": "click"})


def _echo(subject: Kernel, wire: Wire) -> tuple[float, float]:
    """Milliseconds from a message's sending to its handler in the kernel, and until the answer is back."""
    wire.drain()
    time.sleep(THINKING_S)
    sent = time.perf_counter()
    subject.send_comm(ECHO, {})
    back, content = wire.wait(ECHO)
    return 1000 * (content["data"]["at"] - sent), 1000 * (back - sent)
