"""Kinds that are answered in a field: what is typed, what it means, and how a refusal reads."""

from __future__ import annotations

import datetime as dt
import json as json_module
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbask import Ask, Option, Question
from nbask.kinds import KINDS, Answer, FieldKind, InvalidAnswer, wire_answer
from nbask.reading import Refused, read_answers

INTEGER = Question("How many?", kind="integer")
NUMBER = Question("How much?", kind="number")
DATE = Question("Which day?", kind="date")
MOMENT = Question("When?", kind="datetime")
LINES = Question("Which tags?", kind="list")
CONSENT = Question("Agreed?", kind="consent")
EMAIL = Question("Mail?", format="email")
URI = Question("Page?", format="uri")
UTC = dt.timezone.utc
# The page reads these too, and judges each in the same way.
SHARED: list[dict[str, Any]] = json_module.loads(
    (Path(__file__).parents[1] / "wire" / "fields.json").read_text(encoding="utf-8")
)
NOT_WHOLE = "This is not a whole number, such as 3."
NOT_A_NUMBER = "This is not a number, such as 2.5."
NOT_A_DATE = "This is not a date, such as 2026-03-01."
NOT_A_MOMENT = "This is not a date and time, such as 2026-03-01T14:30."


def named(value: Any) -> str:
    """How a parameter is called."""
    return value.kind if isinstance(value, Question) else str(value)[:24]


def read(question: Question, value: Any) -> Any:
    """The value of a field's content; None where it holds no answer."""
    answer = question.rules.read(question, wire_answer(value=value))
    return None if answer is None else answer.value


def refusal(question: Question, value: Any) -> str:
    with pytest.raises(InvalidAnswer) as refused:
        question.rules.read(question, wire_answer(value=value))
    return str(refused.value)


def bounded(kind: str, **bounds: Any) -> Question:
    return Question("How many?", kind=kind, **bounds)


# Whole numbers


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        (" 3\n", 3),
        ("007", 7),
        ("-0", 0),
        (str(2**53 + 1), 2**53 + 1),
        (str(2**60), 2**60),
        (str(-(2**60) - 1), -(2**60) - 1),
        ("9" * 400, int("9" * 400)),
    ],
)
def test_b14_a_whole_number_is_exact_at_any_size(typed: str, number: int) -> None:
    value = read(INTEGER, typed)
    assert (value, type(value)) == (number, int)


@pytest.mark.parametrize(
    "typed",
    [
        *("42abc", "1e400", "NaN", "4.5", "3.0", "1e3", "inf", "-", "+", "--3", "0x10", "1_000", "1,000", "1 000"),
        *("１２", "٣", "²", "Ⅳ", "３.5", "three", "None", "9" * 401, "9" * 5000, "-" + "9" * 5000),
    ],
    ids=lambda typed: typed[:12],
)
def test_b14_what_is_not_a_whole_number_is_refused_in_words(typed: str) -> None:
    assert refusal(INTEGER, typed) == NOT_WHOLE


@pytest.mark.parametrize("question", [INTEGER, NUMBER, DATE, MOMENT, Question("Name?"), EMAIL, URI])
@pytest.mark.parametrize("blank", ["", " ", "\n\t", None])
def test_b14_a_blank_field_is_no_answer(question: Question, blank: str | None) -> None:
    assert read(question, blank) is None


@pytest.mark.parametrize(
    ("typed", "says"), [("0", "At least 1."), ("4", "At most 3."), ("-9", "At least 1."), ("1.5", NOT_WHOLE)]
)
def test_b1_a_whole_number_outside_its_bounds_is_refused(typed: str, says: str) -> None:
    assert refusal(bounded("integer", min=1, max=3), typed) == says


@pytest.mark.parametrize(("typed", "number"), [("1", 1), ("2", 2), ("3", 3)])
def test_b1_a_whole_number_within_its_bounds_goes_out_as_a_number(typed: str, number: int) -> None:
    value = read(bounded("integer", min=1, max=3), typed)
    assert (value, type(value)) == (number, int)


