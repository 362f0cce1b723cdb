"""The plain-text front: numbered options, typed lines."""

from __future__ import annotations

import datetime as dt
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any

import pytest

from nbask import Ask, Option, Question
from nbask.desk import Desk, Pending
from nbask.forms import form_from
from nbask.fronts.prompt import PromptFront
from nbask.fronts.text import converse, prompt_for
from nbask.kinds import Answer
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, Unavailable

CHOICE = Question("Red or blue?", ["Red", "Blue", "Dark green"])
MANY = Question("Which checks?", ["Lint", "Types", "Docs"], many=True, min=1, max=3)


def talk(ask: Ask | Question, *lines: str | None) -> tuple[Reply | None, list[str], list[str]]:
    """What a person who types these lines ends with, what was said to them, and the prompts they saw."""
    said: list[str] = []
    prompts: list[str] = []
    left = list(lines)

    def read_line(prompt: str, secret: bool) -> str | None:
        prompts.append(prompt)
        if not left:
            pytest.fail(f"asked once more than expected; said {said}")
        return left.pop(0)

    reply = converse(ask if isinstance(ask, Ask) else Ask(ask), read_line, said.append)
    assert not left, f"never read {left}"
    return reply, said, prompts


def value(ask: Ask | Question, *lines: str) -> Any:
    reply, _, _ = talk(ask, *lines)
    assert isinstance(reply, Answered)
    assert reply.via == "text"
    return reply.value


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("1", "Red"),
        (" 2 ", "Blue"),
        ("Red", "Red"),
        ("dark GREEN", "Dark green"),
        ("purple, maybe", "purple, maybe"),
        ("9", "9"),
        ("0", "0"),
        ("-1", "-1"),
    ],
)
def test_a_choice_takes_a_number_a_label_or_own_words(line: str, answer: str) -> None:
    assert value(CHOICE, line) == answer


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("1,3", ["Lint", "Docs"]),
        ("docs , 1", ["Lint", "Docs"]),
        ("types", ["Types"]),
        ("also run on ARM", ["also run on ARM"]),
    ],
)
def test_several_are_given_with_commas(line: str, answer: list[str]) -> None:
    assert value(MANY, line) == answer


@pytest.mark.parametrize(
    ("question", "bad", "says"),
    [
        (Question("A?", ["A", "B"], other=False), "5", "'5' is none of the options 1 to 2"),
        (Question("A?", ["A", "B"], other=False), "", "needs an answer"),
        (CHOICE, "", "needs an answer"),
        (MANY, "1,1", "picked twice"),
        (Question("A?", ["A", "B"], many=True, min=2), "1", "at least 2"),
        (Question("A?", kind="confirm"), "maybe", "none of the options 1 to 2"),
    ],
)
def test_a_line_that_does_not_fit_is_asked_again(question: Question, bad: str, says: str) -> None:
    reply, said, prompts = talk(question, bad, "1,2" if question.many else "1")
    assert isinstance(reply, Answered)
    assert len(prompts) == 2
    assert says in " ".join(said)


def test_a_text_is_asked_again_until_there_is_one() -> None:
    reply, said, _ = talk(Question("Name?"), "", "   ", "exp-1")
    assert isinstance(reply, Answered)
    assert (reply.value, said) == ("exp-1", ["This question needs an answer."] * 2)


def test_equal_labels_but_for_case_must_be_typed_exactly() -> None:
    question = Question("A?", ["on", "ON"], other=False)
    assert value(question, "ON") == "ON"
    _, said, _ = talk(question, "On", "1")
    assert "none of the options" in said[0]


