"""What a question costs on the wire and in the saved notebook, beside the same one built of ipywidgets by hand.

`first_card_bytes` and `next_card_bytes`: the contents of the comm_open and display_data that the question brings, less
the ask's own content, which is the card's `ask` and the words that stand for it where no widget is shown. The first
card carries the front end's code. Beside them the bytes of the whole messages, with Jupyter's signature and headers:
half a kilobyte a message, whoever sends it.

`saved_bytes_per_answer`: by how much the saved notebook grows with the answered question: its outputs, and the state
that JupyterLab would save of every widget that is there (less what equals a default, as it does). Of ipywidgets nobody
clears anything away, since nothing does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from driver import Kernel
from figures import ASK, OPTIONS, TAP, WIDGETS, Figure, kernel
from page import Execution
from wire import Message, Wire

SETTLED_MS = 500
"""After so long without a message, all have come."""
STATE = "import json, ipywidgets\nprint(json.dumps(ipywidgets.Widget.get_manager_state(drop_defaults=True)))"


@dataclass(frozen=True)
class Cost:
    """Of one question, in bytes: its opening (beyond its own content, and as whole messages), and what is saved."""

    opening: int
    whole: int
    messages: int
    saved: int


def measure() -> Iterator[Figure]:
    subject = kernel(TAP)
    try:
        subject.run("%load_ext nbask\nfrom nbask import ask").ok()
        with Wire(subject) as wire:
            first, later = _asked(subject, wire), _asked(subject, wire)
            by_hand = _by_hand(subject, wire)
    finally:
        subject.shutdown()
    yield _opening("first_card_bytes", first, by_hand)
    yield _opening("next_card_bytes", later, by_hand)
    yield _constant(
        "saved_bytes_per_answer", later.saved, ipywidgets_B=by_hand.saved, ratio=later.saved / by_hand.saved
    )


def _opening(name: str, ours: Cost, theirs: Cost) -> Figure:
    return _constant(
        name,
        ours.opening,
        whole_B=ours.whole,
        messages=ours.messages,
        ipywidgets_whole_B=theirs.whole,
        ipywidgets_messages=theirs.messages,
        ratio=ours.whole / theirs.whole,
    )


def _constant(name: str, value: float, **sides: float) -> Figure:
    return Figure(name, value, value, value, "B", sides)


def _asked(subject: Kernel, wire: Wire) -> Cost:
    before = _state(subject)
    wire.drain(SETTLED_MS)
    asking = subject.run(ASK)
    card = subject.wait_card().attach()
    subject.wait_handled(card.last_sent)
    opening = _opening_of(wire)
    card.pick(OPTIONS[0])
    asking.ok()
    card.wait_closed()
    return _cost(opening, _outputs(asking) + _state(subject) - before)


def _by_hand(subject: Kernel, wire: Wire) -> Cost:
    before = _state(subject)
    wire.drain(SETTLED_MS)
    showing = subject.run(WIDGETS)
    showing.ok()
    return _cost(_opening_of(wire), _outputs(showing) + _state(subject) - before)


def _opening_of(wire: Wire) -> list[Message]:
    return [one for one in wire.drain(SETTLED_MS) if one.kind in ("comm_open", "display_data", "execute_result")]


def _cost(opening: list[Message], saved: int) -> Cost:
    beyond = sum(one.content_bytes - _own(one) for one in opening)
    return Cost(beyond, sum(one.whole_bytes for one in opening), len(opening), saved)


def _own(message: Message) -> int:
    """The bytes in a message that are the ask itself."""
    data = message.content["data"]
    if message.kind == "comm_open":
        return len(json.dumps(data["state"]["ask"])) if "ask" in data["state"] else 0
    return len(json.dumps(data["text/plain"]))


def _outputs(run: Execution) -> int:
    """The bytes of a cell's outputs in a notebook's file."""
    saved = [{"output_type": out.kind, "metadata": {}, "data": out.data} for out in run.outputs]
    return _written(saved)


def _state(subject: Kernel) -> int:
    """The bytes of the widget state that would be saved now."""
    return _written(json.loads(subject.run(STATE).ok()))


def _written(part: object) -> int:
    return len(json.dumps(part, indent=1, ensure_ascii=False).encode())