# Numbers


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("2.5", 2.5),
        ("-2.5", -2.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("3", 3.0),
        ("1e3", 1000.0),
        ("1E-3", 0.001),
        (" 2.5 ", 2.5),
        ("1e308", 1e308),
        ("1e-400", 0.0),
    ],
)
def test_a_number_is_read(typed: str, number: float) -> None:
    assert read(NUMBER, typed) == number


@pytest.mark.parametrize(
    "typed",
    [
        *("1e400", "-1e400", "NaN", "nan", "inf", "Infinity", "-inf", "2,5", "1_0.5", "２.5", "٢", "0x1p3", ".", "e5"),
        *("1e", "1e99999", "2.5 m", "1/2", "9" * 5000, "1+1", "1j"),
    ],
    ids=lambda typed: typed[:12],
)
def test_what_is_no_finite_number_is_refused_in_words(typed: str) -> None:
    assert refusal(NUMBER, typed) == NOT_A_NUMBER


@pytest.mark.parametrize(
    ("typed", "says"), [("-0.1", "At least 0."), ("1.51", "At most 1.5."), ("1e300", "At most 1.5.")]
)
def test_a_number_outside_its_bounds_is_refused(typed: str, says: str) -> None:
    assert refusal(bounded("number", min=0, max=1.5), typed) == says


def test_a_numbers_bounds_are_within() -> None:
    assert [read(bounded("number", min=0, max=1.5), typed) for typed in ("0", "1.5")] == [0.0, 1.5]


# Dates


@pytest.mark.parametrize(("typed", "day"), [("2026-03-01", (2026, 3, 1)), (" 2024-02-29 ", (2024, 2, 29))])
def test_a_day_is_read(typed: str, day: tuple[int, int, int]) -> None:
    value = read(DATE, typed)
    assert (value, type(value)) == (dt.date(*day), dt.date)


@pytest.mark.parametrize(
    "typed",
    ["2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "0000-01-01", "01.03.2026", "tomorrow", "2026-3-1",
     "2026-03-01T14:30", "２０２６-03-01", "2026-03", "2026", "20260301T", "1" * 5000],
    ids=lambda typed: typed[:12],
)  # fmt: skip
def test_what_is_no_day_is_refused_in_words(typed: str) -> None:
    assert refusal(DATE, typed) == NOT_A_DATE


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("2026-03-01T14:30", dt.datetime(2026, 3, 1, 14, 30)),
        ("2026-03-01 14:30", dt.datetime(2026, 3, 1, 14, 30)),
        ("2026-03-01T14:30:15", dt.datetime(2026, 3, 1, 14, 30, 15)),
        ("2026-03-01T14:30Z", dt.datetime(2026, 3, 1, 14, 30, tzinfo=UTC)),
        ("2026-03-01T14:30z", dt.datetime(2026, 3, 1, 14, 30, tzinfo=UTC)),
        (
            "2026-03-01T14:30+09:00",
            dt.datetime(2026, 3, 1, 14, 30, tzinfo=dt.timezone(dt.timedelta(hours=9))),
        ),
    ],
)
def test_a_moment_is_read_with_an_offset_only_where_one_was_given(typed: str, moment: dt.datetime) -> None:
    value = read(MOMENT, typed)
    assert (value, value.utcoffset()) == (moment, moment.utcoffset())


@pytest.mark.parametrize(
    "typed",
    ["2026-02-30T10:00", "2026-03-01T25:00", "2026-03-01T10:61", "2026-03-01T10:00+99:00", "noon", "Z", "10:00",
     "2026-03-01T10:00ZZ"],
)  # fmt: skip
def test_what_is_no_moment_is_refused_in_words(typed: str) -> None:
    assert refusal(MOMENT, typed) == NOT_A_MOMENT


