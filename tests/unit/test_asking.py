"""The doors: every question blocks or awaits, and ends in a value, a reply or a refusal."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from enum import Enum
from types import SimpleNamespace
from typing import IO, Any

import pytest

import nbask
from nbask import Ask, Asker, NoAnswer, Option, PlanDecision, Question, aio
from nbask import runtime as runtime_module
from nbask.desk import PAUSE, Desk, Pending
from nbask.hosts import ConsoleHost, find_host
from nbask.kinds import Answer, wire_answer
from nbask.replies import (
    Answered,
    Cancelled,
    Declined,
    Discussed,
    Reply,
    TimedOut,
    Unavailable,
    Withdrawn,
)
from nbask.runtime import Runtime, current
from nbask.settings import NbAsk
from nbask.testing import FakeClock, scripted
from nbask.waiting.plain import Plain
from nbask.wire import RECEIPT as MIME

Person = Callable[..., Any]
Runner = Callable[..., Future[Any]]
Call = Callable[..., Any]
NAMES = ["approve_plan", "ask", "ask_form", "ask_questions", "ask_text", "confirm", "put"]
BUILT = [name for name in NAMES if name != "put"]
NON_ANSWERS: list[Reply] = [
    Discussed(text="why?"),
    Declined(),
    Cancelled(),
    TimedOut(),
    Unavailable(),
    Withdrawn(),
]


@pytest.fixture(params=["blocking", "awaiting"])
def call(request: pytest.FixtureRequest) -> Call:
    """Ask by name: `call("ask", "Red?", ["Red"])`, blocking or awaited."""
    if request.param == "blocking":
        return lambda name, *args, **kwargs: getattr(nbask, name)(*args, **kwargs)

    async def awaited(name: str, args: Any, kwargs: Any) -> Any:
        return await getattr(aio, name)(*args, **kwargs)

    return lambda name, *args, **kwargs: asyncio.run(awaited(name, args, kwargs))


def replies(*given: Reply) -> Callable[[Desk, Pending], None]:
    """A person who replies to each ask in turn."""
    left = list(given)

    def front(desk: Desk, pending: Pending) -> None:
        desk.settle(pending.ask.id, left.pop(0))

    return front


def settle_with(value: Any) -> Callable[[Desk, Pending], None]:
    return replies(Answered(answers={"q1": Answer(value)}, via="text"))


class Colour(Enum):
    RED = 1
    BLUE = 2


@pytest.mark.parametrize("name", NAMES)
def test_the_two_doors_have_one_signature_and_one_documentation(name: str) -> None:
    blocking, awaiting = getattr(nbask, name), getattr(aio, name)
    ours = inspect.signature(blocking).replace(return_annotation=inspect.Signature.empty)
    theirs = inspect.signature(awaiting).replace(return_annotation=inspect.Signature.empty)
    assert list(ours.parameters.values()) == list(theirs.parameters.values())
    assert inspect.getdoc(awaiting)


@pytest.mark.parametrize("name", NAMES)
def test_a_door_has_the_name_it_is_called_by(name: str) -> None:
    for module in (nbask, aio):
        door = getattr(module, name)
        assert (door.__name__, door.__qualname__) == (name, name)


@pytest.mark.parametrize("name", BUILT)
def test_help_shows_a_door_where_it_is_imported_from_and_its_answer_and_no_request(name: str) -> None:
    for module in (nbask, aio):
        door = getattr(module, name)
        assert door.__module__ == module.__name__
        assert inspect.signature(door).return_annotation is inspect.Signature.empty
        assert not hasattr(door, "__wrapped__")


@pytest.mark.parametrize("name", BUILT)
def test_an_awaitable_door_says_how_it_differs_and_then_what_the_blocking_one_says(name: str) -> None:
    summary, rest = (inspect.getdoc(getattr(nbask, name)) or "").split("\n\n", 1)
    said = (inspect.getdoc(getattr(aio, name)) or "").split("\n\n", 2)
    assert said[0] == summary
    assert said[1].startswith("Awaits instead of blocking: the event loop runs on meanwhile.")
    assert said[1].endswith(f"What follows is said of the blocking :func:`nbask.{name}`.")
    assert said[2] == rest


REFUSED: dict[str, tuple[str, tuple[Any, ...], dict[str, Any], str]] = {
    "duplicate labels": ("ask", ("Red?", ["A", "A"]), {}, "'A'"),
    "no options": ("ask", ("Red?", []), {}, "no options"),
    "a bare string": ("ask", ("Red?", "Red"), {}, r"\['Red'\]"),
    "a default that is no option": ("ask", ("Red?", ["A"]), {"default": "B"}, "'B'"),
    "min above max": ("ask", ("Red?", ["A", "B"]), {"many": True, "min": 2, "max": 1}, "min is 2"),
    "an empty text": ("ask", (" ", ["A"]), {}, "say what is asked"),
    "an unknown keyword": ("ask", ("Red?", ["A"]), {"defualt": "A"}, r"ask\(\).*'defualt'.*'default'"),
    "a bad timeout": ("ask", ("Red?", ["A"]), {"timeout": 0}, "timeout is 0"),
    "no default for the policy": ("ask", ("Red?", ["A"]), {"when_unanswered": "default"}, "'Red\\?' has no default"),
    "a confirm's equal words": ("confirm", ("Go?",), {"yes": "OK", "no": "OK"}, "'OK'"),
    "a confirm's default": ("confirm", ("Go?",), {"default": "perhaps"}, "'perhaps'"),
    "a confirm's keyword": ("confirm", ("Go?",), {"ys": "x"}, r"confirm\(\).*'ys'.*'yes'"),
    "a text's keyword": ("ask_text", ("Name?",), {"multline": True}, r"ask_text\(\).*'multline'.*'multiline'"),
    "a text's default": ("ask_text", ("Name?",), {"default": 5}, "give a text"),
    "no questions": ("ask_questions", ([],), {}, "at least one"),
    "two ids": ("ask_questions", ([Question("A?", id="a"), Question("B?", id="a")],), {}, "'a'"),
    "a form of no schema": ("ask_form", ("Where to?", [1]), {}, "give a JSON Schema object"),
    "a form's nested object": (
        "ask_form",
        ("Where to?", {"properties": {"at": {"type": "object"}}}),
        {},
        "'at'.*nested",
    ),
    "a form's default": (
        "ask_form",
        ("Where to?", {"properties": {"n": {"type": "integer"}}}),
        {"default": {"n": "x"}},
        "'n'.*'x'",
    ),
    "a form's keyword": ("ask_form", ("Where to?", {}), {"sumbit": "Go"}, r"ask_form\(\).*'sumbit'.*'submit'"),
    "an empty plan": ("approve_plan", (" \n",), {}, "the plan is ' "),
    "a plan that is none": ("approve_plan", (None,), {}, "the plan is None"),
    "a form's question that is none": ("ask_form", (3, {}), {}, "the form's question is 3"),
    "a question that is none": ("ask", (None, ["A"]), {}, "None"),
    "a plan's keyword": ("approve_plan", ("1. Go",), {"default": "auto"}, r"approve_plan\(\).*'default'"),
    "a danger that is no bool": ("confirm", ("Go?",), {"danger": "yes"}, "danger"),
    "texts for questions": ("ask_questions", (["A?"],), {}, "'A\\?'"),
    "a questions' keyword": ("ask_questions", ([Question("A?")],), {"msg": "x"}, r"ask_questions\(\).*'msg'"),
    "a text to put": ("put", ("Red?",), {}, r"'Red\?' is no Ask; give Ask\(Question\(…\)\)"),
    "a question to put": ("put", (Question("Red?"),), {}, r"is no Ask; give Ask\(question\)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_mistake_is_refused_before_anything_is_shown(person: Person, call: Call, name: str) -> None:
    door, args, kwargs, says = REFUSED[name]
    runtime = person(settle_with("x"))
    with pytest.raises(ValueError, match=says):
        call(door, *args, **kwargs)
    assert runtime.host.asked == []
    assert runtime.host.receipts == []
    assert runtime.desk.snapshot() == ()


@pytest.mark.parametrize("name", ["approve_plan", "ask", "ask_form", "ask_text", "confirm", "ask_questions"])
def test_a_missing_argument_is_said_of_the_door_and_not_of_its_insides(call: Call, name: str) -> None:
    with pytest.raises(TypeError, match=rf"\b{name}\(\)"):
        call(name)


@pytest.mark.parametrize(
    ("door", "args", "kwargs", "script", "value"),
    [
        ("ask", ("Q?", ["Red", "Blue"]), {}, "Blue", "Blue"),
        ("ask", ("Q?", ["Red", "Blue"]), {}, "violet", "violet"),
        ("ask", (), {"question": "Q?", "options": ["Red", "Blue"]}, "Blue", "Blue"),
        ("ask", ("Q?", {"fast": "Cheaper", "large": "Better"}), {}, "large", "large"),
        ("ask", ("Q?", Colour), {}, "BLUE", Colour.BLUE),
        ("ask", ("Q?", Colour), {}, Colour.RED, Colour.RED),
        ("ask", ("Q?", [Option("A", value=None), "B"]), {}, "A", None),
        ("ask", ("Q?", ["A", "B", "C"]), {"many": True, "min": 1, "max": 2}, ["C", "A"], ["A", "C"]),
        ("ask", ("Q?", ["A", "B"]), {"many": True, "min": 0}, [], []),
        ("ask", ("Q?", ["A", "B"]), {"many": True}, ["A", "mine"], ["A", "mine"]),
        ("confirm", ("Q?",), {}, True, True),
        ("confirm", ("Q?",), {"yes": "Do", "no": "Don't"}, "Don't", False),
        ("ask_text", ("Q?",), {}, "exp-1", "exp-1"),
        ("ask_text", ("Q?",), {"secret": True}, "s3cret", "s3cret"),
        ("ask_form", ("Q?", {"properties": {"n": {"type": "integer"}}}), {}, {"n": 3}, {"n": 3}),
        ("ask_form", ("Q?", {"type": "object", "properties": {}}), {}, {}, {}),
        ("approve_plan", ("1. Go",), {"question": "Q?"}, "Yes, and go on by itself", PlanDecision("auto")),
    ],
)
def test_c1_a_call_returns_the_value(call: Call, door: str, args: Any, kwargs: Any, script: Any, value: Any) -> None:
    with scripted({"Q?": script}):
        assert call(door, *args, **kwargs) == value


def test_the_very_object_is_returned(call: Call) -> None:
    things = [object(), object()]
    with scripted({"Q?": str(things[1])}):
        assert call("ask", "Q?", things) is things[1]


def test_several_questions_are_one_ask(call: Call) -> None:
    with scripted({"Name?": "Ann", "Red?": "B"}) as asks:
        reply = call("ask_questions", [Question("Name?"), Question("Red?", ["A", "B"], id="red")], message="Hello")
    assert (reply["q1"], reply["red"], reply.values) == ("Ann", "B", {"q1": "Ann", "red": "B"})
    assert [ask.message for ask in asks] == ["Hello"]


@pytest.mark.parametrize("reply", NON_ANSWERS, ids=lambda reply: reply.kind)
def test_put_returns_a_non_answer_and_never_raises_for_it(person: Person, call: Call, reply: Reply) -> None:
    person(replies(reply))
    got = call("put", Ask(Question("A?")))
    assert got.kind == reply.kind
    assert not got


@pytest.mark.parametrize("reply", NON_ANSWERS, ids=lambda reply: reply.kind)
@pytest.mark.parametrize(
    ("door", "args"),
    [("ask", ("A?", ["A"])), ("confirm", ("A?",)), ("ask_text", ("A?",)), ("ask_questions", ([Question("A?")],))],
)
def test_the_others_raise_no_answer_with_the_reply(
    person: Person, call: Call, reply: Reply, door: str, args: Any
) -> None:
    person(replies(reply))
    with pytest.raises(NoAnswer, match="no answer to 'A\\?'") as error:
        call(door, *args)
    assert error.value.reply.kind == reply.kind
    assert error.value.ask.questions[0].text == "A?"


@pytest.mark.parametrize("reply", [Discussed(), Declined(), Cancelled(), Withdrawn()], ids=lambda reply: reply.kind)
def test_a_default_never_overrules_what_the_person_did(person: Person, call: Call, reply: Reply) -> None:
    person(replies(reply))
    with pytest.raises(NoAnswer):
        call("confirm", "Go?", default=True, when_unanswered="default")


# Nobody there


def test_a2_c23_without_anybody_an_ask_is_unavailable_and_never_answered_or_declined(call: Call) -> None:
    reply = call("put", Ask(Question("Which DB?", ["Postgres", "SQLite"])))
    assert isinstance(reply, Unavailable)
    assert (reply.via, reply.fallback) == ("policy", None)
    assert "nobody can be asked" in reply.reason


def test_c26_without_anybody_the_error_names_the_question(call: Call) -> None:
    with pytest.raises(NoAnswer, match="no answer to 'Which DB\\?': standard input is no terminal"):
        call("ask", "Which DB?", ["Postgres", "SQLite"])


@pytest.mark.parametrize(
    ("door", "args", "default", "value"),
    [
        ("ask", ("A?", ["A", "B"]), "B", "B"),
        ("ask", ("A?", Colour), Colour.RED, Colour.RED),
        ("confirm", ("A?",), False, False),
        ("ask_text", ("A?",), "exp", "exp"),
    ],
)
def test_c26_without_anybody_a_default_applies_by_policy(
    call: Call, door: str, args: Any, default: Any, value: Any
) -> None:
    assert call(door, *args, default=default, when_unanswered="default") == value


def test_c26_a_default_of_several_and_of_several_questions_applies(call: Call) -> None:
    assert call("ask", "A?", ["A", "B"], many=True, default=["B"], when_unanswered="default") == ["B"]
    questions = [Question("A?", default="x"), Question("B?", ["A"], required=False)]
    reply = call("ask_questions", questions, when_unanswered="default")
    assert (reply.values, reply.via) == ({"q1": "x"}, "default")


def test_a_default_is_not_used_where_the_policy_is_to_raise(call: Call) -> None:
    with pytest.raises(NoAnswer):
        call("ask", "A?", ["A", "B"], default="A")


def test_c26_the_environment_sets_the_policy(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", "default")
    assert call("ask", "A?", ["A", "B"], default="B") == "B"
    with pytest.raises(NoAnswer):
        call("ask", "A?", ["A", "B"])
    with pytest.raises(NoAnswer):
        call("ask", "A?", ["A", "B"], default="B", when_unanswered="raise")


def test_half_a_set_of_defaults_is_no_answer(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", "default")
    with pytest.raises(NoAnswer):
        call("ask_questions", [Question("A?", default="x"), Question("B?")])


def test_c27_many_asks_without_anybody_end_at_once_and_are_never_opened(person: Person, call: Call) -> None:
    runtime = person(settle_with("x"), allow_stdin=False)
    for _ in range(10):
        assert not call("put", Ask(Question("A?")))
    assert runtime.host.asked == []
    assert [bundle[MIME]["kind"] for bundle in runtime.host.receipts] == ["unavailable"] * 10


def test_a_closed_standard_input_means_nobody_is_there(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    sys.stdin.close()
    assert call("put", Ask(Question("A?"))).kind == "unavailable"
    monkeypatch.setattr(sys, "stdin", None)
    assert call("put", Ask(Question("A?"))).kind == "unavailable"


# What the settings fill in


def test_the_settings_fill_in_what_the_caller_left_out(person: Person, call: Call) -> None:
    runtime = person(settle_with("x"), asker="The lab", notes=True, timeout=90.0)
    call("ask_text", "Name?")
    ask = runtime.host.asked[0].ask
    assert (ask.who, ask.timeout, ask.questions[0].notes) == ("The lab", 90.0, True)


def test_the_caller_overrules_the_settings(person: Person, call: Call) -> None:
    runtime = person(settle_with("x"), asker="The lab", notes=True, timeout=90.0)
    call("ask_text", "Name?", asker=Asker("Claude", "tool"), notes=False, timeout=3)
    ask = runtime.host.asked[0].ask
    assert (ask.asker, ask.timeout, ask.questions[0].notes) == (Asker("Claude", "tool"), 3, False)


def test_c22_without_a_setting_an_ask_has_no_deadline(person: Person, call: Call) -> None:
    runtime = person(settle_with("x"))
    call("ask_text", "Name?")
    assert runtime.host.asked[0].remaining() is None


# Waiting


def test_a1_nothing_is_returned_before_the_person_picks(person: Person, in_thread: Runner, call: Call) -> None:
    opened = threading.Event()
    runtime = person(lambda desk, pending: opened.set())
    answer = in_thread(call, "ask", "Which DB?", ["Postgres", "SQLite"])
    assert opened.wait(5)
    assert not answer.done()
    (pending,) = runtime.desk.snapshot()
    assert runtime.desk.settle(pending.ask.id, Answered(answers={"q1": Answer("Postgres", ("Postgres",))}))
    assert answer.result(5) == "Postgres"


def test_c2_an_await_is_woken_by_a_reply_from_another_thread(person: Person) -> None:
    def later(desk: Desk, pending: Pending) -> None:
        reply = Answered(answers={"q1": Answer("A", ("A",))})
        threading.Thread(target=desk.settle, args=(pending.ask.id, reply)).start()

    person(later)

    async def main() -> Any:
        return await asyncio.wait_for(aio.ask("A?", ["A"]), 5)

    assert asyncio.run(main()) == "A"


def test_the_loop_runs_on_while_an_await_waits(person: Person) -> None:
    runtime = person()

    async def answer() -> None:
        while not runtime.desk.snapshot():
            await asyncio.sleep(0)
        runtime.desk.settle(runtime.desk.snapshot()[0].ask.id, Answered(answers={"q1": Answer("x")}))

    async def main() -> Any:
        value, _ = await asyncio.wait_for(asyncio.gather(aio.ask_text("A?"), answer()), 5)
        return value

    assert asyncio.run(main()) == "x"


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Iterator[IO[str]]:
    """Stdin is a terminal, for all nbask can tell; what is written here is typed into it."""
    reader, writer = os.pipe()
    with os.fdopen(reader) as stdin, os.fdopen(writer, "w", buffering=1) as keyboard:
        fake = SimpleNamespace(fileno=stdin.fileno, readline=stdin.readline, isatty=lambda: True)
        monkeypatch.setattr(sys, "stdin", fake)
        yield keyboard
        runtime_module.unload()


def test_the_loop_runs_on_while_a_person_in_a_terminal_types(typing: IO[str]) -> None:
    async def type_when_asked() -> None:
        while not current().desk.snapshot():
            await asyncio.sleep(0)
        typing.write("1\n")

    async def main() -> str:
        answer, _ = await asyncio.wait_for(asyncio.gather(aio.ask("A?", ["A"]), type_when_asked()), 5)
        return answer

    assert asyncio.run(main()) == "A"


NESTED = """
import asyncio
import nbask
from nbask import runtime
from nbask.kinds import Answer
from nbask.replies import Answered
from nbask.routing import Route

