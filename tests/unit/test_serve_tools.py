"""The tools of a served kernel, called by the official client, in both eras of the protocol.

Cases of the project's list that are tested here, by id: B15, B17, B18, B22, C17, C23, C25.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult
from outside_agents import ANSWERS, CALLS, MODES, SCHEMA, agent, check_contract, check_seed_001

from nbask import decisions, runtime, serve
from nbask.adapters.claude.tool import ASK_USER_QUESTION_TOOL
from nbask.cli import main
from nbask.desk import Pending
from nbask.replies import Cancelled, Declined, Discussed, Reply, TimedOut
from nbask.serve import calls, posing, rendezvous, server
from nbask.serve.edge import checked
from nbask.serve.elicitation import TOO_FAST
from nbask.serve.tools import TOOLS
from nbask.status import status
from nbask.testing import scripted

BOUND = 20.0
RED = CALLS["ask_choice"]


@pytest.fixture(autouse=True)
def no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[None]:
    """The rendezvous files of tests are nobody's business, and no server outlives its test."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    yield
    serve.stop()


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


def run(main: Coroutine[Any, Any, Any]) -> Any:
    async def bounded() -> Any:
        return await asyncio.wait_for(main, BOUND)

    return asyncio.run(bounded())


@asynccontextmanager
async def connected(mode: str = MODES[1], **rest: Any) -> AsyncIterator[Client]:
    server = serve.start()
    async with agent(server.url, server.token, mode=mode, **rest) as client:
        yield client


async def call(tool: str, arguments: dict[str, Any], mode: str = MODES[1], **rest: Any) -> Any:
    async with connected(mode, **rest) as client:
        return await client.call_tool(tool, arguments)


async def opened(count: int = 1) -> list[Pending]:
    """Wait until that many asks are open."""
    while len(found := runtime.current().desk.snapshot()) < count:
        await asyncio.sleep(0.01)
    return list(found)


async def none_open() -> None:
    while runtime.current().desk.snapshot():
        await asyncio.sleep(0.01)


def saying(reply: Reply) -> Any:
    """A person who says that to every ask."""
    return lambda desk, pending: desk.settle(pending.ask.id, reply)


def test_every_tool_is_listed_with_both_schemas_and_marked_as_reading_only(mode: str) -> None:
    async def main() -> list[Any]:
        async with connected(mode) as client:
            return (await client.list_tools()).tools

    listed = run(main())
    assert [tool.name for tool in listed] == list(TOOLS) == list(CALLS)
    for tool in listed:
        assert tool.description
        assert tool.title
        assert tool.output_schema["type"] == "object"
        assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (True, False)
    by_name = {tool.name: tool for tool in listed}
    assert by_name["ask_user_question"].input_schema == ASK_USER_QUESTION_TOOL["input_schema"]
    assert set(by_name["ask_multi_select"].input_schema["properties"]) == {"question", "options", "min", "max", "timeout_ms"}  # fmt: skip
    assert by_name["ask_multi_select"].input_schema["required"] == ["question", "options"]


@pytest.mark.parametrize("tool", CALLS)
def test_every_tool_gives_what_its_contract_says(tool: str, mode: str, person: Callable[..., Any]) -> None:
    person()
    with scripted(ANSWERS):
        result = run(call(tool, CALLS[tool], mode))
    assert not result.is_error
    check_contract(tool, result.structured_content)


@pytest.mark.parametrize(
    ("reply", "status", "next_step"),
    [
        (Declined(), "declined", "Do not ask this again"),
        (Cancelled(), "cancelled", "Take nothing for agreed"),
        (TimedOut(), "timed_out", "Take nothing for agreed"),
        (Discussed(text="why?"), "discussed", "Respond to what `free_text` says"),
    ],
)
def test_only_answered_carries_an_answer(reply: Reply, status: str, next_step: str, person: Callable[..., Any]) -> None:
    person(saying(reply))
    result = run(call("ask_confirm", CALLS["ask_confirm"])).structured_content
    assert (result["status"], result["answer"], result["confirmed"], result["selected"]) == (status, None, None, [])
    assert next_step in result["next_step"]
    assert result["free_text"] == ("why?" if status == "discussed" else None)


