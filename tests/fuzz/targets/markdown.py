"""Markdown, code and receipts: whatever text goes in, no live script, handler or inward link comes out."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import asks
from source import Source

from nbask.receipts import receipt_html
from nbask.render import markdown, plain, preview, verbatim
from nbask.text import fenced, printable, sendable

TAGS = {
    *("a", "bdi", "blockquote", "br", "code", "details", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li"),
    *("ol", "p", "pre", "s", "span", "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"href", "title", "class", "start", "rel", "target", "dir", "style"}
LANGUAGES = ("", "python", "html", "x", "<b>", '"', "js foo", "a\nb")


def attack(data: bytes) -> None:
    source = Source(data)
    match source.byte() % 4:
        case 0:
            text = source.rest().decode("utf-8", "replace")
        case 1:
            text = "".join(source.several(source.text, 255))
        case 2:
            check_html(markdown(fenced(source.text(), source.pick(LANGUAGES)))["html"])
            return
        case _:
            _receipt(source)
            return
    check_html(markdown(text)["html"])
    check_html(verbatim(text)["html"])
    drawn = preview(text)
    assert drawn["kind"] == "html"
    check_html(drawn["html"])
    assert plain(text) == text
    assert "\x1b" not in printable(text)


def _receipt(source: Source) -> None:
    try:
        ask = asks.ask(source)
    except ValueError:
        return
    # Its own marks of style are not the text's: they are the same whatever is asked.
    check_html(receipt_html(ask, asks.reply(source, ask), 0.0)["html"])


class _Look(HTMLParser):
    def handle_starttag(self, tag: str, attrs: list[tuple[str, Any]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES, (tag, name)
            if name == "href":
                assert tag == "a"
                assert value.lower().startswith(("https://", "http://", "mailto:")), value
            if name == "style":
                assert "url(" not in value.lower()
                assert "expression" not in value.lower()

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl!r}")


def check_html(html: str) -> None:
    """HTML that a page may set as it is."""
    look = _Look()
    look.feed(sendable(html))
    look.close()
