"""The recipes, with stand-ins of the shapes that the released frameworks have: each framework's answer, and its no."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel

from nbask import NoAnswer
from nbask.adapters import recipes
from nbask.adapters.toolkit.extras import Incompatible
from nbask.replies import Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted

Runner = Callable[..., Future[Any]]
NOTHING: list[Reply] = [Declined(), Cancelled(), Discussed(text="first"), TimedOut(), Unavailable(), Withdrawn()]
no_answer = pytest.mark.parametrize("reply", NOTHING, ids=lambda reply: reply.kind)


class Made(SimpleNamespace):
    """What a framework's class makes of its keywords."""


def module(monkeypatch: pytest.MonkeyPatch, name: str, **names: Any) -> None:
    made = ModuleType(name)
    vars(made).update(names)
    for parent in (name.rsplit(".", count)[0] for count in range(name.count("."), 0, -1)):
        monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
    monkeypatch.setitem(sys.modules, name, made)


def said(script: Any, asking: Any) -> Any:
    with scripted(script):
        return asyncio.run(asyncio.wait_for(asking, 10))


# Strands

PROMPT = 'Approve "rm" — it is risky?\n  Input: {"path": "data"}'
TRUST = "Approve, and trust this tool in this session (where trust is enabled)"


@pytest.mark.parametrize(
    ("answer", "sent"), [("Approve", "yes"), (TRUST, "trust"), ("Deny", "no"), ("yes, no, wait", "no: yes, no, wait")]
)
def test_strands_gets_a_word_it_knows(answer: str, sent: str) -> None:
    assert said({"Allow rm?": answer}, recipes.strands_ask(PROMPT)) == sent


@no_answer
def test_strands_gets_a_no_where_there_is_no_answer(reply: Reply) -> None:
    assert said(lambda _ask: reply, recipes.strands_ask(PROMPT)).startswith("no: ")


def test_strands_call_is_shown_and_a_prompt_of_another_shape_is_shown_whole() -> None:
    with scripted(lambda _ask: "Approve") as asks:
        asyncio.run(recipes.strands_ask(PROMPT))
        asyncio.run(recipes.strands_ask("May I?"))
    assert (asks[0].message, asks[0].questions[0].description) == (
        '```json\n{\n  "path": "data"\n}\n```',
        "it is risky",
    )
    assert asks[1].message == "```\nMay I?\n```"


# AutoGen


def test_autogen_gets_what_was_said() -> None:
    assert said({"Enter your response:": "Go on"}, recipes.autogen_input("Enter your response: ")) == "Go on"


@no_answer
def test_autogen_hears_that_there_is_no_answer(reply: Reply) -> None:
    with pytest.raises(NoAnswer):
        said(lambda _ask: reply, recipes.autogen_input("Enter your response: "))


