"""What a Claude Code hook is called with, as a record of the dialog it stands for: no screen is read.

It imports nothing of nbask that is not light: `nbask hook` decides by it whether there is anything to ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from nbask.adapters.claude import inputs

TOOL_EVENTS = ("PreToolUse", "PermissionRequest")
ELICITATION = "Elicitation"

RowKind = Literal["option", "other", "chat", "auto", "manual", "change"]


@dataclass(frozen=True, kw_only=True)
class HookRow:
    """One row of a dialog.

    Args:
        digit: The key that picks it.
        label: What it says.
        description: The line below.
        preview: What it would look like, as markdown.
        kind: `"option"` for what the agent offers; `"other"` for an answer in words and `"chat"` for talking first,
            which the terminal adds to every question; `"auto"`, `"manual"` and `"change"` of a plan.
    """

    digit: int
    label: str
    description: str | None = None
    preview: str | None = None
    kind: RowKind = "option"


@dataclass(frozen=True, kw_only=True)
class HookQuestion:
    """One question of a dialog.

    Args:
        question: Its text.
        header: Its chip.
        multi_select: Whether several options may be picked.
        rows: The agent's options, and the two rows that the terminal adds.
    """

    question: str
    header: str | None = None
    multi_select: bool = False
    rows: tuple[HookRow, ...] = ()


@dataclass(frozen=True, kw_only=True)
class HookRecord:
    """A dialog that Claude Code is about to show.

    Args:
        kind: What it asks for: answers to questions, the approval of a plan, or what an MCP server wants to know.
        event: The hook's event.
        questions: Of `"questions"`, one to four.
        plan: Of `"plan"`, the markdown; empty where the agent has written none.
        plan_file: Where the plan is kept.
        rows: Of `"plan"`, its three choices.
        message: Of `"elicitation"`, what is asked.
        server: Of `"elicitation"`, who asks.
        schema: Of `"elicitation"` by form, the JSON Schema of the answer.
        url: Of `"elicitation"` by address, that.
        session: The session's id.
        folder: Where the agent works.
        call: The tool call's id, where the event has it.
        tool_input: The tool's input as it came.
    """

    kind: Literal["questions", "plan", "elicitation"]
    event: str
    questions: tuple[HookQuestion, ...] = ()
    plan: str = ""
    plan_file: str | None = None
    rows: tuple[HookRow, ...] = ()
    message: str = ""
    server: str | None = None
    schema: Mapping[str, Any] | None = None
    url: str | None = None
    session: str | None = None
    folder: str | None = None
    call: str | None = None
    tool_input: Any = None

    @property
    def closes_at_once(self) -> bool:
        """Whether one digit answers it, with no review: one question, of which one option is picked."""
        return len(self.questions) == 1 and not self.questions[0].multi_select


_PLAN_ROWS = (
    HookRow(digit=1, label="Yes, and use auto mode", kind="auto"),
    HookRow(digit=2, label="Yes, manually approve edits", kind="manual"),
    HookRow(digit=3, label="Tell Claude what to change", kind="change"),
)


def read_hook(payload: Any) -> HookRecord | None:
    """Read the payload of a Claude Code hook.

    Args:
        payload: The JSON object that the hook gets on its standard input: of `PreToolUse` or `PermissionRequest`
            for AskUserQuestion and ExitPlanMode, or of `Elicitation`.

    Returns:
        The dialog; None where the payload is of anything else, or broken.

    Example:
        >>> options = [{"label": "Red", "description": "Warm"}, {"label": "Blue", "description": "Cool"}]
        >>> question = {"question": "Which colour?", "header": "Colour", "options": options, "multiSelect": False}
        >>> given = {"tool_name": "AskUserQuestion", "tool_input": {"questions": [question]}}
        >>> record = read_hook({"hook_event_name": "PreToolUse", **given})
        >>> [(row.digit, row.label, row.kind) for row in record.questions[0].rows]
        [(1, 'Red', 'option'), (2, 'Blue', 'option'), (3, 'Type something.', 'other'), (4, 'Chat about this', 'chat')]
    """
    if not isinstance(payload, Mapping):
        return None
    given = cast("Mapping[str, Any]", payload)
    event = given.get("hook_event_name")
    common: dict[str, Any] = {
        "event": event,
        "session": _text(given, "session_id"),
        "folder": _text(given, "cwd"),
        "call": _text(given, "tool_use_id"),
        "tool_input": given.get("tool_input"),
    }
    if event == ELICITATION:
        return _elicitation(given, common)
    if event not in TOOL_EVENTS:
        return None
    match given.get("tool_name"):
        case inputs.QUESTION_TOOL:
            return _questions(common)
        case inputs.PLAN_TOOL:
            return _plan(common)
        case _:
            return None


def _questions(common: dict[str, Any]) -> HookRecord | None:
    try:
        questions = tuple(_question(one) for one in inputs.questions_in(common["tool_input"]))
    except (ValueError, RecursionError):
        return None
    return HookRecord(kind="questions", questions=questions, **common)


def _question(given: Mapping[str, Any]) -> HookQuestion:
    rows = [_row(number, option) for number, option in enumerate(given["options"], 1)]
    rows.append(HookRow(digit=len(rows) + 1, label="Type something.", kind="other"))
    rows.append(HookRow(digit=len(rows) + 1, label="Chat about this", kind="chat"))
    header, several = _text(given, "header"), given.get("multiSelect") is True
    return HookQuestion(question=given["question"], header=header, multi_select=several, rows=tuple(rows))


def _row(digit: int, given: Any) -> HookRow:
    option = cast("Mapping[str, Any]", given) if isinstance(given, Mapping) else {"label": given}
    label = option.get("label")
    if not isinstance(label, str):
        raise ValueError(f"option {given!r} has no label; give it one")
    return HookRow(digit=digit, label=label, description=_text(option, "description"), preview=_text(option, "preview"))


def _plan(common: dict[str, Any]) -> HookRecord:
    given = common["tool_input"] if isinstance(common["tool_input"], Mapping) else {}
    plan, file = _text(given, "plan") or "", _text(given, "planFilePath")
    return HookRecord(kind="plan", plan=plan, plan_file=file, rows=_PLAN_ROWS, **common)


def _elicitation(given: Mapping[str, Any], common: dict[str, Any]) -> HookRecord | None:
    message, url, schema = _text(given, "message"), _text(given, "url"), given.get("requested_schema")
    by_address = given.get("mode") == "url"
    if message is None or (by_address and url is None) or not (by_address or isinstance(schema, Mapping)):
        return None
    asked = {"url": url} if by_address else {"schema": schema}
    return HookRecord(kind="elicitation", message=message, server=_text(given, "mcp_server_name"), **asked, **common)


def _text(given: Mapping[str, Any], name: str) -> str | None:
    value = given.get(name)
    return value if isinstance(value, str) and value else None
