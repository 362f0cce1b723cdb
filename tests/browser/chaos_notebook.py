"""The notebook of a chaos run: cells that ask in every way there is, and how each kind of card is answered."""

from __future__ import annotations

from dataclasses import dataclass

SETUP = """%load_ext nbask
import asyncio
from nbask import *
from nbask import aio
from chaos_watch import *
begin()"""

CELLS = {
    "setup": f'{SETUP}\nwith cell("setup"): pass',
    "inbox": 'with cell("inbox"):\n    %nbask inbox',
    "sync": """with cell("sync"):
    text = new("Which DB?")
    got(text, ask(text, OPTIONS, notes=True))""",
    "await": """with cell("await"):
    text = new("Which cache?")
    got(text, await aio.ask(text, OPTIONS, notes=True))""",
    "thread": """with cell("thread"):
    text = new("Which queue?")
    thread = in_thread(lambda: got(text, put(question(text))))
    while thread.is_alive(): await asyncio.sleep(0.05)""",
    "gather": """with cell("gather"):
    texts = [new("Which part?") for _ in range(3)]
    for text, reply in zip(texts, await asyncio.gather(*(aio.put(question(text)) for text in texts))):
        got(text, reply)""",
    "deadline": """with cell("deadline"):
    text = new("Which disk?")
    got(text, put(Ask(Question(text, OPTIONS, notes=True), timeout=20)))""",
    "text": """with cell("text"):
    text = new("What name?")
    got(text, ask_text(text))""",
    "form": """with cell("form"):
    text = new("Which box?")
    got(text, ask_form(text, FORM))""",
    "later": 'with cell("later"):\n    later(new("Which host?"))',
    "plain": 'with cell("plain"): pass',
    "pending": 'with cell("pending"):\n    %nbask pending',
    "probe": 'with cell("probe"):\n    look()',
}
"""The notebook, by what its cells are called; in their order."""
NAMES = tuple(CELLS)
ASKS = {"sync": 1, "await": 1, "thread": 1, "gather": 3, "deadline": 1, "text": 1, "form": 1, "later": 1}
"""How many questions a cell asks at a time."""
RAISES = ("sync", "await", "text", "form")
"""Cells that end with an error where there is no answer, and so take along what is queued behind them."""
ANY_TIME = {"deadline": {"timed_out"}, "later": {"unavailable"}}
"""How questions of these cells may end with nobody doing anything: no cell runs for the latter, and no page may show it."""
OPTIONS = ("Postgres", "SQLite")


@dataclass(frozen=True)
class Field:
    """Where something can be typed in a card: a name for it, and what finds it there."""

    name: str
    selector: str


NOTE = Field("note", ".nbask-notes")
OTHER = Field("other", ".nbask-other .nbask-in")
WORDS = Field("words", ".nbask-field .nbask-in")
FIELDS = {"text": (WORDS,), "form": (WORDS,)}
"""What can be typed in the cards of a cell; in all others a note and an answer of one's own."""


def fields_of(cell: str) -> tuple[Field, ...]:
    return FIELDS.get(cell, (NOTE, OTHER))
