"""The OpenAI Agents SDK: approvals and questions of a run on cards, with the released package and a scripted model.

Cases of the project's list that are tested here, by id: A1, A2, A3, A30.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from nbask import Ask
from nbask.adapters.openai_agents import ask_user, decide, run
from nbask.adapters.toolkit.extras import Incompatible
from nbask.kinds import Answer
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted

if TYPE_CHECKING:
    from driver import Kernel
    from page import Execution

set_tracing_disabled(True)

Call = tuple[str, dict[str, Any]]
ENDS: list[Reply] = [
    Declined(),
    Cancelled(),
    TimedOut(),
    Unavailable(reason="nobody can be asked here"),
    Withdrawn(),
    Discussed(text="What is it for?"),
]
ALLOW = "Allow delete?"


class ScriptedModel(Model):
    """Makes these calls, turn by turn, and says "Done."; `read` is what came back of them."""

    def __init__(self, *turns: list[Call]) -> None:
        self.turns = list(turns)
        self.read: list[str] = []

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **options: Any) -> ModelResponse:  # pyright: ignore[reportIncompatibleMethodOverride]
        items = input if isinstance(input, list) else []
        self.read = [one["output"] for one in items if one.get("type") == "function_call_output"]
        done = ResponseOutputText(annotations=[], text="Done.", type="output_text")
        said = ResponseOutputMessage(id="m", content=[done], role="assistant", status="completed", type="message")
        output: Any = self._calls() if self.turns else [said]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def _calls(self) -> list[Any]:
        left = len(self.turns)
        return [
            ResponseFunctionToolCall(
                call_id=f"call-{left}-{index}", type="function_call", name=name, arguments=json.dumps(arguments)
            )
            for index, (name, arguments) in enumerate(self.turns.pop(0))
        ]

    def stream_response(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError


def agent_of(*turns: list[Call]) -> tuple[Agent[Any], list[str]]:
    """An agent that makes these calls, and the paths that it deleted."""
    deleted: list[str] = []

    @function_tool(needs_approval=True)
    def delete(path: str) -> str:
        """Delete a file."""
        deleted.append(path)
        return f"deleted {path}"

    return Agent(name="Cleaner", model=ScriptedModel(*turns), tools=[delete, ask_user]), deleted


def delete(*paths: str) -> list[Call]:
    return [("delete", {"path": path}) for path in paths]


def told(agent: Agent[Any], script: Any) -> list[str]:
    """What the model reads of its calls."""
    with scripted(script):
        result = asyncio.run(run(agent, "Clean up."))
    assert result.final_output == "Done."
    assert isinstance(agent.model, ScriptedModel)
    return agent.model.read


def answer(script: Any, question: str = "Which?", *labels: str, many: bool = False) -> dict[str, Any]:
    """What the model reads of a question it asked."""
    options = [{"label": label, "description": None} for label in labels] or None
    agent, _ = agent_of([("ask_user", {"question": question, "options": options, "many": many})])
    return json.loads(told(agent, script)[0])


def test_an_approved_call_runs() -> None:
    agent, deleted = agent_of(delete("a.csv"))
    assert told(agent, {ALLOW: "Approve"}) == ["deleted a.csv"]
    assert deleted == ["a.csv"]


def test_the_card_says_whose_call_it_is_and_all_its_arguments() -> None:
    agent, _ = agent_of(delete("a.csv"))
    with scripted({ALLOW: "Deny"}) as seen:
        asyncio.run(run(agent, "Clean up."))
    assert seen[0].asker is not None
    assert (seen[0].asker.label, seen[0].asker.detail) == ("Cleaner", "delete")
    assert '"path": "a.csv"' in (seen[0].message or "")
    labels = [option.label for option in seen[0].questions[0].options]
    assert labels == ["Approve", "Always allow delete in this run", "Deny"]


def test_what_is_always_allowed_is_not_asked_again_in_this_run() -> None:
    agent, deleted = agent_of(delete("a.csv"), delete("b.csv"), delete("c.csv"))
    with scripted({ALLOW: "Always allow delete in this run"}) as seen:
        asyncio.run(run(agent, "Clean up."))
    assert deleted == ["a.csv", "b.csv", "c.csv"]
    assert len(seen) == 1


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
    assert deleted == ["a.csv", "c.csv"]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.kind)
def test_a3_a_call_that_nobody_decided_on_does_not_run_and_says_so(end: Reply) -> None:
    agent, deleted = agent_of(delete("a.csv"))
    (words,) = told(agent, {ALLOW: end})
    assert words.startswith("Nobody has decided on this call, so it was not run: ")
    assert not deleted
    assert ("What is it for?" in words) is isinstance(end, Discussed)


def test_a1_the_model_reads_what_was_picked() -> None:
    assert answer({"Which?": "Postgres"}, "Which?", "Postgres (Recommended)", "SQLite") == {"answer": "Postgres"}
    assert answer({"Which?": "SQLite"}, "Which?", "Postgres (Recommended)", "SQLite") == {"answer": "SQLite"}


def test_words_of_ones_own_are_the_answer() -> None:
    assert answer({"Which?": 'neither, "really"'}, "Which?", "A", "B") == {"answer": 'neither, "really"'}


def test_several_picks_are_a_list_whatever_their_labels_hold() -> None:
    picked = ["A, B", 'C "D"', "and E"]
    assert answer({"Which?": picked}, "Which?", "A, B", 'C "D"', many=True) == {"answer": picked}


def test_a_question_without_options_takes_words() -> None:
    assert answer({"Name?": "Ann"}, "Name?") == {"answer": "Ann"}


def test_a_note_goes_with_the_answer_and_alone_is_none() -> None:
    noted = Answered(answers={"q1": Answer("A", ("A",), notes="for now")})
    assert answer(lambda ask: noted, "Which?", "A", "B") == {"answer": "A", "notes": "for now"}
    alone = Answered(answers={"q1": Answer(None, notes="ask Bo")})
    assert answer(lambda ask: alone, "Which?", "A", "B") == {"notes": "ask Bo"}


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.kind)
def test_a2_a_question_that_nobody_answered_has_no_answer_and_says_why(end: Reply) -> None:
    result = answer({"Which?": end}, "Which?", "A", "B")
    assert list(result) == ["unanswered"]
    assert result["unanswered"]


def test_a30_each_of_five_questions_in_a_row_waits_for_its_own_answer() -> None:
    turns: list[list[Call]] = [[("ask_user", {"question": f"{n}?", "options": None, "many": False})] for n in range(5)]
    agent, _ = agent_of(*turns)
    read = told(agent, lambda ask: f"to {ask.questions[0].text}")
    assert [json.loads(one)["answer"] for one in read] == [f"to {n}?" for n in range(5)]


def test_a_question_that_cannot_be_asked_is_the_models_to_mend() -> None:
    options = [{"label": "A", "description": None}, {"label": "A", "description": None}]
    agent, _ = agent_of([("ask_user", {"question": "Which?", "options": options, "many": False})])
    (words,) = told(agent, {})
    assert "'A'" in json.loads(words)["error"]


def test_the_state_of_a_run_that_was_interrupted_before_is_taken_up() -> None:
    agent, deleted = agent_of(delete("a.csv"))

    async def later() -> Any:
        result = await Runner.run(agent, "Clean up.")
        return await run(agent, result.to_state())

    with scripted({ALLOW: "Approve"}):
        assert asyncio.run(later()).final_output == "Done."
    assert deleted == ["a.csv"]


def test_the_runs_context_and_turns_are_the_callers() -> None:
    seen: list[Any] = []

    async def is_needed(context: Any, arguments: Any, call_id: str) -> bool:
        seen.append(context.context)
        return True

    @function_tool(needs_approval=is_needed)
    def delete(path: str) -> str:
        return f"deleted {path}"

    calls: list[list[Call]] = [[("delete", {"path": path})] for path in ("a.csv", "b.csv")]
    agent = Agent(name="Cleaner", model=ScriptedModel(*calls), tools=[delete])
    with scripted({ALLOW: "Approve"}):
        asyncio.run(run(agent, "Clean up.", context={"who": "Ann"}, max_turns=5))
    assert seen
    assert all(one == {"who": "Ann"} for one in seen)


@pytest.mark.parametrize("lost", ["name", "arguments"])
def test_an_upgrade_that_drops_a_field_is_named_and_approves_nothing(lost: str) -> None:
    item = SimpleNamespace(**{name: "x" for name in ("name", "arguments") if name != lost})
    result = SimpleNamespace(to_state=SimpleNamespace, interruptions=[item])
    with scripted({}) as seen, pytest.raises(Incompatible, match=rf"openai-agents [\d.]+ sent .* without '{lost}'"):
        asyncio.run(decide(result))
    assert not seen


def test_a_result_without_interruptions_is_named() -> None:
    with pytest.raises(Incompatible, match="without 'interruptions'"):
        asyncio.run(decide(SimpleNamespace(to_state=lambda: None)))


def test_it_runs_on_the_loop_of_another_thread_and_sync_tools_ask_from_theirs() -> None:
    @function_tool
    def sync_tool() -> str:
        """Ask from the worker thread that the SDK runs sync tools in."""
        from nbask import ask

        return ask("In a thread?", ["yes", "no"])

    model = ScriptedModel([("sync_tool", {}), *delete("a.csv")])
    agent, deleted = agent_of()
    agent.model = model
    agent.tools.append(sync_tool)
    with scripted({"In a thread?": "yes", ALLOW: "Approve"}), ThreadPoolExecutor() as pool:
        pool.submit(asyncio.run, run(agent, "Clean up.")).result(20)
    assert sorted(model.read) == ["deleted a.csv", "yes"]
    assert deleted == ["a.csv"]


def test_no_setting_answers_for_the_person() -> None:
    def denied(ask: Ask) -> Any:
        assert ask.when_unanswered == "raise"
        return "Deny" if ask.questions[0].options else "Ann"

    agent, _ = agent_of([*delete("a.csv"), ("ask_user", {"question": "Name?", "options": None, "many": False})])
    told(agent, denied)


@pytest.mark.parametrize("use", ["asyncio.run(adapter.run(None, ''))", "adapter.ask_user"])
def test_without_the_sdk_the_adapter_imports_and_its_use_names_the_extra(use: str) -> None:
    code = f"""