@pytest.mark.parametrize("far", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"])
def test_a_moment_that_the_persons_own_clock_does_not_reach_is_no_default(far: str) -> None:
    with pytest.raises(ValueError, match="default is .*give a date and time"):
        Question("When?", kind="datetime", default=far)


@pytest.mark.parametrize(
    ("question", "plain", "written"),
    [
        (DATE, dt.date(2026, 3, 1), "2026-03-01"),
        (DATE, "2026-03-01", "2026-03-01"),
        (DATE, dt.datetime(2026, 3, 1, 14, 30), "2026-03-01"),
        (MOMENT, dt.datetime(2026, 3, 1, 14, 30), "2026-03-01T14:30"),
        (MOMENT, dt.datetime(2026, 3, 1, 14, 30, 5), "2026-03-01T14:30:05"),
        (MOMENT, dt.datetime(1, 1, 1), "0001-01-01T00:00"),
        (MOMENT, "2026-03-01T14:30", "2026-03-01T14:30"),
        (INTEGER, 2**60, str(2**60)),
        (INTEGER, -3, "-3"),
        (NUMBER, 2.5, "2.5"),
        (NUMBER, 1e22, "1e+22"),
        (NUMBER, 3, "3"),
        (LINES, ["a", "b"], ["a", "b"]),
        (LINES, ("a",), ["a"]),
        (CONSENT, True, True),
        (EMAIL, "ann@example.org", "ann@example.org"),
    ],
    ids=named,
)
def test_a_plain_value_is_written_as_its_field_has_it(question: Question, plain: Any, written: Any) -> None:
    assert question.rules.write(question, plain) == wire_answer(value=written)


def test_a_moment_with_an_offset_is_written_on_the_persons_own_clock() -> None:
    moment = dt.datetime(2026, 3, 1, 14, 30, tzinfo=dt.timezone(dt.timedelta(hours=9)))
    written: Any = MOMENT.rules.write(MOMENT, moment)["value"]
    assert dt.datetime.fromisoformat(written).tzinfo is None
    assert dt.datetime.fromisoformat(written).astimezone(UTC) == moment


@pytest.mark.parametrize(
    ("question", "plain", "says"),
    [
        (INTEGER, True, r"True does not answer 'How many\?'; give a number"),
        (INTEGER, "3", "'3'.*give a number"),
        (INTEGER, None, "None.*give a number"),
        (INTEGER, [3], r"\[3\].*give a number"),
        (NUMBER, False, "False.*give a number"),
        (NUMBER, 1j, "1j.*give a number"),
        (DATE, 20260301, "20260301.*give a date"),
        (DATE, "soon", "'soon'.*give a date, such as 2026-03-01"),
        (DATE, None, "None.*give a date"),
        (MOMENT, dt.date(2026, 3, 1), "give a date and time, such as"),
        (MOMENT, "soon", "'soon'.*give a date and time"),
        (LINES, "a", "'a'.*give a list of texts"),
        (LINES, [1], r"\[1\].*give a list of texts"),
        (LINES, {"a": 1}, "give a list of texts"),
        (CONSENT, False, "False.*give True"),
        (CONSENT, 1, "1 does not answer.*give True"),
        (CONSENT, "yes", "'yes'.*give True"),
        (EMAIL, 5, "5.*give a text"),
    ],
    ids=named,
)
def test_a_plain_value_that_does_not_fit_is_refused_by_its_value_and_the_mend(
    question: Question, plain: Any, says: str
) -> None:
    with pytest.raises(InvalidAnswer, match=says):
        question.rules.write(question, plain)


@pytest.mark.parametrize("kind", ["date", "datetime"])
def test_a_time_of_day_is_no_date(kind: str) -> None:
    question = Question("When?", kind=kind)
    with pytest.raises(InvalidAnswer, match="give a date"):
        question.rules.write(question, dt.time(10, 0))


# Lists


@pytest.mark.parametrize(
    ("value", "said"),
    [(["a", "b"], ["a", "b"]), ([" a ", "", "  ", "b\n"], ["a", "b"]), (["a, b"], ["a, b"]), (["a", "a"], ["a", "a"])],
)
def test_a_list_is_read_without_its_blank_entries(value: list[str], said: list[str]) -> None:
    assert read(LINES, value) == said


@pytest.mark.parametrize("value", [None, [], [""], ["  ", "\n"]])
def test_a_list_of_nothing_is_no_answer(value: Any) -> None:
    assert read(LINES, value) is None


def test_a_list_of_nothing_is_an_answer_where_the_asker_allows_it() -> None:
    assert read(Question("Which tags?", kind="list", min=0), []) == []
    assert read(Question("Which tags?", kind="list", min=0, required=False), []) is None


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (["a"], "Give at least 2; 1 given."),
        (["a", " ", ""], "Give at least 2; 1 given."),
        (["a", "b", "c", "d"], "Give at most 3; 4 given."),
        ("a, b", "This question takes a list of texts."),
        ([1, 2], "This question takes a list of texts."),
        ([["a"], "b"], "This question takes a list of texts."),
        ({"0": "a"}, "This question takes a list of texts."),
    ],
    ids=named,
)
def test_a_list_that_does_not_fit_is_refused_in_words(value: Any, says: str) -> None:
    assert refusal(Question("Which tags?", kind="list", min=2, max=3), value) == says


