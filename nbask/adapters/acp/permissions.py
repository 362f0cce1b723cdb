"""A request for permission as an ask: the tool call with its changes shown, and the options that the agent gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from nbask.adapters.toolkit.arguments import shown
from nbask.adapters.toolkit.extras import given
from nbask.diffing import diff
from nbask.options import Option
from nbask.questions import Ask, Asker, Question
from nbask.replies import Answered, Declined, Reply
from nbask.text import fenced, one_line, printable

PACKAGE = "agent-client-protocol"
_KINDS = {
    "allow_once": "Allow once",
    "allow_always": "Allow from now on",
    "reject_once": "Reject once",
    "reject_always": "Reject from now on",
}
_LONGEST = 120
"""Characters of a call's title that fit the question; a longer one is whole above it."""


def permission_ask(call: Mapping[str, Any], options: Sequence[Any], asker: Asker, timeout: float | None) -> Ask:
    """Make an ask of a request for permission.

    Args:
        call: What is known of the tool call: its `title`, `kind`, `content`, `raw_input` and `locations`.
        options: The agent's options, in its order.
        asker: Who asks.
        timeout: Seconds until it ends unanswered.

    Returns:
        The ask; the answer's value is the option's id.

    Example:
        >>> from types import SimpleNamespace
        >>> allow = SimpleNamespace(option_id="a", name="Allow", kind="allow_once")
        >>> permission_ask({"title": "Run tests"}, [allow], Asker("Agent"), None).questions[0].text
        'Allow “Run tests”?'
    """
    title = printable(str(call.get("title") or call.get("kind") or "this")).strip()
    question = Question(
        f"Allow “{one_line(title, _LONGEST)}”?",
        list(_rows(options)),
        other=False,  # the protocol has no room for words
        notes=False,
    )
    above = fenced(title) if len(title) > _LONGEST or "\n" in title else None
    message = "\n\n".join(filter(None, [above, *_content(call)])) or None
    return Ask(question, message=message, asker=asker, timeout=timeout, when_unanswered="raise")


def chosen(reply: Reply, options: Sequence[Any]) -> str | None:
    """The id of the option that a reply stands for, or None where the request ends as cancelled.

    A person who declines has refused the call, which is the agent's own option to reject it once, where it
    gives one. What else is no answer chooses nothing.
    """
    if isinstance(reply, Answered):
        return reply.value
    if isinstance(reply, Declined):
        return next((option.option_id for option in options if option.kind == "reject_once"), None)
    return None


def _rows(options: Sequence[Any]) -> Iterator[Option]:
    taken: set[str] = set()
    for option in options:
        name, kind = given(option, "name", PACKAGE), given(option, "kind", PACKAGE)
        meaning = _KINDS.get(kind)
        label = printable(name).strip() or meaning or "No name"
        while label in taken:  # two that read the same are two all the same
            label += f" ({given(option, 'option_id', PACKAGE)})"
        taken.add(label)
        said = meaning is None or meaning.casefold() == label.casefold()
        yield Option(label, None if said else meaning, value=given(option, "option_id", PACKAGE))


def _content(call: Mapping[str, Any]) -> Iterator[str]:
    """What the call would do, as markdown: its changes, its arguments, and what the agent says about it."""
    parts = call.get("content") or []
    changes = [part for part in parts if part.type == "diff"]
    for change in changes:
        before, after = printable(change.old_text or ""), printable(change.new_text)
        yield fenced(str(diff(before, after, printable(change.path))), "diff")
    seen = [text for change in changes for text in (change.path, change.old_text, change.new_text)]
    arguments = call.get("raw_input")
    if isinstance(arguments, Mapping):
        named = cast("Mapping[str, Any]", arguments)
        arguments = {name: value for name, value in named.items() if value not in seen}
    if arguments not in (None, {}):
        yield shown(arguments)
    places = [one for one in call.get("locations") or [] if one.path not in seen]
    if places and not arguments:
        yield "\n".join(f"- {_code(_place(one))}" for one in places)
    for part in parts:
        if part.type == "content":
            yield _words(part.content)


def _place(location: Any) -> str:
    return location.path if location.line is None else f"{location.path}:{location.line}"


def _words(block: Any) -> str:
    text = getattr(block, "text", None)
    return text if isinstance(text, str) else _code(getattr(block, "uri", None) or f"({block.type})")


def _code(text: str) -> str:
    plain = one_line(printable(text), 500).replace("`", "'")
    return f"`{plain}`"
