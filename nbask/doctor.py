"""What is installed and whether it fits: one list of facts, for `nbask doctor` and `%nbask` alike.

Nothing but the standard library is imported before it is known to be there.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import nbask

NEEDED = {
    "anywidget": "0.9.21",
    "ipython": "8",
    "ipywidgets": "8",
    "jsonschema": "4",
    "markdown-it-py": "3",
    "nest_asyncio2": "1.7",
    "nh3": "0.2.18",
    "pydantic": "2.7",
    "pygments": "2.15",
    "pyyaml": "6",
    "traitlets": "5.9",
}
"""What `pyproject.toml` asks for, which is out of reach where nbask is run from a folder."""
KERNEL = "6.29"
"""The first ipykernel that nbask waits in."""
LAB_WIDGETS = ("jupyterlab_widgets", "3")
CLASSIC_WIDGETS = ("widgetsnbextension", "4")
FRONT_ENDS = {
    "jupyterlab": LAB_WIDGETS,
    "notebook": LAB_WIDGETS,
    "nbclassic": CLASSIC_WIDGETS,
    "voila": None,
    "marimo": None,
    "jupyter_console": None,
    "qtconsole": None,
}
"""Front ends, and which package each needs beside it to show widgets, from which version on."""
OPTIONAL = {
    "mcp": "MCP servers and clients: pip install 'nbask[mcp]'",
    "pandas": "nbask.decisions() as a DataFrame: pip install pandas",
    "questionary": "arrow keys in a terminal: pip install 'nbask[terminal]'",
}
BUILT = ("card.js", "card.css", "stub.js", "inbox.js", "inbox.css")
"""What `hatch_build.py` puts into `nbask/static`."""


class Fact(NamedTuple):
    """One thing that was found.

    Args:
        name: What it is about.
        says: What was found.
        mend: Where something needed is missing: what, and the command that mends it.
    """

    name: str
    says: str
    mend: str = ""


def examine() -> dict[str, tuple[Fact, ...]]:
    """Every fact that holds for this environment, under the heading it is printed with.

    Example:
        >>> [fact.name for fact in examine()["versions"]][:3]
        ['Python', 'nbask', 'ipykernel']
    """
    return {
        "versions": tuple(_versions()),
        "front ends": tuple(_front_ends()),
        "optional": tuple(_optional()),
        "setup": (_widgets(), _route(), *_environment()),
    }


def report(as_json: bool = False) -> int:
    """Print every fact, and what to mend; the exit code is 1 where there is something."""
    found = examine()
    mends = [fact.mend for facts in found.values() for fact in facts if fact.mend]
    if as_json:
        groups = {heading: [fact._asdict() for fact in facts] for heading, facts in found.items()}
        print(json.dumps({"v": 1, "ok": not mends, "facts": groups}, indent=2))
    else:
        print("\n".join(_lines(found, mends)))
    return 1 if mends else 0


def _lines(found: dict[str, tuple[Fact, ...]], mends: list[str]) -> Iterator[str]:
    width = max(len(fact.name) for facts in found.values() for fact in facts)
    for heading, facts in found.items():
        yield heading
        for fact in facts:
            yield f"  {fact.name:{width}}  {fact.says}"
    yield "to mend" if mends else "nothing to mend"
    for mend in mends:
        yield f"  {mend}"


def _versions() -> Iterator[Fact]:
    yield Fact("Python", platform.python_version())
    yield Fact("nbask", nbask.__version__)
    found = _version("ipykernel")
    if found is None:
        yield Fact("ipykernel", "not installed, so no notebook runs in this environment: pip install ipykernel")
    else:
        yield Fact("ipykernel", found, _outdated("ipykernel", found, KERNEL))
    for name, least in NEEDED.items():
        yield _needed(name, least)


def _front_ends() -> Iterator[Fact]:
    installed = {name: found for name in FRONT_ENDS if (found := _version(name)) is not None}
    if not installed:
        yield Fact("none", "in this environment; the page of its notebooks may come from another one")
    for name, found in installed.items():
        yield Fact(name, found)
    for name, least in sorted({needs for front, found in installed.items() if (needs := _beside(front, found))}):
        users = " and ".join(front for front, found in installed.items() if _beside(front, found) == (name, least))
        yield _needed(name, least, f"{users} {'are' if ' and ' in users else 'is'} installed without {name}")


def _beside(front: str, found: str) -> tuple[str, str] | None:
    classic = front == "notebook" and not _reaches(found, "7")
    return CLASSIC_WIDGETS if classic else FRONT_ENDS[front]


def _optional() -> Iterator[Fact]:
    for name, gain in OPTIONAL.items():
        yield Fact(name, _version(name) or f"not installed ({gain})")


def _widgets() -> Fact:
    package = Path(nbask.__file__).parent
    missing = [name for name in BUILT if not (package / "static" / name).is_file()]
    if not missing:
        return Fact("widgets", "built")
    from_source = (package.parent / "js").is_dir()
    mend = "scripts/build" if from_source else "pip install --force-reinstall --no-deps nbask"
    names = ", ".join(missing)
    return Fact("widgets", "not built", f"nbask's front end is not built ({names} missing): {mend}")


def _route() -> Fact:
    if _version("ipykernel") is None:
        return Fact("route", "plain: without ipykernel, questions are asked in the terminal")
    try:
        from nbask.waiting import foreseen

        return Fact("route", ": ".join(foreseen()))
    except ImportError as fault:
        return Fact("route", f"cannot be told ({fault})")


def _environment() -> Iterator[Fact]:
    policy, answers = os.environ.get("NBASK_WHEN_UNANSWERED"), os.environ.get("NBASK_ANSWERS")
    if policy is not None:
        wrong = policy not in ("raise", "default")
        mend = f"NBASK_WHEN_UNANSWERED is {policy!r}: set it to 'raise' or 'default'" if wrong else ""
        yield Fact("NBASK_WHEN_UNANSWERED", repr(policy), mend)
    if answers is not None:
        yield Fact("NBASK_ANSWERS", repr(answers), _unread(answers))


def _unread(answers: str) -> str:
    try:
        from nbask.record.answers import AnswersFault, placed, read
    except ImportError:  # named above
        return ""
    try:
        read(placed(answers))
        return ""
    except AnswersFault as fault:
        return f"NBASK_ANSWERS is of no use: {fault}"


def _needed(name: str, least: str, missing: str = "") -> Fact:
    found = _version(name)
    if found is None:
        return Fact(name, "not installed", f"{missing or f'{name} is not installed'}: pip install {name}")
    return Fact(name, found, _outdated(name, found, least))


def _outdated(name: str, found: str, least: str) -> str:
    if _reaches(found, least):
        return ""
    return f"{name} {found} is too old, it takes {least} or newer: pip install --upgrade {name}"


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _reaches(found: str, least: str) -> bool:
    return _release(found) >= _release(least)


def _release(text: str) -> tuple[int, ...]:
    """The numbers a version begins with; what comes after them (`rc1`, `.dev0`, `+local`) is left to pip."""
    match = re.match(r"(?:\d+!)?(\d+(?:\.\d+)*)", text)
    numbers = [int(part) for part in match[1].split(".")] if match else [0]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
