"""Settings, as traitlets: `%config NbAsk.timeout = 60`, or `c.NbAsk.timeout = 60` in `ipython_kernel_config.py`."""

from __future__ import annotations

import math
import os
from typing import Any

import traitlets
from traitlets.config import Configurable


class NbAsk(Configurable):
    """How nbask asks when the caller does not say otherwise."""

    when_unanswered = traitlets.Enum(
        ("raise", "default"),
        help="What happens when nobody can answer: raise NoAnswer, or use the default where there is one. "
        "The environment variable NBASK_WHEN_UNANSWERED sets it too.",
    ).tag(config=True)
    timeout = traitlets.Float(
        None, allow_none=True, help="Seconds until an ask ends unanswered; None waits as long as it takes."
    ).tag(config=True)
    asker = traitlets.Unicode("This notebook", help="Who asks, where the caller does not say.").tag(config=True)
    notes = traitlets.Bool(False, help="Whether answers can carry a note, where the caller does not say.").tag(
        config=True
    )
    notify = traitlets.Bool(
        False, help="Whether a card may raise a desktop notification while its page is hidden."
    ).tag(config=True)
    headless = traitlets.Enum(
        ("auto", "never", "always"),
        "auto",
        help="Whether to treat cells as run without a person: found out, never, or always.",
    ).tag(config=True)
    grace = traitlets.Float(
        5.0, min=0, help="Seconds a kernel's first card has to be seen before its question is asked as text too."
    ).tag(config=True)
    long_grace = traitlets.Float(60.0, min=0, help="The same, once a card was seen in this kernel.").tag(config=True)
    keep_loop_running = traitlets.Bool(
        False, help="Whether a blocking ask lets other tasks of the running event loop go on (nest_asyncio2)."
    ).tag(config=True)
    route = traitlets.Enum(
        ("auto", "tap", "gate"), "auto", help="How a waiting cell gets its answer; read when nbask is loaded."
    ).tag(config=True)

    serve_fallback = traitlets.Enum(
        ("return", "off"),
        "return",
        help="What an outside agent is told where nobody can be asked here: to ask in its own chat, or not to ask.",
    ).tag(config=True)

    @traitlets.validate("timeout")
    def _above_zero(self, proposal: Any) -> Any:
        timeout = proposal["value"]
        if timeout is not None and not 0 < timeout < math.inf:
            raise traitlets.TraitError(f"NbAsk.timeout is {timeout!r}; give seconds above 0, or None")
        return timeout

    @traitlets.default("when_unanswered")
    def _from_environment(self) -> Any:
        policy = os.environ.get("NBASK_WHEN_UNANSWERED", "raise")
        if policy not in ("raise", "default"):
            raise ValueError(f"NBASK_WHEN_UNANSWERED is {policy!r}; set it to 'raise' or 'default'")
        return policy