def test_a_no_is_an_answer(person: Callable[..., Any]) -> None:
    person()
    with scripted({"Delete 3 files?": False}):
        result = run(call("ask_confirm", CALLS["ask_confirm"])).structured_content
    assert (result["status"], result["answer"], result["confirmed"]) == ("answered", "no", False)


def test_a_note_beside_a_pick_comes_back_as_free_text(person: Callable[..., Any], reply_to: Callable[..., Any]) -> None:
    from nbask.kinds import wire_answer
    from nbask.reading import read_reply

    def answer(desk: Any, pending: Pending) -> None:
        message = reply_to(pending.ask, {"q1": wire_answer(["o2"], notes="the dark one")})
        desk.settle(pending.ask.id, read_reply(pending.ask, message, "card"))

    person(answer)
    result = run(call("ask_choice", RED)).structured_content
    assert (result["answer"], result["free_text"], result["via"]) == ("Blue", "the dark one", "card")


@pytest.mark.parametrize("fallback", ["return", "off"])
def test_b15_c23_where_nobody_can_be_asked_it_says_so_and_never_that_they_declined(
    fallback: str, mode: str, person: Callable[..., Any]
) -> None:
    person(allow_stdin=False, serve_fallback=fallback)
    result = run(call("ask_choice", RED, mode)).structured_content
    assert result["status"] == {"return": "needs_user_input", "off": "unavailable"}[fallback]
    assert (result["fallback"], result["answer"], result["selected"]) == (fallback, None, [])
    assert "Red or blue?\n- Red\n- Blue" in result["message"]
    assert ("in chat" in result["next_step"]) == (fallback == "return")


def test_where_nobody_can_be_asked_the_other_tools_say_so_in_their_own_way(person: Callable[..., Any]) -> None:
    person(allow_stdin=False)
    asked = run(call("ask_user_question", CALLS["ask_user_question"]))
    assert asked.is_error
    assert "Which format?\n- CSV: Plain" in asked.content[0].text
    plan = run(call("approve_plan", CALLS["approve_plan"])).structured_content
    assert (plan["approved"], plan["status"]) == (False, "needs_user_input")
    status = run(call("human_input_status", {})).structured_content
    assert status["status"] == "needs_user_input"


def test_a_question_that_the_person_wants_to_discuss_comes_back_with_their_words(person: Callable[..., Any]) -> None:
    person(saying(Discussed(text="what for?")))
    result = run(call("ask_user_question", CALLS["ask_user_question"])).structured_content
    assert (result["answers"], result["response"]) == ({}, "what for?")
    plan = run(call("approve_plan", CALLS["approve_plan"])).structured_content
    assert (plan["approved"], plan["status"], plan["feedback"]) == (False, "discussed", "what for?")


@pytest.mark.parametrize(
    ("reply", "reason"), [(Declined(), "declined"), (Cancelled(), "declined"), (TimedOut(), "unavailable")]
)
def test_an_unanswered_form_fails_or_gives_its_default_as_seed_002_says(
    reply: Reply, reason: str, person: Callable[..., Any]
) -> None:
    person(saying(reply))
    arguments = {**CALLS["ask_form"], "default": {"repo": "tylerdavis/graph"}}
    assert run(call("ask_form", {**arguments, "whenUnanswered": "fail"})).is_error
    result = run(call("ask_form", {**arguments, "whenUnanswered": "default"})).structured_content
    assert result == {"answer": {"repo": "tylerdavis/graph"}, "answered": False, "reason": reason}


def test_a_changed_plan_comes_back_with_the_persons_words(person: Callable[..., Any]) -> None:
    person()
    with scripted({"Go ahead with this plan?": "Keep the column"}):
        plan = run(call("approve_plan", CALLS["approve_plan"])).structured_content
    assert (plan["approved"], plan["mode"], plan["feedback"]) == (False, None, "Keep the column")
    assert "Change the plan" in plan["next_step"]


def test_c25_a_silly_limit_is_clamped_shown_and_said(person: Callable[..., Any]) -> None:
    shown: list[Pending] = []

    def answer(desk: Any, pending: Pending) -> None:
        shown.append(pending)
        desk.settle(pending.ask.id, Declined())

    person(answer)
    result = run(call("ask_choice", {**RED, "timeout_ms": 1})).structured_content
    assert shown[0].ask.timeout == 10
    assert "timeout_ms was 1, too short for a person to answer; the limit was 10000 ms" in result["message"]
    run(call("ask_choice", {**RED, "timeout_ms": 10**15}))
    run(call("ask_choice", RED))
    run(call("approve_plan", CALLS["approve_plan"]))
    assert [pending.ask.timeout for pending in shown[1:]] == [86_400, 300, None]


