"""The Claude Agent SDK: its real client, a scripted stand-in for its CLI, and what goes back to the CLI for each reply.

Cases of the project's list that are tested here, by id: A1, A2, A3, A4, A6, A8, A15, A17, A19, A23, A27.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import claude_agent_sdk
import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ToolPermissionContext, Transport, query
from claude_agent_sdk.types import PermissionUpdate

from nbask.adapters.claude import can_use_tool, with_label
from nbask.adapters.toolkit.extras import Incompatible
from nbask.kinds import Answer
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted

if TYPE_CHECKING:
    from driver import Kernel
    from page import CardView


class FakeCLI(Transport):
    """Asks for permission of each call at once, and keeps what it is told: `replies` by number of the call."""

    def __init__(self, *calls: Any, suggestions: Any = ()) -> None:
        self.calls = calls
        self.suggestions = list(suggestions)
        self.replies: dict[int, Any] = {}
        self.out: Any = asyncio.Queue()
        self.came: Any = asyncio.Queue()

    async def connect(self) -> None: ...

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None:
        await self.out.put(None)

    async def close(self) -> None:
        await self.out.put(None)

    async def write(self, data: str) -> None:
        message = json.loads(data)
        if message["type"] == "control_request":  # initialize, and the like
            done = {"subtype": "success", "request_id": message["request_id"], "response": {}}
            await self.out.put({"type": "control_response", "response": done})
        elif message["type"] == "control_response":
            await self.came.put(message["response"])
        elif message["type"] == "user":
            self.turn = asyncio.ensure_future(self.take_turn())

    async def take_turn(self) -> None:
        for number, (tool, given) in enumerate(self.calls):
            request = {"subtype": "can_use_tool", "tool_name": tool, "input": given, "tool_use_id": f"toolu_{number}"}
            request["permission_suggestions"] = self.suggestions
            await self.out.put({"type": "control_request", "request_id": f"r{number}", "request": request})
        while len(self.replies) < len(self.calls):
            reply = await self.came.get()
            self.replies[int(reply["request_id"][1:])] = reply.get("response", reply.get("error"))
        counts = {"duration_ms": 1, "duration_api_ms": 1, "num_turns": 1}
        end = {"type": "result", "subtype": "success", "is_error": False, "session_id": "s", "result": "ok"}
        await self.out.put({**end, **counts})

    def abandon(self, number: int) -> None:
        """Give a request up, as Claude does once the person stops it."""
        self.replies[number] = None
        self.out.put_nowait({"type": "control_cancel_request", "request_id": f"r{number}"})
        self.came.put_nowait({"request_id": f"r{number}"})

    async def read_messages(self) -> Any:
        while (message := await self.out.get()) is not None:
            yield message


async def converse(cli: FakeCLI, **options: Any) -> list[Any]:
    """Run one turn through the SDK; what the CLI was told, by call."""
    given = ClaudeAgentOptions(**{"can_use_tool": can_use_tool, **options})
    async with ClaudeSDKClient(given, transport=cli) as client:
        await client.query("go")
        async for _ in client.receive_response():
            pass
    return [reply for _, reply in sorted(cli.replies.items())]


def told(script: Any, *calls: tuple[str, Any], suggestions: Any = (), **options: Any) -> list[Any]:
    async def run() -> list[Any]:
        return await converse(FakeCLI(*calls, suggestions=suggestions), **options)

    with scripted(script):
        return asyncio.run(run())


def question(text: str = "Which DB?", *labels: str, many: bool = False) -> dict[str, Any]:
    options = [{"label": label, "description": f"{label}, described"} for label in labels or ("Postgres", "SQLite")]
    return {"question": text, "header": "DB", "options": options, "multiSelect": many}


def asks(*questions: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "AskUserQuestion", {"questions": list(questions or [question()])}


def picked(**answers: Answer) -> Callable[[Any], Reply]:
    return lambda ask: Answered(answers=answers, via="card")


ENDS: list[tuple[Reply, str]] = [
    (Declined(), "The user was asked, and the person declined to answer. Nothing is decided; do not guess."),
    (Cancelled(), "The user was asked, and the person dismissed the question."),
    (Cancelled(by="interrupt"), "the kernel was interrupted"),
    (TimedOut(), "The user was asked, and the time for it ran out."),
    (Unavailable(reason="no notebook"), "The user could not be asked: no notebook."),
    (Withdrawn(), "it was withdrawn"),
]
BASH = ("Bash", {"command": "rm -r data", "description": "Remove the data"})
ANOTHER = ("Bash", {"command": "true"})
PLAN = ("ExitPlanMode", {"plan": "1. Drop the column", "planFilePath": "/p.md"})


# -- questions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "asked", "answers"),
    [
        ({"Which DB?": "SQLite"}, question(), "SQLite"),
        ({"Which DB?": "DuckDB, or none"}, question(), "DuckDB, or none"),
        ({"Q?": "A, B"}, question("Q?", "A, B", "C"), "A, B"),
        ({"Q?": ["A, B", "C"]}, question("Q?", "A, B", "C", many=True), '"A, B", C'),
        ({"Q?": ['say "hi"', "C"]}, question("Q?", 'say "hi"', "C", many=True), '"say \\"hi\\"", C'),
        ({"Q?": ["Lint", "also on ARM"]}, question("Q?", "Lint", "Types", many=True), "Lint, also on ARM"),
        ({"Q?": ["Lint", "Types", "x, y"]}, question("Q?", "Lint", "Types", many=True), 'Lint, Types, "x, y"'),
        ({"Q?": "A (Recommended)"}, question("Q?", "A (Recommended)", "B"), "A (Recommended)"),
    ],
)
def test_a4_a6_a_question_is_allowed_with_its_answer(script: Any, asked: dict[str, Any], answers: str) -> None:
    (reply,) = told(script, asks(asked))
    given = {"questions": [asked], "answers": {asked["question"]: answers}}
    assert reply == {"behavior": "allow", "updatedInput": given}


def test_a_note_and_a_preview_are_annotated() -> None:
    asked = question("Layout?", "A", "B")
    asked["options"][0]["preview"] = "+--+"
    (reply,) = told(picked(q1=Answer("A", ("A",), notes="wider")), asks(asked))
    assert reply["updatedInput"]["answers"] == {"Layout?": "A"}
    assert reply["updatedInput"]["annotations"] == {"Layout?": {"notes": "wider", "preview": "+--+"}}


def test_a_note_alone_answers_nothing_and_arrives() -> None:
    (reply,) = told(
        picked(q1=Answer("A", ("A",)), q2=Answer(None, notes="neither")), asks(question("1?", "A", "B"), question())
    )
    assert reply["updatedInput"]["answers"] == {"1?": "A"}
    assert reply["updatedInput"]["annotations"] == {"Which DB?": {"notes": "neither"}}


def test_a8_a17_each_question_has_its_own_answer_or_none() -> None:
    three = [question(f"{name}?", "A", "B") for name in ("One", "Two", "Three")]
    (reply,) = told(lambda ask: {"q2": "abc"}, asks(*three))
    assert reply["updatedInput"]["answers"] == {"Two?": "abc"}


def test_a15_questions_that_came_as_json_text_go_back_as_a_list() -> None:
    text = '[{"question": "Soll „alpha“ bleiben?", "options": [{"label": "Ja"}, {"label": "Nein"}]}]'
    (reply,) = told({"Soll „alpha“ bleiben?": "Ja"}, ("AskUserQuestion", {"questions": text}))
    assert reply["updatedInput"] == {"questions": json.loads(text), "answers": {"Soll „alpha“ bleiben?": "Ja"}}


def test_what_the_model_filled_in_by_itself_does_not_go_back() -> None:
    made_up = {"answers": {"Which DB?": "Postgres"}, "annotations": {"Which DB?": {"notes": "x"}}, "response": "y"}
    tool, given = asks()
    (reply,) = told({"Which DB?": "SQLite"}, (tool, {**given, **made_up, "metadata": {"source": "s"}}))
    assert reply["updatedInput"] == {**given, "answers": {"Which DB?": "SQLite"}, "metadata": {"source": "s"}}


def test_the_wish_to_discuss_is_a_response_in_words() -> None:
    (reply,) = told(lambda ask: Discussed(text="What is it for?"), asks())
    assert reply["behavior"] == "allow"
    assert (reply["updatedInput"]["answers"], reply["updatedInput"]["response"]) == ({}, "What is it for?")


@pytest.mark.parametrize(("end", "words"), ENDS, ids=lambda value: getattr(value, "kind", ""))
@pytest.mark.parametrize("call", [asks(), PLAN, BASH], ids=lambda call: call[0])
def test_a2_a3_an_ask_without_an_answer_is_denied_in_words_and_the_run_goes_on(
    end: Reply, words: str, call: Any
) -> None:
    (reply,) = told(lambda ask: end, call)
    assert (reply["behavior"], set(reply)) == ("deny", {"behavior", "message"})
    assert words in reply["message"]


@pytest.mark.parametrize("call", [asks(), PLAN, BASH], ids=lambda call: call[0])
def test_a2_where_nobody_can_be_asked_nothing_is_made_up(call: Any) -> None:
    (reply,) = asyncio.run(converse_with(call))
    assert reply["behavior"] == "deny"
    assert "could not be asked" in reply["message"]


async def converse_with(*calls: Any) -> list[Any]:
    return await converse(FakeCLI(*calls))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "questions[0].question: missing"),
        ({"questions": []}, "no list of questions"),
        ({"questions": [{"question": "Q?"}]}, "questions[0].options: missing"),
        ({"questions": [question(), question()]}, "is asked twice"),
        ({"questions": [question("Q?", "A", "A")]}, "given twice"),
    ],
)
def test_a23_an_input_that_cannot_be_shown_is_denied_with_its_fault(given: Any, words: str) -> None:
    (reply,) = told({}, ("AskUserQuestion", given))
    assert reply["behavior"] == "deny"
    assert words in reply["message"]


# The SDK warns of modes in which no other tool reaches the callback; questions and plans do.
@pytest.mark.filterwarnings("ignore::claude_agent_sdk.types.CanUseToolShadowedWarning")
@pytest.mark.parametrize("mode", ["default", "plan", "acceptEdits", "bypassPermissions", "dontAsk"])
def test_a27_it_answers_in_every_permission_mode(mode: Any) -> None:
    (reply,) = told({"Which DB?": "SQLite"}, asks(), permission_mode=mode)
    assert reply["updatedInput"]["answers"] == {"Which DB?": "SQLite"}


def test_it_serves_a_one_shot_query_too() -> None:
    async def run() -> dict[int, Any]:
        cli = FakeCLI(asks())
        async for _ in query(prompt="go", options=ClaudeAgentOptions(can_use_tool=can_use_tool), transport=cli):
            pass
        return cli.replies

    with scripted({"Which DB?": "SQLite"}):
        assert asyncio.run(run())[0]["updatedInput"]["answers"] == {"Which DB?": "SQLite"}


# -- plans -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "mode"), [("Yes, and go on by itself", "acceptEdits"), ("Yes, I approve each edit", "default")]
)
def test_an_approved_plan_is_allowed_with_the_mode_that_was_chosen(said: str, mode: str) -> None:
    (reply,) = told({"Go ahead with this plan?": said}, PLAN)
    update = {"type": "setMode", "mode": mode, "destination": "session"}
    assert reply == {"behavior": "allow", "updatedInput": PLAN[1], "updatedPermissions": [update]}


def test_what_should_change_goes_back_and_the_plan_is_not_approved() -> None:
    (reply,) = told({"Go ahead with this plan?": "Keep the old column"}, PLAN)
    assert reply == {"behavior": "deny", "message": "Keep the old column"}


def test_a_note_to_an_approval_is_in_the_plan_where_the_model_reads_it() -> None:
    (reply,) = told(picked(q1=Answer("manual", ("Yes, I approve each edit",), notes="mind the index")), PLAN)
    assert reply["updatedInput"]["plan"] == "1. Drop the column\n\nThe user's note: mind the index"


def test_a_plan_that_was_not_written_is_no_reason_to_fail() -> None:
    with scripted(lambda ask: "Write one") as shown:
        result = asyncio.run(can_use_tool("ExitPlanMode", {}, ToolPermissionContext()))
    assert "no plan" in str(shown[0].message)
    assert result.message == "Write one"


# -- other tools -----------------------------------------------------------------------------------


def test_a_tool_is_allowed_as_it_is() -> None:
    assert told({"Allow Bash?": "Approve"}, BASH) == [{"behavior": "allow", "updatedInput": BASH[1]}]


def test_a_tool_is_denied_with_the_persons_words_or_ours() -> None:
    assert told({"Allow Bash?": "Use the trash"}, BASH) == [{"behavior": "deny", "message": "Use the trash"}]
    assert told({"Allow Bash?": "Deny"}, BASH)[0]["message"] == "The user does not allow this call of Bash."


def test_the_wish_to_discuss_a_call_is_no_approval() -> None:
    (reply,) = told(lambda ask: Discussed(text="Which data?"), BASH)
    assert reply == {"behavior": "deny", "message": "Which data?"}


def test_a_tools_input_is_edited() -> None:
    script = {"Allow Bash?": "Edit first", "Arguments, as JSON": '{"command": "ls data"}'}
    assert told(script, BASH) == [{"behavior": "allow", "updatedInput": {"command": "ls data"}}]


SUGGESTIONS = [
    {
        "type": "addRules",
        "rules": [{"toolName": "Bash", "ruleContent": "rm:*"}, {"toolName": "Read"}],
        "behavior": "allow",
        "destination": "localSettings",
    },
    {"type": "addDirectories", "directories": ["/data"], "destination": "session"},
    {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
    {"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "deny", "destination": "session"},
]


@pytest.mark.parametrize(
    ("row", "chosen"),
    [
        ("Always allow Bash(rm:*), every call of Read in this project, for you", SUGGESTIONS[0]),
        ("Always allow work in /data in this session", SUGGESTIONS[1]),
        ("Approve, and accept all edits in this session", SUGGESTIONS[2]),
    ],
)
def test_a_suggested_rule_is_a_row_and_goes_back_as_it_came(row: str, chosen: Any) -> None:
    (reply,) = told({"Allow Bash?": row}, BASH, suggestions=SUGGESTIONS)
    assert reply == {"behavior": "allow", "updatedInput": BASH[1], "updatedPermissions": [chosen]}


def test_a_suggestion_that_allows_nothing_is_no_row() -> None:
    with scripted({"Allow Bash?": "Deny"}) as shown:
        context = ToolPermissionContext(suggestions=[PermissionUpdate.from_dict(one) for one in SUGGESTIONS])
        asyncio.run(can_use_tool("Bash", {}, context))
    assert len(shown[0].questions[0].options) == 6


def test_the_card_says_who_asks_and_what_claude_says_about_it_without_its_colours() -> None:
    context = ToolPermissionContext(
        title="Claude wants rm", description="Remove", decision_reason="\x1b[31mrisky\x1b[0m"
    )
    with scripted(lambda ask: "Deny") as shown:
        asyncio.run(can_use_tool("Bash", {}, context))
        asyncio.run(with_label("Reviewer", timeout=9)("Bash", {}, context))
    assert shown[0].questions[0].description == "Claude wants rm\nRemove\nrisky"
    assert [(ask.who, ask.asker and ask.asker.detail, ask.timeout) for ask in shown] == [
        ("Claude", "Bash", None),
        ("Reviewer", "Bash", 9),
    ]


@pytest.mark.parametrize(("label", "timeout"), [(" ", None), ("A", 0), ("A", -1)])
def test_a_label_or_a_limit_that_says_nothing_is_refused(label: str, timeout: Any) -> None:
    with pytest.raises(ValueError, match="label is|timeout is"):
        with_label(label, timeout=timeout)


# -- the SDK itself --------------------------------------------------------------------------------


def test_several_requests_at_once_each_get_their_own_answer() -> None:
    calls = [asks(question(f"{number}?", "A", "B")) for number in range(5)]
    replies = told(lambda ask: "A" if ask.questions[0].text in ("0?", "3?") else "B", *calls, ANOTHER)
    assert [list(reply["updatedInput"]["answers"].values()) for reply in replies[:5]] == [
        ["A"],
        ["B"],
        ["B"],
        ["A"],
        ["B"],
    ]
    assert replies[5] == {"behavior": "deny", "message": "B"}


@pytest.mark.parametrize("name", ["PermissionResultAllow", "PermissionResultDeny", "PermissionUpdate"])
def test_an_sdk_without_a_name_that_is_needed_is_told_clearly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(claude_agent_sdk, name)
    (error,) = told({"Which DB?": "SQLite"}, asks())
    assert f"without {name!r}" in error
    assert "claude-agent-sdk 0." in error


def test_a_context_without_a_field_that_is_needed_is_told_clearly_and_asks_nothing() -> None:
    with scripted({}) as shown, pytest.raises(Incompatible, match=r"claude-agent-sdk .* without 'suggestions'"):
        asyncio.run(can_use_tool("Bash", {}, SimpleNamespace()))
    assert shown == []


def test_fields_that_only_inform_may_be_missing() -> None:
    with scripted({"Allow Bash?": "Approve"}):
        result = asyncio.run(can_use_tool("Bash", {"a": 1}, SimpleNamespace(suggestions=[])))
    assert result.updated_input == {"a": 1}


def test_a_result_that_no_longer_takes_a_field_is_told_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    class Renamed:
        def __init__(self, new_input: Any = None) -> None: ...

    monkeypatch.setattr(claude_agent_sdk, "PermissionResultAllow", Renamed)
    with scripted({"Which DB?": "SQLite"}), pytest.raises(Incompatible, match="has changed its Renamed.*updated_input"):
        asyncio.run(can_use_tool(*asks(), ToolPermissionContext()))


def test_without_the_sdk_it_imports_and_says_what_to_install() -> None:
    code = """
