"""What an asking tool gives back: one flat record, whatever the question was and however it ended.

The names are those of the `human_input` tools, which agents know; the sentences are ours. Nothing but the
status `answered` carries a decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from nbask.questions import Ask, Question
from nbask.replies import Answered, Cancelled, Discussed, Reply, TimedOut, Unavailable, Withdrawn, ending

Fallback = Literal["return", "off"]
Status = Literal[
    "answered", "declined", "cancelled", "timed_out", "discussed", "needs_user_input", "unavailable", "available"
]

_STRING = {"type": "string"}
_STRING_OR_NULL = {"type": ["string", "null"]}


def _field(schema: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description}


OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "via": _field(_STRING, "Which way the outcome came: card, text, elicitation, script, policy; or none."),
        "tool": _field(_STRING, "The tool that gave this result."),
        "answer": _field(_STRING_OR_NULL, 'The answer in words: the picked label or labels, "yes" or "no", the text.'),
        "status": {
            "type": "string",
            "enum": list(Status.__args__),  # type: ignore[attr-defined]
            "description": "How it ended. Only `answered` carries an answer to use.",
        },
        "message": _field(_STRING, "What happened, in words; with the question and its options if it has no answer."),
        "fallback": {
            "type": "string",
            "enum": list(Fallback.__args__),  # type: ignore[attr-defined]
            "description": "What happens where nobody can be asked: the question comes back to you, or not.",
        },
        "form_url": _field(_STRING_OR_NULL, "Always null: a notebook shows the question itself."),
        "question": _field(_STRING_OR_NULL, "The question as it was asked."),
        "selected": {"type": "array", "items": _STRING, "description": "The picked labels."},
        "confirmed": _field({"type": ["boolean", "null"]}, "Of ask_confirm: true for yes, false for no."),
        "free_text": _field(_STRING_OR_NULL, "What the user wrote beside the answer, or instead of one."),
        "next_step": _field(_STRING, "What to do next."),
        "elapsed_ms": _field({"type": "integer", "minimum": 0}, "How long it waited for the user."),
        "client_elicitation": _field({"type": "boolean"}, "Whether the calling client can show forms itself."),
        "auto_reject_suspected": _field(
            {"type": "boolean"}, "Whether the client refused faster than a person could have read the question."
        ),
    },
    "additionalProperties": False,
}
OUTPUT_SCHEMA["required"] = list(OUTPUT_SCHEMA["properties"])

NEXT: Mapping[str, str] = MappingProxyType(
    {
        "answered": "Go on, and do what the user's answer says.",
        "declined": "The user does not want to answer. Do not ask this again; go on without it, or say what you leave.",
        "cancelled": "The user closed the question without deciding. Take nothing for agreed.",
        "timed_out": "Nobody answered in time, and that is no answer. Take nothing for agreed.",
        "discussed": "The user wants to talk first. Respond to what `free_text` says, then ask again.",
        "needs_user_input": "Ask the user yourself, in chat; `message` has the question and its options.",
        "unavailable": "Nobody can be asked here. Take nothing for agreed, and go on only with what needs no answer.",
        "available": "Ask when a decision is the user's to make.",
    }
)
TOO_FAST = "No person can have read the question so fast: ask the user in chat, and do not take this for a refusal."


@dataclass(frozen=True)
class Circumstances:
    """What a result says beside the reply.

    Args:
        fallback: What happens where nobody can be asked.
        elicits: Whether the calling client can show forms itself.
        suspected: Whether its refusal came faster than a person could have read the question.
        said: What the asker should know, in a sentence: that a limit was changed.
    """

    fallback: Fallback = "return"
    elicits: bool = False
    suspected: bool = False
    said: str = ""


def status_of(reply: Reply, fallback: Fallback) -> Status:
    """How an ask ended, in the tools' words.

    Example:
        >>> status_of(Unavailable(), "return"), status_of(Unavailable(), "off")
        ('needs_user_input', 'unavailable')
    """
    match reply:
        case Unavailable() | Withdrawn():
            return "needs_user_input" if fallback == "return" else "unavailable"
        case _:
            return reply.kind  # type: ignore[return-value]


def next_step_of(status: Status, around: Circumstances) -> str:
    """What the agent should do next."""
    if around.suspected:
        return TOO_FAST
    ask_in_chat = status in ("cancelled", "timed_out") and around.fallback == "return"
    return NEXT[status] + (" If you still need it, ask in chat with what `message` has." if ask_in_chat else "")


def result_of(tool: str, ask: Ask, reply: Reply, around: Circumstances) -> dict[str, Any]:
    """The record of one question's end."""
    (question,) = ask.questions
    status = status_of(reply, around.fallback)
    record = empty(tool, status, around)
    record.update(
        question=question.text,
        via=reply.via or "none",
        elapsed_ms=round(reply.elapsed * 1000),
        message=message_of(ask, reply, around),
    )
    if isinstance(reply, Discussed):
        record["free_text"] = reply.text or None
    if isinstance(reply, Answered):
        answer = reply.answers[question.id]
        confirmed = answer.value if question.kind == "confirm" else None
        yes_or_no = {True: "yes", False: "no", None: answer.words}
        record.update(
            answer=yes_or_no[confirmed],
            confirmed=confirmed,
            selected=list(answer.selected) if question.kind == "choice" else [],
            free_text=answer.notes,
        )
    return record


def empty(tool: str, status: Status, around: Circumstances) -> dict[str, Any]:
    """A record that says nothing but how it ended."""
    return {
        "via": "none",
        "tool": tool,
        "answer": None,
        "status": status,
        "message": "",
        "fallback": around.fallback,
        "form_url": None,
        "question": None,
        "selected": [],
        "confirmed": None,
        "free_text": None,
        "next_step": next_step_of(status, around),
        "elapsed_ms": 0,
        "client_elicitation": around.elicits,
        "auto_reject_suspected": around.suspected,
    }


def message_of(ask: Ask, reply: Reply, around: Circumstances = Circumstances()) -> str:
    """What happened, for the agent; with what was asked, so that it can ask in its own way."""
    if isinstance(reply, Answered):
        words = "; ".join(f"{question.text} {_said(question, reply)}" for question in ask.questions)
        return " ".join(filter(None, [words, around.said]))
    lines = [f"Not answered: {ending(reply)}.", around.said]
    if isinstance(reply, Cancelled | TimedOut | Unavailable | Withdrawn | Discussed) or around.suspected:
        lines += [ask.message or "", *(_asked(question) for question in ask.questions)]
    return "\n".join(filter(None, lines))


def _said(question: Question, reply: Answered) -> str:
    answer = reply.answers.get(question.id)
    return "(not answered)" if answer is None else answer.words


def _asked(question: Question) -> str:
    options = [f"- {': '.join(filter(None, [option.label, option.description]))}" for option in question.options]
    return "\n".join([f"Question: {question.text}", *options])
