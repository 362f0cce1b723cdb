"""The card: an anywidget in the cell's output, replaced by the receipt once its ask has ended."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable
from contextvars import Context
from typing import Any, cast

from IPython.display import display

from nbask.desk import Desk, Pending
from nbask.fronts import built
from nbask.fronts.drawing import draw, open_phase
from nbask.fronts.model import Card
from nbask.fronts.shown import ROLL_CALL, Shown
from nbask.fronts.widget import steady_widgets
from nbask.reading import Refused, read_draft, read_reply
from nbask.receipts import receipt, receipt_html
from nbask.replies import Reply
from nbask.waiting import Waiter
from nbask.waiting.later import later
from nbask.wire import AskWire

log = logging.getLogger("nbask")


def _show(bundle: dict[str, Any], display_id: str, update: bool) -> None:
    display(bundle, raw=True, display_id=display_id, **({"update": True} if update else {}))


class CardFront:
    """Shows asks as cards and turns their replies into settled asks.

    Args:
        desk: Where to settle.
        waiter: Hands over the messages of a card's comm while cells wait.
        here: A context in which what is published belongs to the cell that runs now.
        notify: Whether the person wants desktop notifications.
        show: Displays a MIME bundle under a display id, or in place of what has that id.
        stubs: Whether cards after the first carry a stub that finds the first one's code in the page.
    """

    name = "card"

    def __init__(
        self,
        desk: Desk,
        waiter: Waiter,
        here: Callable[[], Context],
        notify: Callable[[], bool] = lambda: False,
        show: Callable[[dict[str, Any], str, bool], None] = _show,
        stubs: bool = True,
    ) -> None:
        self._notify = notify
        self._show = show
        self._stubs = stubs
        self._desk = desk
        self._waiter = waiter
        self._here = here
        self._shown: dict[Pending, Shown] = {}
        self._opening = threading.Lock()
        self._sent_code = False
        steady_widgets()
        self._elsewhere: Callable[[dict[str, Any], str], None] | None = None
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

    def open(self, pending: Pending, keep: bool = False) -> str:
        """Make the ask's card, if there is none yet, and display it nowhere; returns its model's id.

        A card that is kept stays when its ask has ended, and shows how, until :meth:`drop`. Its messages wait until
        no cell runs: nobody waits for its reply, and the host is to see what changes by it.
        """
        shown = self._opened(pending, self._here())
        shown.kept = keep
        if keep:
            self._waiter.release(shown.model_id)
        model_id = shown.model_id
        self._close_if_late(pending)
        return model_id

    def drop(self, pending: Pending) -> None:
        """Close a card that was kept."""
        if (shown := self._shown.get(pending)) is not None:
            with shown.lock:
                self._close_card(shown)

    def rescue(self, show: Callable[[dict[str, Any], str], None]) -> None:
        """Have open cards that no view shows, or none from now on, shown again elsewhere.

        When a cell is run again while it waits, the front end clears its output, and the card with it. What a cell
        asks that was queued before the page was reloaded, the new page never shows.

        A view may also have gone without a word, and so those that are left are asked to say that they are there.

        Args:
            show: What shows a MIME bundle, with an id to replace it by.
        """
        self._elsewhere = show
        for shown in list(self._shown.values()):
            self._show_elsewhere(shown)
            self._call_roll(shown)

    def _call_roll(self, shown: Shown) -> None:
        with shown.lock:
            if shown.pending.reply is not None:
                return
            if shown.roll_call is None:
                shown.answering.clear()
                shown.context.copy().run(self._send, shown, {"type": "call"})
            else:  # put off: what was shown elsewhere meanwhile may be lost by then, and is looked for once more
                shown.roll_call.cancel()
            shown.roll_call = later(ROLL_CALL, lambda: self._forget_silent(shown))

    def _show_elsewhere(self, shown: Shown) -> None:
        with shown.lock:
            # Where no card was ever seen, the front end may have none, and text asks instead.
            if shown.lost and self.ever_attached and self._elsewhere is not None:
                self._elsewhere(shown.bundle, shown.move())

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

    def _opened(self, pending: Pending, here: Context) -> Shown:
        if (shown := self._shown.get(pending)) is not None:
            return shown
        # Before others have to wait: a preview may take its time, and may ask something itself.
        drawn = here.copy().run(draw, pending, self._notify())
        with self._opening:
            return self._shown.get(pending) or here.run(self._open, pending, here, drawn)

    def _close_if_late(self, pending: Pending) -> None:
        # An ask that ended while its card was made has told the fronts already.
        if pending.reply is not None:
            self.close(pending)

    def _open(self, pending: Pending, here: Context, drawn: AskWire) -> Shown:
        comm_id = uuid.uuid4().hex
        shown = Shown(pending, here, comm_id)

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
            self._sent_code = self._stubs
        return shown

    def _display(self, shown: Shown) -> None:
        with shown.lock:
            if shown.card is not None:  # else it has ended meanwhile
                self._show(shown.bundle, shown.new_display(), False)

    def _end(self, shown: Shown, reply: Reply, ended: float) -> None:
        ask = shown.pending.ask
        with shown.lock:
            if shown.card is None:  # closed meanwhile, by whoever was told first
                return
            shown.answering.clear()
            shown.card.phase = {"state": "ended", "kind": reply.kind, "receipt": receipt_html(ask, reply, ended)}
            bundle = receipt(ask, reply, ended)
            for display_id in shown.displays:
                self._show(bundle, display_id, True)
            if shown.kept:
                return
            if not shown.views:
                self._close_card(shown)
                return
            # A view that outlives the ask (a reloaded page, whose output the receipt cannot replace) needs its
            # model, and says so when it is told of the end. One that is silent has gone without a word.
            if shown.roll_call is not None:
                shown.roll_call.cancel()
            shown.roll_call = later(ROLL_CALL, lambda: self._forget_silent(shown))

    def _forget_silent(self, shown: Shown) -> None:
        with shown.lock:
            shown.roll_call = None
            shown.views &= shown.answering
            if shown.pending.reply is None:
                self._show_elsewhere(shown)
            elif not shown.views:
                shown.context.copy().run(self._close_card, shown)

    def _close_card(self, shown: Shown) -> None:
        if shown.card is None:
            return
        if shown.roll_call is not None:
            shown.roll_call.cancel()
        self._waiter.release(shown.model_id)
        self._shown.pop(shown.pending, None)
        shown.card.close()
        shown.card = None

    def _draft(self, shown: Shown, draft: Any) -> None:
        read = read_draft(draft)
        if read is not None and self._desk.keep_draft(shown.pending.ask.id, read):
            self._show_pause(shown)

    @staticmethod
    def _show_pause(shown: Shown) -> None:
        if shown.pending.ask.timeout is not None and shown.card:
            shown.card.phase = dict(open_phase(shown.pending))

    def _event(self, shown: Shown, content: Any) -> None:
        event = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
        view = str(event.get("view", ""))
        match event.get("type"):
            case "attached":
                shown.attach(view)
                self.ever_attached = True
            case "detached":
                shown.views.discard(view)
                if not shown.views and not shown.kept and shown.pending.reply is not None:
                    self._close_card(shown)
                self._show_elsewhere(shown)
            case "typing":
                if self._desk.touch(shown.pending.ask.id):
                    self._show_pause(shown)
            case "code":
                self._send(shown, {"type": "code", **built.code()})
            case _:
                self._reply(shown, content)

    def _reply(self, shown: Shown, content: Any) -> None:
        ask = shown.pending.ask
        try:
            reply = read_reply(ask, content, self.name)
            if not self._desk.settle(ask.id, reply):
                raise Refused("late")
        except Refused as refusal:
            log.warning("a reply to ask %s was refused as %s: %s", ask.id, refusal.code, refusal)
            self._send(shown, refusal.wire(ask.id))

    def _send(self, shown: Shown, content: Any) -> None:
        if shown.card is not None:
            shown.card.send(content)
