"""Both sides of the wire decode the same goldens, and what the kernel draws has exactly these names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from nbask import Ask, Asker, Option, Question, wire
from nbask.desk import Desk
from nbask.fronts.drawing import draw, open_phase
from nbask.reading import read_draft, read_reply
from nbask.replies import Answered
from nbask.testing import FakeClock

SHARED = ("xss", "fields")
"""What both sides read beside the messages: texts to attack with, and what fits a field."""
GOLDENS = sorted(path for path in (Path(__file__).parents[1] / "wire").glob("*.json") if path.stem not in SHARED)
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
    "call": strict(wire.CallWire),
    "attached": strict(wire.AttachedWire),
    "detached": strict(wire.DetachedWire),
    "typing": strict(wire.TypingWire),
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
    "ask-danger": lambda: Ask(
        Question(
            "Delete the 3 files that did not parse?",
            ["Delete them", "Keep them"],
            kind="confirm",
            danger=True,
            description="There is no copy of them.",
        ),
        asker="cleanup.ipynb",
        id=ID,
    ),
    "ask-url": lambda: Ask(
        Question(
            "Open this page to link your account?",
            kind="consent",
            url="http://user@xn--pple-43d.example/link?state=Zm9vYmFy&next=%2Faccounts",
        ),
        asker=Asker("bank-server", "MCP · link-account"),
        submit="Open",
        id=ID,
    ),
    "ask-plan": lambda: Ask(
        Question(
            "Go ahead with this plan?",
            ["Yes, and go on by itself", "Yes, I approve each edit"],
            header="Plan",
            other_label="Change it",
            placeholder="What should be different?",
        ),
        asker=Asker("Claude", "ExitPlanMode"),
        message=PLAN,
        id=ID,
    ),
    "ask-form": lambda: FORM,
}
PLAN = """
### 1. Read the data

Load `readings/*.csv` with one schema and say which files do not parse.

### 2. Clean it

Drop duplicated hours, keep gaps as `NaN`, convert Fahrenheit to Celsius.

### 3. Split it

By week, so that a week is never in both sets.

### 4. Train

Gradient boosting with the defaults first; a grid only if the error is above 0.4 K.

### 5. Check

Compare with the persistence forecast, per station and per hour of the day.

### 6. Write it up

A figure per station and one table, in `report.ipynb`.

### 7. Clean up

Delete the intermediate files; keep the raw ones.
"""
READINGS = ["Temperature", "Pressure", "Humidity", "Wind", "Rain"]
STATIONS = [
    *("Airport", "Buoy", "City", "Coast", "Dam", "Farm", "Forest", "Glacier", "Harbour", "Island", "Lighthouse"),
    *("Mountain", "River", "School", "Ship"),
]
LOOKS_SECRET = "This looks like a password or key. An MCP server must not ask for one in a form."
FORM = Ask(
    [
        Question(
            "Station name",
            id="station",
            min=2,
            max=40,
            placeholder="Cap Ferret",
            description="As printed on the station’s plate",
        ),
        Question("Days ahead", kind="integer", id="days", min=1, max=14, default=3),
        Question(
            "Warn from",
            kind="number",
            id="threshold",
            min=0,
            required=False,
            description="Wind speed in metres per second",
        ),
        Question("Include wind?", ["Yes", "No"], id="wind", other=False),
        Question(
            "Level",
            ["Low", "High"],
            id="level",
            other=False,
            required=False,
            default="High",
            description="How much detail the forecast has",
        ),
        Question("Readings", READINGS, id="fields", other=False, many=True, min=1, max=3, default=["Temperature"]),
        Question(
            "Station type",
            STATIONS,
            id="station_type",
            other=False,
            required=False,
            description="Filters what the server offers",
        ),
        Question("Email for the report", id="mail", required=False, format="email"),
        Question("Station page", id="page", required=False, format="uri", placeholder="https://"),
        Question("Station code", id="code", required=False, pattern="^[A-Z]{3}-[0-9]+$", description="Like CAP-12"),
        Question("First day", kind="date", id="start", default="2026-12-01"),
        Question("Send it at", kind="datetime", id="at", required=False),
        Question("Tags", kind="list", id="tags", required=False, min=1, max=3),
        Question("Access token", id="token", required=False, secret=True, warnings=(LOOKS_SECRET,)),
        Question("Remarks", id="remarks", required=False, multiline=True),
    ],
    asker=Asker("weather-server", "MCP · trigger-elicitation"),
    message="Which station should the forecast use?",
    layout="form",
    submit="Send to weather-server",
    timeout=300,
    pausable=False,
    id=ID,
)


def spaced(ask: dict[str, Any]) -> dict[str, Any]:
    """An ask as the wire has it, without the white space between the tags of its message."""
    if ask["message"] is None:
        return ask
    html = re.sub(r">\s+<", "><", ask["message"]["html"].strip())
    return {**ask, "message": {"kind": "html", "html": html}}


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
    assert spaced(drawn(EQUIVALENT[name]())) == spaced(golden(name))


def test_the_golden_phases_are_an_open_ask_before_and_while_somebody_types() -> None:
    pending = Desk(FakeClock(1796000000.0)).open(Ask(Question("Name?")))
    paused = golden("phase-open-paused")
    assert dict(open_phase(pending)) == golden("phase-open")
    assert set(paused) == set(open_phase(pending))
    assert paused["paused_until"] < paused["deadline"]


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