def test_c17_the_end_of_the_limit_is_told_and_the_draft_is_no_answer(
    person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posing, "LEAST_MS", 50)
    current = person()
    result = run(call("ask_choice", {**RED, "timeout_ms": 60})).structured_content
    assert (result["status"], result["answer"]) == ("timed_out", None)
    assert "in chat" in result["next_step"]
    assert not current.desk.snapshot()


def test_b18_signs_of_life_rise_while_the_person_thinks(
    person: Callable[..., Any], mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "HEARTBEAT", 0.05)
    current = person()
    beats: list[float] = []

    async def beat(progress: float, total: float | None, message: str | None) -> None:
        beats.append(progress)
        if len(beats) == 3:
            current.desk.settle(current.desk.snapshot()[0].ask.id, Declined())

    async def main() -> Any:
        async with connected(mode) as client:
            return await client.call_tool("ask_choice", RED, progress_callback=beat)

    assert run(main()).structured_content["status"] == "declined"
    assert len(beats) >= 3
    assert beats == sorted(set(beats))


@pytest.mark.parametrize("how", ["cancelled", "timed out"])
def test_c17_a_client_that_gives_up_withdraws_its_card_at_once(how: str, mode: str, person: Callable[..., Any]) -> None:
    """By `notifications/cancelled` in one era, by closing the response in the other."""
    person()

    async def main() -> None:
        async with connected(mode) as client:
            patience = 0.5 if how == "timed out" else None
            asking = asyncio.ensure_future(client.call_tool("ask_choice", RED, patience))
            (pending,) = await opened()
            if how == "cancelled":
                asking.cancel()
            await none_open()
            assert pending.reply is not None
            assert pending.reply.kind == "withdrawn"
            assert not runtime.current().desk.settle(pending.ask.id, Declined())
            await asyncio.wait({asking})
            assert asking.cancelled() or isinstance(asking.exception(), MCPError)

    run(main())


