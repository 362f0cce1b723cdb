"""Answers files and notebooks: read or refused whatever they hold, never spoilt, and true to what was recorded."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import asks
from asks import is_sentence
from source import Source

from nbask import Ask
from nbask.receipts import receipt
from nbask.record import answers
from nbask.record.answers import AnswersFault, merge, read, written
from nbask.record.entries import Entry, NotReplayed, entry_of, is_kept
from nbask.record.fingerprint import fingerprint
from nbask.record.notebooks import entries_in
from nbask.record.replay import Replay
from nbask.replies import Answered, Discussed, Reply, TimedOut
from nbask.wire import RECEIPT

REPLIES = ("answered", "discussed", "declined", "cancelled", "timed_out", "unavailable")
ADDED: Entry = {"fingerprint": "added", "occurrence": 1, "reply": "declined", "questions": []}


def attack(data: bytes) -> None:
    source = Source(data)
    shape = source.byte() % 8
    with _file() as path:
        if shape == 0:
            _any_file(path, source.rest(), source)
        elif shape < 3:
            _any_file(path, json.dumps(_document(source)).encode(), source)
        elif shape == 3:
            _any_notebook(path, source.rest())
        elif shape == 4:
            _any_notebook(path, json.dumps(_notebook([_receipt(source) for _ in range(3)])).encode())
        else:
            _round_trip(path, source)


@contextmanager
def _file() -> Iterator[Path]:
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as folder, patch.object(answers.os, "fsync", lambda _handle: None):
        yield Path(folder) / "answers.json"


def _entry(source: Source) -> Any:
    def said() -> Any:
        fields = {"selected": lambda: source.several(source.text, 3), "value": lambda: source.json(1)}
        return source.mapping({**fields, "other": source.text, "notes": source.text})

    def question() -> Any:
        made = {"id": source.pick(("q1", "q2")), "kind": source.pick(("choice", "text")), "text": source.text()}
        more = {"answer": said, "draft": said, "secret": lambda: True, "options": lambda: [source.text()]}
        return source.maybe(made | source.mapping(more))

    entry = {
        "fingerprint": source.maybe(source.pick(("f", "g"))),
        "occurrence": source.maybe(1 + source.byte() % 3),
        "reply": source.maybe(source.pick(REPLIES)),
        "questions": source.maybe(source.several(question, 3)),
    }
    return source.maybe(entry | source.mapping({"text": source.text, "message": source.text}))


def _document(source: Source) -> Any:
    if source.rarely():
        return source.json()
    version = source.maybe(1) if source.flag() else 1
    return {"nbask": version, "answers": source.several(lambda: _entry(source), 4), **source.mapping({})}


def _any_file(path: Path, raw: bytes, source: Source) -> None:
    path.write_bytes(raw)
    try:
        before = read(path)
    except AnswersFault as fault:
        assert is_sentence(fault), fault
        assert str(path) in str(fault)
        before = None
    assert path.read_bytes() == raw
    try:
        count = merge(path, [ADDED])
    except AnswersFault:
        assert before is None
        assert path.read_bytes() == raw, "a file that is broken was written to"
    else:
        assert before is not None
        after = read(path)
        assert len(after) == count
        assert [one for one in after if one != ADDED] == [one for one in before if one["fingerprint"] != "added"]
        _replay_any(path, after, source)
    assert [one.name for one in path.parent.iterdir()] == [path.name], "something is left over"


def _replay_any(path: Path, entries: list[Entry], source: Source) -> None:
    """A file may answer any ask, as far as it fits."""
    replay = Replay(path)
    assert len(replay) == len(entries)
    try:
        ask = asks.ask(source)
    except ValueError:
        return
    for entry in entries:
        try:
            reply = replay.reply(ask, entry["fingerprint"], entry["occurrence"])
        except NotReplayed as missing:
            assert str(missing).startswith(path.name)
        else:
            assert reply.kind == entry["reply"]
            assert reply.via == "replay"


def _notebook(receipts: list[Any]) -> dict[str, Any]:
    outputs = [{"output_type": "display_data", "data": {RECEIPT: one}, "metadata": {}} for one in receipts]
    cells = [{"cell_type": "code", "source": "", "outputs": [output], "metadata": {}} for output in outputs]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}


def _receipt(source: Source) -> Any:
    def answer() -> Any:
        value = {"selected": source.several(source.text, 2), "other": source.maybe(None), "notes": source.maybe(None)}
        return value | {"value": source.json(1)}

    def question() -> Any:
        made = {"id": source.text(), "kind": "text", "text": source.text(), "answer": source.maybe(answer())}
        return source.maybe(made | source.mapping({"secret": source.flag}))

    made = {
        "v": 1,
        "ask": source.text(),
        "fingerprint": source.maybe(source.pick(("f", "g", None))),
        "kind": source.maybe(source.pick(REPLIES)),
        "by": source.maybe(None),
        "text": source.maybe(None),
        "questions": source.maybe(source.several(question, 2)),
    }
    return source.maybe(made)


def _any_notebook(path: Path, raw: bytes) -> None:
    path.write_bytes(raw)
    try:
        entries = entries_in(path)
    except AnswersFault as fault:
        assert is_sentence(fault), fault
    else:
        beside = path.with_name("taken.json")
        assert merge(beside, entries) == len(entries)
        assert read(beside) == entries
    assert path.read_bytes() == raw


def _round_trip(path: Path, source: Source) -> None:
    """The same question asked twice, recorded and replayed, out of a file and out of a saved notebook."""
    try:
        ask = asks.ask(source)
    except ValueError:
        return
    mark = fingerprint(ask)
    replies = [asks.reply(source, ask) for _ in range(2)]
    entries = [entry_of(ask, reply, mark, number) for number, reply in enumerate(replies, 1) if is_kept(reply)]
    for entry in entries:
        merge(path, [entry])
    if entries:
        assert read(path) == json.loads(written(entries))["answers"]
        _same(Replay(path), ask, mark, replies)
    notebook = path.with_name("n.ipynb")
    receipts = [receipt(ask.model_copy(update={"id": f"a{at}"}), one, 0.0)[RECEIPT] for at, one in enumerate(replies)]
    notebook.write_text(json.dumps(_notebook(receipts)), encoding="utf-8")
    if entries:
        taken = path.with_name("taken.json")
        merge(taken, entries_in(notebook))
        if all(map(is_kept, replies)):  # else the notebook counts what it has, and the file what was asked
            _same(Replay(taken), ask, mark, replies)


def _same(replay: Replay, ask: Ask, mark: str, replies: list[Reply]) -> None:
    for number, reply in enumerate(replies, 1):
        if not is_kept(reply):
            continue
        try:
            again = replay.reply(ask, mark, number)
        except NotReplayed as missing:
            assert not missing.fault, missing
            assert any(question.secret for question in ask.questions)
            continue
        assert again.kind == reply.kind
        if isinstance(reply, Answered) and isinstance(again, Answered):
            secrets = {question.id for question in ask.questions if question.secret}
            assert dict(again.answers) == {name: one for name, one in reply.answers.items() if name not in secrets}
        if isinstance(reply, Discussed) and isinstance(again, Discussed):
            assert again.text == reply.text
        assert not isinstance(again, TimedOut) or isinstance(reply, TimedOut)