current = runtime.current()
current.route = lambda: Route(("card",), "somebody answers")
current.fronts.show = lambda pending, chosen: None

async def answer():
    while not current.desk.snapshot():
        await asyncio.sleep(0)
    current.desk.settle(current.desk.snapshot()[0].ask.id, Answered(answers={"q1": Answer("x")}))

async def main():
    task = asyncio.ensure_future(answer())
    value = nbask.ask_text("A?", keep_loop_running=True)
    await task
    return value

print(asyncio.new_event_loop().run_until_complete(main()))
"""


def test_keep_loop_running_lets_other_tasks_go_on_under_a_blocking_ask() -> None:
    """In a process of its own: what nest_asyncio2 does to asyncio cannot be undone."""
    assert subprocess.check_output([sys.executable, "-c", NESTED], text=True, timeout=60) == "x\n"


def test_keep_loop_running_without_a_loop_is_a_plain_wait(person: Person) -> None:
    person(settle_with("x"), keep_loop_running=True)
    assert nbask.ask_text("A?") == "x"


def test_a30_questions_in_a_loop_all_wait_and_all_count(person: Person, call: Call) -> None:
    runtime = person(replies(*(Answered(answers={"q1": Answer(f"answer {n}")}) for n in range(5))))
    assert [call("ask_text", "A?") for _ in range(5)] == [f"answer {n}" for n in range(5)]
    assert len(runtime.host.asked) == 5


def test_one_ask_may_be_put_again_once_it_has_ended(person: Person, call: Call) -> None:
    person(replies(Declined(), Cancelled()))
    ask = Ask(Question("A?"))
    assert [call("put", ask).kind, call("put", ask).kind] == ["declined", "cancelled"]


def test_two_threads_ask_at_once_and_each_gets_its_own_answer(person: Person, in_thread: Runner) -> None:
    barrier = threading.Barrier(2)

    def front(desk: Desk, pending: Pending) -> None:
        barrier.wait(5)
        desk.settle(pending.ask.id, Answered(answers={"q1": Answer(pending.ask.questions[0].text.lower())}))

    person(front)
    futures = [in_thread(nbask.ask_text, text) for text in ("ONE?", "TWO?")]
    assert [future.result(5) for future in futures] == ["one?", "two?"]


# Deadlines


def test_a14_c22_a_deadline_ends_an_ask_with_its_draft(person: Person, call: Call) -> None:
    clock = FakeClock()
    draft: Any = {"answers": {"q1": wire_answer(other="abc")}, "message": None}

    def typing(desk: Desk, pending: Pending) -> None:
        clock.advance(1)
        desk.keep_draft(pending.ask.id, draft)
        clock.advance(PAUSE + 1.5)

    person(typing, clock=clock)
    reply = call("put", Ask(Question("A?", ["A"]), timeout=2))
    assert isinstance(reply, TimedOut)
    assert (reply.draft, reply.elapsed, reply.fallback) == (draft, PAUSE + 2.5, None)


def test_a14_c22_typing_for_longer_than_the_timeout_ends_in_one_timeout_with_the_draft(
    person: Person, call: Call
) -> None:
    clock = FakeClock()
    told: list[str] = []
    draft: Any = {"answers": {"q1": wire_answer(other="abc")}, "message": None}

    def typing(desk: Desk, pending: Pending) -> None:
        for _ in range(10):
            clock.advance(1)
            assert not pending.done
            desk.keep_draft(pending.ask.id, draft)
        clock.advance(PAUSE + 2.5)

    runtime = person(typing, clock=clock)
    runtime.desk.observe(lambda pending: told.append(pending.reply.kind if pending.reply is not None else ""))
    reply = call("put", Ask(Question("A?", ["A"]), timeout=3))
    assert isinstance(reply, TimedOut)
    assert (reply.draft, reply.elapsed, told) == (draft, 10 + PAUSE + 2.5, ["timed_out"])


def test_a14_what_is_submitted_after_typing_past_the_timeout_counts(person: Person, call: Call) -> None:
    clock = FakeClock()

    def typing(desk: Desk, pending: Pending) -> None:
        for _ in range(3):
            clock.advance(1)
            desk.keep_draft(pending.ask.id, {"answers": {}, "message": None})
        desk.settle(pending.ask.id, Answered(answers={"q1": Answer("abc", (), "abc")}))

    person(typing, clock=clock)
    assert call("ask", "A?", ["A"], timeout=2) == "abc"


def test_a_default_applies_when_the_time_is_up(person: Person, call: Call) -> None:
    clock = FakeClock()
    person(lambda desk, pending: clock.advance(60), clock=clock)
    assert call("ask", "A?", ["A", "B"], default="B", timeout=1, when_unanswered="default") == "B"


def test_what_a_default_answers_says_how_long_it_was_waited_for(person: Person, call: Call) -> None:
    clock = FakeClock()
    person(lambda desk, pending: clock.advance(60), clock=clock)
    reply = call("ask_questions", [Question("A?", default="x")], timeout=60, when_unanswered="default")
    assert (reply.values, reply.elapsed) == ({"q1": "x"}, 60)


def test_without_a_default_a_timeout_is_no_answer(person: Person, call: Call) -> None:
    clock = FakeClock()
    person(lambda desk, pending: clock.advance(60), clock=clock)
    with pytest.raises(NoAnswer, match="the time for it ran out") as error:
        call("ask", "A?", ["A", "B"], timeout=1)
    assert error.value.reply.kind == "timed_out"


def test_c17_a_reply_after_the_deadline_is_refused(person: Person, call: Call) -> None:
    clock = FakeClock()
    runtime = person(lambda desk, pending: clock.advance(60), clock=clock)
    assert call("put", Ask(Question("A?"), timeout=1)).kind == "timed_out"
    (late,) = runtime.host.asked
    assert runtime.desk.settle(late.ask.id, Answered(answers={"q1": Answer("x")})) is False
    assert late.reply is not None
    assert late.reply.kind == "timed_out"


def test_c17_a_line_typed_in_a_terminal_after_the_deadline_does_not_count(
    typing: IO[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    runtime = Runtime(ConsoleHost(), NbAsk(), clock)
    monkeypatch.setattr("nbask.runtime._runtime", runtime)

    def type_too_late(_pending: Pending) -> None:
        typing.write("1\n")

    runtime.desk.observe(type_too_late)
    monkeypatch.setattr("nbask.hosts.console._readable", lambda stream: clock.advance(1))
    assert nbask.put(Ask(Question("A?", ["A"]), timeout=5)).kind == "timed_out"


# Interrupts, cancellation, faults


class Interrupted(Plain):
    """A wait that a SIGINT ends, as a kernel's does."""

    def wait(self, pending: Pending) -> None:
        signal.raise_signal(signal.SIGINT)


