"""`%%ask`, `%ask` and `%nbask`: any text is an ask, or a refusal that says what to mend."""

from __future__ import annotations

import json
from typing import Any

from asks import is_sentence, sendable
from IPython.core.error import UsageError
from source import Source

from nbask import Ask, NoAnswer, commands
from nbask.desk import Desk
from nbask.extension import NbAskMagics, read_cell
from nbask.fronts.drawing import draw
from nbask.questions import Question
from nbask.replies import Declined
from nbask.testing import scripted

FIELDS = tuple(Question.model_fields)
KEYS = ("question", "options", "questions", "message", "timeout", "asker", "kind", "many", "default", "label", "value")


def attack(data: bytes) -> None:
    source = Source(data)
    match source.byte() % 4:
        case 0:
            _ask_line(source.rest().decode("utf-8", "replace") if source.flag() else _line(source))
        case 1:
            _nbask_line(source.rest().decode("utf-8", "replace"))
        case 2:
            _cell(json.dumps(_document(source), ensure_ascii=source.flag()))
        case _:
            _cell(source.rest().decode("utf-8", "replace"))


def _document(source: Source) -> Any:
    """What a cell holds, as JSON, which is YAML too."""
    if source.rarely():
        return source.json()
    one = source.mapping({"question": source.name, **_keywords(source)})
    if not source.flag():
        return {"question": "q", **one}
    more = {"message": source.text, "timeout": source.number, "asker": source.text, "submit": source.text}
    return {"questions": source.maybe([one, *source.several(lambda: {"question": "q"}, 2)]), **source.mapping(more)}


def _keywords(source: Source) -> dict[str, Any]:
    def options() -> Any:
        given = source.several(lambda: _option(source), 4)
        return given if source.flag() else {source.text(): source.text() for _ in given}

    flags = dict.fromkeys(("many", "other", "required", "notes", "multiline", "secret", "danger"), source.flag)
    texts = dict.fromkeys(("header", "description", "placeholder", "pattern", "url", "other_label", "id"), source.text)
    return {
        "options": options,
        "kind": lambda: source.pick(("choice", "confirm", "text", "number", "integer", "date", "list", "consent")),
        "default": lambda: source.json(1),
        "min": source.number,
        "max": source.number,
        "format": lambda: source.pick(("email", "uri", "x")),
        **flags,
        **texts,
    }


def _option(source: Source) -> Any:
    if source.flag():
        return source.maybe(source.name())
    fields = {"description": source.text, "preview": source.text, "recommended": source.flag, "value": source.json}
    return {"label": source.name(), **source.mapping(fields)}


def _line(source: Source) -> str:
    return " ".join(json.dumps(source.text(), ensure_ascii=False) for _ in range(source.byte() % 6))


def _cell(text: str) -> None:
    try:
        ask = read_cell(text)
    except ValueError as fault:
        assert is_sentence(fault), fault
        return
    assert isinstance(ask, Ask)
    assert ask.questions
    drawn: Any = draw(Desk().open(ask))
    assert sendable(drawn) == drawn


def _ask_line(line: str) -> None:
    magics = NbAskMagics(None)
    with scripted(lambda _ask: Declined()) as asked:
        try:
            magics.ask(line)
        except NoAnswer:
            assert len(asked) == 1
        except (UsageError, ValueError) as fault:
            assert is_sentence(fault), fault
            assert not asked
        else:
            raise AssertionError("nobody has answered")


def _nbask_line(line: str) -> None:
    """Only what does nothing: a line of a command that there is would be obeyed."""
    command: Any = None
    if (line.split() or [""])[0].strip("'\"\\") in commands.COMMANDS:
        return
    try:
        commands.run(command, line)
    except UsageError as fault:
        assert is_sentence(fault), fault