# Texts


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        (Question("A?", min=3), "ab", "At least 3 characters; it has 2."),
        (Question("A?", max=3), "abcd", "At most 3 characters; it has 4."),
        (EMAIL, "ann", "This is no email address, such as ann@example.org."),
        (EMAIL, "ann@localhost", "This is no email address"),
        (EMAIL, "ann@@example.org", "This is no email address"),
        (EMAIL, "ann smith@example.org", "This is no email address"),
        (EMAIL, "ann@example..org", "This is no email address"),
        (URI, "example.org", "This is no address, such as https://example.org/page."),
        (URI, "//example.org", "This is no address"),
        (URI, "https://", "This is no address"),
        (URI, "https://a b.example", "This is no address"),
        (URI, "http://[::1", "This is no address"),
        (Question("A?", pattern="^[A-Z]{3}-[0-9]+$"), "cap-1", "It must match the pattern ^[A-Z]{3}-[0-9]+$."),
    ],
    ids=named,
)
def test_a_text_that_does_not_fit_is_refused_in_words(question: Question, text: str, says: str) -> None:
    assert refusal(question, text).startswith(says)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (Question("A?", min=3, max=3), "abc"),
        (Question("A?", min=1, max=2), "🎈🎈"),
        (EMAIL, "ann@example.org"),
        (EMAIL, "ann+tag@mail.example.co"),
        (EMAIL, "ännä@exämple.org"),
        (URI, "https://example.org/page?x=1#y"),
        (URI, "mailto:ann@example.org"),
        (URI, "urn:isbn:123"),
        (Question("A?", pattern="b"), "abc"),
    ],
    ids=named,
)
def test_a_text_that_fits_is_read_as_it_is(question: Question, text: str) -> None:
    assert read(question, text) == text


@pytest.mark.parametrize(("question", "typed"), [(EMAIL, " ann@example.org "), (URI, " https://example.org\n")])
def test_an_address_is_given_without_the_blanks_around_it(question: Question, typed: str) -> None:
    assert read(question, typed) == typed.strip()


# All of them


@pytest.mark.parametrize("kind", sorted(name for name, rules in KINDS.items() if isinstance(rules, FieldKind)))
def test_a_field_has_nothing_to_pick(kind: str) -> None:
    question = Question("A?", kind=kind)
    for given_ in (wire_answer(["o1"]), wire_answer(other="x")):
        with pytest.raises(InvalidAnswer, match="it has nothing to pick"):
            question.rules.read(question, given_)


