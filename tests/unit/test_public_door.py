"""The public door: what it offers, and that what it says about itself is true."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from typing import Any

import pytest

import nbask
import nbask.adapters.claude
import nbask.journal
import nbask.testing
from nbask import aio

MODULES = [*sorted(module.name for module in pkgutil.walk_packages(nbask.__path__, "nbask.")), "nbask"]
DOORS = [nbask, aio, nbask.journal, nbask.testing, nbask.adapters.claude]
OFFERED = [(door.__name__, name, getattr(door, name)) for door in DOORS for name in door.__all__]
FUNCTIONS = [(door, name, thing) for door, name, thing in OFFERED if inspect.isroutine(thing)]
CLASSES = [(door, name, thing) for door, name, thing in OFFERED if inspect.isclass(thing)]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_what_is_offered_is_sorted_and_there(door: Any) -> None:
    assert door.__all__ in (sorted(door.__all__), sorted(door.__all__, key=str.casefold))
    assert all(hasattr(door, name) for name in door.__all__)


def test_every_question_has_an_awaitable_twin() -> None:
    asking = {name for door, name, _ in FUNCTIONS if door == "nbask"} - {"decisions", "diff"}
    assert asking == set(aio.__all__)
    assert all(not inspect.iscoroutinefunction(getattr(nbask, name)) for name in asking)


@pytest.mark.parametrize("name", aio.__all__)
def test_a_twin_is_known_as_a_coroutine_function(name: str) -> None:
    assert inspect.iscoroutinefunction(getattr(aio, name))


@pytest.mark.parametrize(
    ("door", "name", "thing"), FUNCTIONS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_public_function_says_what_it_does_with_an_example(door: str, name: str, thing: Any) -> None:
    doc = inspect.getdoc(thing) or ""
    assert doc.splitlines()[0].endswith(".") or doc.splitlines()[0].endswith(".:")
    assert ">>>" in doc


@pytest.mark.parametrize(("door", "name", "thing"), CLASSES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_public_class_says_what_it_is(door: str, name: str, thing: Any) -> None:
    assert inspect.cleandoc(thing.__doc__ or "")


@pytest.mark.parametrize("name", ["approve_plan", "ask", "ask_form", "ask_questions", "ask_text", "confirm"])
def test_every_keyword_is_documented(name: str) -> None:
    doc = inspect.getdoc(getattr(nbask, name)) or ""
    arguments = doc.split("Args:")[1].split("Returns:")[0]
    undocumented = [one for one in inspect.signature(getattr(nbask, name)).parameters if f"{one}:" not in arguments]
    assert not undocumented


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(found) >= 20


def test_the_version_is_one() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.?\w+)?", nbask.__version__)


def test_completion_offers_what_is_meant_for_it() -> None:
    offered = {name for name in dir(nbask) if not name.startswith("_")}
    assert offered == set(nbask.__all__)
