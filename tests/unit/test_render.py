"""Markdown, code and objects become safe HTML: agent text is never live, and causes no request."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbask import Ask, Option, Question
from nbask.kinds import Answer
from nbask.receipts import receipt_html
from nbask.render import markdown, one_line, plain, preview
from nbask.replies import Answered, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.text import fenced

VECTORS = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)//",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data='data:text/html,<script>alert(1)</script>'></object>",
    "<embed src='javascript:alert(1)'>",
    "<form action='javascript:alert(1)'><button>x</button></form>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='https://ok.example' onclick='alert(1)'>x</a>",
    "<details open ontoggle=alert(1)>",
    "<body onload=alert(1)>",
    "<style>@import 'http://evil.example/x.css'</style>",
    "<link rel=stylesheet href=http://evil.example/x.css>",
    "<meta http-equiv=refresh content='0;url=http://evil.example'>",
    "<base href='http://evil.example/'>",
    "<video><source onerror=alert(1)></video>",
    "<input autofocus onfocus=alert(1)>",
    "<div style='background:url(http://evil.example/x)'>x</div>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</div></details><script>alert(1)</script>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](\u0001javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](data:image/svg+xml;base64,PHN2Zz4=)",
    "[x](vbscript:msgbox(1))",
    "[x](file:///etc/passwd)",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "[x]: javascript:alert(1)\n\n[x]",
    "![x](http://evil.example/pixel.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    '[x](http://ok.example "\\" onclick=alert(1) \\"")',
    "[<img src=x onerror=alert(1)>](http://ok.example)",
    "```<img src=x onerror=alert(1)>\ncode\n```",
    '```"onmouseover=alert(1)\ncode\n```',
    "`<img src=x onerror=alert(1)>`",
    "| <img src=x onerror=alert(1)> |\n|---|\n| <script>alert(1)</script> |",
    "&lt;img src=x onerror=alert(1)&gt;",
    "<img src=x onerror=alert(1)><a href='javascript:1'>x</a>",
]
TAGS = {
    *("a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p"),
    *("pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}


class Reader(HTMLParser):
    """The tags of some HTML with their attributes, and its text, as a parser sees them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.other: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.other.append(data)

    def handle_decl(self, decl: str) -> None:
        self.other.append(decl)

    def handle_pi(self, data: str) -> None:
        self.other.append(data)

    def unknown_decl(self, data: str) -> None:
        self.other.append(data)


def assert_harmless(html: str) -> Reader:
    read = Reader(html)
    assert {tag for tag, _ in read.tags} <= TAGS
    assert not read.other
    for tag, attributes in read.tags:
        allowed = {"a": {"href", "title", "target", "rel"}, "ol": {"start"}}.get(tag, {"class"})
        assert set(attributes) <= allowed, (tag, attributes)
        if "href" in attributes:
            assert re.match(r"(https?://|mailto:)", attributes["href"] or "", re.IGNORECASE), attributes["href"]
            assert "noopener" in (attributes["rel"] or "")
            assert attributes["target"] == "_blank"
    return read


@pytest.mark.parametrize("vector", VECTORS)
def test_a25_c30_agent_markdown_is_never_live(vector: str) -> None:
    assert_harmless(markdown(vector)["html"])


@pytest.mark.parametrize("vector", VECTORS)
def test_a25_c30_an_agents_preview_is_never_live(vector: str) -> None:
    shown = preview(vector)
    assert shown["kind"] == "html"
    assert_harmless(shown["html"])


@pytest.mark.parametrize("vector", VECTORS)
def test_a25_c30_code_is_never_live(vector: str) -> None:
    assert unescape(Reader(markdown(fenced(vector, "html"))["html"]).text).strip() != ""
    assert_harmless(markdown(fenced(vector, vector))["html"])


@given(st.text())
@settings(deadline=None)
def test_any_markdown_is_harmless(text: str) -> None:
    assert_harmless(markdown(text)["html"])
    shown = preview(text)
    assert shown["kind"] == "html"
    assert_harmless(shown["html"])


