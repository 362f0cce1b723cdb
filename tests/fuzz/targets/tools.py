"""An agent's call of a served tool: a result that fits its schema, or words that the agent can mend its call by."""

from __future__ import annotations

from typing import Any

import asks
from asks import is_sentence, sendable
from source import Source

from nbask.desk import Desk
from nbask.fronts.drawing import draw
from nbask.questions import Asker
from nbask.replies import Answered, Discussed
from nbask.serve.edge import checked, structured
from nbask.serve.posing import ToolFault
from nbask.serve.results import Circumstances
from nbask.serve.tools import TOOLS
from targets.schema import schema
from targets.wire import ASK


def attack(data: bytes) -> None:
    source = Source(data)
    tool = source.pick([tool for tool in TOOLS.values() if tool.pose is not None])
    assert tool.pose is not None
    try:
        posed = tool.pose(checked(tool, _arguments(source, tool.name)), Asker("Agent", tool.name), 300_000)
    except ValueError as fault:
        assert is_sentence(fault), fault
        return
    drawn: Any = draw(Desk().open(posed.ask))
    assert ASK.validate_python(sendable(drawn)) == drawn
    reply = asks.reply(source, posed.ask)
    around = Circumstances(fallback=source.pick(("return", "off")), suspected=source.flag(), said=posed.said)
    try:
        record = posed.result(reply, around)
    except ToolFault as fault:
        assert is_sentence(fault), fault
        assert not isinstance(reply, Answered)
        return
    sendable(record)
    assert structured(tool, record).structured_content == record
    for decided in ("answered", "approved"):
        assert not record.get(decided) or isinstance(reply, Answered)
    assert (record.get("status") == "answered") is ("status" in record and isinstance(reply, Answered))
    if "confirmed" in record and record["confirmed"] is not None:
        assert isinstance(reply, Answered)
        assert record["confirmed"] is reply.value
    assert not record.get("answers") or isinstance(reply, Answered | Discussed)


def _arguments(source: Source, tool: str) -> Any:
    def option() -> Any:
        return source.maybe(source.name())

    def question() -> Any:
        options = [{"label": source.name(), "description": source.text()} for _ in range(source.byte() % 3 + 1)]
        options += [source.maybe({"label": "Z", "description": "", "preview": source.text()})]
        made = {"question": source.name(), "header": source.text(), "options": options}
        return source.maybe(made | {"multiSelect": source.flag()})

    more = {"timeout_ms": source.number, "min": source.byte, "max": source.byte, "default": source.json}
    match tool:
        case "ask_user_question":
            given: Any = {"questions": source.several(question, 4), **source.mapping({"metadata": source.json})}
        case "ask_form":
            given = {"prompt": source.text(), "outputSchema": schema(source, False)}
            policy = {"whenUnanswered": lambda: source.pick(("fail", "default"))}
            given |= source.mapping({"default": source.json, "timeout_ms": source.number, **policy})
        case "approve_plan":
            given = {"plan": source.text(), **source.mapping({"timeout_ms": source.number})}
        case _:
            given = {"question": source.maybe(source.text())}
            if tool in ("ask_choice", "ask_multi_select"):
                given["options"] = source.maybe(source.several(option, 4))
            if tool == "ask_multi_select":
                given |= source.mapping(more)
            if tool == "ask_text":
                given |= source.mapping({"placeholder": source.text, "multiline": source.flag})
    return given if isinstance(given, dict) else {}