def test_autogens_cancelled_token_ends_the_asking(person: Any) -> None:
    current = person(lambda _desk, _pending: None)

    async def main() -> None:
        linked: list[asyncio.Future[Any]] = []
        token = SimpleNamespace(link_future=linked.append)
        asking = asyncio.ensure_future(recipes.autogen_input("Enter your response: ", token))
        while not current.host.asked:
            await asyncio.sleep(0.01)
        linked[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(asyncio.wait_for(main(), 10))
    assert isinstance(current.host.asked[0].reply, Withdrawn)


@pytest.mark.parametrize(
    ("answer", "approved", "reason"),
    [("Approve", True, "The user approved it."), ("Deny", False, "The user denied it."), ("No", False, "No")],
)
def test_autogens_code_runs_only_where_it_was_approved(
    monkeypatch: pytest.MonkeyPatch, answer: str, approved: bool, reason: str
) -> None:
    module(monkeypatch, "autogen_agentchat.agents", ApprovalResponse=Made)
    made = said({"Allow this code?": answer}, recipes.autogen_approval(SimpleNamespace(code="print(1)", context=[])))
    assert made == Made(approved=approved, reason=reason)


# AG2

APPROVE = SimpleNamespace(
    content="Agent wants to call the tool:\n`rm`, {}\nY/N/Always?", timeout=None, tool_call_id="t"
)


@pytest.mark.parametrize(
    ("answer", "sent"), [("Approve", "y"), ("Approve this tool from now on", "always"), ("Deny", "n")]
)
def test_ag2_gets_a_word_it_knows(answer: str, sent: str) -> None:
    assert said({"Allow this tool call?": answer}, recipes.ag2_hook(APPROVE)) == sent


@no_answer
def test_ag2_gets_a_no_for_a_call_and_no_words_for_a_question(reply: Reply) -> None:
    assert said(lambda _ask: reply, recipes.ag2_hook(APPROVE)) == "n"
    with pytest.raises(NoAnswer):
        said(lambda _ask: reply, recipes.ag2_hook(SimpleNamespace(content="Which city?", timeout=None)))


def test_ag2s_own_limit_is_the_cards() -> None:
    with scripted(lambda _ask: "Arcachon") as asks:
        asyncio.run(recipes.ag2_hook(SimpleNamespace(content="Which city?", timeout=30)))
    assert asks[0].timeout == 30


# CrewAI

CONTEXT = SimpleNamespace(message="Publish?", method_output="A draft", emit=["publish", "revise"])


@pytest.mark.parametrize("answer", ["revise", "shorter, please"], ids=["an outcome", "Other"])
def test_crewai_gets_an_outcome_or_words_from_a_worker_thread(in_thread: Runner, answer: str) -> None:
    with scripted({"Publish?": answer}) as asks:
        assert in_thread(recipes.CrewaiProvider().request_feedback, CONTEXT, None).result(5) == answer
    assert asks[0].message == "A draft"


@no_answer
def test_crewai_gets_no_empty_text_which_would_accept(reply: Reply) -> None:
    provider = recipes.CrewaiProvider()
    with scripted(lambda _ask: reply):
        with pytest.raises(NoAnswer):
            provider.request_feedback(CONTEXT, None)
        with pytest.raises(NoAnswer):
            provider.request_input("Topic?", None, None)


def test_crewais_flow_asks_for_a_line() -> None:
    with scripted({"Topic?": "Dunes"}):
        assert recipes.CrewaiProvider().request_input("Topic?", None, {}) == "Dunes"


# LlamaIndex


class InputRequired(dict[str, Any]):
    """An event: its fields, as a mapping has them."""


@dataclass
class Handler:
    events: list[Any]
    sent: list[Any] = field(default_factory=list)
    cancelled: bool = False

    async def stream_events(self) -> AsyncIterator[Any]:
        for event in self.events:
            yield event
        while len(self.sent) < sum(isinstance(one, InputRequired) for one in self.events):
            await asyncio.sleep(0.01)

    async def send_event(self, event: Any) -> None:
        self.sent.append(event)

    async def cancel_run(self) -> None:
        self.cancelled = True

    def __await__(self) -> Any:
        yield from asyncio.sleep(0).__await__()
        return "done"


@pytest.fixture
def llama(monkeypatch: pytest.MonkeyPatch) -> None:
    module(monkeypatch, "workflows.events", InputRequiredEvent=InputRequired, HumanResponseEvent=Made)


def test_llama_index_gets_an_answer_to_each_event_with_its_fields(llama: None) -> None:
    handler = Handler([object(), InputRequired(prefix="Name?", user="u1"), InputRequired(msg="City?", user="u2")])
    assert said({"Name?": "Ann", "City?": "Arcachon"}, recipes.llama_index_run(handler)) == "done"
    sent = sorted(handler.sent, key=lambda event: event.user)
    assert sent == [Made(prefix="Name?", user="u1", response="Ann"), Made(msg="City?", user="u2", response="Arcachon")]


@no_answer
def test_llama_index_is_cancelled_where_there_is_no_answer(llama: None, reply: Reply) -> None:
    handler = Handler([InputRequired(prefix="Name?")])
    with pytest.raises(NoAnswer):
        said(lambda _ask: reply, recipes.llama_index_run(handler))
    assert handler.cancelled
    assert handler.sent == []


# Google ADK


class AdkRunner:
    """Asks for the confirmations, then ends."""

    def __init__(self, *calls: Any) -> None:
        self.calls = calls
        self.messages: list[Any] = []

    async def run_async(self, *, user_id: str, session_id: str, new_message: Any) -> AsyncIterator[Any]:
        self.messages.append(new_message)
        calls = list(self.calls) if len(self.messages) == 1 else []
        yield SimpleNamespace(get_function_calls=lambda: calls)


def confirmation(number: int, payload: Any = None) -> Any:
    args = {
        "originalFunctionCall": {"name": f"rm{number}", "args": {"path": "data"}},
        "toolConfirmation": {"hint": "Sure?", "confirmed": False, "payload": payload},
    }
    return SimpleNamespace(id=f"c{number}", name="adk_request_confirmation", args=args)


@pytest.fixture
def adk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Any]]:
    module(monkeypatch, "google.genai.types", Content=Made, Part=Made, FunctionResponse=Made)

    def run(script: Any, *calls: Any) -> list[Any]:
        runner = AdkRunner(*calls)
        said(script, recipes.adk_run(runner, "go", user_id="u", session_id="s"))
        return [(part.function_response.id, part.function_response.response) for part in runner.messages[1].parts]

    return run


