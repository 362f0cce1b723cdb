"""The AskUserQuestion tool as a model is offered it, for agents that are written by hand on a model API."""

from __future__ import annotations

from typing import Any

from nbask.adapters.claude.inputs import QUESTION_TOOL

_OPTION = {
    "type": "object",
    "properties": {
        "label": {"type": "string", "description": "What the user sees and picks: one to five words."},
        "description": {"type": "string", "description": "One sentence on what picking it means or leads to."},
        "preview": {
            "type": "string",
            "description": "Markdown that shows what it would look like (a mockup, code), for comparison.",
        },
    },
    "required": ["label", "description"],
    "additionalProperties": False,
}
_QUESTION = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "description": "The whole question, clear and ending in a question mark."},
        "header": {
            "type": "string",
            "description": "A very short label for it, at most 12 characters, like 'Library'.",
        },
        "options": {
            "type": "array",
            "items": _OPTION,
            "minItems": 2,
            "maxItems": 4,
            "description": "Two to four distinct answers. Do not add 'Other': the user can always type an answer.",
        },
        "multiSelect": {"type": "boolean", "default": False, "description": "Whether several may be picked."},
    },
    "required": ["question", "header", "options", "multiSelect"],
    "additionalProperties": False,
}
_ANNOTATION = {
    "type": "object",
    "properties": {"notes": {"type": "string"}, "preview": {"type": "string"}},
    "additionalProperties": False,
}
ASK_USER_QUESTION_TOOL: dict[str, Any] = {
    "name": QUESTION_TOOL,
    "description": (
        "Ask the user, who sits at the notebook, to decide something that only they can decide: one to four questions "
        "on one card, each with two to four options. They can always type an answer of their own or add a note. Put an "
        "option you recommend first and end its label with '(Recommended)'. Give options a 'preview' where seeing them "
        "side by side helps. Do not ask what you can find out yourself or what has an obvious default."
    ),
    "input_schema": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "questions": {"type": "array", "items": _QUESTION, "minItems": 1, "maxItems": 4},
            "answers": {"type": "object", "additionalProperties": {"type": "string"}},
            "annotations": {"type": "object", "additionalProperties": _ANNOTATION},
            "metadata": {
                "type": "object",
                "properties": {"source": {"type": "string"}},
                "additionalProperties": False,
                "description": "For the caller's own tracking; never shown.",
            },
        },
        "required": ["questions"],
        "additionalProperties": False,
    },
}
"""The tool as the Messages API takes it: name, description, input schema."""
