"""Consent to open an address: what may be opened, and what a person is told before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbask import Question
from nbask.kinds import InvalidAnswer, wire_answer
from nbask.kinds.consent import may_open, url_warnings

USER = "names a user before its host"
PUNYCODE = "letters of other scripts (punycode)"
PLAIN = "not encrypted (http)"
NOT_WEB = "This is no web address; it cannot be opened."


@pytest.mark.parametrize(
    ("url", "warned"),
    [
        ("https://example.org/link?state=1#x", []),
        ("HTTPS://EXAMPLE.ORG", []),
        ("https://example.org:8443/", []),
        ("https://[2001:db8::1]/", []),
        ("http://localhost:8000/", []),
        ("http://127.0.0.1/", []),
        ("http://127.8.9.1/", []),
        ("http://[::1]:8000/", []),
        ("http://example.org/", [PLAIN]),
        ("http://[2001:db8::1]/", [PLAIN]),
        ("http://localhost.evil.example/", [PLAIN]),
        ("http://127.0.0.1.evil.example/", [PLAIN]),
        ("https://xn--pple-43d.com", [PUNYCODE]),
        ("https://XN--PPLE-43D.com", [PUNYCODE]),
        ("https://login.xn--pple-43d.com", [PUNYCODE]),
        ("https://аpple.com/", [PUNYCODE]),
        ("https://ｅxample.org/", [PUNYCODE]),
        ("https://good.com@evil.example/", [USER]),
        ("https://good.com:x@evil.example/", [USER]),
        ("https://good.com%2F@evil.example/", [USER]),
        ("http://user@xn--pple-43d.example/", [USER, PUNYCODE, PLAIN]),
        ("https://example.org/@ann", []),
        ("https://example.org/?q=xn--a@b", []),
    ],
)
def test_b21_a_web_address_may_be_opened_with_its_warnings(url: str, warned: list[str]) -> None:
    assert may_open(url)
    warnings = url_warnings(url)
    assert len(warnings) == len(warned)
    assert all(words in warning for words, warning in zip(warned, warnings, strict=True))


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)"),
        *("javascript://good.example/%0aalert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x"),
        *("file:///etc/passwd", "file://host/share", "ftp://example.org/", "mailto:ann@example.org", "about:blank"),
        *("blob:https://example.org/1", "view-source:https://example.org", "intent://x#Intent;end", "ws://a.example"),
        *("", " ", "example.org", "//example.org", "/lab", "https:", "https://", "https:///path", "http://?x"),
        *("https://[::1", "https://[x]/", "https://ex\u2100mple.com", "not a url", "\x00", "http", "://x"),
    ],
)
def test_b21_anything_else_may_not(url: str) -> None:
    assert not may_open(url)
    assert url_warnings(url) == [NOT_WEB]
    question = Question("Open?", kind="consent", url=url)
    with pytest.raises(InvalidAnswer, match="cannot be opened from here"):
        question.rules.read(question, wire_answer(value=True))


def test_b21_the_warning_names_the_host_it_leads_to() -> None:
    assert "it leads to evil.example." in url_warnings("https://good.com@evil.example/")[0]


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example\\@good.example/",
        "https://evil.example\\.good.example/",
        "https:\\\\evil.example\\@good.example/",
    ],
)
def test_b21_an_address_that_a_browser_reads_otherwise_is_not_vouched_for(url: str) -> None:
    # To a browser a backslash is a slash, so that all of these lead to evil.example.
    assert not may_open(url) or any("evil.example." in warning for warning in url_warnings(url))


@pytest.mark.parametrize(
    "url", ["https://good.example/\u202egpj.exe", "https://good.example/\u2066x", "https://a\u200b.b"]
)
def test_b21_an_address_that_hides_how_it_reads_is_warned_of_or_refused(url: str) -> None:
    assert url_warnings(url)


@pytest.mark.parametrize(
    "url", ["https://a b.example/", "https://x.example\n", "\thttps://x.example", "https://x\ty.example"]
)
def test_b21_an_address_with_blanks_or_control_characters_is_not_opened_in_silence(url: str) -> None:
    assert url_warnings(url)


@given(st.text() | st.text().map(lambda rest: f"https://{rest}") | st.from_regex(r"https?://[^\s]{1,20}"))
@settings(deadline=None)
def test_any_text_is_an_address_with_warnings_or_none(url: str) -> None:
    assert all(warning.endswith(".") for warning in url_warnings(url))
    assert may_open(url) or url_warnings(url) == [NOT_WEB]


def test_consent_is_true_and_nothing_else() -> None:
    question = Question("Open?", kind="consent", url="https://example.org/")
    answer = question.rules.read(question, wire_answer(value=True))
    assert answer is not None
    assert answer.value is True


@pytest.mark.parametrize("value", [None, False, 0, 1, "yes", "true", [], {}, [True]])
def test_b20_whatever_is_not_true_is_no_consent(value: Any) -> None:
    question = Question("Open?", kind="consent", url="https://example.org/")
    assert question.rules.read(question, wire_answer(value=value)) is None


@pytest.mark.parametrize("line", ["no", "n", "ok", "sure", "y es", "yes?", "1", "true", ""])
def test_b20_a_typed_line_that_is_no_yes_is_no_consent(line: str) -> None:
    rules: Any = Question("Agreed?", kind="consent").rules
    with pytest.raises(InvalidAnswer, match="Type yes to agree"):
        rules.typed(Question("Agreed?", kind="consent"), line)