import asyncio, sys
sys.modules["claude_agent_sdk"] = None
class Block:
    def find_spec(self, name, path=None, target=None):
        if name == "claude_agent_sdk":
            raise ModuleNotFoundError("blocked", name=name)
sys.meta_path.insert(0, Block())
del sys.modules["claude_agent_sdk"]
from nbask.adapters.claude import can_use_tool
asyncio.run(can_use_tool("AskUserQuestion", {}, None))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert 'pip install "nbask[claude]"' in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("place", ["this thread's loop", "another thread's loop", "a task of a loop that runs"])
def test_it_can_be_awaited_anywhere(place: str) -> None:
    async def run() -> Any:
        if place.startswith("a task"):
            return await asyncio.ensure_future(converse_with(asks()))
        return await converse_with(asks())

    with scripted({"Which DB?": "SQLite"}), ThreadPoolExecutor(1) as pool:
        another = place.startswith("another")
        (reply,) = pool.submit(asyncio.run, run()).result(30) if another else asyncio.run(run())
    assert reply["updatedInput"]["answers"] == {"Which DB?": "SQLite"}


# -- in a real kernel ------------------------------------------------------------------------------

SETUP = f"""
import asyncio, json, threading
from typing import Any
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Transport
from nbask.adapters.claude import can_use_tool, with_label
{inspect.getsource(FakeCLI)}
{inspect.getsource(converse)}
{inspect.getsource(question)}
{inspect.getsource(asks)}
"""
ASK = "(reply,) = await converse(FakeCLI(asks()))"
SAY = "print(reply.get('updatedInput', {}).get('answers') or reply)"
RUNS = {
    "the kernel's loop": ASK,
    "another thread's loop": """
def work():
    async def run(): return await converse(FakeCLI(asks()))
    got.extend(asyncio.run(run()))
got = []
thread = threading.Thread(target=work)
thread.start()
thread.join()
(reply,) = got""",
    "a worker thread": """
def work():
    async def run(): return await converse(FakeCLI(asks()))
    return asyncio.run(run())
(reply,) = await asyncio.to_thread(work)""",
}