@pytest.mark.parametrize(("line", "answer"), [("yes", True), ("NO", False), ("1", True), ("2", False)])
def test_a_confirm_takes_yes_or_no(line: str, answer: bool) -> None:
    assert value(Question("Go?", kind="confirm"), line) is answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (Question("A?", ["A", "B"], default="B"), "B"),
        (Question("A?", ["A", "B"], many=True, default=["A", "B"]), ["A", "B"]),
        (Question("Go?", kind="confirm", default=False), False),
        (Question("Name?", default="exp-1"), "exp-1"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_an_empty_line_takes_the_default_which_the_prompt_shows(question: Question, answer: Any) -> None:
    reply, _, prompts = talk(question, "")
    assert isinstance(reply, Answered)
    assert reply.value == answer
    shown = {False: "[no]", True: "[yes]"}.get(answer, "") if isinstance(answer, bool) else ""
    assert (shown or f"[{', '.join(answer) if isinstance(answer, list) else answer}]") in prompts[0]


def test_the_end_of_input_cancels() -> None:
    def read_line(prompt: str, secret: bool) -> str:
        raise EOFError

    assert converse(Ask(CHOICE), read_line, lambda _: None) == Cancelled(via="text")


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("/decline", Declined(via="text")),
        (" /Decline ", Declined(via="text")),
        ("/cancel", Cancelled(via="text")),
        ("/discuss", Discussed(via="text")),
        ("/discuss  which data? ", Discussed(text="which data?", via="text")),
    ],
)
@pytest.mark.parametrize(
    "question",
    [CHOICE, MANY, Question("Name?"), Question("Key?", secret=True), Question("N?", kind="integer")],
    ids=lambda question: question.text,
)
def test_a_question_is_left_by_a_word_in_place_of_an_answer(question: Question, line: str, reply: Reply) -> None:
    assert talk(question, line)[0] == reply


@pytest.mark.parametrize("line", ["/declined", "/decline now", "/cancel/x", "decline", "//cancel"])
def test_any_other_words_are_an_answer(line: str) -> None:
    assert value(CHOICE, line) == line


def test_an_option_named_like_such_a_word_is_the_option() -> None:
    assert value(Question("Which command?", ["/cancel", "/retry"]), "/cancel") == "/cancel"
    assert value(Question("Which?", ["/cancel", "b"], many=True), "b, /cancel") == ["/cancel", "b"]


def test_how_to_leave_is_said_with_the_first_question_only() -> None:
    _, _, prompts = talk(Ask([CHOICE, Question("Name?"), MANY]), "1", "", "x", "1")
    assert [prompt.count("; or /discuss, /decline or /cancel: ") for prompt in prompts] == [1, 0, 0, 0]


def test_a9_a_note_is_asked_for_where_the_question_takes_one_but_not_after_own_words() -> None:
    question = Question("A?", ["A", "B"], notes=True)
    reply, _, prompts = talk(question, "1", "wider")
    assert isinstance(reply, Answered)
    assert (reply.answers["q1"].selected, reply.answers["q1"].notes) == (("A",), "wider")
    assert prompts[1] == "Note to the asker, empty for none: "
    assert talk(question, "2", "")[0] == Answered(answers={"q1": Answer("B", ("B",))}, via="text")
    assert value(question, "neither") == "neither"
    assert talk(question, "1", None)[0] is None


def test_control_characters_of_an_asker_are_shown_and_not_sent() -> None:
    bad = "\x1b]52;c;Zm9v\x07\x1b[2J\x9b2J\u202e\udc80"
    option = Option("A" + bad, "d" + bad, preview="p" + bad)
    question = Question("Q" + bad, [option], other=False, description="h" + bad, warnings=("w" + bad,))
    _, said, prompts = talk(Ask(question, asker="me" + bad, message="m" + bad), "x\x1b", "1")
    for text in (*said, *prompts):
        assert all(character.isprintable() or character == "\n" for character in text)
    assert prompts[0].count("␛]52;c;Zm9v␇␛[2J\ufffd2J\ufffd\ufffd") == 7


def test_a_prompt_that_was_given_up_has_no_reply() -> None:
    reply, _, _ = talk(Ask([CHOICE, Question("Name?")]), "1", None)
    assert reply is None


def test_several_questions_are_asked_one_after_the_other() -> None:
    reply, _, prompts = talk(Ask([CHOICE, MANY, Question("Name?", id="name")], asker="Claude"), "1", "2,3", "exp")
    assert isinstance(reply, Answered)
    assert reply.values == {"q1": "Red", "q2": ["Types", "Docs"], "name": "exp"}
    assert [prompt.splitlines()[0] for prompt in prompts] == [
        "Claude asks: Red or blue?",
        "Claude asks: Which checks?",
        "Claude asks: Name?",
    ]


@pytest.mark.parametrize(
    "optional",
    [
        Question("Two?", ["A", "B"], required=False),
        Question("Two?", ["A", "B"], required=False, many=True),
        Question("Two?", required=False),
    ],
    ids=["choice", "many", "text"],
)
def test_a8_a17_an_empty_line_leaves_an_optional_question_unanswered(optional: Question) -> None:
    reply, _, _ = talk(Ask([CHOICE, optional, Question("Three?")]), "1", "", "x")
    assert isinstance(reply, Answered)
    assert reply.values == {"q1": "Red", "q3": "x"}


