"""LangGraph and LangChain: each interrupt of a run answered on a card, with the released packages and no model.

Cases of the project's list that are tested here, by id: A1, A2, A3, A30.
"""

from __future__ import annotations

import asyncio
import operator
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel, field_validator

from nbask import Ask, NoAnswer
from nbask.adapters.langgraph import ainvoke, invoke
from nbask.adapters.langgraph.interrupts import ANSWER, _json
from nbask.adapters.toolkit import loose
from nbask.adapters.toolkit.extras import Incompatible
from nbask.kinds import InvalidForm
from nbask.replies import Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted

if TYPE_CHECKING:
    from driver import Kernel
    from page import Execution

Node = Callable[[Any], dict[str, Any]]
ENDS: list[Reply] = [
    Declined(),
    Cancelled(),
    TimedOut(),
    Unavailable(reason="nobody can be asked here"),
    Withdrawn(),
    Discussed(text="What is it for?"),
]
HITL = "Allow delete?"


class State(TypedDict):
    said: Annotated[list[Any], operator.add]


def graph_of(*nodes: Any) -> Any:
    """A graph that runs these nodes side by side."""
    graph = StateGraph(State)
    for number, node in enumerate(nodes):
        graph.add_node(f"node{number}", node)
        graph.add_edge(START, f"node{number}")
    return graph.compile(checkpointer=InMemorySaver())


def asks(*values: Any, schema: Any = None) -> Node:
    """A node that interrupts with one value after the other."""

    def node(state: State) -> dict[str, Any]:
        return {"said": [interrupt(value, response_schema=schema) for value in values]}

    return node


def thread() -> dict[str, Any]:
    return {"configurable": {"thread_id": "1"}}


def said(script: Any, *nodes: Node) -> list[Any]:
    with scripted(script):
        return invoke(graph_of(*nodes), {"said": []}, thread())["said"]


class ScriptedModel(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self


def agent_of(mode: Literal["batched", "per_call"], *allowed: Any, calls: int = 1) -> tuple[Any, list[str]]:
    """An agent that wants to delete some files, and the paths that were deleted."""
    deleted: list[str] = []

    def delete(path: str, force: bool = False) -> str:
        """Delete a file."""
        deleted.append(path)
        return f"deleted {path}"

    wanted: Any = [{"name": "delete", "args": {"path": f"{n}.csv"}, "id": f"call-{n}"} for n in range(calls)]
    model = ScriptedModel(messages=iter([AIMessage("", tool_calls=wanted), AIMessage("Done.")]))
    on: Any = {"delete": {"allowed_decisions": list(allowed)} if allowed else True}
    reviewed = HumanInTheLoopMiddleware(interrupt_on=on, interrupt_mode=mode)
    return create_agent(model, [delete], middleware=[reviewed], checkpointer=InMemorySaver()), deleted


def told(agent: Any, script: Any) -> list[str]:
    """What the model reads of its calls."""
    with scripted(script):
        result = invoke(agent, {"messages": [("user", "Clean up.")]}, thread())
    return [message.content for message in result["messages"] if message.type == "tool"]


MODES = pytest.mark.parametrize("mode", ["batched", "per_call"])


def test_a1_the_run_goes_on_with_what_was_picked() -> None:
    assert said({"Which DB?": "Postgres"}, asks({"question": "Which DB?", "options": ["Postgres", "SQLite"]})) == [
        "Postgres"
    ]


def test_words_of_ones_own_go_back_as_they_were_typed() -> None:
    request = {"question": "Which DB?", "options": ["Postgres", "SQLite"]}
    assert said({"Which DB?": 'neither, "really"'}, asks(request)) == ['neither, "really"']


def test_several_picks_are_a_list_whatever_their_labels_hold() -> None:
    request = {"question": "Which?", "options": ["A, B", 'C "D"', "E"], "multi_select": True}
    assert said({"Which?": ["A, B", 'C "D"', "and F"]}, asks(request)) == [["A, B", 'C "D"', "and F"]]


def test_an_options_own_value_goes_back() -> None:
    request = {"question": "Which?", "options": [{"label": "First", "value": 1}, {"label": "Second", "value": 2}]}
    assert said({"Which?": "Second"}, asks(request)) == [2]


def test_what_a_request_holds_beside_its_question_is_shown() -> None:
    with scripted({"Is this fine?": "Yes"}) as seen:
        invoke(graph_of(asks({"question": "Is this fine?", "draft": "Dear **Ann**"})), {"said": []}, thread())
    assert '"draft": "Dear **Ann**"' in (seen[0].message or "")
    assert seen[0].message is not None
    assert seen[0].message.startswith("```json")


def test_a_text_too_long_for_a_question_is_shown_above_it_and_answered_in_words() -> None:
    draft = "Dear Ann,\n" + "and so on. " * 40
    with scripted(lambda ask: "[fine]") as seen:
        assert invoke(graph_of(asks(draft)), {"said": []}, thread())["said"] == ["[fine]"]
    assert seen[0].questions[0].text == "What should the run go on with?"
    assert draft.strip() in (seen[0].message or "")


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ('{"a": [1]}', {"a": [1]}),
        ("[1, 2]", [1, 2]),
        *((words, words) for words in ("{not json", "[NaN]", "[" * 100_000, "42")),
    ],
    ids=range(6),
)
def test_a_value_that_asks_nothing_takes_words_or_json(typed: str, value: Any) -> None:
    assert said(lambda ask: typed, asks({"state": 3})) == [value]


