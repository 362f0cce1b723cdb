"""What a chaos run has in its kernel: it writes down what the cells, the desk and the askers see, a line each.

It is copied beside the notebook, which imports it. The file it writes outlives the kernel, and is read by
`chaos_account.py`.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython

from nbask import Ask, Question, decisions, put
from nbask.desk import Pending
from nbask.replies import Answered, Reply, TimedOut
from nbask.runtime import current
from nbask.waiting.base import Interrupts

ACCOUNT = Path("account.jsonl")
OPTIONS = ["Postgres", "SQLite"]
FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name"},
        "size": {"enum": ["small", "large"], "default": "small", "title": "Size"},
    },
    "required": ["name"],
}

_numbers = itertools.count(1)
_life = 0


def note(event: str, **facts: Any) -> None:
    """Write a line; many threads do, and one write of a short line is whole."""
    line = json.dumps({"event": event, "life": _life, "at": time.time(), **facts}, default=repr)
    with ACCOUNT.open("ab", buffering=0) as file:
        file.write(line.encode() + b"\n")


def begin() -> None:
    """Watch this kernel from now on; again does nothing."""
    global _life  # noqa: PLW0603 - one a kernel
    if _life:
        return
    lines = ACCOUNT.read_text().splitlines() if ACCOUNT.exists() else []
    _life = 1 + sum(json.loads(line)["event"] == "life" for line in lines)
    note("life", pid=os.getpid())
    desk = current().desk
    open_ask = desk.open

    def opening(ask: Ask, origin: str | None = None) -> Pending:
        note("opened", tag=_tag(ask.message or ask.questions[0].text), ask=ask.id)
        return open_ask(ask, origin)

    desk.open = opening
    desk.observe(_ended)


def _tag(text: str) -> str:
    return text[text.index("[") : text.index("]") + 1]


def _ended(pending: Pending) -> None:
    reply = pending.reply
    assert reply is not None
    said = reply.answers.values() if isinstance(reply, Answered) else ()
    draft = reply.draft if isinstance(reply, TimedOut) else None
    note(
        "ended",
        ask=pending.ask.id,
        kind=reply.kind,
        questions=len(pending.ask.questions),
        via=reply.via,
        value=_value(reply),
        notes=[one.notes for one in said if one.notes],
        draft=draft,
    )


def _value(reply: Any) -> Any:
    """What the asker gets, of whatever shape."""
    if not isinstance(reply, Reply):
        return reply
    if not isinstance(reply, Answered):
        return None
    values = list(reply.values.values())
    return values[0] if len(reply.answers) == 1 else reply.values


# -- what the cells say -----------------------------------------------------------------------------


@contextmanager
def cell(name: str) -> Iterator[None]:
    """The body of a cell: says when it begins and how it ends."""
    request = _request()
    note("start", cell=name, request=request)
    print(name, "starts")
    how = "ok"
    try:
        yield
    except BaseException as fault:
        how = type(fault).__name__
        raise
    finally:
        note("end", request=request, how=how)
        print(name, "ends:", how)


def _request() -> str:
    return get_ipython().kernel.get_parent("shell")["header"]["msg_id"]  # type: ignore[union-attr]


def new(text: str) -> str:
    """The words of a question that is asked this once, and by this cell."""
    tag = f"[{_life}.{next(_numbers)}]"
    note("asked", tag=tag, request=_request())
    return f"{text} {tag}"


def got(text: str, value: Any) -> None:
    """What the asker got."""
    note("got", tag=_tag(text), value=_value(value))


def question(text: str) -> Ask:
    """A choice with a note, as an ask."""
    return Ask(Question(text, OPTIONS, notes=True))


def later(text: str) -> None:
    """Ask from a thread, once the cell that starts it has ended."""
    shell: Any = get_ipython()
    over = threading.Event()

    def note_end(_result: object) -> None:
        shell.events.unregister("post_run_cell", note_end)
        over.set()

    def work() -> None:
        over.wait()
        got(text, put(question(text)))

    shell.events.register("post_run_cell", note_end)
    threading.Thread(target=work, daemon=True).start()


def in_thread(ask: Callable[[], Any]) -> threading.Thread:
    """A thread that does this, and has been started."""
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    return thread


def look() -> None:
    """What nbask holds while nobody asks anything: nothing."""
    waiter: Any = current().waiter
    gate = [waiter._held, waiter._waiting, waiter._holders] if waiter.name == "gate" else []
    note(
        "probe",
        request=_request(),
        open=[pending.ask.id for pending in current().desk.snapshot()],
        held=[repr(one) for one in gate if one],
        interrupts=Interrupts._entered,
        decided=len(decisions("records")),
    )
    print("probed", _life)
