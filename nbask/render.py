"""Markdown, code and rich objects, made safe: the one place where nbask produces HTML from other people's text.

Used by the card, the receipt and the plain-text fronts alike, so that all show the
same thing. Markdown is parsed with raw HTML off and the result goes through `nh3`;
an object's own HTML only ever reaches a sandboxed frame. See
`docs/decisions/0002-kernel-side-rendering.md`.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from traceback import format_exception_only
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from nbask.text import one_line, sendable
from nbask.wire import FrameWire, HtmlWire, ImageWire, RichWire

_TAGS = {
    *("a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p"),
    *("pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
_ATTRIBUTES = {
    "a": {"href", "title"},
    "code": {"class"},
    "div": {"class"},
    "ol": {"start"},
    "pre": {"class"},
    "span": {"class"},
}
_FRAME = (
    '<!doctype html><html><head><meta charset="utf-8">'
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">"
    "<style>:root{{color-scheme:light dark}}body{{margin:8px;font:13px/1.5 system-ui,sans-serif}}"
    "table{{border-collapse:collapse}}td,th{{padding:2px 8px;text-align:right}}</style></head><body>{}</body></html>"
)


def markdown(text: str) -> HtmlWire:
    """Render markdown to sanitised HTML.

    Args:
        text: CommonMark with tables and strikethrough. Raw HTML in it stays visible text; of an image its
            alternative text is left, since fetching it would be a request; links lead to http(s) and
            mailto only, and never to a place on the notebook's own server.

    Returns:
        HTML that a view may set as it is.

    Example:
        >>> markdown("a *b* <script>c</script>")["html"].strip()
        '<p>a <em>b</em> &lt;script&gt;c&lt;/script&gt;</p>'
    """
    return {"kind": "html", "html": _clean(_parser().render(text))}


def verbatim(text: str) -> HtmlWire:
    """Render a text as it is: nothing in it is markdown, a link or HTML.

    Example:
        >>> verbatim("*a* https://example.org <b>")["html"]
        '<p>*a* https://example.org &lt;b&gt;</p>'
    """
    return {"kind": "html", "html": f"<p>{'<br>'.join(escape(text.strip()).splitlines())}</p>"}


def message_html(text: str, plain: bool) -> HtmlWire:
    """Render an ask's message, by :attr:`nbask.questions.Ask.plain`."""
    return verbatim(text) if plain else markdown(text)


def preview(content: Any) -> RichWire:
    """Render what an option would look like.

    Args:
        content: Markdown text, shown in a monospace box with its line breaks and indents kept where
            it uses no markdown; or any object with a rich display (a figure, a DataFrame, an image).

    Returns:
        Sanitised HTML, an image as a `data:` URL, or a document for a sandboxed frame.
    """
    if isinstance(content, str):
        return _text_preview(content)
    try:
        return _object_preview(content)
    except Exception as fault:  # noqa: BLE001 - whatever the caller's object makes of being shown
        return verbatim(_no_preview(fault))


def plain(content: Any) -> str:
    """A preview as plain text, for fronts without HTML."""
    if isinstance(content, str):
        return content
    try:
        return str(_bundle(content).get("text/plain", content))
    except Exception as fault:  # noqa: BLE001 - whatever the caller's object makes of being shown
        return _no_preview(fault)


def _no_preview(fault: Exception) -> str:
    """What stands in a preview's place: the question is asked all the same."""
    return f"(This preview could not be drawn: {one_line(format_exception_only(fault)[-1], 160)})"


def _text_preview(text: str) -> HtmlWire:
    # Read as markdown, a drawing or a table made of spaces loses its spaces, and sometimes all of itself.
    if _uses_markdown(_parser().disable(["lheading", "hr", "code"]).parse(text)):
        return markdown(text)
    return {"kind": "html", "html": f"<pre>{escape(text.strip(chr(10)))}</pre>"}


