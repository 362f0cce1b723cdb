"""How a refusal reads: the value that is wrong, and the mend, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from pydantic import BaseModel, ConfigDict, ValidationError

from nbask.text import one_line


def unknown_keyword(owner: str, name: str, known: Iterable[str]) -> str:
    """Say that `owner` takes no keyword `name`, and which one was probably meant.

    Example:
        >>> unknown_keyword("ask()", "defualt", ["default", "timeout"])
        "ask() has no keyword 'defualt'; did you mean 'default'?"
    """
    names = sorted(known)
    close = get_close_matches(name, names, n=1)
    mend = f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(names)}"
    return f"{owner} has no keyword {name!r}; {mend}"


class Checked(BaseModel):
    """A frozen model whose faults are one plain `ValueError` sentence instead of pydantic's report."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)

    def __init__(self, **data: object) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise ValueError(_sentence(type(self), error)) from None


def _sentence(model: type[BaseModel], error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = str(first["loc"][0]) if first["loc"] else ""  # what follows are branches of its type
    if first["type"] == "extra_forbidden":
        return unknown_keyword(model.__name__, where, model.model_fields)
    if first["type"] == "value_error":
        return first["msg"].removeprefix("Value error, ")
    given = one_line(repr(first["input"]), 160)
    return f"{model.__name__}.{where}: {first['msg'][0].lower()}{first['msg'][1:]}, not {given}"
