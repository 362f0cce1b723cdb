"""Agents that speak ACP: a real agent process, whose requests become cards, and what it gets back.

Cases of the project's list that are tested here, by id: A2, A3, A4, A6, A8, A17, A23.
"""

from __future__ import annotations

import asyncio
import json
import runpy
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import acp
import pytest
from acp.schema import PermissionOption, ToolCallUpdate

import nbask
from nbask import Ask
from nbask import runtime as runtime_module
from nbask.adapters.acp import NotebookClient, agent, capabilities
from nbask.adapters.toolkit.elicitations import SAID
from nbask.adapters.toolkit.extras import Incompatible
from nbask.desk import Pending
from nbask.kinds import Answer, InvalidAnswer
from nbask.reading import Refused, read_answers
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.routing import Route
from nbask.testing import scripted

AGENT = Path(__file__).parent / "peers" / "acp_agent.py"
Scribe: Any = runpy.run_path(str(AGENT))["Scribe"]
OPTIONS = [
    {"optionId": "once", "name": "Yes", "kind": "allow_once"},
    {"optionId": "always", "name": "Yes, and don't ask again for tests", "kind": "allow_always"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
    {"optionId": "never", "name": "No, never", "kind": "reject_always"},
]
CANCELLED = {"outcome": {"outcome": "cancelled"}}


def permission(options: Any = OPTIONS, **call: Any) -> dict[str, Any]:
    params = {"sessionId": "s1", "toolCall": {"toolCallId": "t1", **call}, "options": options}
    return {"method": "session/request_permission", "params": params}


def form(schema: Any, message: str = "Where to?") -> dict[str, Any]:
    params = {"mode": "form", "sessionId": "s1", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def fields(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


CITY = fields("city", city={"type": "string"}, days={"type": "integer", "minimum": 1})


def address(url: str) -> dict[str, Any]:
    params = {"mode": "url", "sessionId": "s1", "message": "Please sign in", "elicitationId": "e1", "url": url}
    return {"method": "elicitation/create", "params": params}


def choice(title: str, text: str, *labels: str, many: bool = False, **preview: str) -> dict[str, Any]:
    options: list[dict[str, Any]] = [{"const": label, "title": label} for label in labels]
    for option in options:
        if option["const"] in preview:
            option["_meta"] = {"_claude/askUserQuestionOption": {"preview": preview[option["const"]]}}
    shape = {"type": "array", "items": {"anyOf": options}} if many else {"type": "string", "oneOf": options}
    return {**shape, "title": title, "description": text}


def questions(*choices: dict[str, Any], message: str = "Claude asks") -> dict[str, Any]:
    """The form that Claude's bridge makes of AskUserQuestion."""
    properties: dict[str, Any] = {}
    for number, one in enumerate(choices):
        properties[f"question_{number}"] = one
        properties[f"question_{number}_custom"] = {"type": "string", "title": "Other"}
    return form({"type": "object", "properties": properties}, message)


async def told(*steps: dict[str, Any], client: NotebookClient | None = None) -> list[Any]:
    """What an agent's requests came back with; it is in this process, on the other end of a socket."""
    async with beside(client or NotebookClient()) as connection:
        await connection.initialize(protocol_version=acp.PROTOCOL_VERSION, client_capabilities=capabilities())
        await connection.prompt(session_id="s1", prompt=[acp.text_block(json.dumps(steps))])
        return connection.scribe.came


@asynccontextmanager
async def beside(client: Any) -> AsyncIterator[Any]:
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    far_reader, far_writer = await asyncio.open_connection(sock=theirs)
    scribe = Scribe()
    serving = asyncio.ensure_future(acp.run_agent(scribe, far_writer, far_reader, use_unstable_protocol=True))
    connection: Any = acp.connect_to_agent(client, writer, reader, use_unstable_protocol=True)
    await until(lambda: hasattr(scribe, "conn"))
    connection.far, connection.scribe = scribe.conn, scribe
    try:
        yield connection
    finally:
        await connection.close()
        serving.cancel()
        await asyncio.wait({serving})
        for end in (writer, far_writer):
            end.close()
            await asyncio.wait({asyncio.ensure_future(end.wait_closed())})


async def until(there: Callable[[], Any]) -> None:
    async def watch() -> None:
        while not there():
            await asyncio.sleep(0.01)

    await asyncio.wait_for(watch(), 30)


def run(main: Any) -> Any:
    return asyncio.run(asyncio.wait_for(main, 60))


def said(script: Any, *steps: dict[str, Any], client: NotebookClient | None = None) -> tuple[list[Any], list[Ask]]:
    with scripted(script) as asks:
        return run(told(*steps, client=client)), asks


@pytest.fixture(autouse=True)
def fresh_runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(runtime_module, "_runtime", None)
    yield
    runtime_module.unload()


@pytest.fixture
def open_asks(monkeypatch: pytest.MonkeyPatch) -> list[Pending]:
    """Somebody is there, and what they are asked is left open for the test to end."""
    current, shown = runtime_module.current(), list[Pending]()
    monkeypatch.setattr(current, "route", lambda: Route(("card",), "a person is there"))
    monkeypatch.setattr(current.fronts, "show", lambda pending, _chosen: shown.append(pending))
    return shown


# Permission


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option["kind"])
def test_the_chosen_option_goes_back(option: dict[str, str]) -> None:
    came, (ask,) = said({"Allow “Run tests”?": option["name"]}, permission(title="Run tests"))
    assert came == [{"outcome": {"outcome": "selected", "optionId": option["optionId"]}}]
    (question,) = ask.questions
    assert [one.label for one in question.options] == [one["name"] for one in OPTIONS]
    assert question.default is None
    assert not question.other


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Declined(), {"outcome": {"outcome": "selected", "optionId": "no"}}),
        (Cancelled(), CANCELLED),
        (Cancelled(by="interrupt"), CANCELLED),
        (Discussed(), CANCELLED),
        (Discussed(text="what for?"), {**CANCELLED, "_meta": {SAID: "what for?"}}),
        (TimedOut(), CANCELLED),
        (Withdrawn(), CANCELLED),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_what_is_no_answer_never_allows(reply: Reply, outcome: Any) -> None:
    assert said(lambda _ask: reply, permission(title="Run tests"))[0] == [outcome]


def test_who_declines_where_nothing_rejects_has_cancelled() -> None:
    assert said(lambda _ask: Declined(), permission(OPTIONS[:2]))[0] == [CANCELLED]


def test_a2_where_nobody_can_be_asked_the_agent_gets_an_error() -> None:
    (came,), _ = said(lambda _ask: Unavailable(reason="/home/ann/secret"), permission())
    assert (came["error"], came["message"]) == (-32603, "nobody can be asked here: no person has this notebook open")
    assert "secret" not in json.dumps(came)


def test_a_request_without_options_is_refused_and_nothing_is_shown() -> None:
    (came,), asks = said({}, permission([]))
    assert came["message"] == "options is empty; give at least one"
    assert asks == []


def test_a_change_is_shown_as_a_diff_and_once() -> None:
    change = {"type": "diff", "path": "/data/a.py", "oldText": "x = 1\n", "newText": "x = 2\n"}
    raw = {"file_path": "/data/a.py", "old_string": "x = 1\n", "new_string": "x = 2\n", "replace_all": True}
    _, (ask,) = said({"Allow “Edit a.py”?": "Yes"}, permission(title="Edit a.py", content=[change], rawInput=raw))
    assert ask.message == (
        '```diff\n--- /data/a.py\n+++ /data/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n```\n\n```json\n{\n  "replace_all": true\n}\n```'
    )


def test_arguments_places_and_the_agents_words_are_shown() -> None:
    words = {"type": "content", "content": {"type": "text", "text": "1. Build\n2. Ship"}}
    _, (ask,) = said(lambda _ask: "Yes", permission(kind="execute", content=[words], rawInput={"command": "make"}))
    assert ask.questions[0].text == "Allow “execute”?"
    assert ask.message == '```json\n{\n  "command": "make"\n}\n```\n\n1. Build\n2. Ship'
    _, (ask,) = said(lambda _ask: "Yes", permission(title="Read", locations=[{"path": "a`b.py", "line": 3}]))
    assert ask.message == "- `a'b.py:3`"


def test_a_long_title_is_whole_above_the_question() -> None:
    title = "rm -rf " + "very/" * 60 + "last"
    _, (ask,) = said(lambda _ask: "Yes", permission(title=title))
    assert title in (ask.message or "")
    assert len(ask.questions[0].text) < 140


def test_a_request_that_only_names_its_call_shows_what_was_said_of_it_before() -> None:
    update = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Run tests", "rawInput": {"command": "pytest"}}
    before = {"method": "session/update", "notify": True, "params": {"sessionId": "s1", "update": update}}
    _, (ask,) = said(lambda _ask: "Yes", before, {**permission(), "after": 0.2})
    assert ask.questions[0].text == "Allow “Run tests”?"
    assert "pytest" in (ask.message or "")


def test_a23_two_options_that_read_the_same_are_two() -> None:
    twins = [{"optionId": name, "name": "Yes", "kind": "allow_once"} for name in "ab"]
    came, _ = said(lambda _ask: "Yes (b)", permission(twins))
    assert came[0]["outcome"]["optionId"] == "b"


def test_control_characters_are_seen_and_not_obeyed() -> None:
    _, (ask,) = said(lambda _ask: "Yes", permission(title="ls\x1b[2J", rawInput="a\x1b[2Jb"))
    assert "\x1b" not in ask.questions[0].text + (ask.message or "")


# Who asks


class Labelled(NotebookClient):
    label = "My scribe"


@pytest.mark.parametrize(
    ("client", "label", "detail"),
    [(None, "Scribe", "ACP permission"), (Labelled(), "My scribe", "ACP permission · Scribe")],
    ids=["its own name", "my label"],
)
def test_the_card_says_which_agent_asks(client: Any, label: str, detail: str) -> None:
    _, (ask,) = said(lambda _ask: "Yes", permission(), client=client)
    assert ask.asker is not None
    assert (ask.asker.label, ask.asker.detail) == (label, detail)


def test_an_agent_runs_from_here_and_is_told_that_it_may_ask() -> None:
    async def main() -> Any:
        async with agent(sys.executable, str(AGENT)) as session:
            first = await session.prompt(json.dumps([permission(title="Run tests"), form(CITY)]))
            return first, await session.prompt("[]")

    answers = {"Allow “Run tests”?": "No", "Where to?": {"city": "Cap Ferret"}}
    with scripted(answers) as asks:
        first, second = run(main())
    outcome = {"outcome": {"outcome": "selected", "optionId": "no"}}
    content = {"action": "accept", "content": {"city": "Cap Ferret"}}
    assert json.loads(first.text) == {"came": [outcome, content], "asks": True}
    assert json.loads(str(second))["came"] == []
    assert (first.stop_reason, asks[0].asker and asks[0].asker.label) == ("end_turn", "Scribe")


def test_a_program_that_is_not_there_is_named() -> None:
    async def main() -> None:
        async with agent("no-such-agent"):
            pass

    with pytest.raises(FileNotFoundError, match="'no-such-agent'; install the agent"):
        run(main())


# Elicitation


def test_a_form_goes_back_with_what_was_filled_in() -> None:
    came, (ask,) = said({"Where to?": {"city": "Cap Ferret", "days": 3}}, form(CITY))
    assert came == [{"action": "accept", "content": {"city": "Cap Ferret", "days": 3}}]
    assert ask.layout == "form"


def test_every_field_of_the_protocol_is_drawn_and_comes_back_as_its_type() -> None:
    schema = fields(
        level={"type": "string", "oneOf": [{"const": "l1", "title": "Low"}, {"const": "l2", "title": "High"}]},
        lang={"type": "string", "enum": ["en", "de"]},
        share={"type": "number"},
        sure={"type": "boolean"},
        checks={
            "type": "array",
            "items": {"anyOf": [{"const": "a, b", "title": "Both"}, {"const": "c", "title": "C"}]},
        },
    )
    given = {"level": "High", "lang": "de", "share": 0.5, "sure": "No", "checks": ["Both", "C"]}
    came, _ = said({"Where to?": given}, form(schema))
    want = {"level": "l2", "lang": "de", "share": 0.5, "sure": False, "checks": ["a, b", "c"]}
    assert came == [{"action": "accept", "content": want}]


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        (Declined(), {"action": "decline"}),
        (Cancelled(), {"action": "cancel"}),
        (Discussed(text="why?"), {"action": "cancel", "_meta": {SAID: "why?"}}),
        (TimedOut(), {"action": "cancel"}),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
@pytest.mark.parametrize(
    "asked",
    [form(CITY), address("https://example.org/"), questions(choice("DB", "Which?", "A", "B"))],
    ids=["form", "address", "questions"],
)
def test_what_is_no_answer_is_no_accept(asked: dict[str, Any], reply: Reply, result: Any) -> None:
    assert said(lambda _ask: reply, asked)[0] == [result]


def test_an_address_is_accepted_by_consent_alone() -> None:
    came, (ask,) = said(lambda _ask: {"accept": True}, address("https://example.org/"))
    assert came == [{"action": "accept"}]
    assert ask.questions[0].url == "https://example.org/"


def test_a_form_that_cannot_be_drawn_is_an_error_to_the_agent() -> None:
    schema = fields(odd={"type": "object", "properties": {}})
    (came,), (ask,) = said(lambda _ask: {"accept": True}, form(schema))
    assert came["error"] == -32602
    assert "cannot be shown" in ask.questions[0].text


# Claude's questions, as its bridge sends them

LAYOUT = choice("Layout", "Which layout?", "Wide (Recommended)", "Narrow", Narrow="+--+")
CHECKS = choice("Checks", "Which checks?", "Lint", "Types", many=True)


def answered(asked: dict[str, Any], **answers: Answer) -> tuple[Any, Ask]:
    (came,), (ask,) = said(lambda _ask: Answered(answers=answers), asked)
    return came["content"], ask


def test_claudes_questions_are_question_cards_with_an_other_row_each() -> None:
    _, ask = answered(questions(LAYOUT, CHECKS), question_0=Answer("Narrow", ("Narrow",)))
    first, second = ask.questions
    assert (first.header, first.text, second.header, second.text) == (
        "Layout",
        "Which layout?",
        "Checks",
        "Which checks?",
    )
    assert (first.other, second.other, second.many, ask.layout) == (True, True, True, "tabs")
    assert [option.preview for option in first.options] == [None, "+--+"]
    assert [option.recommended for option in first.options] == [True, False]


def test_a_single_question_asks_by_its_message_where_it_has_no_other_words() -> None:
    asked = questions({name: value for name, value in LAYOUT.items() if name != "description"}, message="Which one?")
    _, ask = answered(asked, question_0=Answer("Narrow", ("Narrow",)))
    assert (ask.questions[0].text, ask.questions[0].header, ask.message) == ("Which one?", "Layout", None)


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        (Answer("Wide (Recommended)", ("Wide (Recommended)",)), {"question_0": "Wide (Recommended)"}),
        (Answer("three columns", other="three columns"), {"question_0_custom": "three columns"}),
        (Answer("Narrow", ("Narrow",), notes="a bit"), {"question_0": "Narrow", "question_0_custom": "a bit"}),
    ],
    ids=["a pick", "Other", "a pick and a note"],
)
def test_a_pick_is_its_own_field_and_words_are_the_one_beside_it(answer: Answer, content: Any) -> None:
    assert answered(questions(LAYOUT), question_0=answer)[0] == content