def test_a_client_that_vanishes_without_a_word_withdraws_its_card(mode: str, person: Callable[..., Any]) -> None:
    import httpx2

    person()

    async def main() -> None:
        server = serve.start()
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask_choice", "arguments": RED}}
        async with agent(server.url, server.token, mode="legacy") as client:
            del client  # it opens a session, of which only the id is wanted
            headers = {
                "Authorization": f"Bearer {server.token}",
                "Accept": "application/json, text/event-stream",
            }
            async with httpx2.AsyncClient(headers=headers, trust_env=False) as http:
                if mode == "legacy":
                    start = {
                        "jsonrpc": "2.0",
                        "id": 0,
                        "method": "initialize",
                        "params": {
                            "protocolVersion": "2025-06-18",
                            "capabilities": {},
                            "clientInfo": {"name": "raw", "version": "1"},
                        },
                    }
                    begun = await http.post(server.url, json=start)
                    http.headers["mcp-session-id"] = begun.headers["mcp-session-id"]
                    await http.post(server.url, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
                else:
                    http.headers["mcp-protocol-version"] = mode
                    http.headers["mcp-method"] = "tools/call"
                    http.headers["mcp-name"] = "ask_choice"
                    body["params"]["_meta"] = {  # type: ignore[index]
                        "io.modelcontextprotocol/protocolVersion": mode,
                        "io.modelcontextprotocol/clientCapabilities": {},
                    }
                asking = asyncio.ensure_future(http.post(server.url, json=body))
                await opened()
                asking.cancel()
                await none_open()

    run(main())


def test_b22_several_agents_ask_at_once_each_named_on_its_card(mode: str, person: Callable[..., Any]) -> None:
    current = person()

    async def main() -> list[Any]:
        async with connected(mode, name="Codex") as one, connected(mode, name="  ") as two:
            both = [
                asyncio.ensure_future(one.call_tool("ask_choice", RED)),
                asyncio.ensure_future(two.call_tool("ask_confirm", CALLS["ask_confirm"])),
            ]
            for pending in await opened(2):
                assert pending.ask.asker is not None
                named = {"ask_choice": "Codex", "ask_confirm": "An MCP client"}
                assert pending.ask.asker.label == named[str(pending.ask.asker.detail)]
                current.desk.settle(pending.ask.id, Declined())
            return await asyncio.gather(*both)

    assert [one.structured_content["tool"] for one in run(main())] == ["ask_choice", "ask_confirm"]


def test_a_flood_is_bounded_for_each_client_and_for_all(
    person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "PER_CLIENT", 3)
    monkeypatch.setattr(calls, "TOTAL", 5)
    current = person()

    async def main() -> None:
        async with connected("legacy", name="a") as one, connected("legacy", name="b") as two:
            asking = [asyncio.ensure_future(one.call_tool("ask_choice", RED)) for _ in range(3)]
            await opened(3)
            refused: Any = await one.call_tool("ask_choice", RED)
            assert refused.is_error
            assert "3 questions are open already, 3 of them yours" in refused.content[0].text
            asking += [asyncio.ensure_future(two.call_tool("ask_choice", RED)) for _ in range(2)]
            await opened(5)
            refused = await two.call_tool("ask_choice", RED)
            assert "5 questions are open already, 2 of them yours" in refused.content[0].text
            for pending in current.desk.snapshot():
                current.desk.settle(pending.ask.id, Declined())
            assert {(await one).structured_content["status"] for one in asking} == {"declined"}
            asking = [asyncio.ensure_future(one.call_tool("ask_choice", RED))]
            (pending,) = await opened()
            current.desk.settle(pending.ask.id, Declined())
            await asyncio.gather(*asking)

    run(main())


NESTED: Any = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "string"}}}}}
DEEP: Any = {"type": "string"}
for _ in range(100):
    DEEP = {"anyOf": [DEEP, {"type": "null"}]}
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("ask_choice", {"question": "Q?"}, "'options' is missing"),
    ("ask_choice", {**RED, "colour": 1}, "'colour' is not known here"),
    ("ask_choice", {"question": "Q?", "options": []}, "options: 0 given, at least 1 needed"),
    ("ask_choice", {"question": "Q?", "options": ["a", "a"]}, "'a' of 'Q?' is given twice"),
    ("ask_choice", {"question": " ", "options": ["a"]}, "say what is asked"),
    ("ask_choice", {**RED, "timeout_ms": "soon"}, "timeout_ms: 'soon' is a string"),
    ("ask_multi_select", {**CALLS["ask_multi_select"], "min": 3, "max": 1}, "min must not be above max"),
    ("ask_multi_select", {**CALLS["ask_multi_select"], "max": 9}, "has only 3 answers to pick"),
    ("ask_confirm", {"question": 3}, "question: 3 is a number"),
    ("ask_user_question", {"questions": []}, "questions: 0 given, at least 1 needed"),
    ("ask_user_question", {"questions": "[]"}, "is a string; send an array"),
    ("ask_form", {"prompt": "P", "outputSchema": NESTED}, "property 'a' is a nested object"),
    ("ask_form", {"prompt": "P", "outputSchema": {"properties": {"a": DEEP}}}, "property 'a'"),
    ("ask_form", {"prompt": "P", "outputSchema": {"properties": {"a": {"$ref": "https://x.example/s"}}}}, "only references within"),
    ("ask_form", {"prompt": "P", "outputSchema": {"properties": {f"p{n}": {"type": "string"} for n in range(5000)}}}, "5000 properties"),
    ("ask_form", {**CALLS["ask_form"], "default": {"days": 1}, "whenUnanswered": "default"}, "default does not fit"),
    ("ask_form", {**CALLS["ask_form"], "whenUnanswered": "default"}, "there is no default"),
    ("ask_form", {**CALLS["ask_form"], "default": {"elsewhere": 1}}, "'elsewhere', which is no field"),
    ("approve_plan", {"plan": "  "}, "the plan is '  '"),
    ("human_input_status", {"x": 1}, "'x' is not known here"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "said"), BAD, ids=lambda one: one if isinstance(one, str) else "")
