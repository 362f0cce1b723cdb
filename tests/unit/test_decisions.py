"""The decision log: what is in it, that an edit shows, and that its table cannot be broken by what it holds."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nbask import Ask, Question, ask, ask_questions, ask_text, decisions, put, runtime
from nbask.desk import Clock, Desk
from nbask.journal import COLUMNS, Broken, Journal, verify
from nbask.kinds import Answer
from nbask.logbook import shown
from nbask.replies import DOTS, Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import FakeClock, scripted
from nbask.text import printable

Person = Callable[..., Any]
RED = Ask(Question("Red or blue?", ["Red", "Blue"]), asker="Claude", id="red")


def records_of(*ended: tuple[Ask, Reply], clock: Clock | None = None) -> list[dict[str, Any]]:
    """The log after these asks, as the desk tells of them."""
    desk, journal = Desk(clock), Journal()
    desk.observe(journal.note)
    for one, reply in ended:
        desk.open(one, "cell-1")
        desk.settle(one.id, reply)
    return journal.records()


def answered(said: str, **rest: Any) -> Answered:
    return Answered(answers={"q1": Answer(said, (said,), **rest)}, via="card")


# What is in it


def test_a_record_says_what_was_asked_by_whom_and_what_was_said(person: Person) -> None:
    clock = FakeClock(1_800_000_000.0)

    def answer(desk: Desk, pending: Any) -> None:
        clock.advance(2.5)
        desk.settle(pending.ask.id, answered("Red", notes="warm"))

    person(answer, clock=clock)
    put(RED)
    (record,) = decisions("records")
    assert list(record) == list(COLUMNS)
    assert re.fullmatch(r"[0-9a-f]{64}", record.pop("hash"))
    assert record == {
        "number": 1,
        "at": "2027-01-15T08:00:02Z",
        "asker": "Claude",
        "message": "",
        "question": "Red or blue?",
        "answer": "Red",
        "note": "warm",
        "default": "",
        "kind": "answered",
        "ended": "the person answered",
        "via": "card",
        "seconds": 2.5,
        "cell": "cell-1",
    }


def test_several_questions_of_one_ask_are_a_record_each(person: Person) -> None:
    person()
    questions = [Question("Name?"), Question("Age?", kind="integer", required=False)]
    with scripted({"Name?": "Ann", "Age?": None}):
        ask_questions(questions)
    told = [(one["number"], one["question"], one["answer"], one["ended"]) for one in decisions("records")]
    assert told == [
        (1, "Name?", "Ann", "the person answered"),
        (2, "Age?", "", "the person left it unanswered"),
    ]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            Discussed(text="why red?", via="card"),
            ("", "", "discussed", "the person wants to discuss it first: why red?"),
        ),
        (Declined(via="card"), ("", "", "declined", "the person declined to answer")),
        (Cancelled(by="interrupt"), ("", "", "cancelled", "the kernel was interrupted")),
        (TimedOut(), ("", "", "timed_out", "the time for it ran out")),
        (
            Unavailable(reason="nobody is here", fallback={"q1": Answer("Blue", ("Blue",))}),
            ("", "Blue", "unavailable", "nobody is here"),
        ),
        (Withdrawn(reason="it knows"), ("", "", "withdrawn", "it was withdrawn, because it knows")),
    ],
)
def test_silence_is_told_as_what_it_was_and_never_as_an_answer(reply: Reply, told: tuple[str, ...]) -> None:
    (record,) = records_of((RED, reply))
    assert tuple(record[name] for name in ("answer", "default", "kind", "ended")) == told


def test_what_a_policy_decides_is_in_it(person: Person) -> None:
    person(allow_stdin=False)
    assert ask("Red or blue?", ["Red", "Blue"], default="Blue", when_unanswered="default") == "Blue"
    (record,) = decisions("records")
    assert (record["kind"], record["via"], record["default"]) == ("unavailable", "policy", "Blue")


def test_a_secret_is_dots_and_so_is_nothing_about_it_told(person: Person) -> None:
    person(lambda desk, pending: desk.settle(pending.ask.id, answered("hunter2", notes="hunter2 as ever")))
    put(Ask(Question("Key?", secret=True)))
    assert [(one["answer"], one["note"]) for one in decisions("records")] == [(DOTS, "")]
    assert "hunter2" not in f"{decisions('records')}{decisions('markdown')}{decisions().to_string()}"
    assert "hunter2" not in str(shown(decisions("records")))


def test_a_message_is_kept_whole_and_shortened_in_the_table(person: Person) -> None:
    person(lambda desk, pending: desk.settle(pending.ask.id, Declined()))
    plan = "step\n" * 500
    put(Ask(Question("Go?"), message=plan))
    assert decisions("records")[0]["message"] == plan
    assert len(decisions("markdown")) < 500


def test_records_are_the_callers_to_change(person: Person) -> None:
    person(lambda desk, pending: desk.settle(pending.ask.id, Declined()))
    put(RED)
    decisions("records")[0]["answer"] = "Red"
    assert decisions("records")[0]["answer"] == ""


def test_reloading_the_extension_forgets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "_journal", Journal())
    with scripted({"Name?": "Ann"}):
        ask_text("Name?")
        runtime.unload()
    with scripted({"Name?": "Bea"}):
        ask_text("Name?")
    assert [one["answer"] for one in decisions("records")] == ["Ann", "Bea"]
    verify(decisions("records"))


def test_asks_that_end_at_once_in_many_threads_make_one_chain(in_thread: Callable[..., Any]) -> None:
    desk, journal = Desk(), Journal()
    desk.observe(journal.note)
    asks = [Ask([Question("A?"), Question("B?")]) for _ in range(50)]
    for one in asks:
        desk.open(one)
    for done in [in_thread(desk.settle, one.id, Declined()) for one in asks]:
        assert done.result(5)
    records = journal.records()
    assert [one["question"] for one in records] == ["A?", "B?"] * 50
    verify(records)


# Its three forms


def test_by_default_it_is_a_dataframe(person: Person) -> None:
    person(lambda desk, pending: desk.settle(pending.ask.id, answered("Red")))
    assert list(decisions().columns) == list(COLUMNS)
    assert len(decisions()) == 0
    put(RED)
    frame = decisions()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame["answer"]) == ["Red"]
    assert frame.equals(decisions("dataframe"))


def test_a_log_that_went_through_a_dataframe_still_verifies(person: Person) -> None:
    person(lambda desk, pending: desk.settle(pending.ask.id, Declined()))
    for _ in range(3):
        put(Ask(Question("Red or blue?", ["Red", "Blue"])))
    verify(decisions("dataframe").to_dict("records"))


def test_without_pandas_it_is_records(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    person()
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert decisions() == []
    with pytest.raises(ValueError, match=r"^format is 'dataframe' but pandas is not installed; install it, or use"):
        decisions("dataframe")


def test_a_form_there_is_not_is_refused_by_name(person: Person) -> None:
    person()
    with pytest.raises(
        ValueError, match="^format is 'csv'; use 'dataframe', 'records' or 'markdown', or leave it out$"
    ):
        decisions("csv")  # type: ignore[call-overload]


def test_pandas_is_loaded_only_by_who_wants_a_dataframe() -> None:
    code = (
        "import sys\nfrom nbask import ask, decisions\nfrom nbask.testing import scripted\n"
        "with scripted({'A?': 'x'}): ask('A?', ['x'])\n"
        "decisions('records'), decisions('markdown')\nprint('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"


def test_a_line_a_question_stands_where_markdown_is_not_rendered() -> None:
    records = records_of(
        (RED, answered("Red")),
        (Ask(Question("Which\nDB?")), Unavailable(reason="nobody is here", fallback={"q1": Answer("a\nb")})),
        clock=FakeClock(0),
    )
    assert shown(records)["text/plain"].splitlines() == [
        "1970-01-01T00:00:00Z  Claude: Red or blue? → Red",
        "1970-01-01T00:00:00Z  This notebook: Which DB? → nobody is here; the default was used: a b",
    ]


# The table

WILD = st.text(
    alphabet=st.sampled_from([*"\\`*_[]()|~$<>&!#-+:;\"'\n\r\t ab0/.@", "\u2028", "\x85", "\u202e"]), max_size=40
)
HOSTILE = [
    "a | b",
    "a \\| b",
    "a\n| --- |\n\n# b",
    "<img src=x onerror=alert(1)>",
    "![x](https://example.org/x.png)",
    "[x](javascript:alert(1))",
    "`code` **bold** ~~gone~~",
    "&lt;b&gt; &#124;",
    "<!-- ",
    "$x$",
    "a\x1b[2Jb \u202e c",
]


def rows_of(table: str) -> list[list[Any]]:
    """A table's rows, a list of its cells' inline tokens each, as a renderer with HTML switched on reads it."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(table)
    assert not [token.type for token in tokens if token.type in ("html_block", "fence", "code_block", "hr")]
    rows: list[list[Any]] = []
    for token in tokens[: next(i for i, token in enumerate(tokens) if token.type == "table_close")]:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token)
    return rows


