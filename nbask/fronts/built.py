"""The files the front end was built to, which ship in the wheel."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"


@cache
def text(name: str) -> str:
    """The text of a built front-end file (`card.js`, `card.css`, `inbox.js`, `inbox.css` or `stub.js`).

    Raises:
        RuntimeError: It is not built; says how.
    """
    try:
        return (STATIC / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RuntimeError(
            f"nbask's front end is not built ({name} is missing): run scripts/build in a checkout, "
            "else pip install --force-reinstall --no-deps nbask"
        ) from None


@cache
def build_id() -> str:
    """The hash the front end's build wrote at the top of `card.js`."""
    found = re.match(r"/\* nbask (\w+) \*/", text("card.js"))
    return found[1] if found else ""


def code() -> dict[str, str]:
    """What a stub that finds no code in the page is sent."""
    return {"build": build_id(), "esm": text("card.js"), "css": text("card.css")}