def test_an_empty_line_picks_none_where_none_is_an_answer() -> None:
    assert value(Question("A?", ["A", "B"], many=True, min=0), "") == []


def test_a_recommended_option_is_taken_by_the_label_that_is_shown() -> None:
    question = Question("A?", [Option("Postgres (Recommended)", recommended=True), "SQLite"])
    assert value(question, "Postgres") == "Postgres (Recommended)"


def test_a_line_of_many_digits_is_own_words() -> None:
    assert value(CHOICE, "9" * 5000) == "9" * 5000


def test_previews_descriptions_and_recommendations_are_printed() -> None:
    options = [
        Option("Robust (Recommended)", "Median and MAD", preview="+--+\n|  |", recommended=True),
        Option("Plain", preview=[1, 2]),
    ]
    text = prompt_for(Ask(Question("Which?", options)), Question("Which?", options))
    assert text.splitlines() == [
        "This notebook asks: Which?",
        "  1. Robust (recommended) – Median and MAD",
        "     +--+",
        "     |  |",
        "  2. Plain",
        "     [1, 2]",
        "Number 1 to 2, or your own words: ",
    ]


def test_the_prompt_says_how_to_answer() -> None:
    asked = Ask(CHOICE)
    assert prompt_for(asked, Question("A?", ["A"], other=False)).endswith("Number 1 to 1: ")
    assert prompt_for(asked, MANY).endswith("Numbers, with commas, or your own words: ")
    assert prompt_for(asked, Question("A?")).endswith("Your answer: ")


def test_the_asks_message_is_said_once_before_its_questions() -> None:
    _, said, _ = talk(Ask([CHOICE, Question("Name?")], message="Before I go on:"), "1", "x")
    assert said == ["Before I go on:"]


class Line:
    """A person at an input box, who types when told."""

    def __init__(self) -> None:
        self.prompted = threading.Event()
        self.typed = threading.Event()
        self.line: str | None = "1"
        self.given_up = False

    def read(self, prompt: str, secret: bool, stopped: Callable[[], bool]) -> str | None:
        self.prompted.set()
        assert self.typed.wait(5)
        self.given_up = stopped()
        return None if self.given_up else self.line


def shown(desk: Desk, seen: Any, line: Line, after: float = 0.0) -> Pending:
    pending = desk.open(Ask(CHOICE))
    PromptFront(desk, line.read, copy_context).show(pending, after, seen)
    return pending


def test_c4_the_prompt_beside_a_card_settles_the_ask() -> None:
    desk, line = Desk(), Line()
    pending = shown(desk, None, line)
    line.typed.set()
    assert pending.wait(5)
    assert isinstance(pending.reply, Answered)
    assert (pending.reply.value, pending.reply.via) == ("Red", "text")


def test_the_prompt_that_lost_to_the_card_is_given_up() -> None:
    desk, line = Desk(), Line()
    pending = shown(desk, None, line)
    assert line.prompted.wait(5)
    desk.settle(pending.ask.id, Declined(via="card"))
    line.typed.set()
    for thread in threading.enumerate():
        if pending.ask.id in thread.name:
            thread.join(5)
    assert line.given_up
    assert pending.reply is not None
    assert pending.reply.via == "card"


def test_a30_asks_made_at_once_are_put_one_after_the_other_in_their_order() -> None:
    desk, prompts, lines = Desk(), [], threading.Semaphore(0)

    def read_line(prompt: str, secret: bool, stopped: Callable[[], bool]) -> str:
        prompts.append(prompt.splitlines()[0])
        assert lines.acquire(timeout=5)
        return "1"

    front = PromptFront(desk, read_line, copy_context)
    asked = [desk.open(Ask(Question(f"Number {number}?", ["Odd"]))) for number in range(6)]
    for pending in asked:
        front.show(pending)
    desk.settle(asked[2].ask.id, Declined())
    lines.release(len(asked))
    assert all(pending.wait(5) for pending in asked)
    assert prompts == [f"This notebook asks: Number {number}?" for number in (0, 1, 3, 4, 5)]


@pytest.mark.parametrize("shares_the_screen", [True, False])
def test_who_shares_the_screen_goes_on_once_the_prompt_is_gone(shares_the_screen: bool) -> None:
    desk, line, left = Desk(), Line(), []

    @contextmanager
    def lend() -> Iterator[None]:
        yield
        left.append(True)

    front = PromptFront(desk, line.read, copy_context, lend if shares_the_screen else None)
    desk.observe(front.close)
    pending = desk.open(Ask(CHOICE))
    front.show(pending)
    assert line.prompted.wait(5)
    if shares_the_screen:
        threading.Timer(0.1, line.typed.set).start()
    desk.settle(pending.ask.id, Declined(via="card"))
    assert bool(left) == shares_the_screen
    line.typed.set()