def said_in(cell: Any) -> str:
    assert {child.type for child in cell.children} <= {"text", "text_special"}
    return "".join(child.content for child in cell.children)


def check_table(texts: list[str]) -> None:
    ended = [
        (Ask(Question(text), asker=text, message=text), Answered(answers={"q1": Answer(text)}, via="card"))
        for text in texts
    ]
    records = records_of(*ended)
    head, *rows = rows_of(shown(records)["text/markdown"])
    assert [said_in(cell) for cell in head][:5] == ["#", "When (UTC)", "Asker", "About", "Question"]
    assert [len(row) for row in rows] == [len(head)] * len(texts)
    for row, text in zip(rows, texts, strict=True):
        assert [said_in(row[place]) for place in (2, 3, 4, 5)] == [printable(" ".join(text.split()))] * 4


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_asked_or_said_breaks_the_table_or_becomes_markup(text: str) -> None:
    check_table([text, "next"])


@given(st.lists(WILD.filter(str.strip), min_size=1, max_size=3))
def test_no_text_at_all_breaks_the_table(texts: list[str]) -> None:
    check_table(texts)


def test_the_table_ends_with_the_last_hash() -> None:
    records = records_of((RED, Declined()))
    assert f"Last hash: `{records[-1]['hash']}`" in shown(records)["text/markdown"]