@pytest.fixture
def kernel(own_kernel: Kernel) -> Kernel:
    own_kernel.run(SETUP).ok(60)
    return own_kernel


def card(kernel: Kernel) -> CardView:
    return kernel.wait_card(40).attach()


@pytest.mark.parametrize("way", RUNS)
def test_a1_the_agent_waits_for_the_click_wherever_it_runs(kernel: Kernel, way: str) -> None:
    cell = kernel.run(f"{RUNS[way]}\n{SAY}")
    shown = card(kernel)
    assert not cell.done
    assert shown.ask["asker"] == {"label": "Claude", "detail": "AskUserQuestion"}
    shown.pick("Postgres")
    assert cell.ok(30) == "{'Which DB?': 'Postgres'}\n"


def test_a19_a_card_lives_through_what_is_printed_after_it_and_a_reload(kernel: Kernel) -> None:
    talk = "async def talk():\n    for n in range(50):\n        print('line', n)\n        await asyncio.sleep(0)"
    cell = kernel.run(f"{talk}\n_, (reply,) = await asyncio.gather(talk(), converse(FakeCLI(asks())))\n{SAY}")
    card(kernel)
    cell.wait_text("line 49")
    kernel.reload()
    card(kernel).pick("SQLite")
    cell.wait_text("{'Which DB?': 'SQLite'}", 30)


