"""Frameworks that may be missing, or may have changed: imported at their first use, and read with care."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, metadata
from types import ModuleType
from typing import Any, cast


class Incompatible(RuntimeError):
    """A framework no longer has what its adapter reads; the message names it, and the version that is installed."""


def needed(module: str, *, install: str) -> Any:
    """Import a module of an optional framework.

    Args:
        module: The module.
        install: What brings it: `nbask[extra]` where an extra does, else a package.

    Returns:
        The module.

    Raises:
        ImportError: It is not installed; the message says what to install.

    Example:
        >>> needed("no_such_framework.types", install="nbask[langgraph]")
        Traceback (most recent call last):
        ...
        ImportError: this needs the package no_such_framework: pip install "nbask[langgraph]"
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as fault:
        if fault.name is None or fault.name.partition(".")[0] != package:
            raise
        raise ImportError(f'this needs the package {package}: pip install "{install}"') from None


_ABSENT = object()


def given(thing: Any, name: str, package: str) -> Any:
    """What an object or a mapping of a framework has under a name.

    Args:
        thing: The framework's object, or the dict it sends.
        name: An attribute, or a key.
        package: The framework's package, as it is installed.

    Returns:
        The value.

    Raises:
        Incompatible: It has none.

    Example:
        >>> given({"name": "rm"}, "name", "langchain")
        'rm'
    """
    if isinstance(thing, Mapping):
        value = cast("Mapping[str, Any]", thing).get(name, _ABSENT)
        what = f"a request with {', '.join(map(repr, cast('Mapping[str, Any]', thing))) or 'nothing in it'}"
    else:
        value = getattr(thing, name, _ABSENT)
        what = thing.__name__ if isinstance(thing, ModuleType) else f"a {type(thing).__name__}"
    if value is _ABSENT:
        verb = "has" if isinstance(thing, ModuleType) else "sent"
        raise Incompatible(
            f"{package} {_version(package)} {verb} {what} without {name!r}, which nbask reads; "
            f"this version of nbask does not fit it, so install another version of nbask or of {package}"
        )
    return value


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "(of no known version)"