@pytest.mark.parametrize("question", [INTEGER, NUMBER, DATE, MOMENT, EMAIL])
@pytest.mark.parametrize("value", [3, 2.5, True, ["3"], {"value": "3"}, [], {}])
def test_a_field_holds_text_and_nothing_else(question: Question, value: Any) -> None:
    assert "not what the field holds" in refusal(question, value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("integer", "3"), ("number", "2.5"), ("date", "2026-03-01"), ("list", ["a"]), ("consent", True), ("text", "x")],
)
def test_a_note_stands_beside_a_fields_value(kind: str, value: Any) -> None:
    question = Question("A?", kind=kind, notes=True, required=False)
    answer = question.rules.read(question, wire_answer(value=value, notes=" why "))
    alone = question.rules.read(question, wire_answer(notes="why"))
    assert answer is not None
    assert alone is not None
    assert (answer.notes, alone.is_note_alone, alone.words) == (" why ", True, "not answered")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_note_on_a_question_that_takes_none_is_no_answer(kind: str) -> None:
    question = Question("A?", ["A", "B"] if kind in ("choice", "confirm") else None, kind=kind)
    assert question.rules.read(question, wire_answer(notes="psst")) is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(3), "3"),
        (Answer(2.5), "2.5"),
        (Answer(0), "0"),
        (Answer(["a", "b"]), "a, b"),
        (Answer(dt.date(2026, 3, 1)), "2026-03-01"),
        (Answer(None, notes="so"), "not answered"),
    ],
)
def test_a_fields_answer_reads_as_words(answer: Answer, words: str) -> None:
    assert answer.words == words


def test_a_consent_reads_as_words_and_not_as_code() -> None:
    answer = CONSENT.rules.read(CONSENT, wire_answer(value=True))
    assert answer is not None
    assert answer.words not in ("True", "true")


# A typed line, for fronts without fields


@pytest.mark.parametrize(
    ("question", "line", "value"),
    [
        (INTEGER, " 3 ", 3),
        (NUMBER, "2.5", 2.5),
        (DATE, "2026-03-01", dt.date(2026, 3, 1)),
        (LINES, "a, b,, c ", ["a", "b", "c"]),
        (CONSENT, "yes", True),
        (CONSENT, " Y ", True),
        (Question("Name?"), " exp-1", " exp-1"),
    ],
    ids=named,
)
def test_a_typed_line_means_what_the_field_would(question: Question, line: str, value: Any) -> None:
    rules: Any = question.rules
    answer = rules.read(question, rules.typed(question, line))
    assert answer.value == value


# Any value there and back, and anything at all

label = st.text(min_size=1, max_size=8).filter(str.strip)
ROUND_TRIPS: dict[str, tuple[Question, st.SearchStrategy[Any]]] = {
    "integer": (INTEGER, st.integers(-(10**398), 10**398)),
    "number": (NUMBER, st.floats(allow_nan=False, allow_infinity=False)),
    "date": (DATE, st.dates()),
    "datetime": (MOMENT, st.datetimes().map(lambda moment: moment.replace(microsecond=0))),
    "list": (LINES, st.lists(label.map(str.strip), min_size=1)),
    "consent": (CONSENT, st.just(True)),
    "text": (Question("Name?"), label),
    "choice": (Question("Which?", [Option("A", value=("a",)), Option("B", value=2)]), st.sampled_from([("a",), 2])),
    "confirm": (Question("Go?", kind="confirm"), st.booleans()),
}


def test_every_kind_goes_there_and_back() -> None:
    assert set(ROUND_TRIPS) == set(KINDS)


@pytest.mark.parametrize("kind", ROUND_TRIPS)
@given(data=st.data())
@settings(deadline=None, max_examples=80)
def test_what_is_written_is_read_back_and_crosses_as_json(kind: str, data: st.DataObject) -> None:
    question, values = ROUND_TRIPS[kind]
    plain = data.draw(values)
    written = question.rules.write(question, next((o.label for o in question.options if o.result == plain), plain))
    crossed = json_module.loads(json_module.dumps(written, allow_nan=False))
    answer = question.rules.read(question, crossed)
    assert answer is not None
    assert (answer.value, type(answer.value)) == (plain, type(plain))