@pytest.mark.parametrize("answered", [True, False])
def test_an_answer_outlives_a_screen_that_cannot_be_given_back(
    answered: bool, caplog: pytest.LogCaptureFixture
) -> None:
    desk, line = Desk(), Line()

    @contextmanager
    def lend() -> Iterator[None]:
        if answered:
            yield
        raise TimeoutError("IPython's prompt does not come")

    pending = desk.open(Ask(CHOICE))
    line.typed.set()
    with caplog.at_level(logging.CRITICAL, "nbask"):
        PromptFront(desk, line.read, copy_context, lend).show(pending)
        assert pending.wait(5)
    assert isinstance(pending.reply, Answered if answered else Unavailable)


@pytest.mark.parametrize(("seen", "asks"), [(True, False), (False, True)])
def test_text_asks_only_where_the_card_was_not_seen_in_time(seen: bool, asks: bool) -> None:
    desk, line, looked = Desk(), Line(), []

    def see(pending: Pending, seconds: float) -> bool:
        looked.append(seconds)
        return seen

    line.typed.set()
    pending = shown(desk, see, line, after=5.0)
    for thread in threading.enumerate():
        if pending.ask.id in thread.name:
            thread.join(5)
    assert (line.prompted.is_set(), looked) == (asks, [5.0])


# Forms and fields by text


@pytest.mark.parametrize(
    ("question", "lines", "says", "answer"),
    [
        (Question("How many?", kind="integer"), ["42abc", "4.5", "", "-3"], "not a whole number", -3),
        (Question("How many?", kind="integer", min=1, max=3), ["0", "4", "2"], "At least 1.", 2),
        (Question("How much?", kind="number"), ["1e400", "NaN", "2.5"], "not a number", 2.5),
        (Question("Which day?", kind="date"), ["2026-02-30", "2026-03-01"], "not a date", dt.date(2026, 3, 1)),
        (
            Question("When?", kind="datetime"),
            ["noon", "2026-03-01T14:30"],
            "not a date and time",
            dt.datetime(2026, 3, 1, 14, 30),
        ),
        (Question("Tags?", kind="list", max=2), ["a,b,c", "a, b"], "at most 2", ["a", "b"]),
        (Question("Mail?", format="email"), ["ann", "ann@example.org"], "no email address", "ann@example.org"),
        (Question("Name?", min=3), ["ab", "abc"], "At least 3 characters", "abc"),
        (Question("Agreed?", kind="consent"), ["no", "", "yes"], "Type yes to agree, or /decline.", True),
    ],
    ids=lambda value: value.kind if isinstance(value, Question) else "",
)
def test_b14_what_does_not_fit_a_field_is_said_and_asked_again(
    question: Question, lines: list[str], says: str, answer: Any
) -> None:
    reply, said, prompts = talk(question, *lines)
    assert isinstance(reply, Answered)
    assert (reply.value, len(prompts)) == (answer, len(lines))
    assert any(says in one for one in said)


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        (Question("A?", kind="integer"), "A whole number: "),
        (Question("A?", kind="number", required=False), "A number, empty to skip: "),
        (Question("A?", kind="date"), "A date, such as 2026-03-01: "),
        (Question("A?", kind="datetime"), "A date and time, such as 2026-03-01T14:30: "),
        (Question("A?", kind="list"), "Entries, with commas: "),
        (Question("A?", kind="consent"), "yes to agree: "),
        (Question("A?", kind="integer", default=3), "A whole number [3]: "),
        (Question("A?", kind="list", default=["a", "b"]), "Entries, with commas [a, b]: "),
        (Question("A?", kind="date", default=dt.date(2026, 3, 1)), "[2026-03-01]: "),
    ],
    ids=lambda value: value.kind if isinstance(value, Question) else value,
)
def test_the_prompt_says_how_to_fill_a_field(question: Question, hint: str) -> None:
    assert prompt_for(Ask(question), question).endswith(hint)


def test_the_prompt_has_the_help_the_warnings_and_the_whole_address() -> None:
    question = Question(
        "Open?", kind="consent", url="http://user@evil.example/x", description="To link it.", warnings=("Careful.",)
    )
    assert prompt_for(Ask(question), question).splitlines() == [
        "This notebook asks: Open?",
        "Careful.",
        "To link it.",
        "http://user@evil.example/x",
        "The address names a user before its host, which can hide where it leads: it leads to evil.example.",
        "The connection is not encrypted (http).",
        "yes to agree: ",
    ]


