"""Claude Code's hooks: what a payload says, what the hook prints for each reply, and that it never gets in the way.

Cases of the project's list that are tested here, by id: A2, A3, A6, A8, A15, A17.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

import pytest

from nbask import cli, hook, runtime, serve
from nbask.adapters.claude import HookRecord, read_hook
from nbask.adapters.claude.answers import answer_hook
from nbask.desk import Desk
from nbask.fronts.drawing import draw
from nbask.kinds import Answer
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.serve import rendezvous
from nbask.serve.hooks import LARGEST, MOST_OPEN
from nbask.serve.server import Server
from nbask.testing import scripted

Runner = Callable[..., Future[Any]]

COLOURS = [{"label": "Red", "description": "You prefer red."}, {"label": "Blue", "description": "You prefer blue."}]
COLOUR = {"question": "Do you prefer red or blue?", "header": "Color", "options": COLOURS, "multiSelect": False}
CHECKS = {
    "question": "Which checks?",
    "header": "Checks",
    "options": [{"label": "Lint", "description": ""}, {"label": "Types", "description": "", "preview": "mypy"}],
    "multiSelect": True,
}
PLAN = {"plan": "1. Drop the column", "planFilePath": "~/.claude/plans/brisk-otter.md"}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer", "title": "How many?"}}, "required": ["n"]}
# As Claude Code 2.1 sends them.
COMMON = {"session_id": "5d0c", "transcript_path": "/t.jsonl", "cwd": "/work", "permission_mode": "default"}
BEFORE = {
    **COMMON,
    "hook_event_name": "PreToolUse",
    "prompt_id": "p1",
    "effort": {"level": "high"},
    "tool_use_id": "toolu_1",
}
PERMISSION = {**COMMON, "hook_event_name": "PermissionRequest"}
ELICITATION = {**COMMON, "hook_event_name": "Elicitation", "mcp_server_name": "kiosk", "message": "Scoops"}


def asks(*questions: Any, base: Any = BEFORE) -> dict[str, Any]:
    return {**base, "tool_name": "AskUserQuestion", "tool_input": {"questions": list(questions or [COLOUR])}}


def plans(base: Any = BEFORE, given: Any = PLAN) -> dict[str, Any]:
    return {**base, "tool_name": "ExitPlanMode", "tool_input": given}


FORM = {**ELICITATION, "mode": "form", "requested_schema": SCHEMA}
ADDRESS = {**ELICITATION, "mode": "url", "url": "https://example.org/in", "elicitation_id": "e1"}
PAYLOADS = {
    "a question before the tool runs": asks(),
    "a question's permission": asks(base=PERMISSION),
    "a plan before the tool runs": plans(),
    "a plan's permission": plans(PERMISSION),
    "a form": FORM,
    "an address": ADDRESS,
}


def record_of(payload: Any) -> HookRecord:
    record = read_hook(payload)
    assert record is not None
    return record


def printed(script: Any, payload: Any) -> Any:
    """What the hook prints, below `hookSpecificOutput`; None where it prints nothing."""
    with scripted(script):
        output = asyncio.run(answer_hook(payload))
    if output is None:
        return None
    assert set(output) == {"hookSpecificOutput"}
    said = output["hookSpecificOutput"]
    assert said.pop("hookEventName") == payload["hook_event_name"]
    return said


# -- the record ------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [BEFORE, PERMISSION])
def test_a_question_is_read_with_the_two_rows_that_the_terminal_adds_and_every_rows_digit(base: Any) -> None:
    record = record_of(asks(base=base))
    (question,) = record.questions
    assert (record.kind, record.event) == ("questions", base["hook_event_name"])
    assert (question.question, question.header, question.multi_select) == ("Do you prefer red or blue?", "Color", False)
    assert [(row.digit, row.label, row.description, row.kind) for row in question.rows] == [
        (1, "Red", "You prefer red.", "option"),
        (2, "Blue", "You prefer blue.", "option"),
        (3, "Type something.", None, "other"),
        (4, "Chat about this", None, "chat"),
    ]


def test_one_question_with_one_pick_closes_at_its_digit_and_no_other_does() -> None:
    assert record_of(asks()).closes_at_once
    assert not record_of(asks(CHECKS)).closes_at_once
    assert not record_of(asks(COLOUR, CHECKS)).closes_at_once
    assert not record_of(plans()).closes_at_once


def test_several_questions_are_read_each_with_rows_of_its_own() -> None:
    record = record_of(asks(COLOUR, CHECKS))
    assert [question.multi_select for question in record.questions] == [False, True]
    assert [len(question.rows) for question in record.questions] == [4, 4]
    assert record.questions[1].rows[1].preview == "mypy"
    assert (record.session, record.folder, record.call) == ("5d0c", "/work", "toolu_1")


def test_a_plan_is_read_with_its_three_choices() -> None:
    record = record_of(plans(PERMISSION))
    assert (record.kind, record.plan, record.plan_file) == ("plan", PLAN["plan"], PLAN["planFilePath"])
    assert [(row.digit, row.kind) for row in record.rows] == [(1, "auto"), (2, "manual"), (3, "change")]
    assert record.call is None


@pytest.mark.parametrize("given", [{}, None, "x", {"plan": 5}])
def test_a_plan_that_was_not_written_is_one_all_the_same(given: Any) -> None:
    assert record_of(plans(given=given)).plan == ""


def test_an_elicitation_is_read_with_its_server_and_its_form_or_address() -> None:
    form, address = record_of(FORM), record_of(ADDRESS)
    assert (form.kind, form.server, form.message, form.schema, form.url) == (
        "elicitation",
        "kiosk",
        "Scoops",
        SCHEMA,
        None,
    )
    assert (address.schema, address.url) == (None, "https://example.org/in")


def test_a15_questions_as_json_text_are_read() -> None:
    record = record_of({**asks(), "tool_input": {"questions": json.dumps([COLOUR])}})
    assert record.questions[0].rows[0].label == "Red"


NOTHING_TO_ASK: dict[str, Any] = {
    "another tool": {**asks(), "tool_name": "Bash"},
    "another event": {**asks(), "hook_event_name": "PostToolUse"},
    "a stop": {**COMMON, "hook_event_name": "Stop"},
    "no event": {"tool_name": "AskUserQuestion"},
    "an event that is no text": {**asks(), "hook_event_name": ["PreToolUse"]},
    "no input": {**asks(), "tool_input": None},
    "no questions": {**asks(), "tool_input": {"questions": []}},
    "an option without a label": asks({**COLOUR, "options": [{"description": "x"}]}),
    "options that are a text": asks({**COLOUR, "options": "Red"}),
    "broken json of questions": {**asks(), "tool_input": {"questions": "[{"}},
    "a form without a schema": {**ELICITATION, "mode": "form"},
    "an address without one": {**ELICITATION, "mode": "url"},
    "an elicitation without words": {**FORM, "message": None},
    "a list": [asks()],
    "a text": "x",
    "nothing": None,
}


@pytest.mark.parametrize("name", NOTHING_TO_ASK)
def test_what_is_no_question_or_broken_is_none(name: str) -> None:
    assert read_hook(NOTHING_TO_ASK[name]) is None
    assert printed(lambda ask: pytest.fail("shown"), NOTHING_TO_ASK[name]) is None


# -- what it prints --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "answer"), [("Blue", "Blue"), ("Green, or none", "Green, or none")], ids=["picked", "typed"]
)
def test_an_answered_question_is_allowed_with_its_answers(said: str, answer: str) -> None:
    updated = {"questions": [COLOUR], "answers": {COLOUR["question"]: answer}}
    assert printed({COLOUR["question"]: said}, asks()) == {"permissionDecision": "allow", "updatedInput": updated}
    allowed = {"decision": {"behavior": "allow", "updatedInput": updated}}
    assert printed({COLOUR["question"]: said}, asks(base=PERMISSION)) == allowed


def test_a6_a8_a17_picks_and_typed_words_of_several_questions() -> None:
    said = printed(lambda ask: {"q2": ["Types", "x, y"]}, asks(COLOUR, CHECKS))
    assert said["updatedInput"]["answers"] == {"Which checks?": 'Types, "x, y"'}


def test_a_note_is_annotated() -> None:
    reply = Answered(answers={"q1": Answer("Red", ("Red",), notes="dark")})
    assert printed(lambda ask: reply, asks())["updatedInput"]["annotations"] == {COLOUR["question"]: {"notes": "dark"}}


def test_the_chat_row_is_a_response_in_words() -> None:
    updated = printed(lambda ask: Discussed(text="Why?"), asks())["updatedInput"]
    assert (updated["answers"], updated["response"]) == ({}, "Why?")


@pytest.mark.parametrize(
    ("said", "mode"), [("Yes, and go on by itself", "acceptEdits"), ("Yes, I approve each edit", "default")]
)
def test_an_approved_plan_is_allowed_and_its_permission_says_the_mode(said: str, mode: str) -> None:
    script = {"Go ahead with this plan?": said}
    assert printed(script, plans()) == {"permissionDecision": "allow", "updatedInput": PLAN}
    update = {"type": "setMode", "mode": mode, "destination": "session"}
    decision = {"behavior": "allow", "updatedInput": PLAN, "updatedPermissions": [update]}
    assert printed(script, plans(PERMISSION)) == {"decision": decision}


def test_what_should_change_in_a_plan_denies_it_in_those_words() -> None:
    script = {"Go ahead with this plan?": "Keep the column"}
    denied = {"permissionDecision": "deny", "permissionDecisionReason": "Keep the column"}
    assert printed(script, plans()) == denied
    assert printed(script, plans(PERMISSION)) == {"decision": {"behavior": "deny", "message": "Keep the column"}}


def test_an_elicitation_is_accepted_with_content_that_fits() -> None:
    assert printed({"Scoops": {"n": 2}}, FORM) == {"action": "accept", "content": {"n": 2}}
    assert printed(lambda ask: True, ADDRESS) == {"action": "accept"}


@pytest.mark.parametrize(
    ("reply", "action"), [(Declined(), "decline"), (Cancelled(), "cancel"), (Discussed(), "cancel")]
)
@pytest.mark.parametrize("payload", [FORM, ADDRESS], ids=["form", "address"])
def test_an_elicitation_tells_a_no_from_a_dismissal(payload: Any, reply: Reply, action: str) -> None:
    assert printed(lambda ask: reply, payload) == {"action": action}


@pytest.mark.parametrize("reply", [Declined(), Cancelled(), Discussed(text="Why?")], ids=lambda reply: reply.kind)
def test_a3_a_plan_is_not_approved_by_anything_but_an_approval(reply: Reply) -> None:
    assert printed(lambda ask: reply, plans())["permissionDecision"] == "deny"
    assert printed(lambda ask: reply, plans(PERMISSION))["decision"]["behavior"] == "deny"


@pytest.mark.parametrize("reply", [Declined(), Cancelled()], ids=lambda reply: reply.kind)
def test_a_question_that_the_person_turned_away_is_denied_in_words(reply: Reply) -> None:
    said = printed(lambda ask: reply, asks())
    assert said["permissionDecision"] == "deny"
    assert "Nothing is decided" in said["permissionDecisionReason"]


@pytest.mark.parametrize("name", PAYLOADS)
@pytest.mark.parametrize(
    "reply", [Unavailable(), TimedOut(), Withdrawn(), Cancelled(by="interrupt")], ids=lambda reply: reply.kind
)
def test_a2_where_nobody_has_said_anything_the_terminal_asks(name: str, reply: Reply) -> None:
    assert printed(lambda ask: reply, PAYLOADS[name]) is None


def test_what_cannot_be_shown_here_the_terminal_asks() -> None:
    assert printed({}, asks({**COLOUR, "options": [COLOURS[0], COLOURS[0]]})) is None
    nested = {"type": "object", "properties": {"a": {"type": "object"}}}
    assert printed(lambda ask: True, {**FORM, "requested_schema": nested}) is None


@pytest.mark.parametrize("name", PAYLOADS)
def test_half_characters_and_a_server_with_a_blank_name_are_asked_all_the_same(name: str) -> None:
    def spoilt(given: Any) -> Any:
        said = ("question", "header", "label", "description", "preview", "plan", "title", "message")
        if isinstance(given, dict):
            return {key: one + "\ud800" if key in said else spoilt(one) for key, one in given.items()}
        return [spoilt(one) for one in given] if isinstance(given, list) else given

    with scripted(lambda ask: Declined()) as shown:
        asyncio.run(answer_hook({**spoilt(PAYLOADS[name]), "mcp_server_name": "\x0c"}))
    (ask,) = shown
    json.dumps(draw(Desk().open(ask)), ensure_ascii=False).encode()


def test_the_card_says_which_agent_or_server_asks() -> None:
    with scripted(lambda ask: Declined()) as shown:
        for payload in (asks(), plans(), FORM):
            asyncio.run(answer_hook(payload))
    assert [(ask.who, ask.asker and ask.asker.detail) for ask in shown] == [
        ("Claude Code", "AskUserQuestion"),
        ("Claude Code", "plan"),
        ("kiosk", "MCP"),
    ]


# -- over the server -------------------------------------------------------------------------------


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, person: Callable[..., Any]) -> Iterator[Server]:
    """A server in a kernel where a person sits, who has not answered yet."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    person()
    yield serve.start()
    serve.stop()


