"""What `%nbask` prints: how this process asks, and why."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import nbask
from nbask.receipts import duration
from nbask.runtime import Runtime
from nbask.text import one_line


def status(current: Runtime) -> str:
    """The route in use and why, the versions it depends on, and what is open."""
    route = current.route()
    pending = current.desk.snapshot()
    lines = [
        f"nbask {nbask.__version__}",
        f"waiting   {current.waiter.name}: {current.waiter.reason}",
        f"fronts    {', '.join(route.fronts) or 'none'}: {route.reason}",
        f"versions  {', '.join(f'{name} {_version(name)}' for name in ('ipykernel', 'ipywidgets', 'anywidget'))}",
        f"open      {len(pending) or 'no'} question{'s' * (len(pending) != 1)}",
    ]
    lines += [f"  {duration(one.elapsed)}  {one.ask.who}: {one_line(one.ask.questions[0].text)}" for one in pending]
    return "\n".join(lines)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