def test_b21_an_address_that_cannot_be_opened_is_not_agreed_to_but_can_be_left() -> None:
    question = Question("Open?", kind="consent", url="javascript:alert(1)")
    reply, said, prompts = talk(question, "yes", "YES", "/decline")
    assert reply == Declined(via="text")
    assert said == ["This address cannot be opened from here."] * 2
    assert prompts[0].endswith("\n/discuss, /decline or /cancel: ")


def form_ask(shape: Any) -> Ask:
    form = form_from(shape)
    return Ask(form.questions, message="Where to?", layout="form", form=form.finish)


SHAPE = {
    "properties": {
        "city": {"type": "string", "title": "City"},
        "days": {"type": "integer", "default": 3},
        "level": {"type": "string", "oneOf": [{"const": "l1", "title": "Low"}, {"const": "l2", "title": "High"}]},
        "ok": {"type": "boolean"},
        "tags": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "maxItems": 2},
    },
    "required": ["city"],
}


def test_a_form_is_filled_in_line_by_line() -> None:
    reply, said, prompts = talk(form_ask(SHAPE), "Arcachon", "5", "2", "no", "1,3")
    assert isinstance(reply, Answered)
    assert reply.values == {"city": "Arcachon", "days": 5, "level": "l2", "ok": False, "tags": ["a", "c"]}
    assert said == ["Where to?"]
    first_lines = [prompt.splitlines()[0] for prompt in prompts]
    assert first_lines[:2] == ["This notebook asks: City", "This notebook asks: days"]


def test_empty_lines_leave_optional_fields_out_and_take_defaults() -> None:
    reply, _, _ = talk(form_ask(SHAPE), "Arcachon", "", "", "", "")
    assert isinstance(reply, Answered)
    assert reply.values == {"city": "Arcachon", "days": 3}


def test_a_form_where_nothing_is_needed_may_be_left_empty() -> None:
    reply, _, _ = talk(form_ask({"properties": {"a": {"type": "string"}}}), "")
    assert isinstance(reply, Answered)
    assert reply.values == {}


def test_what_does_not_add_up_is_said_field_by_field_and_asked_again() -> None:
    shape = {"properties": {"n": {"type": "integer", "title": "Eggs", "multipleOf": 6}}, "required": ["n"]}
    reply, said, _ = talk(form_ask(shape), "5", "6")
    assert isinstance(reply, Answered)
    assert reply.values == {"n": 6}
    assert any("5 is not a multiple of 6" in one for one in said)


def test_what_does_not_add_up_as_a_whole_is_said_too() -> None:
    shape = {
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "dependentRequired": {"a": ["b"]},
    }
    reply, said, _ = talk(form_ask(shape), "x", "", "x", "y")
    assert isinstance(reply, Answered)
    assert any("'b' is a dependency of 'a'" in one for one in said)


def test_b13_a_form_without_fields_is_agreed_to_by_yes() -> None:
    reply, _, prompts = talk(form_ask({"properties": {}}), "yes")
    assert isinstance(reply, Answered)
    assert len(prompts) == 1


def test_only_a_secret_is_read_unseen_and_it_is_never_said() -> None:
    asked: list[tuple[str, bool]] = []
    said: list[str] = []
    lines = ["Ann", "hunt", "hunter2"]

    def read_line(prompt: str, secret: bool) -> str:
        asked.append((prompt.splitlines()[0], secret))
        return lines.pop(0)

    reply = converse(Ask([Question("User?"), Question("Key?", secret=True, min=5)]), read_line, said.append)
    assert isinstance(reply, Answered)
    assert reply["q2"] == "hunter2"
    assert [secret for _, secret in asked] == [False, True, True]
    assert "hunt" not in " ".join(said + [prompt for prompt, _ in asked])


@pytest.mark.parametrize("secret", [True, False])
def test_a_secret_is_read_from_the_notebook_as_a_password(secret: bool) -> None:
    asked: list[bool] = []

    def read_line(prompt: str, hidden: bool, stopped: Callable[[], bool]) -> str:
        asked.append(hidden)
        return "x"

    desk = Desk()
    pending = desk.open(Ask(Question("Key?", secret=secret)))
    PromptFront(desk, read_line, copy_context).show(pending)
    assert pending.wait(5)
    assert asked == [secret]