@dataclass
class Noted:
    question: str
    choices: tuple[str, ...]


class Modelled(BaseModel):
    question: str
    options: dict[str, str]


@pytest.mark.parametrize(
    "value",
    [
        {"question": "Which?", "options": ("CSV", "Parquet")},
        {"question": "Which?", "options": {"CSV": "Plain", "Parquet": "Small"}},
        Noted("Which?", ("CSV", "Parquet")),
        Modelled(question="Which?", options={"CSV": "Plain", "Parquet": "Small"}),
    ],
    ids=["tuple", "mapping", "dataclass", "pydantic"],
)
def test_a_question_with_options_is_read_however_python_spells_it(value: Any) -> None:
    read = loose.read(value)
    assert (read.question.text, [one.label for one in read.question.options]) == ("Which?", ["CSV", "Parquet"])
    assert read.message is None
    described = isinstance(value, Modelled) or (isinstance(value, dict) and isinstance(value["options"], dict))
    assert [one.description for one in read.question.options] == (["Plain", "Small"] if described else [None, None])


def test_all_that_is_said_of_an_option_is_on_the_card() -> None:
    plain = {"label": "CSV", "value": 1, "description": "Plain", "size": 3, "note": None, "tags": ["a"]}
    read = loose.read({"question": "Which?", "options": [plain, {"name": "Parquet", "text": "Small"}]})
    assert [(one.label, one.description, one.result) for one in read.question.options] == [
        ("CSV", "Plain; size: 3; tags: ['a']", 1),
        ("Parquet", "text: Small", "Parquet"),
    ]


@pytest.mark.parametrize("value", [None, "", " \n"])
def test_what_says_nothing_shows_nothing(value: Any) -> None:
    assert loose.read(value).message is None


def test_a30_each_of_five_asks_in_a_row_waits_for_its_own_answer() -> None:
    texts = [f"Question {n}?" for n in range(5)]
    assert said(lambda ask: f"to {ask.questions[0].text}", asks(*texts)) == [f"to {text}" for text in texts]


def test_interrupts_of_nodes_side_by_side_are_each_answered() -> None:
    assert sorted(said({"A?": "a", "B?": "b", "C?": "c"}, asks("A?"), asks("B?", "C?"))) == ["a", "b", "c"]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_answer_comes_whichever_version_of_the_output_is_wanted(version: Any) -> None:
    graph = graph_of(asks("A?"))
    with scripted({"A?": "a"}):
        result = invoke(graph, {"said": []}, thread(), version=version)
    assert (result if version == "v1" else result.value)["said"] == ["a"]


