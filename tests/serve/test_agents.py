"""Agents outside of a real kernel call every tool, while it is idle and while a cell computes.

Cases of the project's list that are tested here, by id: B18, B22, C17.
"""

from __future__ import annotations

import json

import pytest
from driver import WIDGET_VIEW
from outside_agents import ANSWERS, CALLS, MODES, agent, check_contract
from served import SCRIPTED, Served

from nbask.serve.tools import TOOLS

RED = CALLS["ask_choice"]
EACH = json.dumps(list(CALLS.items()))


def test_the_python_client_calls_every_tool_in_both_eras(served: Served, state: str) -> None:
    for mode in MODES:
        for tool, arguments in CALLS.items():
            result = served.wait(served.call(tool, arguments, mode=mode))
            assert not result.is_error, result
            check_contract(tool, result.structured_content)


def test_the_reference_typescript_client_calls_every_tool(served: Served, state: str) -> None:
    found = served.rendezvous
    listed, *results = served.wait(served.peer(EACH, url=found["url"], token=found["token"]), 60)
    assert listed["tools"] == list(TOOLS)
    for result in results:
        check_contract(result["tool"], result["structuredContent"])


def test_an_idle_kernels_question_is_answered_on_a_card_in_the_inbox(served: Served) -> None:
    """A real card, through comms; it names the agent (B22), and its receipt is under the inbox."""
    asking = served.call("ask_choice", RED, name="Codex")
    (card,) = served.inbox().wait_listed("Red or blue?")
    assert (card.ask["asker"]["label"], card.ask["asker"]["detail"]) == ("Codex", "ask_choice")
    assert card.ask["deadline"] is not None
    card.pick("Blue", notes="the dark one")
    result = served.wait(asking).structured_content
    assert (result["status"], result["answer"], result["selected"]) == ("answered", "Blue", ["Blue"])
    assert (result["free_text"], result["via"]) == ("the dark one", "card")
    served.inbox().wait_listed()
    (serving,) = (run for run in served.kernel.executions.values() if run.code == "%nbask serve")
    served.kernel.until(lambda: "Blue" in serving.html, "the receipt under the inbox", 20)


def test_a_card_is_answered_while_a_cell_computes(served: Served, version: str) -> None:
    """On ipykernel 6 nothing is read until the cell ends, and then the answer counts."""
    old = version.startswith("6")
    cell = served.compute(8 if old else 60)
    asking = served.call("ask_confirm", CALLS["ask_confirm"])
    (card,) = served.inbox().wait_listed("Delete 3 files?")
    card.pick("Yes")
    result = served.wait(asking, 60).structured_content
    assert (result["status"], result["confirmed"]) == ("answered", True)
    assert cell.done == old
    assert not any(WIDGET_VIEW in output.data for output in cell.outputs)
    assert served.kernel.input_requests == []


def test_an_interrupt_of_the_cell_leaves_an_agents_question_open(served: Served) -> None:
    cell = served.compute()
    asking = served.call("ask_choice", RED)
    (card,) = served.inbox().wait_listed("Red or blue?")
    served.kernel.interrupt()
    assert cell.wait().error == "KeyboardInterrupt"
    card.pick("Red")
    assert served.wait(asking).structured_content["answer"] == "Red"


@pytest.mark.parametrize("mode", MODES)
def test_c17_a_late_answer_to_an_agent_that_gave_up_is_refused_visibly(served: Served, mode: str) -> None:
    async def impatient() -> str:
        async with agent(served.rendezvous["url"], served.rendezvous["token"], mode=mode) as client:
            try:
                await client.call_tool("ask_choice", RED, read_timeout_seconds=1.5)
            except Exception as fault:
                return str(fault)
        return "answered"

    asking = served.beside(impatient())
    (card,) = served.inbox().wait_listed("Red or blue?")
    card.set_draft(card.answer("Blue"))
    assert card.wait_ended() == "withdrawn"
    card.pick("Blue")
    assert card.wait_refused()["code"] == "late"
    assert served.wait(asking) != "answered"


def test_a_page_that_is_reloaded_still_has_the_agents_questions(served: Served) -> None:
    asking = served.call("ask_choice", RED)
    served.inbox().wait_listed("Red or blue?")
    served.kernel.reload()
    inbox = served.inbox()
    served.kernel.wait_handled(inbox.attach().last_sent)
    (card,) = inbox.wait_listed("Red or blue?")
    card.pick("Red")
    assert served.wait(asking).structured_content["answer"] == "Red"


def test_twenty_agents_at_once_each_get_their_own_answer(served: Served) -> None:
    asking = [
        served.call("ask_choice", {"question": f"Q{number}?", "options": ["a", f"b{number}"]}, name=f"agent {number}")
        for number in range(20)
    ]
    inbox = served.inbox()
    served.kernel.until(lambda: len(inbox.listed) == 20, "20 cards", 60)
    for card in inbox.listed:
        label = card.ask["questions"][0]["options"][1]["label"]
        assert card.ask["asker"]["label"] == f"agent {label[1:]}"
        card.attach().pick(label)
    for number, one in enumerate(asking):
        result = served.wait(one, 60).structured_content
        assert (result["question"], result["answer"]) == (f"Q{number}?", f"b{number}")
    inbox.wait_listed()


def test_stopping_prints_so_and_the_file_is_gone(served: Served) -> None:
    assert served.kernel.run("%nbask stop").ok() == "This kernel is served no more.\n"
    assert list(served.runtime_dir.rglob("*.json")) == []
    assert served.kernel.run("%nbask stop").ok() == "This kernel is not served.\n"


def test_serving_again_prints_the_same_settings_and_unloading_stops(served: Served) -> None:
    found = served.rendezvous
    again = served.kernel.run("%nbask serve").ok()
    assert again.count(found["token"]) == 1
    assert (found["notebook"], served.rendezvous["token"]) == ("work/study.ipynb", found["token"])
    served.kernel.run("%unload_ext nbask").ok()
    assert list(served.runtime_dir.rglob("*.json")) == []


def test_a_wrong_port_is_refused_with_a_sentence(served: Served) -> None:
    cell = served.kernel.run("%nbask serve soon").wait()
    assert (cell.error, "'soon' is no port" in cell.error_text) == ("UsageError", True)


def test_nothing_of_the_servers_own_is_written_under_any_cell(served: Served) -> None:
    served.wait(served.call("human_input_status", {}))
    served.kernel.run("import logging; logging.basicConfig(level='DEBUG', force=True)").ok()
    served.kernel.run(SCRIPTED).ok()
    served.wait(served.call("ask_choice", RED))
    served.kernel.run("pass").ok()
    assert [
        run.stderr for run in served.kernel.executions.values() if "uvicorn" in run.stderr or "mcp" in run.stderr
    ] == []


def test_the_answers_are_those_of_the_script() -> None:
    assert set(CALLS) == set(TOOLS)
    assert len(ANSWERS) == len(CALLS) - 1
