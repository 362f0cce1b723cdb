"""The kinds of question: what each allows, and how an answer to it is read and written.

This is the one place in the kernel that a new kind touches (its drawing is a row in
`js/src/kinds.ts`): write a :class:`Kind` in a file here, and name it in :data:`KINDS`.
"""

from __future__ import annotations

from nbask.kinds.base import (
    Answer,
    FieldKind,
    InvalidAnswer,
    InvalidForm,
    Kind,
    first_repeated,
    listed,
    wire_answer,
)
from nbask.kinds.choice import Choice, Confirm
from nbask.kinds.consent import Consent
from nbask.kinds.date import Date, DateTime
from nbask.kinds.number import Integer, Number
from nbask.kinds.text import Lines, Text

__all__ = [
    "KINDS",
    "Answer",
    "FieldKind",
    "InvalidAnswer",
    "InvalidForm",
    "Kind",
    "first_repeated",
    "kind_named",
    "wire_answer",
]

KINDS: dict[str, Kind] = {
    "choice": Choice(),
    "confirm": Confirm(),
    "text": Text(),
    "number": Number(),
    "integer": Integer(),
    "date": Date(),
    "datetime": DateTime(),
    "list": Lines(),
    "consent": Consent(),
}


def kind_named(name: str) -> Kind:
    """The rules of the kind with this name.

    Raises:
        ValueError: There is no such kind.
    """
    if name not in KINDS:
        raise ValueError(f"kind is {name!r}; use one of {listed(KINDS)}")
    return KINDS[name]