def test_what_cannot_be_asked_is_an_error_that_names_the_fault(
    tool: str, arguments: dict[str, Any], said: str, person: Callable[..., Any]
) -> None:
    current = person()
    result = run(call(tool, arguments))
    assert result.is_error
    assert said in result.content[0].text
    assert not current.journal.records()


def test_an_unknown_tool_is_a_protocol_error_that_lists_those_there_are(mode: str) -> None:
    async def main() -> None:
        async with connected(mode) as client:
            with pytest.raises(MCPError, match="there is no tool 'ask_nicely'; there are ask_user_question") as error:
                await client.call_tool("ask_nicely")
            assert error.value.code == -32602

    run(main())


def test_text_of_an_agent_reaches_the_card_as_it_is(person: Callable[..., Any]) -> None:
    """No page is opened and nothing is fetched: it is text, and the card shows it as text."""
    seen: list[Pending] = []

    def answer(desk: Any, pending: Pending) -> None:
        seen.append(pending)
        desk.settle(pending.ask.id, Declined())

    person(answer)
    text = "<img src=x onerror=alert(1)> javascript:alert(1) https://xn--pple-43d.com"
    run(call("ask_choice", {"question": text, "options": ["<b>a</b>"]}))
    assert seen[0].ask.questions[0].text == text
    assert seen[0].ask.questions[0].options[0].label == "<b>a</b>"


def test_half_characters_and_endless_nesting_do_not_pass() -> None:
    taken = checked(TOOLS["ask_choice"], {"question": "a\ud800", "options": ["b"]})
    assert taken["question"] == "a\ufffd"
    deep: Any = {}
    for _ in range(5000):
        deep = {"properties": deep}
    with pytest.raises(ValueError, match="nested too deeply"):
        checked(TOOLS["ask_form"], {"prompt": "P", "outputSchema": deep})