import asyncio, sys
sys.modules["agents"] = None
import nbask.adapters.openai_agents as adapter
try:
    {use}
except ImportError as fault:
    print(fault)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == 'this needs the package agents: pip install "nbask[openai-agents]"'


READY = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from test_openai_agents import *"
CELL = "agent, deleted = agent_of({})\nresult = await run(agent, 'Clean up.', {})\nprint(sorted(agent.model.read))"


@pytest.fixture
def cell(own_kernel: Kernel) -> Callable[..., Execution]:
    """Run an agent with these turns in a kernel; what the model reads is printed."""
    own_kernel.run(READY).ok(60)
    return lambda turns, options="": own_kernel.run(CELL.format(turns, options))


def test_on_the_kernels_loop_two_calls_are_two_cards_at_one_time(own_kernel: Kernel, cell: Any) -> None:
    running = cell("delete('a.csv', 'b.csv')")
    first, second = own_kernel.wait_card().attach(), own_kernel.wait_card().attach()
    second.pick(other="Not this one")
    assert second.wait_ended() == "answered"
    assert not running.done
    first.pick("Approve")
    assert running.ok().strip() == str(["The user did not allow this call: Not this one", "deleted a.csv"])


def test_a_card_whose_time_is_over_leaves_the_call_unrun(own_kernel: Kernel, cell: Any) -> None:
    running = cell("delete('a.csv')", "timeout=0.5")
    assert own_kernel.wait_card().attach().wait_ended() == "timed_out"
    assert "so it was not run: the time for it ran out." in running.ok()


def test_a_run_that_is_cancelled_takes_its_cards_along(own_kernel: Kernel, cell: Any) -> None:
    running = own_kernel.run(
        "agent, deleted = agent_of(delete('a.csv', 'b.csv'))\n"
        "task = asyncio.ensure_future(run(agent, 'Clean up.'))\n"
        "while len(nbask.runtime.current().desk.snapshot()) < 2: await asyncio.sleep(0.01)\n"
        "task.cancel()\nawait asyncio.wait([task])\nprint(task.cancelled(), deleted)"
    )
    cards = [own_kernel.wait_card(), own_kernel.wait_card()]
    assert [card.wait_ended() for card in cards] == ["withdrawn", "withdrawn"]
    assert running.ok().strip() == "True []"
