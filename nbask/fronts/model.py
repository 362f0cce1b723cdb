"""The model behind a card's views: what they see, and what little they may write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import traitlets

from nbask.fronts import built
from nbask.fronts.widget import Model
from nbask.reading import read_draft, without_secrets

STYLE = "nbask.fronts.card.Card"
"""Under which anywidget keeps the card's style in a page; the stub looks for it there (`js/src/stub.ts`)."""


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
        css = {"_css": built.text("card.css")} if first else {}
        esm = built.text("card.js" if first else "stub.js")
        super().__init__(ask=ask, phase=phase, _esm=esm, _anywidget_id=STYLE, **css, **rest)
        self.on_msg(lambda _widget, content, _buffers: on_event(content))
        self.observe(lambda change: on_draft(change["new"]), "draft")

    def set_state(self, sync_data: dict[str, Any]) -> None:
        # A browser may write its draft; the question, how it ended and the code are the kernel's.
        if (draft := read_draft(sync_data.get("draft"))) is not None:
            secrets = {question["id"] for question in self.ask["questions"] if question["secret"]}
            super().set_state({"draft": without_secrets(draft, secrets)})
