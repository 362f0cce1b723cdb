"""The card: an anywidget in the cell's output, replaced by the receipt once its ask has ended."""

from __future__ import annotations

import logging
import re
import threading
import uuid
from collections.abc import Callable
from contextvars import Context
from functools import cache
from pathlib import Path
from typing import Any, cast

import anywidget
import traitlets
from IPython.display import display

from nbask.desk import Desk, Pending
from nbask.fronts.drawing import draw, open_phase
from nbask.reading import Refused, read_draft, read_reply, without_secrets
from nbask.receipts import receipt, receipt_html
from nbask.replies import Reply
from nbask.text import one_line
from nbask.waiting import Waiter

log = logging.getLogger("nbask")
STATIC = Path(__file__).parents[1] / "static"
ROLL_CALL = 3.0
"""Seconds a view has, once its ask has ended, to say that it is still there."""
VIEW = "application/vnd.jupyter.widget-view+json"


@cache
def built(name: str) -> str:
    """The text of a built front-end file (`card.js`, `card.css` or `stub.js`).

    Raises:
        RuntimeError: It is not built; says how.
    """
    try:
        return (STATIC / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RuntimeError(f"nbask's front end is not built ({name} is missing); run scripts/build") from None


@cache
def build_id() -> str:
    """The hash the front end's build wrote at the top of `card.js`."""
    found = re.match(r"/\* nbask (\w+) \*/", built("card.js"))
    return found[1] if found else ""


def view_of(model_id: str, words: str) -> dict[str, Any]:
    """The MIME bundle that shows a widget, or these words where there are none."""
    return {VIEW: {"version_major": 2, "version_minor": 0, "model_id": model_id}, "text/plain": words}


class Model(anywidget.AnyWidget):
    """What every widget of nbask's is: one whose messages may come past the kernel's own dispatch."""

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    # A Layout is a model of its own, sent and saved beside every card, and a card has no use for one.
    layout = traitlets.Any(None, allow_none=True).tag(sync=True)

    def receive(self, message: dict[str, Any]) -> None:
        """Take in a comm message that did not come through the kernel's own dispatch."""
        self._handle_msg(message)


class Card(Model):
    """The model behind a card's views. The kernel writes `ask` and `phase`, views write `draft`.

    Args:
        ask: The ask, as :class:`~nbask.wire.AskWire`.
        phase: Its phase, as :class:`~nbask.wire.OpenWire`.
        first: Whether to carry the front end's code; later cards carry a stub that finds it.
        on_event: Called with each custom message a view sends.
        on_draft: Called with each draft a view writes.
    """

    ask = traitlets.Dict().tag(sync=True)
    phase = traitlets.Dict().tag(sync=True)
    draft = traitlets.Dict(None, allow_none=True).tag(sync=True)

    def __init__(
        self,
        ask: Any,
        phase: Any,
        first: bool,
        on_event: Callable[[Any], None],
        on_draft: Callable[[Any], None],
        **rest: Any,
    ) -> None:
        code = {"_esm": built("card.js"), "_css": built("card.css")} if first else {"_esm": built("stub.js")}
        super().__init__(ask=ask, phase=phase, **code, **rest)
        self.on_msg(lambda _widget, content, _buffers: on_event(content))
        self.observe(lambda change: on_draft(change["new"]), "draft")

    def set_state(self, sync_data: dict[str, Any]) -> None:
        # A browser may write its draft; the question, how it ended and the code are the kernel's.
        if (draft := read_draft(sync_data.get("draft"))) is not None:
            secrets = {question["id"] for question in self.ask["questions"] if question["secret"]}
            super().set_state({"draft": without_secrets(draft, secrets)})


class _Shown:
    """One ask's card, where it is displayed, and which views look at it."""

    def __init__(self, pending: Pending, context: Context, model_id: str) -> None:
        self.pending = pending
        self.model_id = model_id
        self.card: Card | None = None
        self.displays: list[str] = []
        self.views: set[str] = set()
        self.answering: set[str] = set()
        self.roll_call: threading.Timer | None = None
        self.attached = threading.Event()
        # Drafts, replies and the end may come from different threads, and widget state is not built for that.
        self.lock = threading.RLock()
        # What the card publishes later, from whatever thread, belongs to the cell that asked.
        self.context = context


class CardFront:
    """Shows asks as cards and turns their replies into settled asks.

    Args:
        desk: Where to settle.
        waiter: Hands over the messages of a card's comm while cells wait.
        here: A context in which what is published belongs to the cell that runs now.
        notify: Whether the person wants desktop notifications.
    """

    name = "card"

    def __init__(
        self,
        desk: Desk,
        waiter: Waiter,
        here: Callable[[], Context],
        notify: Callable[[], bool] = lambda: False,
    ) -> None:
        self._notify = notify
        self._desk = desk
        self._waiter = waiter
        self._here = here
        self._shown: dict[Pending, _Shown] = {}
        self._opening = threading.Lock()
        self._sent_code = False
        self.ever_attached = False
        self.unseen = 0

    @property
    def attached(self) -> bool:
        """Whether a view of any card is attached to this kernel now."""
        return any(shown.views for shown in list(self._shown.values()))

    def wait_attached(self, pending: Pending, timeout: float) -> bool:
        """Block until a view of this ask attaches or the ask ends, for `timeout` seconds; whether either came."""
        shown = self._shown.get(pending)
        return shown is None or shown.attached.wait(timeout)

    def wait_seen(self, pending: Pending, timeout: float) -> bool:
        """The same for a card under a running cell: one that nobody sees there says something of the front end."""
        seen = self.wait_attached(pending, timeout)
        self.unseen += not seen and timeout > 0
        return seen

    def show(self, pending: Pending) -> None:
        here = self._here()
        here.run(self._display, self._opened(pending, here))
        self._close_if_late(pending)

    def open(self, pending: Pending) -> str:
        """Make the ask's card, if there is none yet, and display it nowhere; returns its model's id."""
        shown = self._opened(pending, self._here())
        model_id = shown.model_id
        self._close_if_late(pending)
        return model_id

    def displayed(self, pending: Pending) -> bool:
        """Whether the ask's card is displayed under a cell."""
        shown = self._shown.get(pending)
        return shown is not None and bool(shown.displays)

    def close(self, pending: Pending) -> None:
        shown = self._shown.get(pending)
        if shown is None or shown.card is None or pending.reply is None:
            return
        shown.attached.set()
        reply, ended = pending.reply, pending.opened + pending.reply.elapsed
        shown.context.copy().run(self._end, shown, reply, ended)

    def _opened(self, pending: Pending, here: Context) -> _Shown:
        with self._opening:
            return self._shown.get(pending) or here.run(self._open, pending, here)

    def _close_if_late(self, pending: Pending) -> None:
        # An ask that ended while its card was made has told the fronts already.
        if pending.reply is not None:
            self.close(pending)

    def _open(self, pending: Pending, here: Context) -> _Shown:
        drawn = draw(pending, self._notify())
        comm_id = uuid.uuid4().hex
        shown = _Shown(pending, here, comm_id)

        def receive(message: dict[str, Any]) -> None:
            with shown.lock:
                if shown.card is not None:
                    shown.context.copy().run(shown.card.receive, message)

        # A view may speak as soon as the comm is open, so that it is listened to before that.
        with shown.lock:
            self._waiter.adopt(comm_id, receive)
            shown.card = Card(
                drawn,
                open_phase(pending),
                first=not self._sent_code,
                on_event=lambda content: self._event(shown, content),
                on_draft=lambda draft: self._draft(shown, draft),
                model_id=comm_id,
            )
            self._shown[pending] = shown
            self._sent_code = True
        return shown

    def _display(self, shown: _Shown) -> None:
        ask = shown.pending.ask
        form = ask.layout == "form" and ask.message
        words = one_line(form) if form else "; ".join(one_line(question.text) for question in ask.questions)
        with shown.lock:
            if shown.card is None:  # it has ended meanwhile
                return
            display_id = uuid.uuid4().hex
            shown.displays.append(display_id)
            display(view_of(shown.model_id, f"{ask.who} asks: {words}"), raw=True, display_id=display_id)

    def _end(self, shown: _Shown, reply: Reply, ended: float) -> None:
        ask = shown.pending.ask
        with shown.lock:
            assert shown.card is not None
            shown.answering.clear()
            shown.card.phase = {"state": "ended", "kind": reply.kind, "receipt": receipt_html(ask, reply, ended)}
            bundle = receipt(ask, reply, ended)
            for display_id in shown.displays:
                display(bundle, raw=True, display_id=display_id, update=True)
            if not shown.views:
                self._close_card(shown)
                return
            # A view that outlives the ask (a reloaded page, whose output the receipt cannot replace) needs its
            # model, and says so when it is told of the end. One that is silent has gone without a word.
            shown.roll_call = threading.Timer(ROLL_CALL, self._forget_silent, [shown])
            shown.roll_call.daemon = True
            shown.roll_call.start()

    def _forget_silent(self, shown: _Shown) -> None:
        with shown.lock:
            shown.views &= shown.answering
            if not shown.views:
                shown.context.copy().run(self._close_card, shown)

    def _close_card(self, shown: _Shown) -> None:
        if shown.card is None:
            return
        if shown.roll_call is not None:
            shown.roll_call.cancel()
        self._waiter.release(shown.model_id)
        self._shown.pop(shown.pending, None)
        shown.card.close()
        shown.card = None

    def _draft(self, shown: _Shown, draft: Any) -> None:
        read = read_draft(draft)
        if read is not None and self._desk.keep_draft(shown.pending.ask.id, read):
            self._show_pause(shown)

    @staticmethod
    def _show_pause(shown: _Shown) -> None:
        if shown.pending.ask.timeout is not None and shown.card:
            shown.card.phase = dict(open_phase(shown.pending))

    def _event(self, shown: _Shown, content: Any) -> None:
        event = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
        view = str(event.get("view", ""))
        match event.get("type"):
            case "attached":
                shown.views.add(view)
                shown.answering.add(view)
                shown.attached.set()
                self.ever_attached = True
            case "detached":
                shown.views.discard(view)
                if not shown.views and shown.pending.reply is not None:
                    self._close_card(shown)
            case "typing":
                if self._desk.touch(shown.pending.ask.id):
                    self._show_pause(shown)
            case "code":
                code = {"type": "code", "build": build_id(), "esm": built("card.js"), "css": built("card.css")}
                self._send(shown, code)
            case _:
                self._reply(shown, content)

    def _reply(self, shown: _Shown, content: Any) -> None:
        ask = shown.pending.ask
        try:
            reply = read_reply(ask, content, self.name)
            if not self._desk.settle(ask.id, reply):
                raise Refused("late")
        except Refused as refusal:
            log.warning("a reply to ask %s was refused as %s: %s", ask.id, refusal.code, refusal)
            self._send(shown, refusal.wire(ask.id))

    def _send(self, shown: _Shown, content: Any) -> None:
        if shown.card is not None:
            shown.card.send(content)