def test_a29_an_interrupt_while_waiting_cancels_the_ask_and_goes_on(person: Person) -> None:
    runtime = person()
    runtime.waiter = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        nbask.ask("A?", ["A"])
    reply = runtime.host.asked[0].reply
    assert isinstance(reply, Cancelled)
    assert reply.by == "interrupt"
    assert runtime.desk.snapshot() == ()


def test_an_interrupt_while_showing_cancels_the_ask_too(person: Person) -> None:
    runtime = person(lambda desk, pending: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        nbask.ask("A?", ["A"])
    reply = runtime.host.asked[0].reply
    assert isinstance(reply, Cancelled)
    assert reply.by == "interrupt"


def test_a_keyboard_interrupt_raised_into_an_await_cancels_the_ask(person: Person) -> None:
    def interrupt(desk: Desk, pending: Pending) -> None:
        raise KeyboardInterrupt

    runtime = person(interrupt)
    with pytest.raises(KeyboardInterrupt):
        _put_awaited().send(None)  # without a loop, which would wrap the interrupt up in a task
    reply = runtime.host.asked[0].reply
    assert isinstance(reply, Cancelled)
    assert reply.by == "interrupt"


async def _put_awaited() -> Reply:
    return await aio.put(Ask(Question("A?")))


def _awaiting_task(runtime: Any, act: Callable[[asyncio.Task[Any]], object]) -> Pending:
    """Await an ask, do `act` to its task once the ask is open, and see `CancelledError` come out."""

    async def main() -> None:
        task = asyncio.ensure_future(_put_awaited())
        while not runtime.host.asked:
            await asyncio.sleep(0)
        act(task)
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(asyncio.shield(task), 5)

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(main())
    finally:
        loop.close()
    return runtime.host.asked[0]


def test_a_cancelled_task_withdraws_its_ask(person: Person) -> None:
    runtime = person()
    pending = _awaiting_task(runtime, lambda task: task.cancel())
    assert isinstance(pending.reply, Withdrawn)
    assert runtime.desk.snapshot() == ()


def test_a29_c10_an_interrupt_that_cancels_the_await_is_told_from_a_cancelled_task(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = person()
    tasks: list[asyncio.Task[Any]] = []
    # As ipykernel has it: the handler of SIGINT cancels the cell's task. It is there before the ask opens.
    before = signal.signal(signal.SIGINT, lambda *_: tasks[0].cancel())
    try:
        pending = _awaiting_task(runtime, lambda task: tasks.append(task) or signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)
    assert isinstance(pending.reply, Cancelled)
    assert pending.reply.by == "interrupt"


def test_a_fault_in_showing_withdraws_the_ask_and_is_not_hidden(person: Person, call: Call) -> None:
    def fail(desk: Desk, pending: Pending) -> None:
        raise OSError("no display")

    runtime = person(fail)
    with pytest.raises(OSError, match="no display"):
        call("ask", "A?", ["A"])
    reply = runtime.host.asked[0].reply
    assert isinstance(reply, Withdrawn)
    assert reply.reason == "asking failed"
    assert runtime.desk.snapshot() == ()


def test_an_interrupted_cell_takes_the_asks_of_its_threads_along(person: Person, in_thread: Runner) -> None:
    opened = threading.Event()
    runtime = person(lambda desk, pending: opened.set())
    answer = in_thread(nbask.put, Ask(Question("A?")))
    assert opened.wait(5)
    result = type("Result", (), {"error_in_exec": KeyboardInterrupt()})()
    runtime.cell_ended(result)
    assert answer.result(5).by == "interrupt"


def test_a_cell_that_ends_well_or_is_another_leaves_asks_open(person: Person, in_thread: Runner) -> None:
    opened = threading.Event()
    runtime = person(lambda desk, pending: opened.set())
    answer = in_thread(nbask.put, Ask(Question("A?")))
    assert opened.wait(5)
    runtime.cell_started()
    runtime.cell_ended(type("Result", (), {"error_in_exec": None})())
    runtime.host.current_cell = "cell-2"
    runtime.cell_ended(type("Result", (), {"error_in_exec": KeyboardInterrupt()})())
    (pending,) = runtime.desk.snapshot()
    runtime.desk.settle(pending.ask.id, Declined())
    assert answer.result(5).kind == "declined"


def test_unloading_withdraws_what_is_open(person: Person, in_thread: Runner) -> None:
    opened = threading.Event()
    runtime = person(lambda desk, pending: opened.set())
    answer = in_thread(nbask.put, Ask(Question("A?")))
    assert opened.wait(5)
    runtime.unload()
    assert answer.result(5).reason == "nbask was unloaded"


# Places that cannot block


def test_c7_where_nothing_can_block_the_awaitable_form_is_named(person: Person) -> None:
    runtime = person(settle_with("x"))
    runtime.host.cannot_block = "one thread"
    with pytest.raises(RuntimeError, match=r"one thread.*await nbask\.aio"):
        nbask.ask_text("A?")
    assert runtime.host.asked == []
    assert asyncio.run(_text()) == "x"


async def _text() -> Any:
    return await aio.ask_text("A?")


@pytest.mark.parametrize("with_kernel", [False, True])
def test_c7_a_pyodide_kernel_cannot_block(monkeypatch: pytest.MonkeyPatch, with_kernel: bool) -> None:
    class Kernel:
        """JupyterLite's shell has a kernel whose `get_parent` takes no channel."""

        def get_parent(self) -> dict[str, Any]:
            return {}

    shell = type("Shell", (), {"kernel": Kernel()} if with_kernel else {})()
    ipython = type(sys)("IPython")
    ipython.get_ipython = lambda: shell  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert "cannot block" in find_host().cannot_block
