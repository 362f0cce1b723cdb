"""LlamaIndex: a workflow that waits for input events."""

from __future__ import annotations

import asyncio
from typing import Any

from nbask.adapters.recipes import common
from nbask.adapters.toolkit.extras import needed


async def llama_index_run(handler: Any) -> Any:
    """LlamaIndex: run a workflow to its end, and answer every `InputRequiredEvent`: `await llama_index_run(w.run())`.

    Every field of the event goes back with its answer, so that a step which waits with `requirements` finds its own.

    Args:
        handler: What `workflow.run(…)` returns.

    Returns:
        The workflow's result.

    Raises:
        ImportError: llama-index-workflows is not installed.
        NoAnswer: An event was not answered; the run is cancelled.
    """
    events = needed("workflows.events", install="llama-index-workflows")

    async def answer(event: Any) -> None:
        fields = dict(event.items())
        asked = {"question" if name in ("prefix", "msg") else name: value for name, value in fields.items()}
        response = await common.said(asked, "LlamaIndex")
        await handler.send_event(events.HumanResponseEvent(**{**fields, "response": response}))

    async def watch() -> None:
        async for event in handler.stream_events():
            if isinstance(event, events.InputRequiredEvent):
                working.add(asyncio.ensure_future(answer(event)))

    working = {watching := asyncio.ensure_future(watch())}
    try:
        while not watching.done():
            done, _ = await asyncio.wait(working, timeout=0.1, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
        return await handler
    except BaseException:
        await handler.cancel_run()
        raise
    finally:
        for task in working:
            task.cancel()
