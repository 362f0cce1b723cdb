"""Questions, options and asks: what they accept, and how they refuse the rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import Any, Literal

import pytest

from nbask import Ask, Asker, Option, Question, put
from nbask.options import is_recommended
from nbask.questions import options_from

# For calls that a type checker would refuse as well.
AnyAsk: Any = Ask
AnyAsker: Any = Asker
AnyOption: Any = Option
AnyQuestion: Any = Question


class Colour(Enum):
    RED = 1
    BLUE = 2


class Size(str, Enum):
    SMALL = "s"
    LARGE = "l"


REFUSED: dict[str, tuple[Callable[[], object], list[str]]] = {
    "duplicate labels": (lambda: Question("Red?", ["A", "B", "A"]), ["'A'", "'Red?'", "its own label"]),
    "no options": (lambda: Question("Red?", []), ["'Red?'", "no options", "at least one"]),
    "a default that is no option": (lambda: Question("Red?", ["A", "B"], default="C"), ["'C'", "'A', 'B'"]),
    "a default for many that is no option": (
        lambda: Question("Red?", ["A", "B"], many=True, default=["A", "C"]),
        ["'C'", "'A', 'B'"],
    ),
    "a default for many that is a bare label": (
        lambda: Question("Red?", ["A", "B"], many=True, default="A"),
        ["'A'", "['A']"],
    ),
    "a default for many that is no list": (lambda: Question("Red?", ["A"], many=True, default=5), ["default is 5"]),
    "a default picked twice": (lambda: Question("Red?", ["A"], many=True, default=["A", "A"]), ["['A', 'A']"]),
    "too many defaults": (
        lambda: Question("Red?", ["A", "B"], many=True, max=1, default=["A", "B"]),
        ["['A', 'B']", "at most 1"],
    ),
    "too few defaults": (
        lambda: Question("Red?", ["A", "B"], many=True, min=2, default=["A"]),
        ["['A']", "at least 2"],
    ),
    "no defaults where some are needed": (
        lambda: Question("Red?", ["A", "B", "C"], many=True, min=2, default=[]),
        ["default is []", "at least 2"],
    ),
    "a default of nothing where something is needed": (
        lambda: Question("Red?", ["A", "B"], many=True, default=[]),
        ["default is []", "pick at least 1"],
    ),
    "a default for a confirm that is no bool": (lambda: Question("Go?", kind="confirm", default="maybe"), ["'maybe'"]),
    "a default for a text that is no text": (lambda: Question("Name?", default=7), ["7", "give a text"]),
    "min above max": (lambda: Question("Red?", ["A", "B"], many=True, min=2, max=1), ["min is 2", "max is 1"]),
    "min above what is there": (
        lambda: Question("Red?", ["A", "B"], many=True, min=3, other=False),
        ["min is 3", "only 2", "lower it"],
    ),
    "max above what is there": (
        lambda: Question("Red?", ["A", "B"], many=True, max=4),
        ["max is 4", "only 3", "lower it"],
    ),
    "a negative min": (lambda: Question("Red?", ["A"], many=True, min=-1), ["min", "-1"]),
    "a max of zero": (lambda: Question("Red?", ["A"], many=True, max=0), ["max", "0"]),
    "bounds without many": (lambda: Question("Red?", ["A"], min=1), ["'Red?'", "many=True"]),
    "a secret choice": (
        lambda: Question("Red?", ["A"], secret=True),
        ["'Red?' is of kind 'choice'", "secret belongs to 'text'"],
    ),
    "a secret number": (
        lambda: Question("Pin?", kind="integer", secret=True),
        ["is of kind 'integer'", "secret belongs to 'text'"],
    ),
    "a secret confirm": (lambda: Question("Go?", kind="confirm", secret=True), ["secret belongs to 'text'"]),
    "a secret with a default": (lambda: Question("Key?", secret=True, default="x"), ["'Key?'", "only ever typed"]),
    "a danger on a text": (
        lambda: Question("Name?", danger=True),
        ["'Name?' is of kind 'text'", "danger belongs to 'confirm'"],
    ),
    "a danger on a choice": (lambda: Question("Red?", ["A"], danger=True), ["danger belongs to 'confirm'"]),
    "a danger on a consent": (lambda: Question("Go?", kind="consent", danger=True), ["danger belongs to 'confirm'"]),
    "an address on a text": (
        lambda: Question("Name?", url="https://a.example"),
        ["'Name?' is of kind 'text'", "url belongs to"],
    ),
    "an address on a choice": (lambda: Question("Red?", ["A"], url="https://a.example"), ["url belongs to 'consent'"]),
    "a format on a choice": (lambda: Question("Red?", ["A"], format="email"), ["format belongs to 'text'"]),
    "a format on a number": (lambda: Question("N?", kind="number", format="email"), ["format belongs to 'text'"]),
    "a pattern on a date": (lambda: Question("N?", kind="date", pattern="x"), ["pattern belongs to 'text'"]),
    "an unknown format": (lambda: Question("Name?", format="phone"), ["'phone'", "use 'email' or 'uri'"]),
    "a pattern that is none": (lambda: Question("Name?", pattern="["), ["'['", "no regular expression"]),
    "a pattern of another language": (lambda: Question("Name?", pattern=r"\p{L}"), ["no regular expression"]),
    "a pattern that repeats too often": (
        lambda: Question("Name?", pattern="a{99999999999}"),
        ["pattern", "a{99999999999}"],
    ),
    "a pattern that is no text": (lambda: AnyQuestion("Name?", pattern=5), ["pattern", "5"]),
    "a text's min above max": (lambda: Question("Name?", min=3, max=2), ["min is 3", "max is 2"]),
    "a number's min above max": (lambda: Question("N?", kind="number", min=1.5, max=1), ["min is 1.5", "max is 1"]),
    "a list's min above max": (lambda: Question("N?", kind="list", min=3, max=2), ["min is 3", "max is 2"]),
    "a min that is a bool": (lambda: Question("N?", kind="integer", min=True), ["min", "True"]),
    "a max that is a bool": (lambda: Question("Red?", ["A"], many=True, max=False), ["max", "False"]),
    "a min that is a text": (lambda: Question("N?", kind="integer", min="1"), ["min", "'1'"]),
    "a min that is half a pick": (
        lambda: Question("Red?", ["A"], many=True, min=0.5),
        ["min is 0.5", "a whole number of picks"],
    ),
    "an endless min of picks": (lambda: Question("Red?", ["A"], many=True, min=float("inf")), ["min is inf"]),
    "a max of picks that is no number": (lambda: Question("Red?", ["A"], many=True, max=float("nan")), ["max is nan"]),
    "an endless max": (lambda: Question("N?", kind="number", max=float("inf")), ["max", "inf"]),
    "a max that no page can hold": (lambda: Question("N?", kind="number", max=1e300), ["max is 1e+300", "no bound"]),
    "a min that no page can hold": (lambda: Question("N?", kind="number", min=-1e300), ["min is -1e+300", "no bound"]),
    "a min that is no number": (lambda: Question("N?", kind="number", min=float("nan")), ["min", "nan"]),
    "a negative length": (lambda: Question("Name?", max=-1), ["max is -1"]),
    "half a character": (lambda: Question("Name?", min=0.5), ["min is 0.5", "a whole number of characters"]),
    "a negative count": (lambda: Question("Tags?", kind="list", min=-1), ["min is -1", "a whole number of entries"]),
    "bounds of a date": (lambda: Question("Day?", kind="date", min=1), ["'Day?' is a date", "no min and max"]),
    "bounds of a moment": (lambda: Question("When?", kind="datetime", max=1), ["date and time", "no min and max"]),
    "bounds of a consent": (lambda: Question("Go?", kind="consent", min=1), ["consent", "no min, max and default"]),
    "a default of a consent": (lambda: Question("Go?", kind="consent", default=True), ["no min, max and default"]),
    "a default of a whole number": (
        lambda: Question("N?", kind="integer", default=1.5),
        ["default is 1.5", "whole number"],
    ),
    "a bool as a whole number": (
        lambda: Question("N?", kind="integer", default=True),
        ["default is True", "give a number"],
    ),
    "a text as a number": (lambda: Question("N?", kind="number", default="1"), ["default is '1'", "give a number"]),
    "a default above max": (lambda: Question("N?", kind="number", max=1, default=2), ["default is 2", "At most 1"]),
    "a default that is no day": (
        lambda: Question("Day?", kind="date", default="soon"),
        ["default is 'soon'", "a date"],
    ),
    "a default that is no moment": (
        lambda: Question("When?", kind="datetime", default=3),
        ["default is 3", "date and time"],
    ),
    "a default that is no list": (
        lambda: Question("Tags?", kind="list", default="a"),
        ["default is 'a'", "list of texts"],
    ),
    "too long a default list": (lambda: Question("Tags?", kind="list", max=1, default=["a", "b"]), ["at most 1"]),
    "too short a default": (lambda: Question("Name?", min=3, default="ab"), ["default is 'ab'", "At least 3"]),
    "a default that is no mail": (
        lambda: Question("Mail?", format="email", default="me"),
        ["default is 'me'", "email"],
    ),
    "a default that does not match": (lambda: Question("A?", pattern="^a$", default="b"), ["default is 'b'", "^a$"]),
    "options on a number": (lambda: Question("N?", ["1"], kind="number"), ["'N?' is a number", "leave them out"]),
    "many on a date": (lambda: Question("Day?", kind="date", many=True), ["'Day?' is a date", "choice"]),
    "other on a consent": (lambda: Question("Go?", kind="consent", other=True), ["consent", "choice"]),
    "warnings that are a text": (lambda: AnyQuestion("Name?", warnings="careful"), ["warnings", "'careful'"]),
    "an unknown layout": (lambda: Ask(Question("A?"), layout="wizard"), ["layout", "'wizard'"]),
    "a form that cannot be called": (lambda: Ask(Question("A?"), form={}), ["form", "{}"]),
    "many on a text": (lambda: Question("Name?", many=True), ["'Name?'", "choice"]),
    "options on a text": (lambda: Question("Name?", ["A"], kind="text"), ["'Name?'", "leave them out"]),
    "many on a confirm": (lambda: Question("Go?", kind="confirm", many=True), ["'Go?'", "neither many nor other"]),
    "other on a confirm": (lambda: Question("Go?", kind="confirm", other=True), ["'Go?'", "neither many nor other"]),
    "a confirm with three options": (lambda: Question("Go?", ["A", "B", "C"], kind="confirm"), ["3", "give two"]),
    "an unknown kind": (lambda: Question("Red?", kind="slider"), ["'slider'", "'choice', 'confirm', 'text'"]),
    "an unknown keyword": (lambda: Question("Red?", ["A"], defualt="A"), ["'defualt'", "did you mean 'default'"]),
    "an unknown keyword like none": (lambda: Question("Red?", xyzzy=1), ["'xyzzy'", "it takes", "placeholder"]),
    "an unknown keyword of an option": (lambda: Option("A", recomended=True), ["'recomended'", "'recommended'"]),
    "an unknown keyword of an ask": (lambda: Ask(Question("A?"), timeuot=3), ["'timeuot'", "'timeout'"]),
    "an unknown keyword of an asker": (lambda: AnyAsker("A", detial="x"), ["'detial'", "'detail'"]),
    "options that are a bare string": (lambda: Question("Red?", "Red"), ["'Red'", "['Red']"]),
    "options that are bytes": (lambda: Question("Red?", b"Red"), ["b'Red'"]),
    "options that cannot be listed": (lambda: Question("Red?", 5), ["5", "give a list"]),
    "a description that is no text": (lambda: Question("Red?", {"A": 5}), ["'A'", "5", "give a text"]),
    "an empty text": (lambda: Question(""), ["''", "say what is asked"]),
    "a blank text": (lambda: Question(" \n"), ["' \\n'", "say what is asked"]),
    "a text that is no text": (lambda: AnyQuestion(5), ["Question.text", "5"]),
    "an empty label": (lambda: Option(""), ["''", "a person can read"]),
    "a blank label": (lambda: Question("Red?", ["A", "  "]), ["'  '", "a person can read"]),
    "a label that is no text": (lambda: AnyOption(5), ["Option.label", "5"]),
    "an object that shows as nothing": (lambda: Question("Red?", [type("", (), {"__str__": lambda _: ""})()]), ["''"]),
    "no questions": (lambda: Ask([]), ["at least one question"]),
    "two questions with one id": (lambda: Ask([Question("A?", id="a"), Question("B?", id="a")]), ["'a'", "its own id"]),
    "a timeout of zero": (lambda: Ask(Question("A?"), timeout=0), ["timeout is 0", "above 0", "None"]),
    "a negative timeout": (lambda: Ask(Question("A?"), timeout=-1), ["timeout is -1", "above 0"]),
    "a timeout that is no number": (lambda: Ask(Question("A?"), timeout="soon"), ["timeout", "'soon'"]),
    "a timeout of nan": (lambda: Ask(Question("A?"), timeout=float("nan")), ["nan", "above 0"]),
    "an endless timeout": (lambda: Ask(Question("A?"), timeout=float("inf")), ["inf", "None"]),
    "the policy 'default' without a default": (
        lambda: Ask(Question("A?"), when_unanswered="default"),
        ["when_unanswered", "'A?'", "'raise'"],
    ),
    "an unknown policy": (lambda: Ask(Question("A?"), when_unanswered="guess"), ["when_unanswered", "'guess'"]),
    "a text in place of questions": (lambda: AnyAsk("Red?"), ["'Red?'", "Question"]),
    "texts in place of questions": (lambda: AnyAsk(["Red?"]), ["'Red?'", "Question"]),
    "no questions at all": (lambda: AnyAsk(None), ["None", "Question"]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_mistake_is_refused_by_its_value_and_the_mend(name: str) -> None:
    build, words = REFUSED[name]
    with pytest.raises(ValueError, match=re.escape(words[0])) as refusal:
        build()
    missing = [word for word in words if word not in str(refusal.value)]
    assert not missing, f"{refusal.value} does not say {missing}"
    assert "\n" not in str(refusal.value)


def test_a_label_is_returned_where_an_option_has_no_value() -> None:
    assert Option("Red").result == "Red"


@pytest.mark.parametrize("value", [None, 0, False, (1, 2), object()])
def test_any_value_of_an_option_is_returned_itself(value: object) -> None:
    assert Option("Red", value=value).result is value


def test_a_mapping_is_label_to_description() -> None:
    options = Question("Which?", {"fast": "Cheaper", "large": None, "odd": ""}).options
    assert [(option.label, option.description) for option in options] == [
        ("fast", "Cheaper"),
        ("large", None),
        ("odd", None),
    ]


def test_an_enum_class_gives_its_names_and_returns_its_members() -> None:
    options = Question("Which?", Colour).options
    assert [(option.label, option.result) for option in options] == [("RED", Colour.RED), ("BLUE", Colour.BLUE)]


@pytest.mark.parametrize("members", [Colour, Size])
def test_an_enum_member_as_option_is_one_option_whether_listed_or_described(members: type[Enum]) -> None:
    listed = options_from(list(members))
    described = options_from(dict.fromkeys(members, "so"))
    assert [(option.label, option.result) for option in described] == [(one.label, one.result) for one in listed]
    assert all(isinstance(option.result, members) for option in described)


@pytest.mark.parametrize("given", [list(Colour), {Colour.RED: "warm", Colour.BLUE: "cold"}])
def test_an_enum_member_is_a_default(given: object) -> None:
    question = Question("Which?", given, default=Colour.RED)
    assert question.rules.write(question, question.default)["selected"] == ["o1"]


def test_objects_as_options_are_shown_by_str_and_returned_themselves() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    options = Question("Which?", (one for one in [half, third])).options
    assert [option.label for option in options] == ["1/2", "1/3"]
    assert options[0].result is half


def test_options_of_several_sorts_can_be_mixed() -> None:
    given = Option("robust", value=1)
    assert options_from([given, "plain", Colour.RED, 3.5])[0] is given


def test_a_mapping_key_beside_an_option_of_another_label_is_not_dropped_in_silence() -> None:
    try:
        labels = [option.label for option in options_from({"fast": Option("large")})]
    except ValueError as refusal:
        labels = [word for word in ("fast", "large") if word in str(refusal)]
    assert "fast" in labels


def test_a_confirm_without_options_is_yes_or_no() -> None:
    assert [(option.label, option.result) for option in Question("Go?", kind="confirm").options] == [
        ("Yes", True),
        ("No", False),
    ]


def test_a_confirm_in_the_callers_words_still_means_yes_or_no() -> None:
    assert [option.result for option in Question("Go?", ["Delete", "Keep"], kind="confirm").options] == [True, False]


def test_a_confirms_options_may_say_themselves_what_they_mean() -> None:
    options = [Option("Keep", value=False), Option("Delete", value=True)]
    assert [option.result for option in Question("Go?", options, kind="confirm").options] == [False, True]


@pytest.mark.parametrize(
    ("question", "kind", "other"),
    [
        (Question("A?", ["A"]), "choice", True),
        (Question("A?", ["A"], other=False), "choice", False),
        (Question("A?"), "text", False),
        (Question("A?", kind="confirm"), "confirm", False),
    ],
)
def test_the_kind_and_the_other_row_follow_from_the_options(question: Question, kind: str, other: bool) -> None:
    assert (question.kind, question.other) == (kind, other)


def test_c20_a_preview_does_not_take_the_other_row_away() -> None:
    assert Question("A?", [Option("A", preview="+--+"), Option("B", preview="|  |")]).other is True


def test_c21_many_options_may_have_previews() -> None:
    question = Question(
        "A?", [Option("A", preview="x"), Option("B", preview="y"), Option("C")], many=True, min=2, max=2
    )
    assert [option.preview for option in question.options] == ["x", "y", None]


def test_a_default_may_be_given_as_an_option() -> None:
    red = Option("Red")
    assert Question("A?", [red, "Blue"], default=red).default == "Red"
    assert Question("A?", [red, "Blue"], many=True, default=(red, "Blue")).default == ["Red", "Blue"]


@pytest.mark.parametrize(
    "question",
    [
        Question("A?", ["A", "B"], default="B"),
        Question("A?", [0, 1], default=0),
        Question("A?", ["A", "B"], many=True, default=["B"]),
        Question("A?", ["A", "B"], many=True, min=0, default=[]),
        Question("A?", kind="confirm", default=False),
        Question("A?", default="text"),
    ],
    ids=lambda question: f"{question.kind} {question.default!r}",
)
def test_a_default_of_every_kind_is_kept(question: Question) -> None:
    written = question.rules.write(question, question.default)
    assert question.rules.read(question, written) is not None or question.default == []


def test_questions_without_an_id_are_numbered() -> None:
    assert [question.id for question in Ask([Question("A?"), Question("B?", id="b"), Question("C?")]).questions] == [
        "q1",
        "b",
        "q3",
    ]


def test_a_numbered_id_never_clashes_with_a_given_one() -> None:
    first, second = Ask([Question("A?", id="q2"), Question("B?")]).questions
    assert (first.id, second.id != "q2") == ("q2", True)


def test_a_number_that_is_taken_is_underlined_until_it_is_free() -> None:
    ask = Ask([Question("A?"), Question("B?", id="q1"), Question("C?", id="q1_")])
    assert [question.id for question in ask.questions] == ["q1__", "q1", "q1_"]


def test_a_form_is_quoted_by_its_message_and_others_by_their_questions() -> None:
    questions = [Question("A?"), Question("B?")]
    assert Ask(questions, message="Where to?", layout="form").quoted == "'Where to?'"
    assert Ask(questions, message="Before you answer").quoted == "'A?' / 'B?'"
    assert Ask(questions, layout="form").quoted == "'A?' / 'B?'"


def test_a23_equal_texts_are_kept_apart_by_ids() -> None:
    ask = Ask([Question("Name?", id="a"), Question("Name?", id="b")])
    assert [question.id for question in ask.questions] == ["a", "b"]


def test_each_ask_has_an_id_of_its_own() -> None:
    question = Question("A?")
    assert Ask(question).id != Ask(question).id


@pytest.mark.parametrize("given", [{"label": "Claude"}, {"detail": "x"}, {1: 2}, 5, ["Claude"]], ids=repr)
def test_an_asker_that_is_neither_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match="^asker is .*; give a label, or an Asker$"):
        Ask(Question("A?"), asker=given)


def test_an_asker_may_be_its_label() -> None:
    ask = Ask(Question("A?"), asker="Claude")
    assert (ask.asker, ask.who) == (Asker("Claude"), "Claude")


def test_the_notebook_asks_where_nobody_is_named() -> None:
    assert Ask(Question("A?")).who == "This notebook"


def test_option_ids_lead_back_to_options() -> None:
    question = Question("A?", ["A", "B"])
    assert question.option_ids == ("o1", "o2")
    assert question.option("o2") is question.options[1]
    assert question.option("o3") is None


@pytest.mark.parametrize(
    ("option", "shown"),
    [
        (Option("A (Recommended)", recommended=True), "A"),
        (Option("A (Recommended)"), "A (Recommended)"),
        (Option("A", recommended=True), "A"),
        (Option("A (Recommended) ", recommended=True), "A"),
        (Option("(Recommended)", recommended=True), "(Recommended)"),
    ],
)
def test_a_recommended_options_suffix_is_shown_as_a_badge_and_never_leaves_nothing(option: Option, shown: str) -> None:
    assert option.shown_label == shown


def test_a_default_may_be_a_tuple_of_what_is_listed_and_what_is_a_tuple_itself_stays_one() -> None:
    assert Question("Tags?", kind="list", default=("a", "b")).default == ["a", "b"]
    pairs = [("a", "b"), ("c", "d")]
    assert Question("Which?", pairs, many=True, default=(("c", "d"),)).default == [pairs[1]]


@pytest.mark.parametrize(
    ("label", "recommends"),
    [("A (Recommended)", True), ("A (Recommended) ", True), ("A", False), ("(Recommended) A", False)],
)
def test_a_model_recommends_an_option_by_how_its_label_ends(label: str, recommends: bool) -> None:
    assert is_recommended(label) is recommends


@pytest.mark.parametrize("built", [Option("A"), Question("A?"), Ask(Question("A?")), Asker("A")])
def test_what_is_built_is_frozen(built: Option | Question | Ask | Asker) -> None:
    with pytest.raises(ValueError, match="frozen"):
        built.label = "B"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "build",
    [
        lambda: Question("Key?", secret=True, min=8),
        lambda: Question("Delete?", kind="confirm", danger=True, description="There is no copy."),
        lambda: Question("Open?", kind="consent", url="javascript:alert(1)"),
        lambda: Question("Mail?", format="email", placeholder="ann@example.org", warnings=("Careful.",)),
        lambda: Question("N?", kind="integer", min=-5, max=5, default=0),
        lambda: Question("N?", kind="number", min=0.5, max=0.5, default=0.5),
        lambda: Question("Tags?", kind="list", min=0, max=3, default=[]),
        lambda: Question("Which?", ["A"], other_label="Change it"),
        lambda: Question("Name?", default=""),
    ],
)
def test_what_fits_together_is_built(build: Callable[[], Question]) -> None:
    assert build().rules


def test_a_typing_pause_is_on_unless_the_limit_is_anothers() -> None:
    assert Ask(Question("A?")).pausable
    assert not Ask(Question("A?"), pausable=False).pausable


def test_a_long_header_is_accepted() -> None:
    assert Question("A?", header="x" * 42).header == "x" * 42


@pytest.mark.parametrize("label", ["", "  ", "\n"])
def test_b22_an_asker_is_never_blank(label: str) -> None:
    with pytest.raises(ValueError, match=r"the asker is .*; say who asks, or leave it out"):
        Asker(label)
    with pytest.raises(ValueError, match="say who asks"):
        Ask(Question("Which?"), asker=label)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"min": "a"}, "Question.min: input should be a valid integer"),
        ({"kind": "integer", "secret": True}, "'x' is of kind 'integer'; secret belongs to 'text'"),
        ({"url": "https://a.example"}, "'x' is of kind 'text'; url belongs to 'consent'"),
    ],
)
def test_what_does_not_fit_is_said_in_plain_words(given: Any, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        Question("x", **given)


def test_a_literal_is_a_list_of_its_values() -> None:
    listed = options_from(Literal["fast", 2, True])
    assert [(option.label, option.result) for option in listed] == [("fast", "fast"), ("2", 2), ("True", True)]


def test_a_description_that_is_no_text_is_refused_with_the_option_that_has_a_value() -> None:
    with pytest.raises(ValueError, match=r"option 'fast' is 3; give a text, or a list with Option\('fast', value=…\)$"):
        options_from({"fast": 3})


@pytest.mark.parametrize(
    ("given", "mend"),
    [
        (Question("Which?", ["A"]), "give Ask(question)"),
        ("Which?", "'Which?' is no Ask; give Ask(Question(…)), or call ask()"),
        (None, "None is no Ask"),
    ],
    ids=["question", "text", "none"],
)
def test_what_is_no_ask_is_not_put_and_the_mend_is_short(given: Any, mend: str) -> None:
    with pytest.raises(ValueError, match=re.escape(mend)) as refusal:
        put(given)
    assert len(str(refusal.value)) < 200