def test_a_fault_of_ours_is_told_without_its_text(person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    current = person()
    monkeypatch.setattr(current, "route", lambda: 1 / 0)
    result = run(call("ask_choice", RED))
    assert result.is_error
    assert "nbask failed on it" in result.content[0].text
    assert "division" not in result.content[0].text


def elicited(action: str, content: Any = None, after: float = 0.0) -> Callable[..., Any]:
    async def answer(context: Any, params: Any) -> ElicitResult:
        answer.asked.append(params)  # type: ignore[attr-defined]
        await asyncio.sleep(after)
        return ElicitResult(action=action, content=content)  # type: ignore[arg-type]

    answer.asked = []  # type: ignore[attr-defined]
    return answer


ELICITED: dict[str, Any] = {
    "ask_user_question": {"q1": "Parquet"},
    "ask_choice": {"q1": "Red"},
    "ask_multi_select": {"q1": ["types", "lint"]},
    "ask_confirm": {"q1": True},
    "ask_text": {"q1": "exp-1"},
    "ask_form": {"repo": "a/b", "days": 3},
    "approve_plan": {"q1": "Yes, and go on by itself"},
}


@pytest.mark.parametrize("tool", ELICITED)
def test_where_the_notebook_cannot_ask_the_client_does(tool: str, mode: str, person: Callable[..., Any]) -> None:
    person(allow_stdin=False)
    answer = elicited("accept", ELICITED[tool])
    result = run(call(tool, CALLS[tool], mode, elicitation_callback=answer))
    assert not result.is_error
    check_contract(tool, result.structured_content)
    (asked,) = answer.asked  # type: ignore[attr-defined]
    assert asked.requested_schema["properties"]
    assert asked.message
    if "via" in result.structured_content:
        assert result.structured_content["via"] == "elicitation"
        assert result.structured_content["client_elicitation"] is True


def test_a_client_that_can_ask_is_not_asked_where_the_notebook_can(mode: str, person: Callable[..., Any]) -> None:
    person()
    answer = elicited("cancel")
    with scripted(ANSWERS):
        result = run(call("ask_choice", RED, mode, elicitation_callback=answer)).structured_content
    check_seed_001("ask_choice", result)
    assert (result["via"], result["client_elicitation"], answer.asked) == ("script", True, [])  # type: ignore[attr-defined]


@pytest.mark.parametrize(("action", "status"), [("decline", "declined"), ("cancel", "cancelled")])
@pytest.mark.parametrize("slow", [False, True])
def test_b15_a_refusal_faster_than_a_person_reads_is_said_to_be_suspect(
    action: str, status: str, slow: bool, mode: str, person: Callable[..., Any]
) -> None:
    person(allow_stdin=False)
    answer = elicited(action, after=TOO_FAST * 1.5 if slow else 0)
    result = run(call("ask_choice", RED, mode, elicitation_callback=answer)).structured_content
    assert (result["status"], result["answer"]) == (status, None)
    assert result["auto_reject_suspected"] is not slow
    assert ("ask the user in chat, and do not take this for a refusal" in result["next_step"]) is not slow


def test_what_a_client_was_answered_stands_in_the_log(mode: str, person: Callable[..., Any]) -> None:
    person(allow_stdin=False)
    before = len(decisions("records"))
    run(call("ask_choice", RED, mode, elicitation_callback=elicited("accept", {"q1": "Red"}, after=0.2)))
    here, client = decisions("records")[before:]
    assert (here["kind"], here["answer"], client["kind"], client["answer"]) == ("unavailable", "", "answered", "Red")
    assert (client["via"], client["asker"], client["question"]) == ("elicitation", here["asker"], here["question"])
    assert 0.2 <= client["seconds"] < BOUND
    assert here["at"] <= client["at"]


def test_a_secret_is_not_asked_by_a_clients_form(mode: str, person: Callable[..., Any]) -> None:
    person(allow_stdin=False)
    schema = {"type": "object", "properties": {"key": {"type": "string", "format": "password"}}}
    answer = elicited("accept", {"key": "hunter2"})
    result = run(call("ask_form", {"prompt": "Who?", "outputSchema": schema}, mode, elicitation_callback=answer))
    assert (result.is_error, answer.asked) == (True, [])  # type: ignore[attr-defined]


@pytest.mark.parametrize("content", [None, {}, {"q1": "Green"}, {"q1": 3}, {"other": "Red"}])
def test_an_accept_that_does_not_fit_is_no_answer(content: Any, mode: str, person: Callable[..., Any]) -> None:
    person(allow_stdin=False)
    result = run(call("ask_choice", RED, mode, elicitation_callback=elicited("accept", content))).structured_content
    assert (result["status"], result["answer"]) == ("needs_user_input", None)
    assert ".." not in result["message"]


def test_a_whole_number_is_one_however_a_client_spells_it(mode: str, person: Callable[..., Any]) -> None:
    person(allow_stdin=False)
    answer = elicited("accept", {"repo": "a/b", "days": 3.0})
    result = run(call("ask_form", CALLS["ask_form"], mode, elicitation_callback=answer)).structured_content
    assert result["answer"] == {"repo": "a/b", "days": 3}
    assert isinstance(result["answer"]["days"], int)


def test_a_client_that_drops_the_form_is_not_waited_for_for_ever(
    person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "LONGEST_FORM", 0.1)
    person(allow_stdin=False)
    slow = elicited("accept", ELICITED["approve_plan"], after=5)
    result = run(call("approve_plan", CALLS["approve_plan"], "legacy", elicitation_callback=slow)).structured_content
    assert (result["approved"], result["status"]) == (False, "needs_user_input")
    assert "nobody answered in time" in result["message"]


def test_what_a_client_brings_back_counts_for_its_own_question_alone(person: Callable[..., Any]) -> None:
    """A state that another call got, or none got, is refused before it is looked at."""
    person(allow_stdin=False)

    async def main() -> None:
        async with connected(elicitation_callback=elicited("accept", {"q1": True})) as client:
            asked = await client.session.call_tool("ask_choice", RED, allow_input_required=True)
            brought: Any = {"answer": ElicitResult(action="accept", content={"q1": True})}
            for state in (asked.request_state, "1.0", ""):  # type: ignore[union-attr]
                with pytest.raises(MCPError):
                    await client.session.call_tool(
                        "ask_confirm", CALLS["ask_confirm"], input_responses=brought, request_state=state
                    )

    run(main())


def test_stopping_tells_agents_whose_questions_are_open(mode: str, person: Callable[..., Any]) -> None:
    current = person()

    async def main() -> Any:
        async with connected(mode) as client:
            asking = asyncio.ensure_future(client.call_tool("ask_choice", RED))
            (pending,) = await opened()
            start = time.monotonic()
            await asyncio.to_thread(serve.stop)
            assert time.monotonic() - start < 5
            assert pending.reply is not None
            assert pending.reply.kind == "withdrawn"
            return await asking

    result = run(main()).structured_content
    assert result["status"] == "needs_user_input"
    assert "the notebook's server was stopped" in result["message"]
    assert not current.desk.snapshot()


def test_starting_again_goes_on_and_unloading_stops(person: Callable[..., Any]) -> None:
    person()
    server = serve.start()
    assert serve.start() is server
    assert serve.running() is server
    assert f"serving   agents outside, at {server.url}" in status(runtime.current())
    with pytest.raises(OSError, match=f"served on port {server.port} already"):
        serve.start(1 if server.port != 1 else 2)
    runtime.unload()
    assert serve.running() is None
    assert not server.running
    assert not serve.stop()


def test_without_the_sdk_both_doors_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "nbask.serve.server", None)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "nbask.serve.bridge", None)  # type: ignore[arg-type]
    monkeypatch.delattr(serve, "bridge", raising=False)
    with pytest.raises(
        ImportError, match=r"serving needs the MCP SDK, 2.0 or newer.*--upgrade 'mcp>=2' 'nbask\[mcp\]'"
    ):
        serve.start()
    assert main(["mcp"]) == 1
    assert re.search(r"nbask mcp: it needs the MCP SDK, 2.0 or newer.*'mcp>=2'", capsys.readouterr().err)