def _uses_markdown(tokens: Sequence[Token]) -> bool:
    """Whether a text is plainly meant as markdown: it has a construct with words in it."""
    if any(token.type in ("fence", "table_open") for token in tokens):
        return True
    marked = {"strong_open", "s_open", "code_inline", "link_open", "image"}
    for opener, token in zip([None, *tokens], tokens, strict=False):
        if token.type != "inline" or not any(c.isalnum() for c in token.content):
            continue
        if any(child.type in marked for child in token.children or ()):
            return True
        if opener is not None and opener.type == "heading_open":
            return True
    words = [token for token in tokens if token.type == "inline" and any(c.isalnum() for c in token.content)]
    items = sum(token.type == "list_item_open" for token in tokens)
    return items > 0 and len(words) >= items


def _object_preview(content: Any) -> RichWire:
    bundle = _bundle(content)
    for mime in ("image/png", "image/jpeg", "image/svg+xml"):
        if mime in bundle:
            return _image(mime, bundle[mime], str(bundle.get("text/plain", "preview")))
    if "text/html" in bundle:
        title = one_line(str(bundle.get("text/plain", "preview")))
        frame: FrameWire = {"kind": "frame", "srcdoc": _FRAME.format(bundle["text/html"]), "title": title}
        return frame
    if "text/markdown" in bundle:
        return markdown(str(bundle["text/markdown"]))
    return {"kind": "html", "html": f"<pre>{escape(str(bundle.get('text/plain', content)))}</pre>"}


def _image(mime: str, data: str | bytes, alt: str) -> ImageWire:
    # IPython's formatters give base64 text for bitmaps, or bytes, and SVG as the markup itself.
    if isinstance(data, str) and mime == "image/svg+xml":
        data = data.encode()
    encoded = base64.b64encode(data).decode() if isinstance(data, bytes) else "".join(data.split())
    return {"kind": "image", "src": f"data:{mime};base64,{encoded}", "alt": one_line(alt)}


def _bundle(content: Any) -> dict[str, Any]:
    from IPython.core.formatters import DisplayFormatter
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    display: Any = (shell and shell.display_formatter) or DisplayFormatter()
    # Not display.format(): that lets an object with _ipython_display_ show itself in the cell.
    found = display.mimebundle_formatter(content) or {}
    bundle = dict(found[0] if isinstance(found, tuple) else found)
    for mime, formatter in display.formatters.items():
        data = None if mime in bundle else formatter(content)
        if data is not None:
            bundle[mime] = data[0] if isinstance(data, tuple) else data
    if "image/png" not in bundle and hasattr(content, "savefig"):
        # A matplotlib figure has a formatter only where its inline backend was activated.
        drawn = io.BytesIO()
        content.savefig(drawn, format="png", bbox_inches="tight")
        bundle["image/png"] = drawn.getvalue()
    return bundle


def _parser() -> MarkdownIt:
    options = {
        "html": False,
        "linkify": False,
        "highlight": lambda text, language, _attrs: _highlighted(text, language),
    }
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.add_render_rule("image", _image_as_text)
    return parser


def _image_as_text(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return escape(tokens[index].content)


@lru_cache(maxsize=64)
def _lexer(language: str) -> Any:
    from pygments.lexers import get_lexer_by_name
    from pygments.lexers.special import TextLexer
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return TextLexer()


def _highlighted(text: str, language: str) -> str:
    """Source code with Pygments' short classes; plain text where the language is unknown."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    spans = highlight(text, _lexer(language.strip().lower()), HtmlFormatter(nowrap=True))
    return f'<pre class="highlight"><code>{spans}</code></pre>'


def _clean(html: str) -> str:
    return nh3.clean(
        sendable(html),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        attribute_filter=_outward_links,
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def _outward_links(_tag: str, attribute: str, value: str) -> str | None:
    # A relative link would lead to the notebook server, where a click can do things.
    outward = value.lower().startswith(("https://", "http://", "mailto:"))
    return None if attribute == "href" and not outward else value
