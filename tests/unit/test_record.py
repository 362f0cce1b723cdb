"""Record and replay, from the code that asks: what is asked again, what is not, and what is said when it goes wrong."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError

import nbask
from nbask import Ask, NoAnswer, Option, Question, aio, ask, ask_form, ask_questions, ask_text, commands, confirm
from nbask import runtime as runtime_module
from nbask.desk import Desk, Pending
from nbask.record.answers import read
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut
from nbask.runtime import Runtime
from nbask.testing import scripted
from nbask.wire import RECEIPT as MIME

Person = Callable[..., Runtime]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.json"


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing is said that no test expects."""
    caplog.set_level(logging.WARNING, "nbask")
    yield
    assert not caplog.get_records("call")


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What was said in the log, each once."""

    def take() -> list[str]:
        messages = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return messages

    return take


def run(current: Runtime, line: str) -> None:
    commands.run(current, line)


def record(file: Path, script: Any, code: Callable[[], Any]) -> Any:
    """Run `code` with a person of whom `script` tells, and record; then forget the kernel."""
    run(runtime_module.current(), f"record {file}")
    with scripted(script):
        result = code()
    runtime_module.unload()
    return result


def colours() -> list[str]:
    return [ask("Red or blue?", ["Red", "Blue"]) for _ in range(3)]


def nobody(_desk: Desk, pending: Pending) -> None:
    raise AssertionError(f"{pending.ask.quoted} was asked")


def test_c26_a_recorded_run_needs_nobody_the_next_time(file: Path, person: Person) -> None:
    answers = iter(["Red", "mauve", "Blue"])
    assert record(file, lambda _ask: next(answers), colours) == ["Red", "mauve", "Blue"]
    current = person(nobody)
    run(current, f"replay {file}")
    assert colours() == ["Red", "mauve", "Blue"]


def test_c26_without_a_record_a_headless_run_fails_at_once_and_names_the_question(person: Person) -> None:
    person(nobody, allow_stdin=False, headless="always")
    with pytest.raises(NoAnswer, match=r"no answer to 'Red or blue\?': .*") as error:
        colours()
    assert "json" not in str(error.value)


def test_c26_a_question_that_is_not_in_the_record_fails_at_once_and_names_the_file(file: Path, person: Person) -> None:
    record(file, {"Red or blue?": "Red"}, colours)
    run(person(nobody, headless="always"), f"replay {file}")
    colours()
    with pytest.raises(NoAnswer, match=r"'Red or blue\?': .*; answers\.json has no answer to it \(asked 4 times\)"):
        ask("Red or blue?", ["Red", "Blue"])
    with pytest.raises(NoAnswer, match=r"'Red or green\?': .*; answers\.json has no answer to it\n"):
        ask("Red or green?", ["Red", "Green"])
    record(file.with_name("one.json"), {"Red or blue?": "Red"}, lambda: ask("Red or blue?", ["Red", "Blue"]))
    run(person(nobody, headless="always"), f"replay {file.with_name('one.json')}")
    ask("Red or blue?", ["Red", "Blue"])
    with pytest.raises(NoAnswer, match=r"one\.json has no answer to it \(asked 2 times\)"):
        ask("Red or blue?", ["Red", "Blue"])


@pytest.fixture
def picks_last(person: Person) -> Callable[..., Runtime]:
    """A person who picks the last option of everything they are asked."""

    def pick(desk: Desk, pending: Pending) -> None:
        question = pending.ask.questions[0]
        written = question.rules.write(question, question.options[-1].label)
        answer = question.rules.read(question, written)
        assert answer is not None
        desk.settle(pending.ask.id, Answered(answers={question.id: answer}, via="text"))

    return lambda **settings: person(pick, **settings)


def test_a_changed_question_is_asked_again(file: Path, picks_last: Person) -> None:
    record(file, {"Red or blue?": "Red"}, colours)
    run(picks_last(), f"replay {file}")
    assert ask("Red or blue?", ["Red", "Blue", "Green"]) == "Green"
    assert ask("Red, or blue?", ["Red", "Blue"]) == "Blue"
    assert ask("Red or blue?", ["Red", "Blue"]) == "Red"


def test_a_replay_that_is_recorded_to_the_same_file_asks_what_is_new_and_adds_it(
    file: Path, picks_last: Person
) -> None:
    record(file, {"Red or blue?": "Red"}, lambda: ask("Red or blue?", ["Red", "Blue"]))
    for new in (2, 0):
        current: Any = picks_last()
        run(current, f"replay {file}")
        run(current, f"record {file}")
        assert colours() == ["Red", "Blue", "Blue"]
        assert len(current.host.asked) == new
        assert len(read(file)) == 3


def test_the_order_of_record_and_replay_does_not_matter(file: Path, picks_last: Person) -> None:
    record(file, {"Red or blue?": "Red"}, lambda: ask("Red or blue?", ["Red", "Blue"]))
    current = picks_last()
    run(current, f"record {file}")
    run(current, f"replay {file}")
    assert colours() == ["Red", "Blue", "Blue"]
    assert len(read(file)) == 3


def test_a_replay_that_is_recorded_to_another_file_is_copied_there(file: Path, picks_last: Person) -> None:
    record(file, {"Red or blue?": "Red"}, lambda: ask("Red or blue?", ["Red", "Blue"]))
    other = file.with_name("other.json")
    current = picks_last()
    run(current, f"replay {file}")
    run(current, f"record {other}")
    assert colours() == ["Red", "Blue", "Blue"]
    assert (len(read(file)), len(read(other))) == (1, 3)
    assert read(other)[0] == read(file)[0]


def test_replaying_again_begins_at_the_first_time_each_question_is_asked(file: Path, person: Person) -> None:
    answers = iter(["Red", "Blue", "Blue"])
    record(file, lambda _ask: next(answers), colours)
    current = person(nobody)
    for _ in range(2):
        run(current, f"replay {file}")
        assert colours() == ["Red", "Blue", "Blue"]


def test_recording_to_the_file_that_is_replayed_goes_on_where_the_replay_is(file: Path, person: Person) -> None:
    answers = iter(["Red", "Blue", "Green"])
    record(file, lambda _ask: next(answers), colours)
    current = person(nobody)
    run(current, f"replay {file}")
    assert ask("Red or blue?", ["Red", "Blue"]) == "Red"
    run(current, f"record {file}")
    assert [ask("Red or blue?", ["Red", "Blue"]) for _ in range(2)] == ["Blue", "Green"]


def test_what_was_edited_by_hand_is_replayed_and_stays_as_it_was_written(file: Path, person: Person) -> None:
    record(file, {"How many?": "3"}, lambda: ask_text("How many?"))
    edited = file.read_text().replace('"reply"', '"message": "of mine",\n      "reply"')
    file.write_text(edited)
    current = person(nobody)
    run(current, f"replay {file}")
    run(current, f"record {file}")
    assert ask_text("How many?") == "3"
    assert file.read_text() == edited


def test_recording_again_replaces_the_answers_of_before(file: Path) -> None:
    record(file, {"Red or blue?": "Red"}, colours)
    record(file, {"Red or blue?": "Blue"}, colours)
    assert [one["questions"][0]["answer"] for one in read(file)] == [{"selected": ["Blue"]}] * 3  # type: ignore[typeddict-item]


def test_off_ends_both(file: Path, picks_last: Person) -> None:
    record(file, {"Red or blue?": "Red"}, colours)
    before = file.read_bytes()
    current = picks_last()
    run(current, f"replay {file}")
    run(current, f"record {file}")
    run(current, "off")
    assert colours() == ["Blue"] * 3
    assert file.read_bytes() == before


def test_unloading_ends_both(file: Path, picks_last: Person) -> None:
    record(file, {"Red or blue?": "Red"}, lambda: ask("Red or blue?", ["Red", "Blue"]))
    current = picks_last()
    run(current, f"replay {file}")
    run(current, f"record {file}")
    runtime_module.unload()
    picks_last()
    assert colours() == ["Blue"] * 3
    assert len(read(file)) == 1


def test_a_script_wins_over_a_replay_and_is_recorded(file: Path, person: Person) -> None:
    record(file, {"Red or blue?": "Red"}, colours)
    current = person(nobody)
    run(current, f"replay {file}")
    run(current, f"record {file}")
    with scripted({"Red or blue?": "Blue"}):
        assert ask("Red or blue?", ["Red", "Blue"]) == "Blue"
    assert ask("Red or blue?", ["Red", "Blue"]) == "Red"
    assert read(file)[0]["questions"][0]["answer"] == {"selected": ["Blue"]}  # type: ignore[typeddict-item]


ENDINGS: list[Reply] = [Discussed(text="why?"), Declined(), Cancelled(), TimedOut()]


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda reply: reply.kind)
def test_an_ending_without_an_answer_is_replayed_too(file: Path, person: Person, ending: Any) -> None:
    def code() -> str:
        with pytest.raises(NoAnswer) as error:
            confirm("Go?")
        return str(error.value)

    first = record(file, {"Go?": ending}, code)
    run(person(nobody), f"replay {file}")
    assert code() == first


def test_the_receipt_says_that_the_answer_was_replayed(file: Path, person: Person) -> None:
    record(file, {"Go?": True}, lambda: confirm("Go?"))
    current: Any = person(nobody)
    run(current, f"replay {file}")
    assert nbask.put(Ask(Question("Go?", kind="confirm"))).via == "replay"
    (receipt,) = current.host.receipts
    assert "replayed from recorded answers" in receipt["text/html"]
    assert "answered in" not in receipt["text/html"]
    assert receipt[MIME]["via"] == "replay"


def test_a_form_and_several_questions_are_replayed(file: Path, person: Person) -> None:
    schema = {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
    robust = object()

    def code() -> Any:
        form = ask_form("Where to?", schema)
        several = ask_questions([Question("Plot?", [Option("robust", value=robust)]), Question("Name?")])
        return form, several.values

    script = {"Where to?": {"city": "Rome", "days": 3}, "Plot?": "robust", "Name?": "x"}
    assert record(file, script, code) == ({"city": "Rome", "days": 3}, {"q1": robust, "q2": "x"})
    run(person(nobody), f"replay {file}")
    assert code() == ({"city": "Rome", "days": 3}, {"q1": robust, "q2": "x"})


def test_awaited_questions_are_recorded_and_replayed(file: Path, person: Person) -> None:
    async def gathered() -> list[Any]:
        return await asyncio.gather(*(aio.ask(f"{number}?", ["x", "y"]) for number in range(5)))

    assert record(file, lambda _ask: "y", lambda: asyncio.run(gathered())) == ["y"] * 5
    run(person(nobody), f"replay {file}")
    assert asyncio.run(gathered()) == ["y"] * 5


def test_a_secret_is_never_in_the_file_and_is_asked_again(file: Path, person: Person) -> None:
    def type_it(desk: Desk, pending: Pending) -> None:
        key = pending.ask.questions[0]
        answer = key.rules.read(key, key.rules.write(key, "typed again"))
        assert answer is not None
        desk.settle(pending.ask.id, Answered(answers={key.id: answer}))

    record(file, {"The key?": "hunter2"}, lambda: ask_text("The key?", secret=True))
    assert "hunter2" not in file.read_text()
    run(person(type_it), f"replay {file}")
    assert ask_text("The key?", secret=True) == "typed again"
    run(person(nobody, headless="always"), f"replay {file}")
    with pytest.raises(NoAnswer, match=r"'The key\?': .*; answers\.json keeps no secrets, and its answer is one"):
        ask_text("The key?", secret=True)


def test_a_note_is_replayed(file: Path, person: Person) -> None:
    question = Question("Red or blue?", ["Red", "Blue"], notes=True)
    answer = Answered(answers={"q1": nbask.kinds.Answer("Red", ("Red",), notes="but darker")})
    record(file, {"Red or blue?": answer}, lambda: nbask.put(Ask(question)))
    run(person(nobody), f"replay {file}")
    assert nbask.put(Ask(question)).answers["q1"].notes == "but darker"  # type: ignore[union-attr]


def test_an_ask_that_is_put_twice_is_asked_twice(file: Path, person: Person) -> None:
    one = Ask(Question("Red or blue?", ["Red", "Blue"]))
    answers = iter(["Red", "Blue"])

    def code() -> list[Any]:
        return [nbask.put(one).value for _ in range(2)]  # type: ignore[union-attr]

    record(file, lambda _ask: next(answers), code)
    run(person(nobody), f"replay {file}")
    assert code() == ["Red", "Blue"]


def test_answers_belong_to_the_time_a_question_was_asked_and_not_the_time_it_was_answered(
    file: Path, person: Person
) -> None:
    current: Any = person()
    run(current, f"record {file}")
    first, second = Ask(Question("A?", ["x", "y"])), Ask(Question("A?", ["x", "y"]))
    for one in (first, second):
        current.record.decide(one)
        current.desk.open(one)
    for one, label in ((second, "y"), (first, "x")):
        current.desk.settle(one.id, Answered(answers={"q1": nbask.kinds.Answer(label, (label,))}))
    run(person(nobody), f"replay {file}")
    assert [ask("A?", ["x", "y"]) for _ in range(2)] == ["x", "y"]


def test_a_question_that_was_interrupted_counts_when_it_is_asked_again(file: Path, picks_last: Person) -> None:
    current: Any = picks_last()
    run(current, f"record {file}")
    one = Ask(Question("Red or blue?", ["Red", "Blue"]))
    current.record.decide(one)
    current.desk.open(one)
    current.desk.settle(one.id, Cancelled(by="interrupt"))
    assert ask("Red or blue?", ["Red", "Blue"]) == "Blue"
    assert [(entry["occurrence"], entry["reply"]) for entry in read(file)] == [(1, "answered")]


def test_a_headless_run_leaves_nothing_in_the_record(file: Path, person: Person) -> None:
    run(person(nobody, headless="always"), f"record {file}")
    assert ask("A?", ["x"], default="x", when_unanswered="default") == "x"
    assert read(file) == []


def test_each_answer_is_in_the_file_before_the_next_line_runs(file: Path, picks_last: Person) -> None:
    run(picks_last(), f"record {file}")
    for number in range(1, 4):
        ask("Red or blue?", ["Red", "Blue"])
        assert len(json.loads(file.read_text())["answers"]) == number


# What goes wrong


@pytest.mark.parametrize("word", ["record", "replay"])
def test_a_broken_file_is_refused_by_the_magic_and_left_alone(file: Path, picks_last: Person, word: str) -> None:
    other = file.with_name("other.json")
    record(other, {"Red or blue?": "Red"}, colours)
    current = picks_last()
    run(current, f"replay {other}")
    file.write_text("{broken")
    with pytest.raises(UsageError, match=r"answers\.json is no answers file: it is no JSON"):
        run(current, f"{word} {file}")
    assert file.read_text() == "{broken"
    assert colours() == ["Red"] * 3  # what was replayed before still is


def test_a_missing_file_is_refused_by_replay_and_made_by_record(file: Path, picks_last: Person) -> None:
    with pytest.raises(UsageError, match="there is no answers file"):
        run(picks_last(), f"replay {file}")
    run(picks_last(), f"record {file}")
    assert read(file) == []


def test_an_answer_that_no_longer_fits_is_said_and_the_question_is_asked(
    file: Path, picks_last: Person, said: Any
) -> None:
    record(file, {"Which?": "mine"}, lambda: ask("Which?", ["A", "B"]))
    before = file.read_bytes()
    run(picks_last(), f"replay {file}")
    assert ask("Which?", ["A", "B"], other=False) == "B"
    (message,) = said()
    assert message == (
        "nbask: answers.json has an answer to 'Which?' that no longer fits: "
        "This question takes no answer in other words; pick an option. It is not used."
    )
    assert file.read_bytes() == before


def test_an_answer_that_no_longer_fits_goes_by_the_policy_where_nobody_is(
    file: Path, person: Person, said: Any
) -> None:
    record(file, {"Which?": "mine"}, lambda: ask("Which?", ["A", "B"]))
    run(person(nobody, headless="always"), f"replay {file}")
    with pytest.raises(NoAnswer, match=r"answers\.json has an answer to 'Which\?' that no longer fits"):
        ask("Which?", ["A", "B"], other=False)
    assert said()
    run(person(nobody, headless="always"), f"replay {file}")
    assert ask("Which?", ["A", "B"], other=False, default="A", when_unanswered="default") == "A"
    assert said()


def test_an_answer_reaches_its_asker_though_it_cannot_be_recorded(file: Path, picks_last: Person, said: Any) -> None:
    run(picks_last(), f"record {file}")
    file.write_text("{broken by hand")
    assert ask("Red or blue?", ["Red", "Blue"]) == "Blue"
    (message,) = said()
    assert message.startswith("nbask: the answer to 'Red or blue?' is not recorded yet: ")
    assert "is no JSON" in message
    assert file.read_text() == "{broken by hand"
    run(runtime_module.current(), "off")
    (message,) = said()
    assert message.startswith("nbask: some answers are not recorded: ")


def test_answers_that_could_not_be_written_are_written_when_recording_ends(
    file: Path, picks_last: Person, said: Any
) -> None:
    run(picks_last(), f"record {file}")
    file.write_text("{broken by hand")
    ask("Red or blue?", ["Red", "Blue"])
    assert said()
    file.unlink()
    run(runtime_module.current(), f"record {file.with_name('other.json')}")
    assert len(read(file)) == 1


# NBASK_ANSWERS


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch, file: Path) -> Path:
    monkeypatch.setenv("NBASK_ANSWERS", str(file))
    return file


def test_c26_a_file_named_in_the_environment_is_replayed_from_the_first_ask_on(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(file, {"Red or blue?": "Red"}, colours)
    monkeypatch.setenv("NBASK_ANSWERS", str(file))
    assert colours() == ["Red"] * 3


def test_a_broken_file_in_the_environment_is_named_by_the_first_ask_and_fails_a_run_without_a_person(
    announced: Path, person: Person, said: Any
) -> None:
    announced.write_text("{broken")
    person(nobody, headless="always")
    assert said() == []
    for _ in range(2):
        with pytest.raises(NoAnswer, match=r"'Red or blue\?': .*; NBASK_ANSWERS is of no use: .*answers\.json is no"):
            colours()
    (message,) = said()
    assert message.startswith("nbask: NBASK_ANSWERS is of no use: ")
    assert announced.read_text() == "{broken"


def test_a_missing_file_in_the_environment_is_said_once_and_the_person_is_asked(
    announced: Path, picks_last: Person, said: Any
) -> None:
    current = picks_last()
    assert colours() == ["Blue"] * 3
    (message,) = said()
    assert f"there is no answers file {announced}" in message
    assert current.record.described() == message.removeprefix("nbask: ")
    run(current, "off")
    assert current.record.described() == "neither recorded nor replayed"


def test_an_empty_variable_names_no_file(monkeypatch: pytest.MonkeyPatch, picks_last: Person) -> None:
    monkeypatch.setenv("NBASK_ANSWERS", "")
    picks_last()
    assert colours() == ["Blue"] * 3


def test_a_notebook_that_records_itself_is_replayed_from_its_own_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, person: Person
) -> None:
    record(file, {"Red or blue?": "Red"}, colours)
    before = file.read_bytes()
    monkeypatch.setenv("NBASK_ANSWERS", str(file))
    run(person(nobody, headless="always"), f"record {file}")
    assert colours() == ["Red"] * 3
    assert file.read_bytes() == before


@pytest.mark.parametrize(("count", "words"), [(0, "no answers"), (1, "1 answer"), (2, "2 answers")])
def test_a_replay_says_how_many_answers_it_has(file: Path, person: Person, count: int, words: str) -> None:
    record(file, {"Name?": "Ann"}, lambda: [ask_text("Name?") for _ in range(count)])
    assert person(nobody).record.start_replay(str(file)) == f"Replaying {words} from {file}."


def test_the_status_says_what_is_replayed_and_recorded(
    file: Path, person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    record(file, {"Red or blue?": "Red"}, colours)
    current = person(nobody)
    assert current.record.described() == "neither recorded nor replayed"
    run(current, f"replay {file}")
    run(current, f"record {file}")
    assert current.record.described() == f"replaying 3 answers from {file}, recording to {file}"
    run(current, "off")
    assert capsys.readouterr().out.splitlines() == [
        f"Recording to {file}, which has no answers.",
        f"Replaying 3 answers from {file}.",
        f"Recording to {file}, which has 3 answers.",
        "Answers are neither recorded nor replayed.",
    ]