# The chain

LOG = records_of(
    *((Ask(Question(f"Question {number}?"), message="m"), answered(f"Answer {number}")) for number in range(1, 7))
)
VALUE = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers(), max_size=2))
PLACE = st.integers(0, len(LOG) - 1)


def log() -> list[dict[str, Any]]:
    return copy.deepcopy(LOG)


def test_a_whole_log_and_an_empty_one_verify() -> None:
    verify(log(), last=LOG[-1]["hash"])
    verify([], last="")
    verify(iter(log()))


@given(PLACE, st.sampled_from(COLUMNS), VALUE)
def test_any_change_of_any_field_is_found_where_it_is(place: int, field: str, value: Any) -> None:
    edited = log()
    if type(value) is type(edited[place][field]) and value == edited[place][field]:
        return
    edited[place][field] = value
    with pytest.raises(Broken) as broken:
        verify(edited)
    assert broken.value.place == place + 1


@given(PLACE, st.sampled_from(COLUMNS))
def test_a_field_that_is_gone_is_found(place: int, field: str) -> None:
    edited = log()
    del edited[place][field]
    with pytest.raises(Broken) as broken:
        verify(edited)
    assert broken.value.place == place + 1


@given(PLACE, st.one_of(st.text(), st.integers()), VALUE)
def test_a_field_that_was_added_is_found(place: int, field: Any, value: Any) -> None:
    edited = log()
    if field in edited[place]:
        return
    edited[place][field] = value
    with pytest.raises(Broken) as broken:
        verify(edited)
    assert broken.value.place == place + 1


@given(PLACE, st.integers(1, len(LOG)))
def test_records_that_are_removed_are_found(place: int, count: int) -> None:
    edited = log()
    del edited[place : place + count]
    with pytest.raises(Broken) as broken:
        verify(edited, last=LOG[-1]["hash"])
    removed_from_the_end = place == len(edited)
    assert broken.value.place == (len(edited) if removed_from_the_end else place + 1)
    assert removed_from_the_end or f"record {place + 1} is missing: record {place + count + 1} stands" in str(
        broken.value
    )