RECEIPTS: dict[str, Callable[[str], tuple[Ask, Reply]]] = {
    "question": lambda text: (Ask(Question(text)), Declined()),
    "header": lambda text: (Ask(Question("A?", header=text)), Declined()),
    "label": lambda text: (Ask(Question("A?", [text])), Declined()),
    "picked label": lambda text: (
        Ask(Question("A?", [text, "B"])),
        Answered(answers={"q1": Answer(text, (text,))}),
    ),
    "description": lambda text: (Ask(Question("A?", {"A": text})), Declined()),
    "preview": lambda text: (Ask(Question("A?", [Option("A", preview=text)])), Declined()),
    "asker": lambda text: (Ask(Question("A?"), asker=text), Declined()),
    "form message": lambda text: (Ask(Question("A?"), message=text, layout="form"), Declined()),
    "placeholder": lambda text: (Ask(Question("A?", placeholder=text)), Declined()),
    "other": lambda text: (Ask(Question("A?", ["A"])), Answered(answers={"q1": Answer(text, (), text)})),
    "typed text": lambda text: (Ask(Question("A?")), Answered(answers={"q1": Answer(text)})),
    "notes": lambda text: (Ask(Question("A?", ["A"])), Answered(answers={"q1": Answer("A", ("A",), notes=text)})),
    "discussed": lambda text: (Ask(Question("A?")), Discussed(text=text)),
    "reason": lambda text: (Ask(Question("A?")), Unavailable(reason=text)),
    "withdrawn": lambda text: (Ask(Question("A?")), Withdrawn(reason=text)),
    "default": lambda text: (Ask(Question("A?")), TimedOut(fallback={"q1": Answer(text)})),
    "via": lambda text: (Ask(Question("A?")), Declined(via=text)),
    "id": lambda text: (Ask(Question("A?"), id=text), Declined()),
}


@pytest.mark.parametrize("field", RECEIPTS)
def test_a25_c30_no_text_in_a_receipt_becomes_markup(field: str) -> None:
    benign = Reader(receipt_html(*RECEIPTS[field]("word"), 0.0)["html"]).tags
    for vector in VECTORS:
        tags = Reader(receipt_html(*RECEIPTS[field](vector), 0.0)["html"]).tags
        assert [tag for tag, _ in tags] == [tag for tag, _ in benign], vector
        without_class = [{**attributes, "class": None} for _, attributes in tags]
        assert without_class == [{**attributes, "class": None} for _, attributes in benign], vector


@pytest.mark.parametrize("vector", VECTORS)
def test_a25_c30_a_message_in_a_receipt_is_markdown_and_harmless(vector: str) -> None:
    rendered = markdown(vector)["html"]
    assert_harmless(rendered)
    assert rendered in receipt_html(Ask(Question("A?"), message=vector), Declined(), 0.0)["html"]


def test_raw_html_stays_text_that_can_be_read() -> None:
    assert Reader(markdown("a <b>bold</b> word")["html"]).text.strip() == "a <b>bold</b> word"


@pytest.mark.parametrize(
    "url", ["http://a.example/x?y=1", "https://a.example", "mailto:ann@a.example", "HTTPS://A.EXAMPLE"]
)
def test_a_web_or_mail_link_is_a_link(url: str) -> None:
    (link,) = [attributes for tag, attributes in assert_harmless(markdown(f"[x]({url})")["html"]).tags if tag == "a"]
    assert link["href"] is not None


@pytest.mark.parametrize("url", ["/lab?reset", "//evil.example/x", "../api/shutdown", "?token", "tree/x"])
def test_a_link_into_the_notebooks_own_site_is_no_link(url: str) -> None:
    tags = Reader(markdown(f"[x]({url})")["html"]).tags
    assert not [attributes["href"] for tag, attributes in tags if tag == "a" and "href" in attributes]


def test_images_make_no_request() -> None:
    tags = [
        tag
        for tag, _ in Reader(
            markdown("![a pixel](http://evil.example/p.png) ![x][y]\n\n[y]: http://e.example")["html"]
        ).tags
    ]
    assert "img" not in tags


def test_an_image_in_markdown_is_left_out() -> None:
    assert not re.search("href|evil", markdown("![a pixel](http://evil.example/p.png)")["html"])


def test_markdown_has_tables_and_strikethrough() -> None:
    tags = {tag for tag, _ in Reader(markdown("| a |\n|---|\n| ~~b~~ |")["html"]).tags}
    assert {"table", "th", "td", "s"} <= tags


def test_fenced_code_has_pygments_classes() -> None:
    read = assert_harmless(markdown("```python\ndef f(): pass\n```")["html"])
    assert ("span", {"class": "k"}) in read.tags
    assert "def f(): pass" in read.text


@pytest.mark.parametrize("language", ["", "nonsense", "../../etc", "PYTHON "])
def test_code_in_any_language_keeps_its_text(language: str) -> None:
    assert Reader(markdown(fenced("def  f():\n    pass", language))["html"]).text.strip() == "def  f():\n    pass"


def test_code_in_a_known_language_is_coloured_and_else_is_not() -> None:
    assert "span" in markdown(fenced("def f(): pass", "python"))["html"]
    assert "span" not in markdown(fenced("def f(): pass", "nonsense"))["html"]