def test_a4_a6_picks_and_typed_words_both_come_back() -> None:
    both = Answer(["Lint", "Types", "x, y"], ("Lint", "Types"), other="x, y")
    content, _ = answered(questions(CHECKS), question_0=both)
    assert content == {"question_0": ["Lint", "Types"], "question_0_custom": "x, y"}


def test_a8_a17_each_question_has_its_own_answer_and_the_rest_are_left_out() -> None:
    asked = questions(LAYOUT, {**LAYOUT, "description": "And here?"}, CHECKS)
    content, _ = answered(asked, question_1=Answer("abc", other="abc"))
    assert content == {"question_1_custom": "abc"}


def test_a3_submitting_nothing_is_refused_on_the_card() -> None:
    _, ask = answered(questions(LAYOUT, CHECKS), question_0=Answer("Narrow", ("Narrow",)))
    with pytest.raises((Refused, InvalidAnswer)):
        read_answers(ask, {})


# Several at once, and askers that give up


def test_two_requests_at_once_are_two_cards_with_their_own_answers(open_asks: list[Pending]) -> None:
    async def main() -> Any:
        asking = asyncio.ensure_future(told(permission(title="First"), permission(title="Second"), form(CITY)))
        await until(lambda: len(open_asks) == 3)
        by_text = {pending.ask.questions[0].text: pending for pending in open_asks}
        desk = runtime_module.current().desk
        picked = {"q1": Answer("always", ("Yes, and don't ask again for tests",))}
        desk.settle(by_text["Allow “Second”?"].ask.id, Answered(answers=picked))
        desk.settle(by_text["city"].ask.id, Cancelled())
        desk.settle(by_text["Allow “First”?"].ask.id, Declined())
        return await asking

    first, second, third = run(main())
    assert (first["outcome"]["optionId"], second["outcome"]["optionId"], third) == (
        "no",
        "always",
        {"action": "cancel"},
    )


