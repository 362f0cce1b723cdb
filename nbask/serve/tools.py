"""The tools an outside agent gets: what each takes, what it gives back, and how it asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from nbask.adapters.claude.tool import ASK_USER_QUESTION_TOOL
from nbask.questions import Asker
from nbask.serve import posing
from nbask.serve.posing import DEFAULT_MS, LEAST_MS, MOST_MS, Arguments, Posed
from nbask.serve.results import OUTPUT_SCHEMA


@dataclass(frozen=True)
class Tool:
    """One tool.

    Args:
        name: Its name.
        title: Its name for a person.
        description: What it does and when to use it, for the agent.
        input_schema: What it takes.
        output_schema: What it gives back.
        pose: Makes the ask of a call, for an asker and the default limit in milliseconds; raises `ValueError`.
            None for the tool that asks nothing.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    pose: Callable[[Arguments, Asker, int], Posed] | None


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _string(description: str, **rest: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **rest}


_QUESTION = _string("The whole question, as the user reads it.", minLength=1)
_OPTIONS = {
    "type": "array",
    "items": {"type": "string"},
    "minItems": 1,
    "maxItems": 100,
    "description": "The labels to pick from, each one different.",
}
_WAIT = f"How long to wait for the user, in milliseconds: {LEAST_MS} to {MOST_MS}"
_TIMEOUT = {"type": "integer", "description": f"{_WAIT}; {DEFAULT_MS} by default."}
_PATIENCE = {"type": "integer", "description": f"{_WAIT}; as long as it takes by default."}
_COUNT = {"type": "integer", "minimum": 0}
_ANSWERED = {"type": "boolean", "description": "False where the user declined, or nobody could be asked."}

_ALL = (
    Tool(
        "ask_user_question",
        "Ask the user one to four questions",
        str(ASK_USER_QUESTION_TOOL["description"]),
        ASK_USER_QUESTION_TOOL["input_schema"],
        _object(
            {
                "questions": {"type": "array", "items": {"type": "object"}},
                "answers": {"type": "object", "additionalProperties": {"type": "string"}},
                "annotations": {"type": "object", "additionalProperties": {"type": "object"}},
                "response": _string("What the user wants to talk about before answering."),
            },
            *("questions", "answers", "annotations"),
        ),
        posing.pose_user_question,
    ),
    Tool(
        "ask_choice",
        "Ask the user to choose one option",
        "Ask the user, who sits at the notebook, to pick exactly one of the options, and wait for the answer. For "
        "decisions that are the user's: an approach, a name, a file. The label comes back in `selected` and `answer`.",
        _object({"question": _QUESTION, "options": _OPTIONS, "timeout_ms": _TIMEOUT}, "question", "options"),
        OUTPUT_SCHEMA,
        posing.pose_choice,
    ),
    Tool(
        "ask_multi_select",
        "Ask the user to select several options",
        "Ask the user to pick some of the options, and wait for the answer. Give min and max only where the count "
        "matters. The labels come back in `selected`, and joined by commas in `answer`.",
        _object(
            {
                "question": _QUESTION,
                "options": _OPTIONS,
                "min": {**_COUNT, "description": "Fewest picks; 1 by default."},
                "max": {**_COUNT, "minimum": 1, "description": "Most picks; all of them by default."},
                "timeout_ms": _TIMEOUT,
            },
            *("question", "options"),
        ),
        OUTPUT_SCHEMA,
        posing.pose_multi_select,
    ),
    Tool(
        "ask_confirm",
        "Ask the user for a yes or no",
        "Ask the user for a yes or no, and wait for it: before something that cannot be undone, for instance. It comes "
        'back in `confirmed`, and as "yes" or "no" in `answer`. Only `confirmed: true` is a yes.',
        _object({"question": _QUESTION, "timeout_ms": _TIMEOUT}, "question"),
        OUTPUT_SCHEMA,
        posing.pose_confirm,
    ),
    Tool(
        "ask_text",
        "Ask the user for words",
        "Ask the user for a text of their own, and wait for it: a name, a description, a value only they know. Never "
        "ask for passwords or keys. It comes back in `answer`.",
        _object(
            {
                "question": _QUESTION,
                "placeholder": _string("A hint in the empty field."),
                "multiline": {"type": "boolean", "description": "Whether the field has several lines."},
                "timeout_ms": _TIMEOUT,
            },
            "question",
        ),
        OUTPUT_SCHEMA,
        posing.pose_text,
    ),
    Tool(
        "ask_form",
        "Ask the user to fill in a form",
        "Ask the user for several values on one form, and wait for them: one field for each property of the "
        "outputSchema, whose description is its question.",
        _object(
            {
                "prompt": _string("What is asked, above the fields.", minLength=1),
                "outputSchema": {
                    "type": "object",
                    "description": "A JSON Schema: an object of strings, numbers, booleans and enums, without nesting.",
                },
                "default": {"description": "An answer to prefill, which applies by whenUnanswered 'default'."},
                "whenUnanswered": {
                    "type": "string",
                    "enum": ["fail", "default"],
                    "default": "fail",
                    "description": "What happens when nobody answers: the call fails, or the default comes back.",
                },
                "timeout_ms": _PATIENCE,
            },
            *("prompt", "outputSchema"),
        ),
        _object(
            {
                "answer": {"type": "object", "description": "The values, which fit the outputSchema."},
                "answered": _ANSWERED,
                "reason": _string("Why it is not answered.", enum=["declined", "unavailable"]),
            },
            *("answer", "answered"),
        ),
        posing.pose_form,
    ),
    Tool(
        "approve_plan",
        "Have the user approve a plan",
        "Show the user a plan, and wait until they approve it or say what to change. Only `approved: true` approves.",
        _object({"plan": _string("The plan, as markdown.", minLength=1), "timeout_ms": _PATIENCE}, "plan"),
        _object(
            {
                "approved": {"type": "boolean"},
                "mode": {"type": ["string", "null"], "enum": ["auto", "manual", None]},
                "feedback": {"type": ["string", "null"]},
                "status": OUTPUT_SCHEMA["properties"]["status"],
                "message": {"type": "string"},
                "next_step": {"type": "string"},
            },
            *("approved", "mode", "feedback", "status", "message", "next_step"),
        ),
        posing.pose_plan,
    ),
    Tool(
        "human_input_status",
        "Say whether the user can be asked",
        "Say whether somebody can be asked in the notebook now, and how; asks nothing.",
        _object({}),
        OUTPUT_SCHEMA,
        None,
    ),
)
TOOLS: Mapping[str, Tool] = MappingProxyType({tool.name: tool for tool in _ALL})
