"""Both sides of the wire decode the same goldens, and what the kernel draws has exactly these names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from nbask import Ask, Asker, Option, Question, wire
from nbask.desk import Desk
from nbask.fronts.drawing import draw
from nbask.reading import read_draft, read_reply
from nbask.replies import Answered
from nbask.testing import FakeClock

GOLDENS = sorted(path for path in (Path(__file__).parents[1] / "wire").glob("*.json") if path.stem != "xss")
STRICT = ConfigDict(extra="forbid", strict=True)


def strict(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(with_config(STRICT)(kind))


for one in (wire.HtmlWire, wire.ImageWire, wire.FrameWire, wire.OpenWire, wire.EndedWire):
    with_config(STRICT)(one)
TYPES: dict[str, TypeAdapter[Any]] = {
    "ask-": strict(wire.AskWire),
    "reply-": strict(wire.ReplyWire),
    "draft": strict(wire.DraftWire),
    "phase-": TypeAdapter(wire.PhaseWire),
    "refused": strict(wire.RefusedWire),
    "code-request": strict(wire.CodeRequestWire),
    "code": strict(wire.CodeWire),
    "attached": strict(wire.AttachedWire),
    "detached": strict(wire.DetachedWire),
}


def golden(name: str) -> Any:
    (found,) = [path for path in GOLDENS if path.stem == name]
    return json.loads(found.read_text(encoding="utf-8"))


def adapter(path: Path) -> TypeAdapter[Any]:
    return next(adapter for prefix, adapter in TYPES.items() if path.stem.startswith(prefix))


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_golden_is_decoded_strictly(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    assert adapter(path).validate_python(content) == content


@pytest.mark.parametrize("prefix", [prefix for prefix in TYPES if prefix != "code-request"])
def test_there_is_a_golden_of_every_sort(prefix: str) -> None:
    assert any(path.stem.startswith(prefix) for path in GOLDENS)


def dicts_in(value: Any) -> list[dict[str, Any]]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return ([value] if isinstance(value, dict) else []) + [found for one in inner for found in dicts_in(one)]


FREE_NAMES = {"answers", "errors"}


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_stray_name_anywhere_in_a_message_is_not_decoded(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    free = [value for one in dicts_in(content) for name, value in one.items() if name in FREE_NAMES]
    for one in dicts_in(content):
        if any(one is value for value in free):
            continue  # keyed by question id
        one["stray"] = 1
        with pytest.raises(ValidationError):
            adapter(path).validate_python(content)
        del one["stray"]


def drawn(ask: Ask, opened: float = 1796000000.0) -> dict[str, Any]:
    return dict(draw(Desk(FakeClock(opened)).open(ask)))


CLAUDE = Asker("Claude", "AskUserQuestion")
ID = "a1b2c3d4e5f6"
EQUIVALENT = {
    "ask-choice": lambda: Ask(
        Question(
            "Which database should the cache use?",
            [
                Option("Postgres", "Already running; survives a restart", recommended=True),
                Option("SQLite", "One file, no server"),
                Option("In memory", "Fastest; empty after each restart"),
            ],
            header="Cache",
            notes=True,
        ),
        asker=CLAUDE,
        id=ID,
    ),
    "ask-many": lambda: Ask(
        Question(
            "Which checks should run before training?",
            [
                Option("Gaps", "Missing hours"),
                Option("Units", "°C and K mixed up"),
                Option("Outliers", recommended=True),
                Option("Duplicates"),
            ],
            header="Checks",
            many=True,
            min=1,
            max=3,
            notes=True,
        ),
        asker=CLAUDE,
        id=ID,
    ),
    "ask-confirm": lambda: Ask(
        Question("Delete the 3 files that did not parse?", ["Delete them", "Keep them"], kind="confirm"),
        asker="cleanup.ipynb",
        id=ID,
    ),
    "ask-text": lambda: Ask(
        Question("What should the experiment be called?", placeholder="exp-1", default="sensor-baseline"),
        timeout=300,
        id=ID,
    ),
    "ask-several": lambda: SEVERAL,
}
SEVERAL = Ask(
    [
        Question(
            "How should the readings be stored?",
            {"Wide table": "One row per hour", "Long table": "One row per reading"},
            header="Layout",
            id="layout",
            notes=True,
        ),
        Question("Which checks should run?", ["Gaps", "Units", "Outliers"], header="Checks", many=True),
        Question("Overwrite last week's table?", ["Overwrite", "Keep both"], header="Overwrite", kind="confirm"),
        Question(
            "Anything the model should know about the sensors?",
            placeholder="For example, which one is outdoors",
            multiline=True,
            required=False,
        ),
    ],
    asker=CLAUDE,
    id=ID,
)


@pytest.mark.parametrize("name", EQUIVALENT)
def test_an_equivalent_ask_is_drawn_as_its_golden(name: str) -> None:
    assert drawn(EQUIVALENT[name]()) == golden(name)


def test_previews_and_a_message_are_drawn_with_exactly_the_wires_names() -> None:
    class Table:
        def _repr_html_(self) -> str:
            return "<table></table>"

    class Figure:
        def _repr_svg_(self) -> str:
            return "<svg xmlns='http://www.w3.org/2000/svg'></svg>"

    options = [Option("A", preview="a *b*"), Option("B", preview=Table()), Option("C", preview=Figure()), Option("D")]
    ask = Ask(Question("Which?", options, default="B"), message="**Hello**", timeout=1.5)
    assert TYPES["ask-"].validate_python(drawn(ask)) == drawn(ask)
    kinds = [option["preview"] and option["preview"]["kind"] for option in drawn(ask)["questions"][0]["options"]]
    assert kinds == ["html", "frame", "image", None]
    assert drawn(ask)["deadline"] - drawn(ask)["opened"] == 1500
    assert "<strong>Hello</strong>" in drawn(ask)["message"]["html"]


def test_what_is_drawn_is_json() -> None:
    ask = Ask(Question("Which?", [Option("A", value=object()), Option("B", value={1, 2})], default="A"))
    assert json.loads(json.dumps(drawn(ask))) == drawn(ask)


def test_a_drawn_option_has_its_badge_and_not_its_suffix() -> None:
    (question,) = drawn(Ask(Question("Which?", [Option("A (Recommended)", recommended=True)])))["questions"]
    assert (question["options"][0]["label"], question["options"][0]["recommended"]) == ("A", True)


def test_a11_nothing_long_is_cut_on_its_way_to_the_card() -> None:
    option = Option("l" * 119 + "L", "d" * 899 + "D", preview="\n".join(["p" * 100] * 59 + ["last word"]))
    (question,) = drawn(Ask(Question("q" * 599 + "Q", [option, "B"])))["questions"]
    (first, _) = question["options"]
    assert (question["text"][-1], first["label"][-1], first["description"][-1]) == ("Q", "L", "D")
    assert "last word" in first["preview"]["html"]


def test_the_golden_reply_answers_the_golden_ask() -> None:
    reply = read_reply(SEVERAL, golden("reply-submit"), "card")
    assert isinstance(reply, Answered)
    assert reply["layout"] == "Wide table"
    assert reply.answers["layout"].notes == "keep raw values too"
    assert reply["q2"] == ["Gaps", "Units", "clock drift over 2 s"]
    assert "q4" not in reply.answers


@pytest.mark.parametrize(("name", "kind"), [("discuss", "discussed"), ("decline", "declined"), ("cancel", "cancelled")])
def test_the_other_golden_replies_are_read(name: str, kind: str) -> None:
    assert read_reply(SEVERAL, golden(f"reply-{name}"), "card").kind == kind


def test_the_golden_draft_is_read() -> None:
    assert read_draft(golden("draft")) == golden("draft")
