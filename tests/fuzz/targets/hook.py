"""A coding agent's hook: whatever it is given, a decision is printed that a person has made, or nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from unittest.mock import patch

import asks
from asks import is_sentence
from source import Source

from nbask import Ask, NoAnswer, hook
from nbask.adapters.claude import ask_user_question, read_hook
from nbask.plans import AUTO, MANUAL
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply
from nbask.serve import rendezvous
from nbask.serve.hooks import Hooks
from nbask.testing import scripted
from targets.schema import schema

EVENTS = ("PreToolUse", "PermissionRequest", "Elicitation", "PostToolUse")
DECIDED = (Answered, Declined, Discussed)


def attack(data: bytes) -> None:
    source = Source(data)
    shape = source.byte() % 8
    if shape == 0:
        _printed(source.rest(), [])
    elif shape == 1:
        _called(source)
    else:
        payload = _payload(source)
        _hooked(source, payload)
        _printed(json.dumps(payload).encode(), payload)


def _payload(source: Source) -> Any:
    if source.rarely():
        return source.json()
    return {
        "hook_event_name": source.maybe(source.pick(EVENTS)),
        "tool_name": source.maybe(source.pick(("AskUserQuestion", "ExitPlanMode", "Bash"))),
        "tool_input": source.maybe(_tool_input(source)),
        "message": source.maybe(source.text()),
        "mode": source.maybe(source.pick((None, "form", "url"))),
        "url": source.maybe(source.pick(("https://example.org", "x"))),
        "requested_schema": schema(source, True),
        **source.mapping({"session_id": source.text, "cwd": source.text, "mcp_server_name": source.text}),
    }


def _tool_input(source: Source) -> Any:
    if source.flag():
        return source.mapping({"plan": source.text, "planFilePath": source.text, "x": source.json})
    questions = source.maybe(source.several(lambda: source.maybe(_question(source)), 4))
    given: Any = {"questions": json.dumps(questions) if source.rarely() else questions}
    given |= source.mapping({"answers": source.json, "annotations": source.json, "metadata": source.json})
    return json.dumps(given) if source.rarely() else given


def _question(source: Source) -> Any:
    def option() -> Any:
        made = {"label": source.name(), "description": source.text()}
        return source.maybe(made | source.mapping({"preview": source.text, "x": source.json}))

    made = {"question": source.name(), "header": source.text(), "options": source.several(option, 4)}
    return made | {"multiSelect": source.maybe(source.flag())}


class Person:
    """Who is asked; what they said, and to what."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.asks: list[Ask] = []
        self.replies: list[Reply] = []

    def __call__(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        self.replies.append(asks.reply(self._source, ask))
        return self.replies[-1]


def _hooked(source: Source, payload: Any) -> None:
    """The kernel's side, from the request's body on."""
    person = Person(source)
    with scripted(person):
        status, body = asyncio.run(_request(json.dumps(payload).encode()))
    assert status in (200, 204, 400), status
    assert len(person.asks) <= 1
    assert (status == 200) is bool(body)
    if status != 200:
        # What a person has said is not thrown away; only of a form that cannot be drawn there is nothing to say.
        undrawable = [ask for ask in person.asks if ask.submit == "Tell the server"]
        assert undrawable or not person.replies or not isinstance(person.replies[0], DECIDED), person.replies
        return
    (reply,) = person.replies
    output = json.loads(body.decode("ascii"))
    assert set(output) == {"hookSpecificOutput"}
    said = output["hookSpecificOutput"]
    assert said.pop("hookEventName") == payload["hook_event_name"]
    _check_decision(payload["hook_event_name"], said, person.asks[0], reply)


def _check_decision(event: str, said: dict[str, Any], ask: Ask, reply: Reply) -> None:
    if event == "Elicitation":
        assert (said["action"] == "accept") is isinstance(reply, Answered)
        assert (said["action"] == "decline") is isinstance(reply, Declined)
        assert said["action"] in ("accept", "decline", "cancel")
        assert said.keys() <= {"action", "content"}
        assert "content" not in said or said["action"] == "accept"
        return
    if event == "PreToolUse":
        allowed, words = said["permissionDecision"] == "allow", said.get("permissionDecisionReason")
        assert said["permissionDecision"] in ("allow", "deny")
    else:
        decision = said["decision"]
        allowed, words = decision["behavior"] == "allow", decision.get("message")
        assert decision["behavior"] in ("allow", "deny")
        for update in decision.get("updatedPermissions", []):
            assert (update["mode"] == "acceptEdits") is (_approval(reply) == "auto")
    if allowed:
        assert _approval(reply) is not None if _is_plan(ask) else isinstance(reply, Answered | Discussed)
    else:
        assert isinstance(words, str)
        assert words.strip()
        assert _is_plan(ask) or not isinstance(reply, Answered)
        assert not (isinstance(reply, Cancelled) and reply.by == "interrupt")


def _is_plan(ask: Ask) -> bool:
    return [option.label for option in ask.questions[0].options] == [AUTO, MANUAL]


def _approval(reply: Reply) -> str | None:
    """Which way a plan was approved, or None."""
    if not isinstance(reply, Answered):
        return None
    return {AUTO: "auto", MANUAL: "manual"}.get("".join(reply.answers["q1"].selected))


async def _request(body: bytes) -> tuple[int, bytes]:
    sent: list[Any] = []
    parts = [{"type": "http.request", "body": body[:7], "more_body": True}, {"type": "http.request", "body": body[7:]}]

    async def receive() -> Any:
        if parts:
            return parts.pop(0)
        return await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    async def nothing(*_: Any) -> None:
        raise AssertionError("it is nobody else's")

    await Hooks(nothing)({"type": "http", "path": "/hook", "method": "POST"}, receive, send)
    return sent[0]["status"], sent[1]["body"]


def _printed(given: bytes, payload: Any) -> None:
    """The command's side: it prints what the kernel says, and only where there is something to ask."""
    reached: list[bytes] = []

    def asked(_found: Any, sent: bytes) -> str:
        reached.append(sent)
        return "printed"

    with patch.object(rendezvous, "living", lambda: iter([object()])), patch.object(hook, "_asked", asked):
        printed = hook.answer(given)
    assert printed in ("", "printed")
    assert reached in ([], [given])
    if read_hook(payload) is None and payload != []:
        assert not reached


def _called(source: Source) -> None:
    """A model's call of the tool itself: a result, or words that the model can mend its call by."""
    person = Person(source)
    given = source.maybe(_tool_input(source))
    with scripted(person):
        try:
            result = ask_user_question(given, strict=source.flag())
        except NoAnswer:
            assert not isinstance(person.replies[0], Answered | Discussed)
            return
        except ValueError as fault:
            assert is_sentence(fault), fault
            assert not person.replies
            return
    (ask,), (reply,) = person.asks, person.replies
    asked = {question.text for question in ask.questions}
    assert set(result["answers"]) <= asked
    assert all(isinstance(words, str) for words in result["answers"].values())
    assert ("response" in result) is isinstance(reply, Discussed)
    assert not (result["answers"] and isinstance(reply, Discussed))
