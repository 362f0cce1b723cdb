"""The awaitable twins: `await aio.ask(...)` lets the event loop run on while the person thinks.

Example:
    >>> import asyncio
    >>> from nbask import aio
    >>> from nbask.testing import scripted
    >>> async def main():
    ...     return await aio.ask("Red or blue?", ["Red", "Blue"])
    >>> with scripted({"Red or blue?": "Red"}):
    ...     asyncio.run(main())
    'Red'
"""

from __future__ import annotations

from nbask.asking import aput, awaiting
from nbask.builders import (
    request_choice,
    request_confirm,
    request_form,
    request_questions,
    request_text,
)
from nbask.plans import request_plan

__all__ = ["approve_plan", "ask", "ask_form", "ask_questions", "ask_text", "confirm", "put"]

approve_plan = awaiting(request_plan, "approve_plan")
ask = awaiting(request_choice, "ask")
ask_form = awaiting(request_form, "ask_form")
ask_questions = awaiting(request_questions, "ask_questions")
ask_text = awaiting(request_text, "ask_text")
confirm = awaiting(request_confirm, "confirm")
put = aput
put.__name__ = put.__qualname__ = "put"
put.__module__ = __name__
