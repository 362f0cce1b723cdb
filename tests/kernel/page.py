"""What a front end has on its page: the cells it ran with their outputs, and the cards with their state."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driver import Kernel

PATIENCE = 20.0
"""Seconds after which something that should come at once counts as lost. Generous: machines are busy."""


@dataclass
class Output:
    """One thing under a cell: `kind` is stream, error, execute_result or display_data."""

    kind: str
    data: dict[str, Any]
    display_id: str | None = None


@dataclass
class Execution:
    """A cell that was run. Its outputs are what a person sees now: updates of a display are applied.

    `started` and `ended` are when the kernel's busy and idle came: one channel, so their order is the kernel's.
    """

    kernel: Kernel
    msg_id: str
    code: str
    outputs: list[Output] = field(default_factory=list)
    reply: dict[str, Any] | None = None
    idle: bool = False
    started: float = 0.0
    ended: float = 0.0

    @property
    def text(self) -> str:
        """What the cell printed."""
        return self._stream("stdout")

    @property
    def stderr(self) -> str:
        return self._stream("stderr")

    def _stream(self, name: str) -> str:
        return "".join(out.data["text"] for out in self.outputs if out.data.get("name") == name)

    @property
    def html(self) -> str:
        """The HTML under the cell, where a receipt is."""
        return "\n".join(out.data["text/html"] for out in self.outputs if "text/html" in out.data)

    def take_output(self, kind: str, content: dict[str, Any]) -> None:
        """Add what an iopub message shows under the cell."""
        if kind in ("display_data", "execute_result"):
            self.outputs.append(Output(kind, content["data"], content.get("transient", {}).get("display_id")))
        elif kind in ("stream", "error"):
            self.outputs.append(Output(kind, content))
        elif kind == "clear_output":
            self.outputs.clear()

    @property
    def error(self) -> str | None:
        """The name of the exception that ended the cell."""
        return self.reply.get("ename") if self.reply else None

    @property
    def error_text(self) -> str:
        return str(self.reply.get("evalue")) if self.reply else ""

    @property
    def done(self) -> bool:
        return self.reply is not None and self.idle

    def wait(self, timeout: float = PATIENCE) -> Execution:
        """Wait until the cell has ended and all its output is here."""
        self.kernel.until(lambda: self.done, f"the end of the cell {self.code!r}", timeout)
        return self

    def ok(self, timeout: float = PATIENCE) -> str:
        """Wait for the cell's end, insist that it raised nothing, and return what it printed."""
        self.wait(timeout)
        assert self.error is None, f"{self.code!r} raised {self.error}: {self.error_text}\n{self.kernel.story()}"
        return self.text

    def wait_text(self, text: str, timeout: float = PATIENCE) -> Execution:
        """Wait until the cell has printed `text`; it may still be running."""
        self.kernel.until(lambda: text in self.text, f"{text!r} printed by {self.code!r}", timeout)
        return self


@dataclass
class CardView:
    """A card as its view knows it: the widget's state, and what a view may say."""

    kernel: Kernel
    comm_id: str
    state: dict[str, Any]
    view: str = field(default_factory=lambda: uuid.uuid4().hex)
    received: list[dict[str, Any]] = field(default_factory=list)
    closed: bool = False
    attached: bool = False
    echoed: set[str] = field(default_factory=set)
    """The messages whose state came back: until a page's own does, it takes no other page's."""
    last_sent: str = ""

    @property
    def ask(self) -> dict[str, Any]:
        return self.state["ask"]

    @property
    def phase(self) -> dict[str, Any]:
        return self.state["phase"]

    @property
    def draft(self) -> dict[str, Any] | None:
        return self.state.get("draft")

    @property
    def refusals(self) -> list[dict[str, Any]]:
        return [content for content in self.received if content.get("type") == "refused"]

    def attach(self) -> CardView:
        self.attached = True
        self.send({"type": "attached", "view": self.view})
        return self

    def detach(self) -> None:
        """Say that the view is gone; a card does so by itself when its display is updated away."""
        self.attached = False
        self.send({"type": "detached", "view": self.view})

    def send(self, content: object) -> str:
        """Send a custom message, whatever it holds; returns its id, for :meth:`Kernel.wait_handled`."""
        return self._send({"method": "custom", "content": content})

    def _send(self, data: dict[str, Any]) -> str:
        self.last_sent = self.kernel.send_comm(self.comm_id, data)
        return self.last_sent

    def set_draft(self, answers: Mapping[str, object], message: str | None = None) -> dict[str, Any]:
        """Set the synced draft, as a view does while one types; returns it."""
        draft = {"answers": dict(answers), "message": message}
        self._send({"method": "update", "state": {"draft": draft}, "buffer_paths": []})
        return draft

    def reply(self, action: str = "submit", answers: object = None, message: str | None = None, **over: Any) -> str:
        """Send a reply whole; `over` replaces parts of it, to send a wrong one."""
        content = {"type": "reply", "ask": self.ask["id"], "action": action, "answers": answers or {}}
        return self.send({**content, "message": message, **over})

    def answer(
        self, *labels: str, other: str | None = None, notes: str | None = None, value: object = None, question: int = 0
    ) -> dict[str, dict[str, Any]]:
        """One question's answer, its options named by label, keyed by the question's id."""
        asked = self.ask["questions"][question]
        ids = {option["label"]: option["id"] for option in asked["options"]}
        selected = [ids[label] for label in labels]
        return {asked["id"]: {"selected": selected, "other": other, "value": value, "notes": notes}}

    def pick(self, *labels: str, **answer: Any) -> str:
        """Pick these options and submit, with what else :meth:`answer` takes."""
        return self.reply(answers=self.answer(*labels, **answer))

    def wait_ended(self, timeout: float = PATIENCE) -> str:
        """Wait until the card says how the ask ended; returns the kind."""
        self.kernel.until(lambda: self.phase.get("state") == "ended", f"the end of card {self.ask['id']}", timeout)
        return self.phase["kind"]

    def wait_refused(self, count: int = 1, timeout: float = PATIENCE) -> dict[str, Any]:
        """Wait for the kernel's `count`-th refusal and return it."""
        self.kernel.until(lambda: len(self.refusals) >= count, f"refusal {count} on card {self.comm_id}", timeout)
        return self.refusals[count - 1]

    def wait_closed(self, timeout: float = PATIENCE) -> None:
        self.kernel.until(lambda: self.closed, f"comm_close of card {self.comm_id}", timeout)


@dataclass
class InboxView(CardView):
    """The inbox as its view knows it. `listed` are the cards it shows, oldest first."""

    @property
    def listed(self) -> list[CardView]:
        return [self.kernel.widgets[model_id] for model_id in self.state["cards"]]

    def wait_listed(self, *questions: str, timeout: float = PATIENCE) -> list[CardView]:
        """Wait until the inbox lists exactly these questions, in order; returns their cards, attached."""

        def asked() -> list[CardView] | None:
            cards = self.listed
            return cards if [card.ask["questions"][0]["text"] for card in cards] == list(questions) else None

        if not questions:
            self.kernel.until(lambda: not self.listed, "an empty inbox", timeout)
            return []
        return [card if card.attached else card.attach() for card in self.kernel.until(asked, f"{questions}", timeout)]


def view_of(kernel: Kernel, comm_id: str, state: dict[str, Any]) -> CardView:
    """The view that fits a widget's state."""
    return (InboxView if "cards" in state else CardView)(kernel, comm_id, state)