def test_adk_gets_a_confirmation_for_each_call(adk: Callable[..., list[Any]]) -> None:
    answers = {"Allow rm1?": "Approve", "Allow rm2?": "Deny"}
    sent = adk(answers, confirmation(1), confirmation(2))
    assert sent == [("c1", {"confirmed": True}), ("c2", {"confirmed": False})]


@pytest.mark.parametrize("payload", [{"days": 3}, {}])
def test_adk_gets_the_payload_that_was_filled_in(adk: Callable[..., list[Any]], payload: dict[str, Any]) -> None:
    def script(ask: Any) -> Any:
        return "Edit first" if ask.layout == "tabs" else {"arguments": json.dumps(payload)}

    assert adk(script, confirmation(1, {"days": 0})) == [("c1", {"confirmed": True, "payload": payload})]
    assert adk(lambda _ask: "Approve", confirmation(1, {"days": 0}))[0][1]["payload"] == {"days": 0}


@no_answer
def test_adk_gets_no_confirmation_where_there_is_no_answer(adk: Callable[..., list[Any]], reply: Reply) -> None:
    assert adk(lambda _ask: reply, confirmation(1)) == [("c1", {"confirmed": False})]


@pytest.mark.parametrize(
    ("schema", "said", "sent"),
    [
        (None, "Oslo", {"result": "Oslo"}),
        ({"type": "string"}, "Oslo", {"result": "Oslo"}),
        ({"type": "boolean"}, {"result": "Yes"}, {"result": True}),
        ({"type": "integer", "minimum": 2}, {"result": 5}, {"result": 5}),
        ({"type": "object", "properties": {"city": {"type": "string"}}}, {"city": "Oslo"}, {"city": "Oslo"}),
        ({"type": "array", "items": {"type": "object"}}, {"result": '[{"a": 1}]'}, {"result": [{"a": 1}]}),
    ],
    ids=range(6),
)
def test_adk_gets_the_input_it_asks_for_in_the_shape_it_wants(
    adk: Callable[..., list[Any]], schema: Any, said: Any, sent: dict[str, Any]
) -> None:
    args = {"message": "Where to?", "response_schema": schema, "payload": None, "interruptId": "i1"}
    assert adk(lambda _ask: said, SimpleNamespace(id="i1", name="adk_request_input", args=args)) == [("i1", sent)]


@no_answer
def test_adk_gets_no_input_made_up(adk: Callable[..., list[Any]], reply: Reply) -> None:
    with pytest.raises(NoAnswer, match="Where to"):
        adk(lambda _ask: reply, SimpleNamespace(id="i1", name="adk_request_input", args={"message": "Where to?"}))


def test_adks_own_hint_is_no_noise_on_the_card(adk: Callable[..., list[Any]]) -> None:
    seen: list[Any] = []
    call = confirmation(1)
    for hint in ("Please approve or reject the tool call rm1() by responding with a FunctionResponse.", "Sure?"):
        call.args["toolConfirmation"]["hint"] = hint
        adk(lambda ask: seen.append(ask.questions[0].description) or "Deny", call)
    assert seen == [None, "Sure?"]


# Microsoft Agent Framework


class Trip(BaseModel):
    city: str
    days: int = 2


@dataclass
class Workflow:
    requests: list[Any]
    responses: Any = None

    async def run(self, message: Any = None, responses: Any = None) -> Any:
        self.responses = responses
        return SimpleNamespace(get_request_info_events=lambda: [] if responses else self.requests)


def request(name: str, data: Any, response_type: Any) -> Any:
    return SimpleNamespace(request_id=name, data=data, response_type=response_type)