def test_a_cancelled_session_closes_its_cards_and_the_agent_goes_on(open_asks: list[Pending]) -> None:
    async def main() -> Any:
        async with agent(sys.executable, str(AGENT)) as session:
            turn = asyncio.ensure_future(session.prompt(json.dumps([permission(), form(CITY)])))
            await until(lambda: len(open_asks) == 2)
            await session.cancel()
            return await turn, [pending.reply for pending in open_asks]

    turn, replies = run(main())
    assert json.loads(turn.text)["came"] == [CANCELLED, {"action": "cancel"}]
    assert turn.stop_reason == "cancelled"
    assert all(isinstance(reply, Withdrawn) for reply in replies)


def test_an_address_that_is_done_with_elsewhere_closes_its_card(open_asks: list[Pending]) -> None:
    done = {"method": "elicitation/complete", "notify": True, "after": 0.3, "params": {"elicitationId": "e1"}}
    assert run(told(address("https://example.org/"), done)) == [{"action": "cancel"}, None]
    assert isinstance(open_asks[0].reply, Withdrawn)


def test_an_agent_that_dies_leaves_no_card_behind(open_asks: list[Pending]) -> None:
    async def main() -> None:
        async with agent(sys.executable, str(AGENT)) as session:
            asking = asyncio.ensure_future(session.prompt(json.dumps([permission()])))
            await until(lambda: open_asks)
            other = asyncio.ensure_future(session.prompt(json.dumps([{"die": True}])))
            await until(lambda: open_asks[0].done)
            for prompt in (asking, other):
                with pytest.raises(ConnectionError):
                    await prompt

    run(main())
    assert isinstance(open_asks[0].reply, Withdrawn)


