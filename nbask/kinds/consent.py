"""Consent: nothing to fill in, submitting is the answer; with an address, to opening it."""

from __future__ import annotations

import ipaddress
import unicodedata
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from nbask.kinds.base import Answer, FieldKind, InvalidAnswer, field_value, note_alone, note_of, wire_answer
from nbask.wire import AnswerWire

if TYPE_CHECKING:
    from nbask.questions import Question

_YES = {"y", "yes"}


class Consent(FieldKind):
    """A yes by submitting; the value is True. Where there is a `url`, it means consent to open it."""

    what = "consent"
    hint = "yes to agree"

    def check_more(self, question: Question) -> None:
        if question.min is not None or question.max is not None or question.default is not None:
            raise ValueError(f"{question.text!r} asks for consent; it takes no min, max and default")

    def read(self, question: Question, given: AnswerWire) -> Answer | None:
        value = field_value(given)
        notes = note_of(question, given)
        if value is not True:
            return note_alone(notes)
        if question.url is not None and not may_open(question.url):
            raise InvalidAnswer("This address cannot be opened from here.")
        return Answer(True, notes=notes)

    def write(self, question: Question, plain: Any) -> AnswerWire:
        if plain is not True:
            raise InvalidAnswer(f"{plain!r} does not answer {question.text!r}; give True, or a reply")
        return wire_answer(value=True)

    def typed(self, question: Question, line: str) -> AnswerWire:
        if line.strip().lower() not in _YES:
            raise InvalidAnswer("Type yes to agree, or /decline.")
        return wire_answer(value=True)


def may_open(url: str) -> bool:
    """Whether an address may be opened: http or https, with a host, and nothing in it that hides how it reads."""
    if any(character == "\\" or unicodedata.category(character)[0] in "CZ" for character in url):
        return False  # browsers take a backslash for a slash, and leave out line breaks and tabs
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def url_warnings(url: str) -> list[str]:
    """What a person should know about an address before opening it, in sentences.

    Example:
        >>> url_warnings("https://good.example@evil.example/")
        ['The address names a user before its host, which can hide where it leads: it leads to evil.example.']
    """
    if not may_open(url):
        return ["This is no web address; it cannot be opened."]
    parts = urlsplit(url)
    host = parts.hostname or ""
    warnings: list[str] = []
    if "@" in parts.netloc:
        warnings.append(f"The address names a user before its host, which can hide where it leads: it leads to {host}.")
    if not host.isascii() or any(label.startswith("xn--") for label in host.split(".")):
        warnings.append("The host's name has letters of other scripts (punycode), which can look like another name.")
    if parts.scheme.lower() != "https" and not _is_loopback(host):
        warnings.append("The connection is not encrypted (http).")
    return warnings


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
