"""The answers in a saved notebook, out of the receipts in its cells' outputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from nbask.record.answers import AnswersFault, checked, loaded
from nbask.record.entries import Entry, QuestionEntry, SaidEntry
from nbask.record.fingerprint import Occurrences
from nbask.wire import RECEIPT

_KEPT = {"answered", "discussed", "declined", "cancelled", "timed_out"}


def entries_in(path: Path) -> list[Entry]:
    """The recorded replies of a notebook, in the order of its cells, which is that of Run All.

    Options and drafts are in no receipt, and so not in these entries; neither are secrets.

    Args:
        path: The notebook.

    Raises:
        AnswersFault: It is no notebook, has no receipts, or they are broken; the message names the cell.
    """
    cells = _part(loaded(path, "notebook"), "cells")
    if not isinstance(cells, list):
        raise AnswersFault(f"{path} is no notebook of format 4; save it anew with a current Jupyter")
    occurrences = Occurrences()
    entries: list[Entry] = []
    seen: set[str] = set()
    older = False
    for number, receipt in _receipts(cast("list[Any]", cells)):
        try:
            mark, name = receipt.get("fingerprint"), str(receipt.get("ask"))
            if mark is None:
                older = True
            elif name not in seen and receipt["kind"] in _KEPT and receipt.get("by") != "interrupt":
                entries.append(_entry(receipt, mark, occurrences.next(mark)))
            seen.add(name)
        except (AttributeError, KeyError, TypeError):
            raise AnswersFault(f"{path} has a broken receipt in cell {number}; run that cell anew") from None
    if not entries:
        why = "its receipts are of an older nbask; run it anew" if older else "it has no receipts; run it, and save it"
        raise AnswersFault(f"{path} has no answers: {why}")
    return checked(path, entries)


def _receipts(cells: list[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, cell in enumerate(cells, 1):
        outputs = _part(cell, "outputs")
        for output in cast("list[Any]", outputs) if isinstance(outputs, list) else []:
            receipt = _part(_part(output, "data"), RECEIPT)
            if receipt is not None:
                yield number, receipt


def _part(whole: Any, name: str) -> Any:
    return cast("dict[str, Any]", whole).get(name) if isinstance(whole, dict) else None


def _entry(receipt: dict[str, Any], mark: str, number: int) -> Entry:
    entry: Entry = {
        "fingerprint": mark,
        "occurrence": number,
        "reply": receipt["kind"],
        "questions": [_question(one) for one in receipt["questions"]],
    }
    if receipt["text"]:
        entry["text"] = receipt["text"]
    return entry


def _question(asked: dict[str, Any]) -> QuestionEntry:
    entry: QuestionEntry = {"id": asked["id"], "kind": asked["kind"], "text": asked["text"]}
    if asked.get("secret"):
        entry["secret"] = True
    elif (spoken := asked["answer"]) is not None:
        said = {name: value for name, value in spoken.items() if value is not None}
        if "value" in said and not said["selected"]:
            del said["selected"]
        entry["answer"] = cast("SaidEntry", said)
    return entry