def test_the_answer_comes_when_updates_are_wanted() -> None:
    with scripted({"A?": "a"}):
        assert invoke(graph_of(asks("A?")), {"said": []}, thread(), stream_mode="updates") == [
            {"node0": {"said": ["a"]}}
        ]


@pytest.mark.parametrize("modes", [["values", "updates"], ["updates"], "tasks", "custom"], ids=str)
@pytest.mark.parametrize("awaited", [False, True])
def test_every_interrupt_is_asked_whatever_is_streamed(modes: Any, awaited: bool) -> None:
    inner = graph_of(asks("A?", "B?"))
    graph = graph_of(inner, asks("C?"))
    with scripted({"A?": "a", "B?": "b", "C?": "c"}) as seen:
        if awaited:
            asyncio.run(ainvoke(graph, {"said": []}, thread(), stream_mode=modes))
        else:
            invoke(graph, {"said": []}, thread(), stream_mode=modes)
    assert sorted(ask.questions[0].text for ask in seen) == ["A?", "B?", "C?"]
    assert graph.get_state(thread()).values["said"] == ["a", "b", "c"]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.kind)
def test_a2_what_nobody_answered_is_no_answer_and_the_graph_waits_for_it(end: Reply) -> None:
    graph = graph_of(asks("Which?"))
    with scripted({"Which?": end}), pytest.raises(NoAnswer) as caught:
        invoke(graph, {"said": []}, thread())
    assert caught.value.reply is end
    with scripted({"Which?": "this one"}):
        assert invoke(graph, None, thread())["said"] == ["this one"]


def test_what_was_answered_beside_it_is_not_asked_again() -> None:
    graph = graph_of(asks("A?"), asks("B?"))
    with scripted({"A?": Declined(), "B?": "b"}), pytest.raises(NoAnswer, match="A\\?"):
        invoke(graph, {"said": []}, thread())
    with scripted({"A?": "a"}) as seen:
        assert invoke(graph, None, thread())["said"] == ["a", "b"]
    assert len(seen) == 1


class Trip(BaseModel):
    city: str
    days: int = 1

    @field_validator("city")
    @classmethod
    def _is_reachable(cls, city: str) -> str:
        if city == "Atlantis":
            raise ValueError("there is no way there")
        return city


def test_a_response_schema_is_a_form() -> None:
    (trip,) = said({"Where to?": {"city": "Cap Ferret", "days": 3}}, asks("Where to?", schema=Trip))
    assert trip == Trip(city="Cap Ferret", days=3)


@pytest.mark.parametrize("typed", ["{", "NaN", "[-Infinity]", "[" * 100_000], ids=["cut", "NaN", "endless", "deep"])
def test_what_is_no_json_does_not_go_to_the_graph(typed: str) -> None:
    form = _json({"type": "object", "properties": {"deep": {"type": "object"}}}, None)
    with pytest.raises(InvalidForm, match="This is no JSON"):
        form.finish({ANSWER: typed})


def test_what_the_graph_does_not_take_is_asked_again_with_its_words_and_what_was_filled_in() -> None:
    answers = iter(["Atlantis", "Nantes"])
    with scripted(lambda ask: {"city": next(answers), "days": 2}) as seen:
        state = invoke(graph_of(asks("Where to?", schema=Trip)), {"said": []}, thread())
    assert state["said"] == [Trip(city="Nantes", days=2)]
    assert "there is no way there" in (seen[1].message or "")
    assert [question.default for question in seen[1].questions] == ["Atlantis", 2]


def test_a_refused_answer_does_not_run_the_work_beside_it_twice() -> None:
    runs: list[str] = []

    def works(state: State) -> dict[str, Any]:
        city = interrupt("And then?", response_schema=Trip).city
        runs.append(city)
        return {"said": [city]}

    cities = iter(["Nantes", "Atlantis", "Brest"])
    with scripted(lambda ask: {"city": next(cities)}):
        state = invoke(graph_of(works, asks("Where to?", schema=Trip)), {"said": []}, thread())
    assert runs == ["Nantes"]
    assert state["said"] == ["Nantes", Trip(city="Brest")]