def test_two_requests_at_once_are_two_cards_answered_in_any_order(kernel: Kernel) -> None:
    two = "asks(question('First?', 'A', 'B')), asks(question('Second?', 'A', 'B'))"
    cell = kernel.run(
        f"replies = await converse(FakeCLI({two}))\nprint([r['updatedInput']['answers'] for r in replies])"
    )
    cards = {one.ask["questions"][0]["text"]: one for one in (card(kernel), card(kernel))}
    cards["Second?"].pick("B")
    assert cards["Second?"].wait_ended() == "answered"
    assert not cell.done
    cards["First?"].pick("A")
    assert cell.ok(30) == "[{'First?': 'A'}, {'Second?': 'B'}]\n"


GIVES_UP = """
async def give_up():
    while 0 not in cli.replies:
        await asyncio.sleep(0.01)
    cli.abandon(1)
cli = FakeCLI(asks(question('First?', 'A', 'B')), asks(question('Second?', 'A', 'B')))
replies, _ = await asyncio.gather(converse(cli), give_up())
print(replies[0]["updatedInput"]["answers"], replies[1])
"""


def test_a_request_that_claude_gives_up_closes_its_card_and_no_late_click_counts(kernel: Kernel) -> None:
    cell = kernel.run(GIVES_UP)
    cards = {one.ask["questions"][0]["text"]: one for one in (card(kernel), card(kernel))}
    second = cards["Second?"]
    cards["First?"].pick("A")
    assert second.wait_ended() == "withdrawn"
    second.pick("B")
    assert second.wait_refused()["code"] == "late"
    assert cell.ok(30) == "{'First?': 'A'} None\n"


def test_a_limit_ends_the_card_and_the_call_is_denied(kernel: Kernel) -> None:
    cell = kernel.run(f"(reply,) = await converse(FakeCLI(asks()), can_use_tool=with_label('C', timeout=0.5))\n{SAY}")
    assert card(kernel).wait_ended() == "timed_out"
    assert "the time for it ran out" in cell.ok(30)


def test_the_card_is_under_the_cell_that_uses_the_connection_and_not_under_the_one_that_opened_it(
    kernel: Kernel,
) -> None:
    opened = kernel.run(
        "client = ClaudeSDKClient(ClaudeAgentOptions(can_use_tool=can_use_tool), transport=FakeCLI(asks()))\n"
        "await client.connect()"
    )
    opened.ok(30)
    used = kernel.run("await client.query('go')\nasync for _ in client.receive_response(): pass")
    shown = card(kernel)
    assert (len(opened.outputs), len(used.outputs)) == (0, 1)
    shown.pick("SQLite")
    used.ok(30)
    kernel.run("await client.disconnect()").ok(30)