@given(PLACE, PLACE)
def test_a_record_that_is_inserted_is_found(source: int, place: int) -> None:
    edited = log()
    edited.insert(place, copy.deepcopy(LOG[source]))
    with pytest.raises(Broken) as broken:
        verify(edited)
    first = next(number for number, one in enumerate(edited, 1) if one["number"] != number)
    assert broken.value.place == first


@given(st.permutations(range(len(LOG))))
def test_records_that_are_moved_are_found(order: list[int]) -> None:
    if order == sorted(order):
        return
    edited = [log()[place] for place in order]
    with pytest.raises(Broken) as broken:
        verify(edited)
    assert broken.value.place == next(number for number, one in enumerate(edited, 1) if one["number"] != number)


@given(st.integers(1, len(LOG) - 1))
def test_a_log_continued_from_another_is_found(cut: int) -> None:
    other = records_of(*((Ask(Question(f"Other {number}?")), Declined()) for number in range(len(LOG))))
    with pytest.raises(Broken) as broken:
        verify(log()[:cut] + other[cut:])
    assert (broken.value.place, str(broken.value)) == (cut + 1, f"record {cut + 1} was changed")


def test_a_log_cut_at_its_end_shows_only_against_a_hash_that_was_noted() -> None:
    verify(log()[:-1])
    with pytest.raises(Broken, match="^the log ends with record 5, whose hash is not "):
        verify(log()[:-1], last=LOG[-1]["hash"])


@pytest.mark.parametrize("foreign", [None, "text", [], {}, {"hash": 3}, {"number": 1}])
def test_what_is_no_record_is_named(foreign: Any) -> None:
    with pytest.raises(Broken, match="^record 1 is no record of a decision: it has no hash$"):
        verify([foreign])


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda one: one[2].update(answer="No"), "record 3 was changed"),
        (lambda one: one.pop(2), "record 3 is missing: record 4 stands in its place"),
        (lambda one: one.insert(2, dict(one[0])), "record 1 stands where record 3 belongs; it was inserted or moved"),
    ],
)
def test_the_message_says_what_happened(edit: Any, message: str) -> None:
    edited = log()
    edit(edited)
    with pytest.raises(Broken) as broken:
        verify(edited)
    assert str(broken.value) == message


# %nbask decisions


def test_nbask_decisions_shows_the_log(person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    from nbask import commands

    current = person(lambda desk, pending: desk.settle(pending.ask.id, answered("Red")))
    commands.run(current, "decisions")
    assert capsys.readouterr().out == "No question has ended yet.\n"
    put(RED)
    commands.run(current, "decisions")
    assert "Claude: Red or blue? → Red" in capsys.readouterr().out


# To the last of it


def test_a_table_of_nothing_has_a_heading_and_no_hash(person: Person) -> None:
    person(lambda desk, pending: desk.settle(pending.ask.id, answered("Red")))
    table = decisions("markdown")
    assert (table.count("\n"), "Last hash" in table) == (2, False)
    put(RED)
    table = decisions("markdown")
    assert (table.splitlines()[-1], table) == (
        f"Last hash: `{decisions('records')[-1]['hash']}`",
        shown(decisions("records"))["text/markdown"],
    )


def test_a_question_is_whole_in_the_table_and_what_is_above_it_is_cut() -> None:
    question, message = 100 * "q", 100 * "m"
    table = shown(records_of((Ask(Question(question), message=message), Declined())))["text/markdown"]
    assert question in table
    assert f"| {79 * 'm'}… |" in table


def test_a_line_says_a_default_only_where_one_was_used() -> None:
    records = records_of((RED, Declined()), (RED, TimedOut(fallback={"q1": Answer("Red", ("Red",))})))
    first, second = shown(records)["text/plain"].splitlines()
    assert first.endswith("→ the person declined to answer")
    assert second.endswith("; the default was used: Red")


def test_seconds_are_kept_to_the_millisecond() -> None:
    clock = FakeClock()
    desk, journal = Desk(clock), Journal()
    desk.observe(journal.note)
    desk.open(RED)
    clock.advance(1.23456)
    desk.settle(RED.id, Declined())
    assert journal.records()[0]["seconds"] == 1.235


def test_a_record_that_no_file_can_have_is_one_that_was_changed() -> None:
    (record,) = records_of((RED, Declined()))
    with pytest.raises(Broken, match="record 1 was changed"):
        verify([{**record, "answer": {"Red"}}])