@pytest.mark.parametrize(
    ("schema", "answer", "value"),
    [
        ({"type": "boolean"}, "No", False),
        ({"enum": ["low", "high"]}, "high", "high"),
        ({"type": "integer", "minimum": 2}, 3, 3),
        ({"type": "array", "items": {"enum": ["A, B", 'C "D"', "E"]}}, ["A, B", 'C "D"'], ["A, B", 'C "D"']),
        ({"type": "object", "properties": {"at": {"type": "object"}}}, '{"at": {"x": 1}}', {"at": {"x": 1}}),
    ],
    ids=["a boolean", "an enum", "an integer", "several with commas and quotes", "one that no form can be drawn for"],
)
def test_a_schema_of_one_value_takes_that_value(schema: Any, answer: Any, value: Any) -> None:
    assert said(lambda ask: {"answer": answer}, asks("Which?", schema=schema)) == [value]


@MODES
def test_an_approved_call_runs(mode: Any) -> None:
    agent, deleted = agent_of(mode)
    assert told(agent, {HITL: "Approve"}) == ["deleted 0.csv"]
    assert deleted == ["0.csv"]


@MODES
def test_a_call_runs_with_the_arguments_it_was_changed_to(mode: Any) -> None:
    agent, deleted = agent_of(mode)
    changed = {"path": "old.csv", "force": True} if mode == "per_call" else {"arguments": '{"path": "old.csv"}'}
    told(agent, lambda ask: changed if ask.layout == "form" else "Edit first")
    assert deleted == ["old.csv"]


@MODES
def test_a_denied_call_does_not_run_and_the_model_reads_why(mode: Any) -> None:
    agent, deleted = agent_of(mode)
    (words,) = told(agent, {HITL: 'Keep it, "please"'})
    assert words.endswith('with reason: Keep it, "please"')
    assert not deleted


@MODES
def test_a_call_is_answered_in_words_in_its_place(mode: Any) -> None:
    agent, deleted = agent_of(mode)
    script = {HITL: "Answer in words instead", "What to answer in place of delete?": "It is gone already."}
    assert told(agent, script) == ["It is gone already."]
    assert not deleted


@MODES
def test_calls_of_one_turn_are_each_decided_on_their_own(mode: Any) -> None:
    agent, deleted = agent_of(mode, calls=3)
    told(agent, lambda ask: "Deny" if "1.csv" in ask.message else "Approve")
    assert sorted(deleted) == ["0.csv", "2.csv"]


@MODES
@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.kind)
def test_a3_a_call_that_nobody_decided_on_does_not_run_and_says_so(mode: Any, end: Reply) -> None:
    agent, deleted = agent_of(mode)
    (words,) = told(agent, {HITL: end})
    assert "Nobody has decided on this call, so it was not run" in words
    assert not deleted
    if isinstance(end, Discussed):
        assert "What is it for?" in words
        assert "rejected" not in words


@MODES
def test_only_what_the_agent_allows_is_on_the_card(mode: Any) -> None:
    agent, _ = agent_of(mode, "approve", "reject")
    with scripted({HITL: "Approve"}) as seen:
        invoke(agent, {"messages": [("user", "Clean up.")]}, thread())
    assert [option.label for option in seen[0].questions[0].options] == ["Approve", "Deny"]
    assert seen[0].questions[0].description == "Tool execution requires approval"


@MODES
def test_a_call_that_may_only_be_answered_is_a_question(mode: Any) -> None:
    agent, deleted = agent_of(mode, "respond")
    assert told(agent, {"What to answer in place of delete?": "Later."}) == ["Later."]
    assert not deleted


@MODES
def test_a_call_that_may_not_be_rejected_waits_when_it_is_denied(mode: Any) -> None:
    agent, deleted = agent_of(mode, "approve")
    with scripted({HITL: "Deny"}), pytest.raises(NoAnswer):
        invoke(agent, {"messages": [("user", "Clean up.")]}, thread())
    with scripted({HITL: "Approve"}):
        invoke(agent, None, thread())
    assert deleted == ["0.csv"]


