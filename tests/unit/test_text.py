"""Text as other places need it: how much of it, what stands for what, and how deep."""

from __future__ import annotations

from typing import Any

import pytest

from nbask.text import fenced, one_line, sendable

HALF, SHOWN = "\ud800", "\ufffd"


@pytest.mark.parametrize(
    ("text", "line"),
    [("abcd", "abcd"), ("abcde", "abc…"), ("ab cde", "ab…"), (" a\n\tb ", "a b"), ("", "")],
    ids=["fits", "cut", "cut at a space", "lines", "nothing"],
)
def test_a_line_is_as_wide_as_it_may_be_and_no_wider(text: str, line: str) -> None:
    assert one_line(text, 4) == line


def test_a_fence_is_longer_than_any_in_the_text() -> None:
    assert fenced("a", "md") == "```md\na\n```"
    assert fenced("```\na\n```") == "````\n```\na\n```\n````"
    assert fenced("a `````") == "``````\na `````\n``````"


@pytest.mark.parametrize("wrap", [lambda one: [one], lambda one: {"a": one}], ids=["lists", "names"])
def test_half_characters_are_mended_down_to_a_depth_and_left_below_it(wrap: Any) -> None:
    def nested(levels: int, text: str) -> Any:
        return wrap(nested(levels - 1, text)) if levels else text

    assert [sendable(nested(levels, HALF), 3) for levels in (1, 2, 3)] == [nested(n, SHOWN) for n in (1, 2, 3)]
    assert sendable(nested(4, HALF), 3) == nested(4, HALF)


def test_what_is_whole_is_sent_as_it_is() -> None:
    whole = {"a": ["é", "日本", "😀", 1, None, True, 2.5], "\u202e": {"b": "\x00"}}
    assert sendable(whole) == whole
    assert sendable({HALF: "\ud83d\ude00"}) == {SHOWN: "😀"}
