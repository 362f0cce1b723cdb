"""Answers out of a saved notebook's receipts, and `nbask answers`, which prints them."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nbask
from nbask import Ask, NoAnswer, Question
from nbask.cli import main
from nbask.kinds import Answer
from nbask.receipts import receipt
from nbask.record.answers import AnswersFault, read
from nbask.record.notebooks import entries_in
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.runtime import Runtime
from nbask.wire import RECEIPT as MIME


@pytest.fixture
def notebook(tmp_path: Path) -> Callable[..., Path]:
    """Save a notebook whose cells have these receipts, a list a cell."""

    def make(*cells: list[Any]) -> Path:
        path = tmp_path / "saved.ipynb"
        made = [
            {
                "cell_type": "code",
                "source": "",
                "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": "x"},
                    *({"output_type": "display_data", "data": bundle, "metadata": {}} for bundle in bundles),
                ],
            }
            for bundles in cells
        ]
        cells_and_words = [{"cell_type": "markdown", "source": "Words"}, *made]
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells_and_words}))
        return path

    return make


def ended(reply: Reply, ask: Ask | None = None) -> dict[str, Any]:
    """The receipt of an ask of its own that ended so."""
    return receipt(ask or Ask(Question("Red or blue?", ["Red", "Blue"])), reply, 0.0)


def answered(label: str) -> Answered:
    return Answered(answers={"q1": Answer(label, (label,))})


def test_what_is_taken_out_of_a_notebook_is_replayed(
    notebook: Callable[..., Path], tmp_path: Path, person: Callable[..., Runtime], capsys: Any
) -> None:
    form = Ask(
        [
            Question("Since?", kind="date"),
            Question("How many?", kind="integer"),
            Question("How much?", kind="number"),
            Question("Tags?", kind="list"),
            Question("Which?", ["A", "B"], many=True, notes=True),
            Question("Agreed?", kind="consent"),
        ],
        message="All of it",
    )
    values: list[Any] = [dt.date(2026, 3, 1), 2**60, 2.5, ["a", "b"]]
    answers = {f"q{number}": Answer(value) for number, value in enumerate(values, 1)}
    answers["q5"] = Answer(["A", "mine"], ("A",), "mine", "for now")
    answers["q6"] = Answer(True)
    path = notebook([ended(answered("Blue")), ended(answered("Red"))], [ended(Answered(answers=answers), form)])
    output = tmp_path / "answers.json"
    assert main(["answers", str(path), "--output", str(output)]) == 0
    assert capsys.readouterr().out == f"{output} has 3 answers now.\n"
    current = person(headless="always")
    current.record.start_replay(str(output))
    assert [nbask.ask("Red or blue?", ["Red", "Blue"]) for _ in range(2)] == ["Blue", "Red"]
    reply = nbask.put(form)
    assert isinstance(reply, Answered)
    assert reply.answers == answers


def test_every_ending_of_a_persons_is_taken_out_and_no_other(notebook: Callable[..., Path]) -> None:
    replies = [
        *(Discussed(text="why?"), Declined(), Cancelled(), TimedOut(), Unavailable(), Withdrawn()),
        Cancelled(by="interrupt"),
    ]
    entries = entries_in(notebook([ended(reply) for reply in replies]))
    assert [(one["reply"], one["occurrence"], one.get("text")) for one in entries] == [
        ("discussed", 1, "why?"),
        ("declined", 2, None),
        ("cancelled", 3, None),
        ("timed_out", 4, None),
    ]


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        (Question("Name?"), Answer("Ann"), {"value": "Ann"}),
        (Question("Which?", ["A", "B"]), Answer("A", ("A",)), {"selected": ["A"]}),
        (Question("Which?", ["A", "B"]), Answer("mine", (), "mine"), {"selected": [], "other": "mine"}),
        (
            Question("Which?", ["A", "B"], many=True, notes=True),
            Answer([], notes="none"),
            {"selected": [], "notes": "none"},
        ),
    ],
    ids=["typed", "picked", "other words", "a note alone"],
)
def test_an_answer_is_taken_out_as_it_was_said(
    notebook: Callable[..., Path], question: Question, answer: Answer, said: dict[str, Any]
) -> None:
    (entry,) = entries_in(notebook([ended(Answered(answers={"q1": answer}), Ask(question))]))
    assert entry["questions"][0].get("answer") == said


def test_a_receipt_that_is_shown_in_two_places_is_one_answer(notebook: Callable[..., Path]) -> None:
    shown = ended(answered("Red"))
    assert len(entries_in(notebook([shown], [shown]))) == 1


def test_a_secret_is_in_no_receipt_and_so_asked_again(
    notebook: Callable[..., Path], tmp_path: Path, person: Callable[..., Runtime]
) -> None:
    ask = Ask([Question("The key?", secret=True, required=False), Question("Name?")])
    path = notebook([ended(Answered(answers={"q1": Answer("hunter2"), "q2": Answer("x")}), ask)])
    assert "hunter2" not in path.read_text()
    output = tmp_path / "answers.json"
    main(["answers", str(path), "--output", str(output)])
    person(headless="always").record.start_replay(str(output))
    with pytest.raises(NoAnswer, match="keeps no secrets"):
        nbask.ask_questions(ask.questions)


def test_without_an_output_the_file_is_printed(notebook: Callable[..., Path], tmp_path: Path, capsys: Any) -> None:
    path = notebook([ended(answered("Red"))])
    assert main(["answers", str(path)]) == 0
    output = tmp_path / "answers.json"
    output.write_text(capsys.readouterr().out)
    assert read(output) == entries_in(path)


def test_answers_are_added_to_a_file_that_is_there(notebook: Callable[..., Path], tmp_path: Path) -> None:
    output = str(tmp_path / "answers.json")
    main(["answers", str(notebook([ended(answered("Red"))])), "--output", output])
    main(["answers", str(notebook([ended(Declined(), Ask(Question("Name?")))])), "--output", output])
    assert [one["reply"] for one in read(Path(output))] == ["answered", "declined"]


def broken(**changes: Any) -> dict[str, Any]:
    bundle = ended(answered("Red"))
    return {MIME: {**bundle[MIME], **changes}}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is no notebook: it is no JSON"),
        ("[]", "is no notebook of format 4"),
        ('{"worksheets": []}', "is no notebook of format 4; save it anew"),
        ('{"cells": []}', "has no answers: it has no receipts; run it, and save it"),
        ('{"cells": [5, {"outputs": 5}, {"outputs": [5, {"data": 5}]}]}', "has no answers"),
    ],
)
def test_what_is_no_notebook_with_answers_is_refused_in_a_sentence(
    tmp_path: Path, content: str, says: str, capsys: Any
) -> None:
    path = tmp_path / "x.ipynb"
    path.write_text(content)
    assert main(["answers", str(path)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.startswith(f"nbask answers: {path} {says}"), err.count("\n")) == ("", True, 1)


@pytest.mark.parametrize(
    ("bundle", "says"),
    [
        ({MIME: 5}, "has a broken receipt in cell 2; run that cell anew"),
        (broken(questions=5), "has a broken receipt in cell 2"),
        (broken(questions=[{"id": "q1"}]), "has a broken receipt in cell 2"),
        (broken(kind=[]), "has a broken receipt in cell 2"),
        (broken(fingerprint=[]), "has a broken receipt in cell 2"),
        (broken(fingerprint=5), "is broken: .*fingerprint: 5 is not of type 'string'"),
        (broken(fingerprint=None), "has no answers: its receipts are of an older nbask; run it anew"),
        (broken(kind="withdrawn"), "has no answers"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_broken_receipt_is_refused_in_a_sentence(notebook: Callable[..., Path], bundle: Any, says: str) -> None:
    with pytest.raises(AnswersFault, match=rf"saved\.ipynb {says}"):
        entries_in(notebook([bundle]))


def test_a_missing_notebook_is_named(tmp_path: Path, capsys: Any) -> None:
    assert main(["answers", str(tmp_path / "none.ipynb")]) == 1
    assert capsys.readouterr().err == f"nbask answers: there is no notebook {tmp_path / 'none.ipynb'}\n"