INBOX = {
    "action_request": {"action": "send_mail", "args": {"to": "Ann"}},
    "config": {"allow_accept": True, "allow_edit": True, "allow_respond": True, "allow_ignore": True},
    "description": "A mail to Ann",
}


@pytest.mark.parametrize(
    ("script", "response"),
    [
        ({"Allow send_mail?": "Approve"}, {"type": "accept", "args": None}),
        ({"Allow send_mail?": "Deny"}, {"type": "ignore", "args": None}),
        ({"Allow send_mail?": "Not to her"}, {"type": "response", "args": "Not to her"}),
        (
            lambda ask: {"arguments": '{"to": "Bo"}'} if ask.layout == "form" else "Edit first",
            {"type": "edit", "args": {"action": "send_mail", "args": {"to": "Bo"}}},
        ),
    ],
    ids=["accept", "ignore", "response", "edit"],
)
@pytest.mark.parametrize("value", [INBOX, [INBOX]], ids=["alone", "in a list"])
def test_a_request_of_the_agent_inbox_gets_its_response(value: Any, script: Any, response: dict[str, Any]) -> None:
    assert said(script, asks(value)) == [[response]]


@pytest.mark.parametrize("dropped", ["action_request", "config"])
def test_a_request_of_the_agent_inbox_that_lost_a_field_is_named(dropped: str) -> None:
    lost = {name: value for name, value in INBOX.items() if name != dropped} | {"action_request": {"action": "x"}}
    with scripted({}), pytest.raises(Incompatible, match="'args'|'config'"):
        invoke(graph_of(asks(lost)), {"said": []}, thread())


@pytest.mark.parametrize(
    ("value", "lost"),
    [
        ({"action_requests": [{"name": "rm", "args": {}}]}, "review_configs"),
        ({"action_requests": [{"args": {}}], "review_configs": [{"allowed_decisions": ["approve"]}]}, "name"),
        ({"action_requests": [{"name": "rm", "args": {}}], "review_configs": [{}]}, "allowed_decisions"),
        ({"type": "tool_approval", "name": "rm", "args": {}}, "names no decisions"),
    ],
)
def test_an_upgrade_that_drops_a_field_is_named_and_approves_nothing(value: Any, lost: str) -> None:
    with scripted({}) as seen, pytest.raises(Incompatible, match=f"langchain .*{lost}"):
        invoke(graph_of(asks(value)), {"said": []}, thread())
    assert not seen


def test_an_interrupt_without_an_id_is_named() -> None:
    stale = SimpleNamespace(checkpointer=True, invoke=lambda *_: {"__interrupt__": [SimpleNamespace(value="A?")]})
    with scripted({}), pytest.raises(Incompatible, match=r"langgraph [\d.]+ sent a SimpleNamespace without 'id'"):
        invoke(stale, {})


def test_a_graph_that_cannot_go_on_is_refused_before_anything_is_shown() -> None:
    stuck = SimpleNamespace(
        checkpointer=None, invoke=lambda *_: {"__interrupt__": [SimpleNamespace(value="A?", id="1")]}
    )
    with scripted({}) as seen, pytest.raises(ValueError, match="checkpointer=InMemorySaver"):
        invoke(stuck, {})
    assert not seen


def test_the_graphs_name_is_who_asks_unless_the_caller_says_so() -> None:
    with scripted({"A?": "a"}) as seen:
        invoke(graph_of(asks("A?")), {"said": []}, thread())
        invoke(graph_of(asks("A?")), {"said": []}, thread(), asker="Planner")
    assert [ask.asker.label for ask in seen if ask.asker] == ["LangGraph", "Planner"]


def test_the_awaitable_twin_does_the_same() -> None:
    agent, deleted = agent_of("per_call", calls=2)
    with scripted({HITL: "Approve"}):
        asyncio.run(ainvoke(agent, {"messages": [("user", "Clean up.")]}, thread()))
    assert sorted(deleted) == ["0.csv", "1.csv"]