def test_leaving_the_conversation_withdraws_what_is_open(open_asks: list[Pending]) -> None:
    async def main() -> None:
        async with agent(sys.executable, str(AGENT)) as session:
            asking = asyncio.ensure_future(session.prompt(json.dumps([permission()])))
            await until(lambda: open_asks)
        with pytest.raises(ConnectionError):
            await asking

    run(main())
    assert isinstance(open_asks[0].reply, Withdrawn)


def test_a_request_cancelled_before_it_was_shown_shows_nothing(open_asks: list[Pending]) -> None:
    async def main() -> Any:
        client = NotebookClient()
        options = [PermissionOption(option_id="a", name="Yes", kind="allow_once")]
        asking = asyncio.ensure_future(client.request_permission("s1", ToolCallUpdate(tool_call_id="t1"), options))
        await asyncio.sleep(0)
        client.withdraw("s1")
        return await asking

    assert run(main()).outcome.outcome == "cancelled"
    assert open_asks == []


# Any loop, any client


def test_it_asks_from_another_threads_loop() -> None:
    came: list[Any] = []
    with scripted(lambda _ask: "Yes") as asks:
        worker = threading.Thread(target=lambda: came.append(run(told(permission()))))
        worker.start()
        worker.join(60)
    assert came[0][0]["outcome"]["optionId"] == "once"
    assert len(asks) == 1