ART = {
    "box": "+------+\n|  ok  |\n+------+",
    "nested boxes": "+----------+\n| +--+     |\n| |  |  ok |\n| +--+     |\n+----------+",
    "tree": "src\n|\n+-- a.py\n|   +-- b.py\n`-- c",
    "table of spaces": "name      age\nAnn        31\nBo          7",
    "indented": "    deep\n  less\nnone",
    "underlined": "Title\n=====\n\nA   B\n-----",
    "arrows": "a --> b\n      |\n      v\n      c",
    "buttons": "Name: [________]   ( ) yes  (o) no\n      [ Save ]  [ Cancel ]",
    "angles": "<Header>\n  <Nav/>   <Main/>",
    "stars": "   *\n  ***\n *****",
    "cat": "/\\_/\\\n( o.o )\n > ^ <",
    "menu": "+---------+\n| 1. New  |\n| 2. Open |\n+---------+",
}


@pytest.mark.parametrize("name", ART)
def test_a_drawing_keeps_its_spaces_and_line_breaks(name: str) -> None:
    shown = preview(ART[name])
    assert shown["kind"] == "html"
    assert Reader(shown["html"]).text.strip("\n") == ART[name]


def test_a_drawing_in_a_fence_keeps_everything() -> None:
    shown = preview("```\n" + ART["stars"] + "\n```")
    assert shown["kind"] == "html"
    assert Reader(shown["html"]).text.strip("\n") == ART["stars"]


def test_a_preview_with_markdown_is_rendered() -> None:
    shown = preview("# Title\n\n- *one*\n- two")
    assert shown["kind"] == "html"
    assert {"h1", "ul", "em"} <= {tag for tag, _ in Reader(shown["html"]).tags}


class Html:
    def _repr_html_(self) -> str:
        return "<b>{braces}</b><script>alert(1)</script>"

    def __repr__(self) -> str:
        return "a table"


class Png:
    data = b"\x89PNG\r\n\x1a\n0000"

    def _repr_png_(self) -> bytes:
        return self.data

    def _repr_html_(self) -> str:
        return "<b>never</b>"


class Svg:
    markup = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'></svg>"

    def _repr_svg_(self) -> str:
        return self.markup


class Markdown:
    def _repr_markdown_(self) -> str:
        return "a **b** <img src=x onerror=alert(1)>"


class Plain:
    def __repr__(self) -> str:
        return "<Plain & simple>"


def test_a25_an_objects_html_reaches_only_a_frame_that_may_do_nothing() -> None:
    shown = preview(Html())
    assert shown["kind"] == "frame"
    assert shown["title"] == "a table"
    (policy,) = [
        attributes for tag, attributes in Reader(shown["srcdoc"]).tags if tag == "meta" and "http-equiv" in attributes
    ]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert (policy["content"] or "").startswith("default-src 'none'")
    assert "script-src" not in (policy["content"] or "")
    assert shown["srcdoc"].index("Content-Security-Policy") < shown["srcdoc"].index("{braces}")


def test_a_bitmap_is_a_data_url_and_comes_before_html() -> None:
    shown = preview(Png())
    assert shown["kind"] == "image"
    head, data = shown["src"].split(",")
    assert (head, base64.b64decode(data)) == ("data:image/png;base64", Png.data)


def test_svg_is_an_image_and_never_markup() -> None:
    shown = preview(Svg())
    assert shown["kind"] == "image"
    head, data = shown["src"].split(",")
    assert (head, base64.b64decode(data).decode()) == ("data:image/svg+xml;base64", Svg.markup)


def test_an_objects_markdown_is_rendered_like_any() -> None:
    shown = preview(Markdown())
    assert shown["kind"] == "html"
    assert ("strong", {}) in assert_harmless(shown["html"]).tags


@pytest.mark.parametrize("thing", [Plain(), {"<b>": 1}, [1, 2], 5, b"<b>"])
def test_any_other_object_is_shown_as_escaped_text(thing: Any) -> None:
    shown = preview(thing)
    assert shown["kind"] == "html"
    read = assert_harmless(shown["html"])
    assert [tag for tag, _ in read.tags] == ["pre"]
    assert read.text == repr(thing)


def test_drawing_a_preview_displays_nothing_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    class Eager:
        def _ipython_display_(self) -> None:
            print("displayed in the cell")

    preview(Eager())
    assert "displayed" not in capsys.readouterr().out


@pytest.mark.parametrize(("thing", "text"), [("a *b*", "a *b*"), (Plain(), "<Plain & simple>"), (Html(), "a table")])
def test_a_preview_has_a_plain_text(thing: Any, text: str) -> None:
    assert plain(thing) == text


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [("a\n  b\tc", 80, "a b c"), ("x" * 10, 10, "x" * 10), ("x" * 11, 10, "x" * 9 + "…"), ("", 5, "")],
)
def test_text_fits_on_one_line(text: str, width: int, line: str) -> None:
    assert one_line(text, width) == line


class Frame:
    """As pandas has it."""

    def _repr_html_(self) -> str:
        return "<div><style scoped>.d{}</style><table border='1' class='dataframe'><tr><td>1.5</td></tr></table></div>"

    def __repr__(self) -> str:
        return "     a\n0  1.5"