def test_agent_frameworks_requests_are_answered_in_the_type_they_want() -> None:
    workflow = Workflow(
        [
            request("a", "Your name?", str),
            request("b", "Sure?", bool),
            request("c", {"question": "Where to?"}, Trip),
            request("d", {"question": "How many?"}, int),
        ]
    )
    answers = {"Your name?": "Ann", "Sure?": False, "Where to?": {"city": "Cap Ferret"}, "How many?": 3}
    said(answers, recipes.agent_framework_workflow(workflow, "go"))
    assert workflow.responses == {"a": "Ann", "b": False, "c": Trip(city="Cap Ferret"), "d": 3}


@dataclass
class Approvable:
    name: str
    type: str = "function_approval_request"

    @property
    def function_call(self) -> Any:
        return SimpleNamespace(name=self.name, arguments='{"path": "data"}')

    def to_function_approval_response(self, approved: bool) -> Any:
        return self.name, approved


class Agent:
    def __init__(self, *requests: Any) -> None:
        self.requests = list(requests)
        self.sent: Any = None

    async def run(self, message: Any, *, session: Any) -> Any:
        pending, self.requests = self.requests, []
        self.sent = message
        return SimpleNamespace(user_input_requests=pending)


def test_agent_frameworks_tool_calls_are_approved_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    module(monkeypatch, "agent_framework", Message=lambda role, contents: (role, contents))
    agent = Agent(Approvable("rm"), Approvable("ls"))
    said({"Allow rm?": "Deny", "Allow ls?": "Approve"}, recipes.agent_framework_agent(agent, "go", session=None))
    assert agent.sent == ("user", [("rm", False), ("ls", True)])


@no_answer
def test_agent_framework_gets_no_approval_and_no_answer_made_up(monkeypatch: pytest.MonkeyPatch, reply: Reply) -> None:
    module(monkeypatch, "agent_framework", Message=lambda role, contents: contents)
    agent = Agent(Approvable("rm"))
    said(lambda _ask: reply, recipes.agent_framework_agent(agent, "go", session=None))
    assert agent.sent == [("rm", False)]
    with pytest.raises(NoAnswer):
        said(lambda _ask: reply, recipes.agent_framework_workflow(Workflow([request("a", "Sure?", bool)]), "go"))


# Inspect


@dataclass
class Call:
    function: str
    arguments: dict[str, Any]
    id: str = "c1"


@pytest.fixture
def inspect_gets(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Any]:
    module(monkeypatch, "inspect_ai.approval", Approval=Made)
    call = Call("bash", {"cmd": "ls"})
    return lambda script: said(script, recipes.inspect_approve("I will look", call, None, []))


def test_inspect_gets_its_decision(inspect_gets: Callable[[Any], Any]) -> None:
    def edit(ask: Any) -> Any:
        return "Edit first" if ask.layout == "tabs" else {"arguments": '{"cmd": "ls -l"}'}

    assert inspect_gets({"Allow bash?": "Approve"}) == Made(decision="approve")
    assert inspect_gets({"Allow bash?": "not now"}) == Made(decision="reject", explanation="not now")
    assert inspect_gets(edit) == Made(decision="modify", modified=Call("bash", {"cmd": "ls -l"}))


@no_answer
def test_inspect_rejects_or_passes_on_what_nobody_decided(inspect_gets: Callable[[Any], Any], reply: Reply) -> None:
    want = "escalate" if isinstance(reply, Unavailable) else "reject"
    assert inspect_gets(lambda _ask: reply).decision == want


# All of them


def test_they_ask_from_another_threads_loop(in_thread: Runner) -> None:
    with scripted({"Allow rm?": "Approve"}):
        assert in_thread(asyncio.run, recipes.strands_ask(PROMPT)).result(5) == "yes"


@pytest.mark.parametrize(
    ("asking", "package"),
    [
        (lambda: recipes.ag2_hook(object()), "ag2"),
        (lambda: recipes.inspect_approve("", object(), None, []), "inspect-ai"),
    ],
    ids=["ag2", "inspect"],
)
def test_a_dropped_field_is_named(monkeypatch: pytest.MonkeyPatch, asking: Any, package: str) -> None:
    module(monkeypatch, "inspect_ai.approval", Approval=Made)
    with pytest.raises(Incompatible, match=package):
        asyncio.run(asking())


def test_a_framework_that_is_not_installed_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(ImportError, match="inspect-ai"):
        asyncio.run(recipes.inspect_approve("", Call("bash", {}), None, []))