@pytest.mark.parametrize("number", [0.1, 1e-320, 1.7976931348623157e308, 2**53, 2**53 + 1, -(2**60) - 1])
def test_a_number_is_not_rounded_on_its_way(number: float) -> None:
    answer = NUMBER.rules.read(NUMBER, NUMBER.rules.write(NUMBER, number))
    assert answer is not None
    assert answer.value == number


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)
FIELDS = [
    INTEGER, NUMBER, DATE, MOMENT, LINES, CONSENT, EMAIL, URI, Question("A?", secret=True, pattern="^a+$"),
    Question("Open?", kind="consent", url="javascript:alert(1)"), bounded("integer", min=1, max=3),
]  # fmt: skip


@pytest.mark.parametrize("question", FIELDS, ids=lambda one: one.kind)
@given(value=json, picked=st.lists(st.text(max_size=3), max_size=2), other=st.none() | st.text(max_size=3))
@settings(deadline=None, max_examples=60)
def test_any_json_in_a_field_is_an_answer_or_a_refusal_in_words(
    question: Question, value: Any, picked: list[str], other: str | None
) -> None:
    given_ = wire_answer(picked, other, value)
    try:
        answer = question.rules.read(question, given_)
    except InvalidAnswer as fault:
        assert str(fault).endswith(".")
        return
    assert answer is None or (not picked and other is None)


@given(st.dictionaries(st.sampled_from([f"f{number}" for number in range(len(FIELDS))]), json, max_size=6))
@settings(deadline=None, max_examples=100)
def test_any_json_in_any_fields_is_read_or_refused(values: dict[str, Any]) -> None:
    ask = Ask([one.model_copy(update={"id": f"f{number}", "required": False}) for number, one in enumerate(FIELDS)])
    try:
        answers = read_answers(ask, {name: wire_answer(value=value) for name, value in values.items()})
    except Refused as refusal_:
        assert set(refusal_.errors) <= set(values)
    else:
        assert set(answers) <= set(values)


@given(plain=json | st.dates() | st.times() | st.binary(max_size=4) | st.decimals())
@pytest.mark.parametrize("question", FIELDS, ids=lambda one: one.kind)
@settings(deadline=None, max_examples=60)
def test_any_plain_value_is_written_or_refused(question: Question, plain: Any) -> None:
    try:
        written = question.rules.write(question, plain)
    except InvalidAnswer as fault:
        assert str(fault)
        return
    assert set(written) == {"selected", "other", "value", "notes"}


def test_a_number_too_long_to_write_is_refused_as_any_other() -> None:
    with pytest.raises(InvalidAnswer):
        INTEGER.rules.write(INTEGER, 10**5000)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_no_default(number: float) -> None:
    with pytest.raises(ValueError, match="This is not a number"):
        Question("How much?", kind="number", default=number)


# What the page refuses and what the kernel refuses


def fits(text: str, *, kind: str, **given: Any) -> bool:
    """Whether a text that is in a question's field answers it; of a consent, whether the address may be opened."""
    consent = kind == "consent"
    question = Question("Which?", kind=kind, **({"url": text} if consent else given))
    try:
        question.rules.read(
            question, wire_answer(value=True if consent else text.split("\n") if kind == "list" else text)
        )
    except InvalidAnswer:
        return False
    return True


@pytest.mark.parametrize("row", SHARED, ids=str)
def test_the_kernel_takes_what_the_page_takes(row: dict[str, Any]) -> None:
    """The page says at once what does not fit, and neither stops what the other would have taken."""
    given = {name: value for name, value in row.items() if name not in ("fits", "misfits")}
    assert [text for text in row["fits"] if not fits(text, **given)] == []
    assert [text for text in row["misfits"] if fits(text, **given)] == []


@pytest.mark.parametrize(
    ("kind", "default", "value"),
    [
        ("integer", np.int64(7), 7),
        ("number", np.float32(2.5), 2.5),
        ("number", Decimal("2.5"), 2.5),
        ("number", Fraction(4, 2), 2),
    ],
)
def test_a_number_may_be_of_any_type_that_is_one(kind: str, default: Any, value: Any) -> None:
    """A data frame's maximum is NumPy's own, and no int."""
    question = Question("How many?", kind=kind, default=default)
    answer = question.rules.read(question, question.rules.write(question, question.default))
    assert answer is not None
    assert answer.value == value