def test_a_client_of_ones_own_is_asked_over_any_transport() -> None:
    """The mixin beside another parent, connected with the SDK alone."""

    class Files:
        def __init__(self) -> None:
            self.read = ["nothing"]

    class Mine(Files, NotebookClient):
        pass

    async def main() -> Any:
        async with beside(Mine()) as connection:
            options = [PermissionOption(option_id="a", name="Yes", kind="allow_once")]
            return await connection.far.request_permission("s9", ToolCallUpdate(tool_call_id="t1"), options)

    with scripted({"Allow “this”?": "Yes"}) as asks:
        assert run(main()).outcome.option_id == "a"
    assert asks[0].asker is not None
    assert asks[0].asker.label == "an ACP agent that gives no name"


def test_a_dropped_field_of_the_protocol_is_named() -> None:
    call = SimpleNamespace(tool_call_id="t1", kind=None, content=None, raw_input=None, locations=None)
    with pytest.raises(Incompatible, match=r"agent-client-protocol .* without 'title'"):
        asyncio.run(NotebookClient().request_permission("s1", call, [object()]))


def test_nothing_of_the_sdk_is_imported_before_it_is_used() -> None:
    code = (
        "import sys\nfrom nbask.adapters import acp\nassert 'acp' not in sys.modules\n"
        "sys.modules['acp'] = None\n"
        "try:\n    acp.capabilities()\nexcept ImportError as fault:\n    print(fault)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "nbask[acp]" in done.stdout


def test_other_capabilities_are_kept() -> None:
    assert capabilities(terminal=True).terminal is True
    assert nbask.__version__