class Figure:
    """As matplotlib has it, where no inline backend was activated."""

    data = b"\x89PNG\r\n\x1a\nfigure"

    def __init__(self) -> None:
        self.saved: list[dict[str, Any]] = []

    def savefig(self, file: Any, **how: Any) -> None:
        self.saved.append(how)
        file.write(self.data)

    def __repr__(self) -> str:
        return "<Figure size 640x480 with 1 Axes>"


class Picture:
    """As PIL has it."""

    data = b"\x89PNG\r\n\x1a\npicture"

    def _repr_png_(self) -> bytes:
        return self.data

    def _repr_jpeg_(self) -> bytes:
        return b"\xff\xd8jpeg"


class Jpeg:
    def _repr_jpeg_(self) -> bytes:
        return b"\xff\xd8jpeg"


class Bundle:
    """As plotly, altair and polars have it."""

    def __init__(self, bundle: Any) -> None:
        self.bundle = bundle

    def _repr_mimebundle_(self, **_: Any) -> Any:
        return self.bundle


def decoded(shown: Any) -> tuple[str, bytes]:
    assert shown["kind"] == "image"
    head, data = shown["src"].split(",")
    return head, base64.b64decode(data)


def test_a_data_frame_is_a_table_in_a_frame_that_may_do_nothing() -> None:
    shown = preview(Frame())
    assert shown["kind"] == "frame"
    assert "<td>1.5</td>" in shown["srcdoc"]
    assert shown["title"] == "a 0 1.5"
    assert plain(Frame()) == "     a\n0  1.5"


def test_a_figure_without_an_inline_backend_is_drawn_by_itself() -> None:
    figure = Figure()
    shown = preview(figure)
    assert decoded(shown) == ("data:image/png;base64", Figure.data)
    assert figure.saved == [{"format": "png", "bbox_inches": "tight"}]
    assert shown["kind"] == "image"
    assert shown["alt"] == "<Figure size 640x480 with 1 Axes>"


def test_a_picture_is_its_own_bitmap() -> None:
    assert decoded(preview(Picture())) == ("data:image/png;base64", Picture.data)
    assert decoded(preview(Jpeg())) == ("data:image/jpeg;base64", b"\xff\xd8jpeg")


@pytest.mark.parametrize(
    ("bundle", "kind"),
    [
        ({"text/html": "<b>x</b>", "text/plain": "x"}, "frame"),
        ({"image/png": base64.b64encode(b"png").decode(), "text/plain": "x"}, "image"),
        ({"image/png": b"png"}, "image"),
        ({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'/>"}, "image"),
        ({"text/markdown": "**x**", "text/plain": "x"}, "html"),
        ({"text/plain": "<x>"}, "html"),
        (({"text/html": "<b>x</b>"}, {"isolated": True}), "frame"),
        ({"application/javascript": "alert(1)", "text/plain": "a script"}, "html"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_bundle_of_displays_is_drawn_by_the_best_of_them(bundle: Any, kind: str) -> None:
    shown = preview(Bundle(bundle))
    assert shown["kind"] == kind
    assert "alert" not in str(shown)


@pytest.mark.parametrize("vector", VECTORS)
def test_a25_text_in_a_title_or_an_alternative_text_stays_text(vector: str) -> None:
    image = preview(Bundle({"image/png": b"png", "text/plain": vector}))
    frame = preview(Bundle({"text/html": "x", "text/plain": vector}))
    assert image["kind"] == "image"
    assert frame["kind"] == "frame"
    assert image["alt"] == frame["title"] == one_line(vector)
    assert vector not in frame["srcdoc"]


@pytest.mark.parametrize("content", [None, Ellipsis, object, {"a": [1]}, b"\xff", 1j], ids=str)
def test_any_object_at_all_has_a_preview(content: Any) -> None:
    assert preview(content)["kind"] == "html"
    assert plain(content)


class Broken:
    """What fails however it is shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no\nwords")

    def savefig(self, *_: Any, **__: Any) -> None:
        raise OSError("<b>no disk</b>")


class BrokenFault(Broken):
    def savefig(self, *_: Any, **__: Any) -> None:
        class Mute(Exception):
            def __str__(self) -> str:
                raise RuntimeError

        raise Mute


@pytest.mark.parametrize(
    ("thing", "says"),
    [(Broken(), "OSError: <b>no disk</b>"), (BrokenFault(), "Mute: <exception str() failed>")],
    ids=type,
)
def test_a_preview_that_cannot_be_drawn_says_so_and_the_question_is_asked(
    thing: Any, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = preview(thing)
    assert shown["kind"] == "html"
    assert says in assert_harmless(shown["html"]).text
    assert says in plain(thing)
    assert plain(thing).startswith("(This preview could not be drawn: ")