@pytest.mark.parametrize("fault", ["no file", "no thread", "no answer", "ended"])
def test_a_start_that_fails_leaves_nothing_behind(
    person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    def fail(*_: Any) -> Any:
        raise OSError(fault)

    def wait(calls: Any) -> Any:
        while not made[0]._stopped:
            time.sleep(0.01)
        return app(calls)

    person()
    app = server._app
    quiet = [logging.getLogger(name) for name in server.QUIET]
    levels = [logger.level for logger in quiet]
    made = [server.Server(0)]
    monkeypatch.setattr(server, "Server", lambda _port: made[0])
    match fault:
        case "no file":
            monkeypatch.setattr(rendezvous, "write", fail)
        case "no thread":
            monkeypatch.setattr(threading.Thread, "start", fail)
        case "no answer":
            monkeypatch.setattr(server, "START_LIMIT", 0)
            monkeypatch.setattr(server, "_app", wait)
        case _:
            monkeypatch.setattr(server, "_app", fail)
    with caplog.at_level(logging.CRITICAL, "nbask"), pytest.raises((OSError, RuntimeError)):
        serve.start()
    assert not made[0]._thread.is_alive()
    assert made[0]._socket.fileno() == -1
    assert [logger.level for logger in quiet] == levels
    assert (serve.running(), serve.stop()) == (None, False)


def test_a_port_that_is_taken_is_refused_with_the_mend(person: Callable[..., Any]) -> None:
    import socket

    person()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OSError, match="cannot be had .*leave it out for a free one"):
            serve.start(taken.getsockname()[1])


@pytest.mark.parametrize("port", ["8080", 65536, -1, 1.5, True, None])
def test_what_is_no_port_is_refused(port: Any) -> None:
    with pytest.raises(ValueError, match=f"port is {port!r}; give a number up to 65535, or 0"):
        serve.start(port)


def test_b17_a_closed_card_is_cancelled_and_a_declined_one_declined(person: Callable[..., Any]) -> None:
    """Closing and refusing are told apart."""
    for reply, told in ((Cancelled(via="card"), "cancelled"), (Declined(via="card"), "declined")):
        person(saying(reply))
        result = run(call("ask_choice", RED)).structured_content
        assert (result["status"], result["auto_reject_suspected"]) == (told, False)
        serve.stop()


def test_the_schema_of_a_form_goes_to_the_client_as_it_came(person: Callable[..., Any]) -> None:
    person(allow_stdin=False)
    answer = elicited("accept", ELICITED["ask_form"])
    run(call("ask_form", CALLS["ask_form"], elicitation_callback=answer))
    assert answer.asked[0].requested_schema == SCHEMA  # type: ignore[attr-defined]
    assert answer.asked[0].message == "Where?"  # type: ignore[attr-defined]
