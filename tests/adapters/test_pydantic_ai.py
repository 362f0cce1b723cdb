"""Pydantic AI: questions and approvals of a run on cards, with the released packages and a scripted model.

Cases of the project's list that are tested here, by id: A1, A2, A3, A23, A30.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai import Agent, ApprovalRequired, CallDeferred, DeferredToolRequests, RunContext, Tool
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai_harness.ask_user import AskUser, AskUserRequest

from nbask import Ask
from nbask.adapters.pydantic_ai import answerer, handle_deferred
from nbask.adapters.toolkit.extras import Incompatible
from nbask.replies import Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted

if TYPE_CHECKING:
    from driver import Kernel
    from page import Execution

Call = tuple[str, dict[str, Any]]
SILENT: list[Reply] = [TimedOut(), Unavailable(reason="nobody can be asked here"), Withdrawn()]
ENDS: list[Reply] = [*SILENT, Declined(), Cancelled(), Discussed(text="What is it for?")]
ALLOW = "Allow delete?"
ASKING = AskUser(answerer=answerer)
HANDLING = HandleDeferredToolCalls(handler=handle_deferred)


def model_of(*turns: list[Call]) -> FunctionModel:
    """A model that makes these calls, turn by turn, and says "Done."."""

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        turn = sum(isinstance(message, ModelResponse) for message in messages)
        if turn == len(turns):
            return ModelResponse(parts=[TextPart("Done.")])
        calls = enumerate(turns[turn])
        return ModelResponse(parts=[ToolCallPart(name, args, f"call-{turn}-{index}") for index, (name, args) in calls])

    return FunctionModel(reply)


def deletes(deleted: list[str]) -> Tool[Any]:
    def delete(path: str, force: bool = False) -> str:
        """Delete a file."""
        deleted.append(path)
        return f"deleted {path}"

    return Tool(delete, requires_approval=True)


def agent_of(*turns: list[Call], tools: Any = (), capabilities: Any = (ASKING, HANDLING)) -> tuple[Agent, list[str]]:
    """An agent that makes these calls, and the paths that it deleted."""
    deleted: list[str] = []
    agent = Agent(model_of(*turns), name="Cleaner", tools=[deletes(deleted), *tools], capabilities=list(capabilities))
    return agent, deleted


def delete(*paths: str) -> list[Call]:
    return [("delete", {"path": path}) for path in paths]


def question(header: str, text: str, *labels: str, many: bool = False) -> dict[str, Any]:
    options = [{"label": label, "description": None} for label in labels or ("A", "B")]
    return {"header": header, "question": text, "options": options, "multi_select": many}


def call(*questions: dict[str, Any]) -> list[Call]:
    return [("ask_user_question", {"questions": list(questions)})]


def parts_of(result: Any) -> list[ToolReturnPart]:
    messages = result.all_messages()
    return [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]


def told(agent: Agent, script: Any) -> list[Any]:
    """What the model reads of its calls."""
    with scripted(script):
        result = asyncio.run(agent.run("Clean up."))
    assert result.output == "Done."
    return [part.content for part in parts_of(result)]


def answers(script: Any, *questions: dict[str, Any], capability: Any = ASKING) -> Any:
    """What the model reads of questions that it asked."""
    agent, _ = agent_of(call(*questions), capabilities=[capability])
    return told(agent, script)[0]


DEFERRED = pytest.mark.parametrize("deferred", [False, True], ids=["in line", "deferred"])


def put_to(deferred: bool) -> list[Any]:
    return [AskUser(answerer=None), HANDLING] if deferred else [ASKING]


@DEFERRED
def test_a1_the_model_reads_what_was_picked(deferred: bool) -> None:
    agent, _ = agent_of(call(question("DB", "Which DB?", "Postgres", "SQLite")), capabilities=put_to(deferred))
    assert told(agent, {"Which DB?": "SQLite"}) == [{"DB": ["SQLite"]}]


def test_words_of_ones_own_are_the_answer() -> None:
    assert answers({"Which?": 'neither, "really"'}, question("Q", "Which?")) == {"Q": ['neither, "really"']}


def test_several_picks_are_a_list_whatever_their_labels_hold() -> None:
    several = question("Q", "Which?", "A, B", 'C "D"', "E", many=True)
    assert answers({"Which?": ["A, B", 'C "D"']}, several) == {"Q": ["A, B", 'C "D"']}


def test_words_beside_picks_lose_neither() -> None:
    several = question("Q", "Which?", "A, B", "C", many=True)
    assert answers({"Which?": ["A, B", "C", "and D"]}, several) == {"Q": ['"A, B", C, and D']}


def test_what_cannot_be_seen_does_not_fail_the_run() -> None:
    typed = "a\tb\u200bc\r\nd\u202e"
    assert answers({"Which?": typed}, question("Q", "Which?")) == {"Q": ["a bc\nd"]}


def test_a23_one_text_asked_twice_has_two_answers() -> None:
    given = iter([{"q1": "Ann", "q2": "Bo"}])
    asked = [question("a", "Name?"), question("b", "Name?")]
    assert answers(lambda ask: next(given), *asked) == {"a": ["Ann"], "b": ["Bo"]}


def test_a_recommended_option_is_marked_and_comes_back_as_it_was() -> None:
    with scripted({"Which?": "A (Recommended)"}) as seen:
        agent, _ = agent_of(call(question("Q", "Which?", "A (Recommended)", "B")))
        result = asyncio.run(agent.run("Go."))
    assert seen[0].questions[0].options[0].recommended
    assert parts_of(result)[0].content == {"Q": ["A (Recommended)"]}


def test_a_card_has_no_room_for_notes_that_would_be_lost() -> None:
    with scripted({"Which?": "A"}) as seen:
        agent, _ = agent_of(call(question("Q", "Which?")))
        asyncio.run(agent.run("Go."))
    assert seen[0].questions[0].notes is False


@DEFERRED
@pytest.mark.parametrize("end", [Declined(), Cancelled()], ids=lambda end: end.kind)
def test_the_model_reads_that_the_user_declined(deferred: bool, end: Reply) -> None:
    agent, _ = agent_of(call(question("Q", "Which?")), capabilities=put_to(deferred))
    (words,) = told(agent, {"Which?": end})
    assert words.startswith("The user declined to answer.")


@DEFERRED
def test_the_model_reads_what_the_user_wants_to_talk_about(deferred: bool) -> None:
    asked = [question("a", "Which?"), question("b", "And then?")]
    agent, _ = agent_of(call(*asked), capabilities=put_to(deferred))
    words = "Not answered yet: the person wants to discuss it first: What is it for?."
    assert told(agent, lambda ask: Discussed(text="What is it for?")) == [{"a": [words], "b": [words]}]


@DEFERRED
@pytest.mark.parametrize("end", SILENT, ids=lambda end: end.kind)
def test_a2_silence_is_a_failed_call_and_neither_an_answer_nor_a_refusal(deferred: bool, end: Reply) -> None:
    agent, _ = agent_of(call(question("Q", "Which?")), capabilities=put_to(deferred))
    with scripted({"Which?": end}):
        result = asyncio.run(agent.run("Go."))
    (part,) = parts_of(result)
    assert part.outcome == "failed"
    assert "The user has not answered this" in str(part.content)
    assert "declined" not in str(part.content)


def test_a30_each_of_five_questions_in_a_row_waits_for_its_own_answer() -> None:
    turns = [call(question(f"h{n}", f"{n}?")) for n in range(5)]
    agent, _ = agent_of(*turns)
    read = told(agent, lambda ask: f"to {ask.questions[0].text}")
    assert read == [{f"h{n}": [f"to {n}?"]} for n in range(5)]


def test_an_approved_call_runs() -> None:
    agent, deleted = agent_of(delete("a.csv"))
    assert told(agent, {ALLOW: "Approve"}) == ["deleted a.csv"]
    assert deleted == ["a.csv"]


def test_a_call_runs_with_the_arguments_it_was_changed_to_in_a_form() -> None:
    agent, deleted = agent_of(delete("a.csv"))
    changed = {"path": "old.csv", "force": True}
    told(agent, lambda ask: changed if ask.layout == "form" else "Edit first")
    assert deleted == ["old.csv"]


def test_a_denied_call_does_not_run_and_the_model_reads_why() -> None:
    agent, deleted = agent_of(delete("a.csv"))
    assert told(agent, {ALLOW: 'Keep it, "please"'}) == ['The user did not allow this call: Keep it, "please"']
    assert not deleted


def test_a_call_is_denied_without_a_word() -> None:
    agent, _ = agent_of(delete("a.csv"))
    assert told(agent, {ALLOW: "Deny"}) == ["The user did not allow this call."]


def test_calls_of_one_turn_are_each_decided_on_their_own() -> None:
    agent, deleted = agent_of(delete("a.csv", "b.csv", "c.csv"))
    told(agent, lambda ask: "Deny" if "b.csv" in ask.message else "Approve")
    assert sorted(deleted) == ["a.csv", "c.csv"]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.kind)
def test_a3_a_call_that_nobody_decided_on_does_not_run_and_says_so(end: Reply) -> None:
    agent, deleted = agent_of(delete("a.csv"))
    (words,) = told(agent, {ALLOW: end})
    assert words.startswith("Nobody has decided on this call, so it was not run: ")
    assert not deleted
    assert ("What is it for?" in words) is isinstance(end, Discussed)


def test_the_card_says_who_asks_and_what_the_tool_said_of_the_call() -> None:
    def pay(context: RunContext, euros: int) -> str:
        if not context.tool_call_approved:
            raise ApprovalRequired(metadata={"why": "over the limit", "limit": 10})
        return "paid"

    agent, _ = agent_of([("pay", {"euros": 20})], tools=[pay])
    with scripted({"Allow pay?": "Approve"}) as seen:
        result = asyncio.run(agent.run("Pay."))
    assert parts_of(result)[0].content == "paid"
    assert seen[0].asker is not None
    assert (seen[0].asker.label, seen[0].asker.detail) == ("Cleaner", "pay")
    assert seen[0].questions[0].description == "why: over the limit\nlimit: 10"


def of_a_kind(kind: str, *calls: ToolCallPart) -> Any:
    """Deferred calls, as versions that tell their kinds send them."""
    return SimpleNamespace(approvals=[], calls=list(calls), metadata={}, kind=lambda call_id: kind)


@pytest.mark.parametrize("end", [None, *ENDS], ids=lambda end: "answered" if end is None else end.kind)
def test_a_deferred_question_of_the_authors_own_is_asked(end: Reply | None) -> None:
    asked = ToolCallPart("choose", {"question": "Which?", "options": ["A", "B"]}, "call-1")
    with scripted({"Which?": "B" if end is None else end}):
        result = asyncio.run(handle_deferred(None, of_a_kind("question", asked))).calls["call-1"]
    if end is None:
        assert result == "B"
    elif isinstance(end, Discussed):
        assert result == "Not answered yet: the person wants to discuss it first: What is it for?."
    else:
        assert isinstance(result, ToolFailed)
        assert "has not answered this" in result.message


def test_calls_that_run_elsewhere_are_left_to_whoever_runs_them() -> None:
    def elsewhere() -> str:
        """A job of another machine."""
        raise CallDeferred

    agent = Agent(
        model_of([("elsewhere", {})]),
        tools=[elsewhere],
        capabilities=[HANDLING],
        output_type=[str, DeferredToolRequests],
    )
    with scripted({}) as seen:
        result = asyncio.run(agent.run("Go."))
    assert isinstance(result.output, DeferredToolRequests)
    assert [one.tool_name for one in result.output.calls] == ["elsewhere"]
    assert not seen


def test_a_version_without_kinds_leaves_all_but_its_own_question_tool() -> None:
    external = ToolCallPart("elsewhere", {}, "call-1")
    asked = ToolCallPart("ask_user_question", {"questions": [question("Q", "Which?")]}, "call-2")
    old = SimpleNamespace(approvals=[], calls=[external, asked], metadata={})
    with scripted({"Which?": "A"}):
        results = asyncio.run(handle_deferred(None, old))
    assert results.calls == {"call-2": {"Q": ["A"]}}


@pytest.mark.parametrize("lost", ["header", "question", "options", "multi_select"])
def test_an_upgrade_that_drops_a_field_of_a_question_is_named(lost: str) -> None:
    fields = {"header": "Q", "question": "Which?", "options": [], "multi_select": False}
    one = SimpleNamespace(**{name: value for name, value in fields.items() if name != lost})
    with (
        scripted({}) as seen,
        pytest.raises(Incompatible, match=rf"pydantic-ai-harness [\d.]+ sent .* without '{lost}'"),
    ):
        asyncio.run(answerer(SimpleNamespace(questions=[one])))
    assert not seen


def test_a_version_that_cannot_report_a_failed_call_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("pydantic_ai.exceptions.ToolFailed")
    asked = AskUserRequest.from_tool_call(ToolCallPart("ask_user_question", {"questions": [question("Q", "Which?")]}))
    with scripted({"Which?": TimedOut()}), pytest.raises(Incompatible, match="without 'ToolFailed'"):
        asyncio.run(answerer(asked))


@pytest.mark.parametrize("lost", ["approvals", "calls", "metadata"])
def test_an_upgrade_that_drops_a_field_of_the_requests_is_named_and_approves_nothing(lost: str) -> None:
    fields = {"approvals": [ToolCallPart("delete", {}, "call-1")], "calls": [], "metadata": {}}
    requests = SimpleNamespace(**{name: value for name, value in fields.items() if name != lost})
    with scripted({}) as seen, pytest.raises(Incompatible, match=rf"pydantic-ai-slim [\d.]+ sent .* without '{lost}'"):
        asyncio.run(handle_deferred(None, requests))
    assert not seen


def run_sync(agent: Agent) -> Any:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        return agent.run_sync("Clean up.")
    finally:
        loop.close()


def test_it_runs_on_the_loop_of_another_thread_and_sync_tools_ask_from_theirs() -> None:
    def sync_tool() -> str:
        """Ask from the worker thread that sync tools run in."""
        from nbask import ask

        return ask("In a thread?", ["yes", "no"])

    agent, deleted = agent_of([("sync_tool", {}), *delete("a.csv")], tools=[sync_tool])
    with scripted({"In a thread?": "yes", ALLOW: "Approve"}), ThreadPoolExecutor() as pool:
        result = pool.submit(asyncio.run, agent.run("Clean up.")).result(20)
        blocked = pool.submit(run_sync, agent_of(delete("b.csv"))[0]).result(20)
    assert sorted(str(part.content) for part in parts_of(result)) == ["deleted a.csv", "yes"]
    assert deleted == ["a.csv"]
    assert blocked.output == "Done."


def test_no_setting_answers_for_the_person() -> None:
    def checked(ask: Ask) -> Any:
        assert ask.when_unanswered == "raise"
        return ask.questions[0].options[0].label

    agent, _ = agent_of([*delete("a.csv"), *call(question("Q", "Which?"))])
    told(agent, checked)


@pytest.mark.parametrize(
    ("blocked", "use", "install"),
    [
        ("pydantic_ai", "handle_deferred(None, None)", "nbask[pydantic-ai]"),
        ("pydantic_ai_harness", "answerer(None)", "pydantic-ai-harness"),
    ],
)
def test_without_the_package_the_adapter_imports_and_its_use_says_what_to_install(
    blocked: str, use: str, install: str
) -> None:
    code = f"""
