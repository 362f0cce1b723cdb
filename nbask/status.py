"""What `%nbask` prints: how this process asks, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import nbask
from nbask import serve
from nbask.doctor import Fact, examine
from nbask.receipts import duration
from nbask.runtime import Runtime
from nbask.settings import NbAsk
from nbask.text import one_line, printable

TOLD = ("Python", "ipykernel", "ipywidgets", "anywidget")
"""Whose versions are worth a line in a notebook; `nbask doctor` lists them all."""


def status(current: Runtime) -> str:
    """The route in use and why, whether cards are seen, what is open, and what to mend."""
    return "\n".join(_lines(current))


def _lines(current: Runtime) -> Iterator[str]:
    route = current.route()
    pending = current.desk.snapshot()
    found = examine()
    yield f"nbask {nbask.__version__}"
    yield f"waiting   {current.waiter.name}: {current.waiter.reason}"
    yield f"fronts    {', '.join(route.fronts) or 'none'}: {route.reason}"
    if current.host.kernel is not None:
        yield f"views     {_views(current)}"
    yield f"versions  {_listed(fact for fact in found['versions'] if fact.name in TOLD)}"
    if changed := dict(_changed(current.settings)):
        yield f"settings  {', '.join(f'NbAsk.{name} = {value!r}' for name, value in changed.items())}"
    yield f"answers   {current.record.described()}"
    if (server := serve.running()) is not None:
        yield f"serving   agents outside, at {server.url}"
    yield f"open      {len(pending) or 'no'} question{'s' * (len(pending) != 1)}"
    for one in pending:
        yield f"  {duration(one.elapsed)}  {printable(f'{one.ask.who}: {one_line(one.ask.questions[0].text)}')}"
    for fact in (fact for facts in found.values() for fact in facts if fact.mend):
        yield f"mend      {fact.mend}"


def _views(current: Runtime) -> str:
    facts = current.fronts.facts()
    if facts.attached:
        return "a card is on a page now"
    return "cards were seen in this kernel" if facts.ever_attached else "no card was seen in this kernel yet"


def _listed(facts: Iterator[Fact]) -> str:
    return ", ".join(f"{fact.name} {fact.says.partition(',')[0]}" for fact in facts)


def _changed(settings: NbAsk) -> Iterator[tuple[str, Any]]:
    """The settings that are not what they would be by themselves."""
    for name in sorted(settings.trait_names(config=True)):
        if (value := getattr(settings, name)) != settings.trait_defaults(name):
            yield name, value
