"""What an editor infers: `assert_type` is checked by pyright, which `scripts/check` runs over the tests."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any

from pydantic import BaseModel
from typing_extensions import assert_type

from nbask import Ask, Option, Question, aio, ask, ask_form, decisions, put
from nbask.replies import Answered, Declined, Reply
from nbask.testing import scripted


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Trip(BaseModel):
    city: str


def test_a_choice_is_of_the_type_of_what_is_chosen_from() -> None:
    with scripted(lambda asked: ["a"] if asked.questions[0].many else "a"):
        assert_type(ask("Which?", ["a", "b"]), str)
        assert_type(ask("Which?", {"a": "First"}, header="Which"), str)
        assert_type(ask("Which?", ["a", "b"], many=True, max=2), list[str])
        assert_type(asyncio.run(aio.ask("Which?", ["a", "b"])), str)
        assert_type(ask("Which?", [Option("a", value=3), "b"]), Any)
        assert_type(ask("Which?", [Option("a", value=3)], many=True), list[Any])
        assert_type(ask("Which?", ["a"], required=False), Any)


def test_a_choice_of_objects_is_one_of_them_or_words() -> None:
    with scripted(lambda asked: [Size.SMALL] if asked.questions[0].many else Size.SMALL):
        assert_type(ask("Which?", Size), Size | str)
        assert_type(ask("Which?", Size, other=False), Size)
        assert_type(ask("Which?", Size, many=True), list[Size | str])
        assert_type(asyncio.run(aio.ask("Which?", Size, many=True, other=False)), list[Size])


def test_a_form_is_of_the_type_of_its_model() -> None:
    with scripted(lambda asked: {"city": "Rome"}):
        assert_type(ask_form("Where to?", Trip), Trip)
        assert_type(asyncio.run(aio.ask_form("Where to?", Trip, submit="Go")), Trip)
        assert_type(ask_form("Where to?", {"properties": {"city": {"type": "string"}}}), dict[str, Any])


def test_an_answer_is_known_by_its_kind_and_by_its_truth() -> None:
    with scripted({"Name?": "Ann"}):
        reply = put(Ask(Question("Name?")))
    assert_type(reply, Reply)
    match reply.kind:
        case "answered":
            assert_type(reply, Answered)
        case "declined":
            assert_type(reply, Declined)
        case _:
            pass
    if reply:
        assert_type(reply, Answered)


def test_the_log_is_of_the_type_that_its_format_names() -> None:
    assert_type(decisions("records"), list[dict[str, Any]])
    assert_type(decisions("markdown"), str)