import asyncio, sys
sys.modules[{blocked!r}] = None
import nbask.adapters.pydantic_ai as adapter
try:
    asyncio.run(adapter.{use})
except ImportError as fault:
    print(fault)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == f'this needs the package {blocked}: pip install "{install}"'


READY = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from test_pydantic_ai import *"
CELL = """
agent, deleted = agent_of({}, capabilities=[AskUser(answerer=answerer, timeout={}), HANDLING])
result = await agent.run("Go.")
print([part.content for part in parts_of(result)])
"""


@pytest.fixture
def cell(own_kernel: Kernel) -> Callable[..., Execution]:
    """Run an agent with these turns in a kernel; what the model reads is printed."""
    own_kernel.run(READY).ok(60)
    return lambda turns, timeout=None: own_kernel.run(CELL.format(turns, timeout))


def test_on_the_kernels_loop_a_call_and_a_question_are_two_cards(own_kernel: Kernel, cell: Any) -> None:
    running = cell("[*delete('a.csv', 'b.csv')], call(question('Q', 'Which?'))")
    first, second = own_kernel.wait_card().attach(), own_kernel.wait_card().attach()
    second.pick(other="Not this one")
    assert second.wait_ended() == "answered"
    first.pick("Approve")
    third = own_kernel.wait_card().attach()
    third.pick("B")
    assert eval(running.ok()) == ["deleted a.csv", "The user did not allow this call: Not this one", {"Q": ["B"]}]


def test_a_card_whose_time_is_over_is_withdrawn_and_the_model_reads_that_nobody_answered(
    own_kernel: Kernel, cell: Any
) -> None:
    running = cell("call(question('Q', 'Which?'))", 0.5)
    assert own_kernel.wait_card().attach().wait_ended() == "withdrawn"
    assert "The user did not answer in time" in running.ok()


def test_a_run_that_is_cancelled_takes_its_cards_along(own_kernel: Kernel, cell: Any) -> None:
    running = own_kernel.run(
        "agent, deleted = agent_of(delete('a.csv', 'b.csv'))\n"
        "task = asyncio.ensure_future(agent.run('Clean up.'))\n"
        "while len(nbask.runtime.current().desk.snapshot()) < 2: await asyncio.sleep(0.01)\n"
        "task.cancel()\nawait asyncio.wait([task])\nprint(task.cancelled(), deleted)"
    )
    cards = [own_kernel.wait_card(), own_kernel.wait_card()]
    assert [card.wait_ended() for card in cards] == ["withdrawn", "withdrawn"]
    assert running.ok().strip() == "True []"
