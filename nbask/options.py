"""What can be picked: an :class:`Option`, and how callers' many ways to give options are read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal, cast, get_args, get_origin

from pydantic import Field, model_validator

from nbask.errors import Checked

RECOMMENDED = "(Recommended)"


class _Unset(Enum):
    UNSET = "unset"

    def __repr__(self) -> str:
        return "<not given>"


UNSET = _Unset.UNSET


class Option(Checked):
    """One thing that can be picked.

    Args:
        label: What the person sees; also what is returned, unless `value` is given.
        description: A sentence under the label.
        preview: What picking it would look like: markdown text, or any object with a rich display.
        recommended: Whether to mark it as recommended. It is not preselected for that.
        value: Any Python object, returned in place of the label.

    Raises:
        ValueError: The label is empty.

    Example:
        >>> Option("robust", "Median and MAD", value=("median", "mad")).result
        ('median', 'mad')
    """

    label: str = Field(strict=True)
    description: str | None = Field(default=None, strict=True)
    preview: Any = None
    recommended: bool = False
    value: Any = UNSET

    def __init__(self, label: str, description: str | None = None, **rest: Any) -> None:
        super().__init__(label=label, description=description, **rest)

    @model_validator(mode="after")
    def _has_a_label(self) -> Option:
        if not self.label.strip():
            raise ValueError(f"an option's label is {self.label!r}; give it a text a person can read")
        return self

    @property
    def result(self) -> Any:
        """What is returned when this option is picked."""
        return self.label if self.value is UNSET else self.value

    @property
    def shown_label(self) -> str:
        """The label without a trailing "(Recommended)", which the card shows as a badge instead."""
        if not self.recommended:
            return self.label
        return self.label.rstrip().removesuffix(RECOMMENDED).rstrip() or self.label


def is_recommended(label: str) -> bool:
    """Whether a model has marked this label as what it recommends.

    Example:
        >>> is_recommended("Median (Recommended)")
        True
    """
    return label.rstrip().endswith(RECOMMENDED)


def options_from(given: Any) -> tuple[Option, ...]:
    """Read what a caller gave as options.

    Args:
        given: Labels, :class:`Option` objects, a mapping of label to description, an `Enum` class, a
            `Literal`, or any iterable of objects: each is shown by `str()` and returned itself.

    Returns:
        The options, in order.

    Raises:
        ValueError: A bare string, or something that cannot be iterated.

    Example:
        >>> [option.label for option in options_from({"fast": "Cheaper", "large": "Better"})]
        ['fast', 'large']
    """
    if get_origin(given) is Literal:
        given = get_args(given)
    if isinstance(given, str | bytes):
        raise ValueError(f"options is the text {given!r}; give a list, such as [{given!r}]")
    if isinstance(given, Mapping):
        described = cast("Mapping[Any, Any]", given)
        return tuple(_described(item, description) for item, description in described.items())
    try:
        items: list[Any] = list(given)
    except TypeError:
        raise ValueError(f"options is {given!r}; give a list of labels or a mapping of label to description") from None
    return tuple(_option(item) for item in items)


def _described(item: Any, description: Any) -> Option:
    if description is not None and not isinstance(description, str):
        mend = f"give a text, or a list with Option({str(item)!r}, value=…)"
        raise ValueError(f"the description of option {item!r} is {description!r}; {mend}")
    return _option(item).model_copy(update={"description": description or None})


def _option(item: Any) -> Option:
    if isinstance(item, Option):
        return item
    if isinstance(item, Enum):
        return Option(item.name, value=item)
    return Option(item) if isinstance(item, str) else Option(str(item), value=item)