def asked(count: int = 1) -> list[Any]:
    """The open asks, once there are so many."""
    deadline = time.monotonic() + 20
    while len(found := runtime.current().desk.snapshot()) != count:
        assert time.monotonic() < deadline, f"{len(found)} open, not {count}"
        time.sleep(0.005)
    return list(found)


def click(pending: Any, label: str = "Blue") -> None:
    runtime.current().desk.settle(pending.ask.id, Answered(answers={"q1": Answer(label, (label,))}, via="card"))


def given(payload: Any) -> bytes:
    return json.dumps(payload).encode()


def post(server: Server, body: bytes, method: str = "POST", token: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.request(method, "/hook", body, {"Authorization": f"Bearer {token or server.token}"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize("name", ["a question before the tool runs", "a question's permission"])
def test_the_hook_waits_for_the_click_in_the_notebook(server: Server, name: str, in_thread: Runner) -> None:
    waiting = in_thread(hook.answer, given(PAYLOADS[name]))
    (pending,) = asked()
    assert not waiting.done()
    click(pending)
    said = json.loads(waiting.result(20))["hookSpecificOutput"]
    assert "Blue" in json.dumps(said)


@pytest.mark.parametrize("name", PAYLOADS)
def test_every_recorded_shape_reaches_the_notebook(server: Server, name: str, in_thread: Runner) -> None:
    waiting = in_thread(hook.answer, given(PAYLOADS[name]))
    (pending,) = asked()
    runtime.current().desk.settle(pending.ask.id, Declined(via="card"))
    assert json.loads(waiting.result(20))["hookSpecificOutput"]["hookEventName"] == PAYLOADS[name]["hook_event_name"]


@pytest.mark.parametrize("name", NOTHING_TO_ASK)
def test_with_nothing_to_ask_it_prints_nothing_and_disturbs_nobody(server: Server, name: str) -> None:
    assert hook.answer(given(NOTHING_TO_ASK[name])) == ""
    assert post(server, given(NOTHING_TO_ASK[name]))[0] in (204, 400)
    assert runtime.current().desk.snapshot() == ()


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_broken_payloads_print_nothing(server: Server, payload: bytes) -> None:
    assert hook.answer(payload) == ""
    assert post(server, payload)[0] == 400


def test_where_no_kernel_is_served_it_prints_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "none"))
    assert hook.answer(given(asks())) == ""


def test_a_kernel_that_has_gone_or_is_another_notebooks_prints_nothing(server: Server, in_thread: Runner) -> None:
    assert hook.answer(given(asks()), "another.ipynb") == ""
    waiting = in_thread(hook.answer, given(asks()))
    asked()
    serve.stop()
    assert waiting.result(20) == ""
    assert runtime.current().desk.snapshot() == ()


def test_a_hook_that_is_ended_withdraws_its_card(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("POST", "/hook", given(asks()), {"Authorization": f"Bearer {server.token}"})
    (pending,) = asked()
    connection.close()
    asked(0)
    assert pending.reply.kind == "withdrawn"


def test_only_whoever_has_the_token_may_ask_and_only_by_post(server: Server) -> None:
    assert post(server, given(asks()), token="wrong")[0] == 401
    assert post(server, b"", "GET")[0] == 405
    assert post(server, b" " * (LARGEST + 1))[0] == 400


def test_one_hook_too_many_is_left_to_its_terminal(server: Server, in_thread: Runner) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nbask.serve.hooks.MOST_OPEN", 2)
        waiting = [in_thread(hook.answer, given(asks())) for _ in range(2)]
        found = asked(2)
        assert hook.answer(given(asks())) == ""
        for pending in found:
            click(pending)
        assert all(one.result(20) for one in waiting)


def test_a_fault_of_ours_is_told_to_the_log_alone(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(payload: Any) -> None:
        raise RuntimeError("s3cret")

    monkeypatch.setattr("nbask.serve.hooks.answer_hook", fails)
    assert post(server, given(asks())) == (500, b"")
    assert hook.answer(given(asks())) == ""
    assert "s3cret" in caplog.text


def command(tmp_path: Path) -> subprocess.Popen[bytes]:
    env = {**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    return subprocess.Popen([sys.executable, "-m", "nbask", "hook"], stdin=-1, stdout=-1, stderr=-1, env=env)


def test_it_answers_within_100_ms_of_the_click_beside_50_others(
    server: Server, tmp_path: Path, in_thread: Runner
) -> None:
    assert MOST_OPEN > 51
    others = [in_thread(hook.answer, given(asks())) for _ in range(50)]
    open_others = asked(50)
    took: list[float] = []
    for _ in range(5):
        ours = command(tmp_path)
        assert ours.stdin is not None
        assert ours.stdout is not None
        ours.stdin.write(given(asks()))
        ours.stdin.close()
        (pending,) = [one for one in asked(51) if one not in open_others]
        clicked = time.monotonic()
        click(pending)
        line = ours.stdout.readline()
        took.append(time.monotonic() - clicked)
        assert json.loads(line)["hookSpecificOutput"]["updatedInput"]["answers"] == {COLOUR["question"]: "Blue"}
        assert (ours.wait(20), ours.stdout.read(), ours.stderr and ours.stderr.read()) == (0, b"", b"")
        ours.stdout.close()
        assert ours.stderr is not None
        ours.stderr.close()
    for pending in open_others:
        click(pending, "Red")
    assert all("Red" in one.result(20) for one in others)
    assert median(took) < 0.1, took


# -- the command -----------------------------------------------------------------------------------


class Stdin(io.TextIOWrapper):
    def __init__(self, payload: bytes, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(payload), encoding="ascii")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize("payload", [given(asks()), given({"hook_event_name": "Stop"}), b"\xff", b""])
def test_the_command_says_nothing_and_ends_well_where_no_kernel_listens(
    payload: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", Stdin(payload))
    assert cli.main(["hook"]) == 0
    assert tuple(capsys.readouterr()) == ("", "")


@pytest.mark.parametrize(("command", "mend"), [("hook", "--print-settings"), ("mcp", "%nbask serve prints")])
def test_a_person_who_types_an_agents_command_is_told_how_it_is_used(
    command: str, mend: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(b"", terminal=True))
    assert cli.main([command]) == cli.FAULT
    assert mend in capsys.readouterr().err


def test_the_settings_run_this_very_command_and_give_a_person_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hook", "--print-settings"]) == 0
    hooks = json.loads(capsys.readouterr().out)["hooks"]
    assert {event: entry[0].get("matcher") for event, entry in hooks.items()} == {
        "PreToolUse": "AskUserQuestion",
        "PermissionRequest": "ExitPlanMode",
        "Elicitation": None,
    }
    for entry in hooks.values():
        (run,) = entry[0]["hooks"]
        assert (run["type"], run["timeout"]) == ("command", 86400)
        assert run["command"].endswith("-m nbask hook")
        assert sys.executable in run["command"]


def test_the_command_loads_nothing_heavy() -> None:
    code = f"""
import sys
from nbask import hook
from nbask.serve import rendezvous
rendezvous.living = lambda: []
hook.answer({given(asks())!r})
print(*{{name.partition(".")[0] for name in sys.modules}})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert not {"pydantic", "mcp", "asyncio", "IPython", "traitlets", "jsonschema", "httpx2"} & set(done.stdout.split())


def test_the_newest_kernel_is_asked_and_a_named_one_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["b.ipynb", "a.ipynb"]
    found = [SimpleNamespace(fits=lambda wanted, name=name: wanted == name, name=name) for name in names]
    monkeypatch.setattr(rendezvous, "living", lambda: found)
    monkeypatch.setattr(hook, "_asked", lambda one, payload: one.name)
    assert [hook.answer(given(asks()), wanted) for wanted in (None, "a.ipynb", "c.ipynb")] == ["b.ipynb", "a.ipynb", ""]