def test_it_blocks_in_a_worker_thread_and_awaits_on_another_threads_loop() -> None:
    with scripted({"A?": "a"}), ThreadPoolExecutor() as pool:
        blocked = pool.submit(invoke, graph_of(asks("A?")), {"said": []}, thread())
        awaited = pool.submit(asyncio.run, ainvoke(graph_of(asks("A?")), {"said": []}, thread()))
        assert blocked.result(20)["said"] == awaited.result(20)["said"] == ["a"]


def test_an_interrupted_kernel_ends_the_run_and_asks_nothing_more() -> None:
    def stop(ask: Ask) -> Any:
        raise KeyboardInterrupt

    graph = graph_of(asks("A?"), asks("B?"))
    with scripted(stop) as seen, pytest.raises(KeyboardInterrupt):
        invoke(graph, {"said": []}, thread())
    assert len(seen) == 1


def test_without_langgraph_the_adapter_imports_and_its_use_names_the_extra() -> None:
    code = """
import sys
sys.modules["langgraph"] = None
import nbask.adapters.langgraph
try:
    nbask.adapters.langgraph.invoke(None, {})
except ImportError as fault:
    print(fault)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == 'this needs the package langgraph: pip install "nbask[langgraph]"'


READY = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from test_langgraph import *"


def run(kernel: Kernel, how: str, nodes: str) -> Execution:
    """Run a graph of these nodes in the kernel; it prints what was said."""
    kernel.run(READY).ok(60)
    return kernel.run(f"print(({how}(graph_of({nodes}), {{'said': []}}, thread()))['said'])")


def test_on_the_kernels_loop_two_interrupts_are_two_cards_at_one_time(own_kernel: Kernel) -> None:
    cell = run(own_kernel, "await ainvoke", "asks('A?'), asks('B?')")
    first, second = own_kernel.wait_card().attach(), own_kernel.wait_card().attach()
    second.reply(answers=second.answer(value="two"))
    assert second.wait_ended() == "answered"
    assert not cell.done
    first.reply(answers=first.answer(value="one"))
    assert sorted(eval(cell.ok())) == ["one", "two"]


def test_a_sync_cell_blocks_until_the_card_is_answered(own_kernel: Kernel) -> None:
    cell = run(own_kernel, "invoke", "asks('A?')")
    card = own_kernel.wait_card().attach()
    card.reply(answers=card.answer(value="a"))
    assert cell.ok().strip() == "['a']"


def test_a_run_that_is_cancelled_takes_its_cards_along(own_kernel: Kernel) -> None:
    own_kernel.run(READY).ok(60)
    cell = own_kernel.run(
        "task = asyncio.ensure_future(ainvoke(graph_of(asks('A?'), asks('B?')), {'said': []}, thread()))\n"
        "while len(nbask.runtime.current().desk.snapshot()) < 2: await asyncio.sleep(0.01)\n"
        "task.cancel()\nprint(await asyncio.wait([task]), task.cancelled())"
    )
    cards = [own_kernel.wait_card(), own_kernel.wait_card()]
    assert [card.wait_ended() for card in cards] == ["withdrawn", "withdrawn"]
    assert cell.ok().strip().endswith("True")


def test_a_card_whose_time_is_over_leaves_the_call_unrun(own_kernel: Kernel) -> None:
    own_kernel.run(READY).ok(60)
    cell = own_kernel.run(
        "agent, deleted = agent_of('per_call')\n"
        "result = await ainvoke(agent, {'messages': [('user', 'Hi')]}, thread(), timeout=0.5)\n"
        "print(result['messages'][-2].content, deleted)"
    )
    assert own_kernel.wait_card().attach().wait_ended() == "timed_out"
    assert cell.ok().strip().endswith("it was not run: the time for it ran out. []")


def test_asks_are_of_no_setting_that_answers_for_the_person() -> None:
    def policies(ask: Ask) -> Any:
        assert ask.when_unanswered == "raise"
        return "a"

    assert said(policies, asks("A?")) == ["a"]
