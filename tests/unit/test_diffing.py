"""A unified diff as a preview: it shows what changes, and no text can break out of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbask import Option, Question, diff
from nbask.render import plain, preview


class Reader(HTMLParser):
    """The classes, the tags and the text of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.classes: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.classes += [value or "" for name, value in attrs if name == "class"]

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(before: str, after: str, **rest: str | int) -> Reader:
    html = preview(diff(before, after, **rest))  # type: ignore[arg-type]
    assert html["kind"] == "html"
    return Reader(html["html"])


def test_a_diff_shows_what_goes_and_what_comes() -> None:
    text = str(diff("a\nb\nc\n", "a\nB\nc\n", name="notes.txt"))
    assert text.splitlines() == ["--- notes.txt", "+++ notes.txt", "@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"]


def test_lines_around_a_change_are_as_many_as_asked_for() -> None:
    before = "\n".join(map(str, range(20)))
    after = before.replace("10", "ten")
    assert [len(str(diff(before, after, context=context)).splitlines()) for context in (0, 1, 3)] == [5, 7, 11]


def test_a_diff_is_drawn_with_the_classes_of_deleted_and_inserted_lines() -> None:
    read = shown("a\nb\n", "a\nc\n", name="notes")
    assert {"gd", "gi", "gu"} <= set(read.classes)
    assert "-b" in read.text
    assert "+c" in read.text
    assert set(read.tags) <= {"pre", "code", "span"}


def test_a_diff_of_a_diff_is_still_one_block() -> None:
    patch = str(diff("a", "b"))
    read = shown(patch, patch.replace("b", "c"))
    assert read.tags.count("pre") == 1


@pytest.mark.parametrize("text", ["", "a\n", "a\nb"])
def test_texts_that_are_equal_have_no_change(text: str) -> None:
    assert str(diff(text, text)) == "No change."
    assert "No change." in shown(text, text).text


@pytest.mark.parametrize(
    ("before", "after"), [("a", "a\n"), ("a\n", "a\r\n"), ("a\x0cb", "a\nb"), ("", "\n"), ("a", "a ")]
)
def test_texts_that_are_not_equal_are_never_said_to_have_no_change(before: str, after: str) -> None:
    assert str(diff(before, after)) != "No change."


BREAKOUTS = [
    "```\n<script>alert(1)</script>\n```",
    "````\n# Heading\n````",
    "`" * 30 + "\n[x](javascript:alert(1))",
    "~~~\n**bold**\n~~~",
    "</code></pre><img src=x onerror=alert(1)>",
    "+```\n-```\n ```",
    "` ``` `` ````` ```` `",
    "\u2028```\u2028# x",
    "\x0b```\x0b# x",
]


@pytest.mark.parametrize("text", BREAKOUTS)
@pytest.mark.parametrize("place", ["before", "after", "name", "both"])
def test_a25_no_text_breaks_out_of_a_diff(text: str, place: str) -> None:
    before, after = (text if place in (side, "both") else "x" for side in ("before", "after"))
    read = shown(before, after + "\nchanged", name=text if place == "name" else "notes")
    assert set(read.tags) <= {"pre", "code", "span"}
    assert read.tags.count("pre") == 1


@given(st.text(alphabet="`~ab\n #<>*[]()-+", max_size=40), st.text(alphabet="`~ab\n #<>*[]()-+", max_size=40))
@settings(deadline=None)
def test_a25_any_two_texts_are_one_block_that_holds_every_changed_line(before: str, after: str) -> None:
    read = shown(before, after)
    assert read.tags.count("pre") == 1
    assert set(read.tags) <= {"pre", "code", "span"}
    drawn = re.sub(r"\s+", "", read.text)
    assert re.sub(r"\s+", "", str(diff(before, after))) == drawn


def test_a_diff_is_a_preview_that_every_front_can_show() -> None:
    option = Option("Apply", preview=diff("a\nb\n", "a\nc\n"))
    assert Question("Which?", [option]).options[0].preview is option.preview
    assert "-b\n+c" in plain(option.preview)


@pytest.mark.parametrize(("before", "after", "says"), [(None, "a", "before is None"), ("a", ["a"], "after is ['a']")])
def test_what_is_no_text_has_no_difference(before: Any, after: Any, says: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(says)}; give a text"):
        diff(before, after)
