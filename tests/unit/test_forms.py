"""Forms: what a whole card of fields adds up to, and what is wrong with it, by field."""

from __future__ import annotations

import datetime as dt
import warnings
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Optional
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator
from pydantic import (
    AfterValidator,
    AliasChoices,
    AnyUrl,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    NaiveDatetime,
    SecretStr,
    WithJsonSchema,
    computed_field,
    constr,
    field_validator,
    model_validator,
)

import nbask
from nbask import Ask, NoAnswer, ask_form
from nbask.desk import Desk, Pending
from nbask.forms import ACCEPT, form_from
from nbask.kinds import InvalidForm, wire_answer
from nbask.reading import Refused, read_answers, read_reply
from nbask.replies import Answered, Declined, Discussed
from nbask.schema import UndrawableSchema
from nbask.testing import Unscripted, scripted


class Colour(Enum):
    """What to paint with."""

    RED = "red"
    BLUE = "blue"


class Trip(BaseModel):
    """Where to, and how."""

    city: str = Field(min_length=2, max_length=40, title="City", description="As on the ticket")
    days: int = Field(3, ge=1, le=14)
    budget: Annotated[float, Field(gt=0)] | None = None
    window: bool
    meals: bool = False
    class_: Literal["first", "second"] = Field("second", alias="class")
    colour: Colour = Colour.BLUE
    start: dt.date
    leaves: dt.datetime | None = None
    tags: list[str] = []
    pin: Optional[SecretStr] = None
    mail: Annotated[str, WithJsonSchema({"type": "string", "format": "email"})] | None = None
    code: constr(pattern="^[A-Z]{3}$") | None = None  # type: ignore[valid-type]

    @field_validator("city")
    @classmethod
    def _known(cls, city: str) -> str:
        if city == "Atlantis":
            raise ValueError("nobody has found Atlantis yet")
        return city

    @model_validator(mode="after")
    def _affordable(self) -> Trip:
        if self.budget is not None and self.budget < self.days:
            raise ValueError("the budget is below one a day")
        return self


NEEDED = {"city": "Arcachon", "window": True, "start": dt.date(2026, 3, 1)}
SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 2},
        "days": {"type": "integer", "minimum": 1, "default": 3},
        "at": {"type": "string", "format": "date-time"},
        "on": {"type": "string", "format": "date"},
        "level": {"type": "string", "oneOf": [{"const": "l1", "title": "Low"}, {"const": "l2", "title": "High"}]},
        "dry_run": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 5}, "uniqueItems": True},
        "share": {"type": "number", "exclusiveMinimum": 0},
    },
    "required": ["city"],
    "additionalProperties": False,
}


def faults(shape: Any, values: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(InvalidForm) as refusal:
        form_from(shape).finish(values)
    return refusal.value.errors


def only(**field: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": field}}


def model(**fields: Any) -> type[Any]:
    """A model class whose fields are these annotations."""
    return type("Made", (BaseModel,), {"__annotations__": fields, "__module__": __name__})


# A pydantic model


def test_each_field_of_a_model_is_a_question() -> None:
    drawn = {question.id: (question.kind, question.text, question.required) for question in form_from(Trip).questions}
    assert drawn == {
        "city": ("text", "City", True),
        "days": ("integer", "Days", False),
        "budget": ("number", "Budget", False),
        "window": ("choice", "Window", True),
        "meals": ("choice", "Meals", False),
        "class": ("choice", "Class", False),
        "colour": ("choice", "Colour", False),
        "start": ("date", "Start", True),
        "leaves": ("datetime", "Leaves", False),
        "tags": ("list", "Tags", False),
        "pin": ("text", "Pin", False),
        "mail": ("text", "Mail", False),
        "code": ("text", "Code", False),
    }


def test_a_models_bounds_defaults_and_words_are_the_fields() -> None:
    by_id = {question.id: question for question in form_from(Trip).questions}
    assert (by_id["city"].min, by_id["city"].max, by_id["city"].description) == (2, 40, "As on the ticket")
    assert (by_id["days"].min, by_id["days"].max, by_id["days"].default) == (1, 14, 3)
    assert (by_id["window"].default, by_id["meals"].default) == (None, "No")
    assert ([option.label for option in by_id["class"].options], by_id["class"].default) == (
        ["first", "second"],
        "second",
    )
    assert by_id["colour"].default == "blue"
    assert (by_id["mail"].format, by_id["code"].pattern, by_id["pin"].secret) == ("email", "^[A-Z]{3}$", True)


def test_a_model_comes_back_as_its_instance() -> None:
    trip = form_from(Trip).finish({**NEEDED, "colour": "red", "class": "first", "pin": "s3cret", "tags": ["a"]})
    assert isinstance(trip, Trip)
    assert (trip.city, trip.days, trip.colour, trip.class_, trip.start) == (
        "Arcachon", 3, Colour.RED, "first", dt.date(2026, 3, 1),
    )  # fmt: skip
    assert trip.pin is not None
    assert (trip.pin.get_secret_value(), trip.budget, trip.leaves) == ("s3cret", None, None)


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"city": "x"}, {"city": "String should have at least 2 characters."}),
        ({"city": "Atlantis"}, {"city": "Nobody has found Atlantis yet."}),
        ({"days": 15}, {"days": "Input should be less than or equal to 14."}),
        ({"budget": 0.0}, {"budget": "Input should be greater than 0."}),
        ({"budget": 2.0}, {"": "The budget is below one a day."}),
        ({"city": "x", "days": 0}, {"city": "String should have", "days": "Input should be greater"}),
        ({"tags": ["a", 5]}, {"tags": "Input should be a valid string."}),
        ({"colour": "green"}, {"colour": "Input should be 'red' or 'blue'."}),
    ],
    ids=str,
)
def test_a_models_own_words_stand_at_the_field(change: dict[str, Any], errors: dict[str, str]) -> None:
    found = faults(Trip, {**NEEDED, **change})
    assert set(found) == set(errors)
    assert all(found[name].startswith(words) for name, words in errors.items())


def test_the_first_fault_of_a_field_is_the_one_that_is_said() -> None:
    class Twice(BaseModel):
        tags: list[Annotated[str, Field(max_length=1)]]

    assert faults(Twice, {"tags": ["ab", 5]}) == {"tags": "String should have at most 1 character."}


def test_two_fields_of_one_enum_are_asked_differently() -> None:
    wall_and_door = form_from(model(wall=Colour, door=Colour)).questions
    assert wall_and_door[0].text != wall_and_door[1].text
    assert [question.text.casefold() for question in wall_and_door] == ["wall", "door"]


def test_a_list_of_an_enum_is_a_choice_of_many() -> None:
    form = form_from(model(colours=list[Colour]))
    (question,) = form.questions
    assert (question.kind, question.many, [option.label for option in question.options]) == (
        "choice", True, ["red", "blue"],
    )  # fmt: skip
    assert form.finish({"colours": ["red"]}).colours == [Colour.RED]


def test_a_literal_of_one_word_shows_the_word() -> None:
    (question,) = form_from(model(kind=Literal["csv"])).questions
    assert [option.label for option in question.options] == ["csv"]


@pytest.mark.parametrize(
    ("annotation", "kind", "given", "value"),
    [
        (Literal[1, 2], "choice", 2, 2),
        (Optional[Literal["a", "b"]], "choice", "b", "b"),
        (Optional[Colour], "choice", "red", Colour.RED),
        (AnyUrl, "text", "https://a.example/", AnyUrl("https://a.example/")),
        (dt.time, "text", "10:30", dt.time(10, 30)),
        (constr(min_length=3), "text", "abc", "abc"),
        (Annotated[int, Field(gt=0, lt=10)], "integer", 9, 9),
    ],
    ids=str,
)
def test_a_type_is_drawn_as_its_kind_and_comes_back(annotation: Any, kind: str, given: Any, value: Any) -> None:
    form = form_from(model(x=annotation))
    (question,) = form.questions
    assert question.kind == kind
    assert form.finish({"x": given}).x == value


def test_open_bounds_of_whole_numbers_are_closed() -> None:
    (question,) = form_from(model(x=Annotated[int, Field(gt=0, lt=10)])).questions
    assert (question.min, question.max) == (1, 9)


class Inner(BaseModel):
    street: str


@pytest.mark.parametrize(
    "annotation", [Inner, Inner | None, list[Inner], dict[str, int], int | str, list[int]], ids=str
)
def test_a_field_that_no_form_has_is_refused_by_its_name(annotation: Any) -> None:
    with pytest.raises(UndrawableSchema, match="'address'"):
        form_from(model(address=annotation))


def test_a_field_without_a_schema_is_refused_by_its_name() -> None:
    class Odd(BaseModel):
        model_config = ConfigDict(arbitrary_types_allowed=True)
        zone: dt.tzinfo

    with pytest.raises(ValueError, match="zone|tzinfo"):
        form_from(Odd)


def test_a_decimal_is_a_text_since_every_digit_of_it_counts() -> None:
    class Price(BaseModel):
        price: Decimal = Field(gt=0)
        tax: Decimal = Decimal("1.50")
        tip: Decimal | None = Field(default=0)  # type: ignore[arg-type]
        steps: list[Decimal] = []

    form = form_from(Price, {"price": Decimal("3.10")})
    said = [(one.kind, one.default, one.placeholder) for one in form.questions]
    hint = "A number, such as 2.50"
    assert said == [("text", "3.10", hint), ("text", "1.50", hint), ("text", "0", hint), ("list", [], None)]
    filled = form.finish({"price": "0.12345678901234567890", "steps": ["1", "2.50"]})
    assert filled == Price(price=Decimal("0.12345678901234567890"), steps=[Decimal(1), Decimal("2.50")])
    errors = {"price": "Input should be greater than 0.", "tax": "Input should be a valid decimal."}
    assert faults(Price, {"price": "-1", "tax": "1,5"}) == errors


def test_a_strict_model_takes_what_was_typed() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)
        colour: Colour
        name: UUID
        tags: set[str]
        share: float

    filled = form_from(Strict).finish({"colour": Colour.RED.value, "name": str(UUID(int=1)), "tags": ["a"], "share": 1})
    assert filled == Strict(colour=Colour.RED, name=UUID(int=1), tags={"a"}, share=1.0)


class Node(BaseModel):
    children: list[Node] = []


def test_a_model_that_refers_to_itself_is_refused_and_not_taken_for_one_without_fields() -> None:
    with pytest.raises(UndrawableSchema, match="'children' is a list of something else"):
        form_from(Node)


def test_a_moment_that_needs_an_offset_gets_the_persons_own() -> None:
    meeting: Any = form_from(model(at=AwareDatetime)).finish({"at": dt.datetime(2026, 3, 1, 14, 30)})
    assert meeting.at.tzinfo is not None


def test_a_moment_that_needs_an_offset_and_can_have_none_is_refused_at_its_field() -> None:
    assert faults(model(at=AwareDatetime), {"at": dt.datetime(1, 1, 1)}) == {"at": "This moment is out of range."}


def test_a_moment_that_is_refused_for_another_reason_is_given_no_offset() -> None:
    def open_then(moment: dt.datetime) -> dt.datetime:
        raise ValueError("closed then")

    shape = model(at=Annotated[NaiveDatetime, AfterValidator(open_then)])
    assert faults(shape, {"at": dt.datetime(2026, 3, 1, 14, 30)}) == {"at": "Closed then."}


# A default over the shape's own

INSTANCES: dict[str, tuple[Any, Any, Any]] = {
    "text": (model(x=str), "a", "a"),
    "number": (model(x=int), 3, 3),
    "date": (model(x=dt.date), dt.date(2026, 3, 1), dt.date(2026, 3, 1)),
    "moment": (model(x=dt.datetime), dt.datetime(2026, 3, 1, 14, 30), dt.datetime(2026, 3, 1, 14, 30)),
    "bool": (model(x=bool), False, False),
    "list": (model(x=list[str]), ["a"], ["a"]),
    "enum": (model(x=Colour), Colour.RED, Colour.RED),
    "literal": (model(x=Literal["a", "b"]), "b", "b"),
    "url": (model(x=AnyUrl), "https://a.example/", AnyUrl("https://a.example/")),
    "optional": (model(x=Optional[int]), 3, 3),
}


@pytest.mark.parametrize("name", INSTANCES)
@pytest.mark.parametrize("how", ["dict", "instance"])
def test_a_default_is_a_dict_or_an_instance(name: str, how: str) -> None:
    shape, given, value = INSTANCES[name]
    default = {"x": given} if how == "dict" else shape(x=given)
    assert ask_form("Which?", shape, default=default, when_unanswered="default").x == value


def test_a_default_of_a_model_with_an_alias_is_an_instance_too() -> None:
    class Aliased(BaseModel):
        city: str = Field(alias="cityName")

    (question,) = form_from(Aliased, Aliased(cityName="Arcachon")).questions
    assert (question.id, question.default) == ("cityName", "Arcachon")


def test_a_default_is_an_instance_whatever_its_model_reads_and_writes() -> None:
    class Odd(BaseModel):
        city: str = Field(validation_alias="cityName", serialization_alias="town")
        country: str = Field(validation_alias=AliasChoices("land", "country"))
        nights: int = Field(default=2, exclude=True)
        email: str = ""

        @computed_field
        @property
        def words(self) -> str:
            return self.city

    odd = Odd.model_validate({"cityName": "Rome", "land": "Italy", "nights": 5})
    prefilled = {question.id: question.default for question in form_from(Odd, odd).questions}
    assert prefilled == {"cityName": "Rome", "land": "Italy", "nights": 5, "email": ""}


def test_an_instance_in_place_of_the_model_is_refused_with_the_mend() -> None:
    with pytest.raises(UndrawableSchema, match=r"shape is Trip\(.*; give its class, and it as default$"):
        form_from(Trip(**NEEDED))
    with pytest.raises(UndrawableSchema, match="; give a JSON Schema object, or a pydantic model class$"):
        form_from(dt.date)


def test_a_field_that_an_instance_leaves_empty_is_not_prefilled() -> None:
    class Named(BaseModel):
        name: str
        nick: str | None = "Annie"

    for default in (Named(name="Ann", nick=None), {"name": "Ann", "nick": None}):
        assert [question.default for question in form_from(Named, default).questions] == ["Ann", None]


def test_a_part_of_the_fields_may_be_prefilled_alone() -> None:
    by_id = {question.id: question for question in form_from(SCHEMA, {"days": 7}).questions}
    assert (by_id["days"].default, by_id["city"].default) == (7, None)


@pytest.mark.parametrize(
    ("default", "says"),
    [
        ({"citty": "x"}, "'citty', which is no field; the fields are 'city', 'days'"),
        ({"days": 0}, "'days': default is 0: At least 1"),
        ({"days": "3"}, "'days': default is '3'"),
        ({"city": "x"}, "'city': default is 'x'"),
        ({"level": "l9"}, "'level': default is 'l9'"),
        ({"city": "Arcachon", "share": 0}, "default does not fit the form: .*0"),
        ({"city": "Arcachon", "tags": ["abcdefg"]}, "default does not fit the form"),
        ({"city": None}, "default does not fit the form"),
        ("Arcachon", "default is 'Arcachon'; give a dict of field to value, or an instance"),
        (["Arcachon"], "give a dict of field to value"),
        (5, "default is 5"),
    ],
    ids=str,
)
def test_a_default_that_does_not_fit_is_refused_before_anything_is_shown(default: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says), scripted({}) as asks:
        ask_form("Where to?", SCHEMA, default=default)
    assert asks == []


def test_a_default_that_a_model_refuses_as_a_whole_is_refused() -> None:
    with pytest.raises(ValueError, match="default does not fit the form: The budget is below one a day"):
        form_from(Trip, {**NEEDED, "budget": 1.0, "days": 5})


def test_a_secret_is_never_prefilled() -> None:
    class Login(BaseModel):
        user: str
        password: SecretStr

    for default in ({"user": "ann", "password": "hunter2"}, Login(user="ann", password=SecretStr("hunter2"))):
        user, password = form_from(Login, default).questions
        assert (user.default, password.default, password.secret) == ("ann", None, True)
        assert "hunter2" not in repr(form_from(Login, default).questions)


# A JSON Schema


def test_a_schema_comes_back_as_a_dict_that_fits_it() -> None:
    whole = form_from(SCHEMA).finish(
        {
            "city": "Arcachon",
            "on": dt.date(2026, 3, 1),
            "at": dt.datetime(2026, 3, 1, 14, 30, tzinfo=dt.timezone.utc),
            "level": "l2",
            "dry_run": False,
            "tags": ["a"],
        }
    )
    assert whole == {
        "city": "Arcachon",
        "on": "2026-03-01",
        "at": "2026-03-01T14:30:00+00:00",
        "level": "l2",
        "dry_run": False,
        "tags": ["a"],
    }
    Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(whole)


def test_a_moment_without_an_offset_is_the_persons_own_clock_and_goes_out_with_one() -> None:
    naive = dt.datetime(2026, 3, 1, 14, 30)
    sent = form_from(SCHEMA).finish({"city": "Arcachon", "at": naive})["at"]
    assert dt.datetime.fromisoformat(sent) == naive.astimezone()
    Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
        {"city": "Arcachon", "at": sent}
    )


def test_a_moment_with_an_offset_goes_out_with_the_same() -> None:
    moment = dt.datetime(2026, 3, 1, 14, 30, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=45)))
    assert form_from(SCHEMA).finish({"city": "Arcachon", "at": moment})["at"] == "2026-03-01T14:30:00+05:45"


@pytest.mark.parametrize("year", [1, 9999])
def test_a_moment_at_the_edge_of_time_is_sent_or_refused(year: int) -> None:
    try:
        form_from(SCHEMA).finish({"city": "Arcachon", "at": dt.datetime(year, 1, 1)})
    except InvalidForm as fault:
        assert set(fault.errors) == {"at"}


@pytest.mark.parametrize(
    ("values", "errors"),
    [
        ({}, {"": "'city' is a required property."}),
        ({"city": "A"}, {"city": "'A' is too short."}),
        ({"city": "Arcachon", "share": 0.0}, {"share": "0.0 is less than or equal to the minimum of 0."}),
        ({"city": "Arcachon", "tags": ["a", "a"]}, {"tags": "['a', 'a'] has non-unique elements."}),
        ({"city": "Arcachon", "tags": ["abcdef"]}, {"tags": "'abcdef' is too long."}),
        ({"city": "A", "days": 0}, {"city": "'A' is too short.", "days": "0 is less than the minimum of 1."}),
    ],
    ids=str,
)
def test_what_a_schema_refuses_is_said_at_the_field(values: dict[str, Any], errors: dict[str, str]) -> None:
    assert faults(SCHEMA, values) == errors


def test_a_fault_of_all_fields_together_is_the_forms_own() -> None:
    schema = {**only(type="string"), "minProperties": 1}
    assert set(faults(schema, {})) == {""}


BROKEN: dict[str, dict[str, Any]] = {
    "required is null": {**only(type="string"), "required": None},
    "a pattern of another language": only(type="string", pattern=r"^\p{L}+$"),
    "a broken pattern": only(type="string", pattern="["),
    "a pattern that is no text": only(type="string", pattern=5),
    "a multiple of nothing": only(type="string", multipleOf=0),
    "items that are checked by a broken pattern": only(type="array", items={"type": "string", "pattern": "["}),
    "names that are checked by a broken pattern": {**only(type="string"), "propertyNames": {"pattern": "["}},
    "a reference that leads nowhere": {**only(type="string"), "allOf": [{"$ref": "#/$defs/Gone"}]},
    "dependentRequired is a text": {**only(type="string"), "dependentRequired": "x"},
    "additionalProperties is a number": {**only(type="string"), "additionalProperties": 5},
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_schema_that_is_broken_is_refused_before_it_is_shown_or_taken_for_what_it_can_mean(name: str) -> None:
    # A fault that came up only at the submit would lose what was typed.
    try:
        form = form_from(BROKEN[name])
    except UndrawableSchema:
        return
    value: Any = ["abc"] if form.questions[0].kind == "list" else "abc"
    assert form.finish({"x": value}) == {"x": value}


def test_a_whole_number_times_nothing_is_refused_before_it_is_shown() -> None:
    try:
        form = form_from(only(type="integer", multipleOf=0))
    except UndrawableSchema:
        return
    assert form.finish({"x": 3}) == {"x": 3}


@pytest.mark.parametrize("shape", [5, "schema", None, [], int, {"type": "string"}], ids=str)
def test_what_is_no_form_is_refused(shape: Any) -> None:
    with pytest.raises(UndrawableSchema):
        form_from(shape)


# On a card


def asked(shape: Any, **rest: Any) -> Ask:
    """The ask that `ask_form` puts."""
    asks: list[Ask] = []

    def decline(ask: Ask) -> Declined:
        asks.append(ask)
        return Declined()

    with scripted(decline), pytest.raises(NoAnswer):
        ask_form("Where to?", shape, **rest)
    return asks[0]


def test_a_form_is_one_page_under_its_question() -> None:
    ask = asked(Trip, submit="Book", timeout=30, asker="Agent")
    assert (ask.layout, ask.message, ask.submit, ask.timeout, ask.who) == ("form", "Where to?", "Book", 30, "Agent")
    assert [question.id for question in ask.questions][:2] == ["city", "days"]


def test_b1_a_required_whole_number_is_bounded_and_goes_out_as_a_number() -> None:
    schema = {
        "type": "object",
        "properties": {"scoops": {"type": "integer", "minimum": 1, "maximum": 3}},
        "required": ["scoops"],
    }
    ask = asked(schema)
    for typed in ("", "0", "4", "1.5"):
        with pytest.raises(Refused) as refusal:
            read_answers(ask, {"scoops": wire_answer(value=typed)})
        assert set(refusal.value.errors) == {"scoops"}
    with pytest.raises(Refused) as empty:
        read_answers(ask, {})
    assert empty.value.errors == {"scoops": "This question needs an answer."}
    with scripted({"Where to?": {"scoops": 2}}):
        assert ask_form("Where to?", schema) == {"scoops": 2}


@pytest.mark.parametrize("name", ["approved", "dry_run"])
def test_b2_b3_b5_a_required_boolean_needs_a_choice_and_goes_out_as_json(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "boolean"}}, "required": [name]}
    ask = asked(schema)
    with pytest.raises(Refused) as refusal:
        read_answers(ask, {})
    assert refusal.value.errors == {name: "This question needs an answer."}
    for value, option in ((True, "o1"), (False, "o2")):
        assert read_answers(ask, {name: wire_answer([option])})[name].value is value
        with scripted({"Where to?": {name: value}}):
            assert ask_form("Where to?", schema)[name] is value


def test_b8_what_looks_chosen_is_what_is_sent() -> None:
    titled = [{"const": "l1", "title": "Low"}, {"const": "l2", "title": "High"}]
    (question,) = asked(only(type="string", title="Level", oneOf=titled, default="l2")).questions
    chosen: Any = question.rules.write(question, question.default)
    assert question.rules.read(question, chosen).value == "l2"  # type: ignore[union-attr]


def test_b25_a_blank_field_that_may_be_null_is_left_out() -> None:
    schema = only(anyOf=[{"type": "integer"}, {"type": "null"}], default=None)
    with scripted({"Where to?": {}}), pytest.raises(Unscripted):
        ask_form("Where to?", {**schema, "required": ["x"]})
    ask = asked(schema)
    assert read_answers(ask, {"x": wire_answer(value="")}) == {}
    with scripted({"Where to?": {"x": None}}):
        assert ask_form("Where to?", schema) == {}


def test_blank_optional_fields_are_left_out_and_never_empty_or_null() -> None:
    ask = asked(SCHEMA)
    blank = {
        **{name: wire_answer(value=" ") for name in ("at", "on", "share", "days")},
        "tags": wire_answer(value=["", " "]),
        "level": wire_answer(),
        "city": wire_answer(value="Arcachon"),
    }
    answers = read_answers(ask, blank)
    assert {name: answer.value for name, answer in answers.items()} == {"city": "Arcachon"}


def test_a_form_where_nothing_is_needed_may_be_sent_empty() -> None:
    schema = only(type="string")
    ask = asked(schema)
    assert read_answers(ask, {}) == {}
    with scripted(lambda _ask: Answered(answers={})):
        assert ask_form("Where to?", schema) == {}


def test_b13_a_form_without_fields_asks_for_consent() -> None:
    for shape in ({"type": "object", "properties": {}}, type("Empty", (BaseModel,), {"__module__": __name__})):
        ask = asked(shape)
        assert [(question.id, question.kind, question.required) for question in ask.questions] == [
            (ACCEPT, "consent", True)
        ]
        with pytest.raises(Refused):
            read_answers(ask, {})
        assert read_answers(ask, {ACCEPT: wire_answer(value=True)})[ACCEPT].value is True
    with scripted({"Where to?": {}}):
        assert ask_form("Where to?", {"type": "object", "properties": {}}) == {}


@pytest.mark.parametrize("reply", [Declined(), Discussed(text="yes")])
def test_b20_nothing_but_a_submit_is_consent(reply: Any) -> None:
    with scripted(lambda _ask: reply), pytest.raises(NoAnswer) as error:
        ask_form("Go?", {"type": "object", "properties": {}})
    assert not error.value.reply


def test_b20_accepting_a_form_that_says_no_is_a_no() -> None:
    with scripted({"Go?": {"confirm": False}}):
        assert ask_form("Go?", {"properties": {"confirm": {"type": "boolean"}}})["confirm"] is False


def test_what_does_not_add_up_keeps_the_card_open() -> None:
    ask = asked(Trip)
    typed = {
        "city": wire_answer(value="Atlantis"),
        "window": wire_answer(["o1"]),
        "start": wire_answer(value="2026-03-01"),
    }
    message = {"type": "reply", "ask": ask.id, "action": "submit", "answers": typed, "message": None}
    with pytest.raises(Refused) as refusal:
        read_reply(ask, message, "card")
    assert (refusal.value.code, refusal.value.errors) == ("invalid", {"city": "Nobody has found Atlantis yet."})
    typed["city"] = wire_answer(value="Arcachon")
    assert read_reply(ask, message, "card").kind == "answered"


def test_a_fault_of_the_form_as_a_whole_is_told_under_no_field() -> None:
    ask = asked(Trip)
    typed = {
        "city": wire_answer(value="Arcachon"),
        "window": wire_answer(["o1"]),
        "start": wire_answer(value="2026-03-01"),
        "days": wire_answer(value="5"),
        "budget": wire_answer(value="1"),
    }
    with pytest.raises(Refused) as refusal:
        read_answers(ask, typed)
    assert refusal.value.errors == {"": "The budget is below one a day."}


def test_a_fault_of_a_field_that_is_not_on_the_card_is_the_forms() -> None:
    class Odd(BaseModel):
        a: int = 1

        @model_validator(mode="before")
        @classmethod
        def _strange(cls, given: Any) -> Any:
            return {**given, "a": "x"} if given else given

    ask = asked({"properties": {"b": {"type": "string"}}, "required": []})
    hostile = ask.model_copy(update={"form": form_from(Odd).finish})
    with pytest.raises(Refused) as refusal:
        read_answers(hostile, {"b": wire_answer(value="y")})
    assert set(refusal.value.errors) == {""}


def test_a_note_on_a_field_left_blank_does_not_break_the_form(person: Any) -> None:
    def note(desk: Desk, pending: Pending) -> None:
        given = {"x": wire_answer(notes="I do not know")}
        desk.settle(pending.ask.id, Answered(answers=read_answers(pending.ask, given)))

    person(note, notes=True)
    assert ask_form("Where to?", only(type="string")) == {}


# Nobody there


def test_without_anybody_the_default_is_what_the_form_adds_up_to() -> None:
    default = {"city": "Arcachon", "days": 5}
    assert ask_form("Where to?", SCHEMA, default=default, when_unanswered="default") == default


def test_without_anybody_the_schemas_own_defaults_count_too() -> None:
    assert ask_form("Where to?", SCHEMA, default={"city": "Arcachon"}, when_unanswered="default") == {
        "city": "Arcachon",
        "days": 3,
    }


def test_without_anybody_a_default_that_is_a_model_comes_back_as_one() -> None:
    class Point(BaseModel):
        x: int
        label: str = ""

    assert ask_form("Where?", Point, default=Point(x=3), when_unanswered="default") == Point(x=3)


def test_without_a_default_the_policy_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="'city' has no default"):
        ask_form("Where to?", SCHEMA, when_unanswered="default")


def test_silence_is_no_consent_to_a_form_without_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", "default")
    with pytest.raises(NoAnswer):
        ask_form("Go?", {"type": "object", "properties": {}})


def test_b15_c26_without_anybody_the_error_names_the_forms_question() -> None:
    with pytest.raises(NoAnswer, match="Where to") as error:
        ask_form("Where to?", SCHEMA)
    assert error.value.reply.kind == "unavailable"


# Seed 002: a graph's ask

OUTPUT = {
    "type": "object",
    "properties": {
        "repo": {"type": "string", "description": "Which repository should be used?"},
        "depth": {"type": "integer", "title": "Depth", "description": "How deep should it look?"},
        "mode": {"type": "string", "enum": ["fast", "full"], "description": "Which mode?"},
        "ok": {"type": "boolean", "description": "Is that all right?"},
    },
    "required": ["repo"],
}


def test_seed_002_each_propertys_description_is_its_question() -> None:
    ask = asked(OUTPUT)
    assert [(question.text, question.description) for question in ask.questions] == [
        ("Which repository should be used?", None),
        ("Depth", "How deep should it look?"),
        ("Which mode?", None),
        ("Is that all right?", None),
    ]


def test_seed_002_the_default_is_prefilled_and_checked_against_the_schema() -> None:
    assert asked(OUTPUT, default={"repo": "tylerdavis/graph"}).questions[0].default == "tylerdavis/graph"
    with pytest.raises(ValueError, match="'mode': default is 'slow'"):
        asked(OUTPUT, default={"repo": "x", "mode": "slow"})


def test_seed_002_the_answer_fits_the_schema() -> None:
    with scripted({"Which repo?": {"repo": "a/b", "mode": "full", "ok": True}}):
        answer = ask_form("Which repo?", OUTPUT)
    assert answer == {"repo": "a/b", "mode": "full", "ok": True}
    Draft202012Validator(OUTPUT).validate(answer)


@pytest.mark.parametrize("kind", ["unavailable", "declined"])
def test_seed_002_when_unanswered_is_fail_or_default(person: Any, kind: str) -> None:
    default = {"repo": "tylerdavis/graph"}
    if kind == "declined":
        person(lambda desk, pending: desk.settle(pending.ask.id, Declined()))
        with pytest.raises(NoAnswer) as declined:  # the person said no, and a default must not say yes for them
            ask_form("Which repo?", OUTPUT, default=default, when_unanswered="default")
        assert declined.value.reply.kind == "declined"
        return
    assert ask_form("Which repo?", OUTPUT, default=default, when_unanswered="default") == default
    with pytest.raises(NoAnswer) as failed:
        ask_form("Which repo?", OUTPUT, default=default)
    assert failed.value.reply.kind == "unavailable"


# Scripted


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"city": "Arcachon"}, {"city": "Arcachon", "days": 3}),
        ({"city": "Arcachon", "level": "High"}, {"city": "Arcachon", "level": "l2", "days": 3}),
        ({"city": "Arcachon", "level": "l2"}, {"city": "Arcachon", "level": "l2", "days": 3}),
        ({"city": "Arcachon", "on": dt.date(2026, 3, 1)}, {"city": "Arcachon", "on": "2026-03-01", "days": 3}),
        ({"city": "Arcachon", "on": "2026-03-01"}, {"city": "Arcachon", "on": "2026-03-01", "days": 3}),
        ({"city": "Arcachon", "dry_run": False}, {"city": "Arcachon", "dry_run": False, "days": 3}),
        ({"city": "Arcachon", "tags": ["a", "b"]}, {"city": "Arcachon", "tags": ["a", "b"], "days": 3}),
        ({"city": "Arcachon", "days": None}, {"city": "Arcachon"}),
    ],
    ids=str,
)
def test_a_script_gives_a_dict_of_field_values_by_the_forms_question(values: Any, answer: Any) -> None:
    with scripted({"Where to?": values}) as asks:
        assert ask_form("Where to?", SCHEMA) == answer
    assert asks[0].message == "Where to?"


def test_a_scripted_enum_field_takes_the_member() -> None:
    with scripted({"Which?": {"x": Colour.RED}}):
        assert ask_form("Which?", model(x=Colour)).x is Colour.RED


def test_a_script_may_answer_field_by_field() -> None:
    with scripted(dict.fromkeys(("level", "dry_run", "tags", "share", "at", "on", "days"), None) | {"city": "Rome"}):
        assert ask_form("Where to?", SCHEMA) == {"city": "Rome"}


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"city": "x"}, "At least 2 characters"),
        ({"city": "Arcachon", "days": 0}, "At least 1"),
        ({"city": "Arcachon", "citty": 1}, "no question 'citty'"),
        ({}, "needs an answer"),
        ({"city": "Arcachon", "tags": ["a", "a"]}, "non-unique"),
    ],
    ids=str,
)
def test_a_script_that_does_not_fit_the_form_fails_with_the_fault(values: Any, says: str) -> None:
    with scripted({"Where to?": values}), pytest.raises(Unscripted, match=says):
        ask_form("Where to?", SCHEMA)


def test_an_unscripted_form_fails_with_its_question() -> None:
    with scripted({"Another?": {}}), pytest.raises(Unscripted, match="Where to"):
        ask_form("Where to?", SCHEMA)


def test_put_gives_the_plain_reply_of_a_form() -> None:
    form = form_from(SCHEMA)
    ask = Ask(form.questions, message="Where to?", layout="form", form=form.finish)
    with scripted({"Where to?": {"city": "Arcachon", "level": "High"}}):
        reply = nbask.put(ask)
    assert isinstance(reply, Answered)
    assert reply.values == {"city": "Arcachon", "level": "l2", "days": 3}


def test_what_a_script_leaves_out_of_a_form_is_sent_as_it_is_prefilled() -> None:
    """As on a card, where what looks filled in is sent; None clears it."""

    class Stay(BaseModel):
        city: str
        nights: int = 2

    with scripted({"Where to?": {}}):
        assert ask_form("Where to?", Stay, default={"city": "Rome", "nights": 5}) == Stay(city="Rome", nights=5)
    with scripted({"Where to?": {"nights": None}}):
        assert ask_form("Where to?", Stay, default={"city": "Rome", "nights": 5}) == Stay(city="Rome", nights=2)


# Schemas of strangers

HOSTILE: dict[str, dict[str, Any]] = {
    "a reference to nowhere": {"type": "string", "not": {"$ref": "#/$defs/Gone"}},
    "a reference that turns in a circle": {"type": "string", "not": {"$ref": "#/$defs/Circle"}},
    "a page": {"type": "string", "not": {"$ref": "http://evil.example/s.json"}},
    "a page of its own sort": {"type": "string", "not": {"$dynamicRef": "https://evil.example/s.json#x"}},
    "a file": {"type": "string", "if": {"$ref": "file:///etc/passwd"}},
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("place", ["field", "whole"])
def test_a_schema_makes_no_request_and_breaks_nothing(monkeypatch: pytest.MonkeyPatch, name: str, place: str) -> None:
    requested: list[Any] = []

    def urlopen(url: Any, *_: Any, **__: Any) -> Any:
        requested.append(getattr(url, "full_url", url))
        raise OSError("no network here")

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    schema: dict[str, Any] = only(**HOSTILE[name]) if place == "field" else only(type="string")
    schema |= {"$defs": {"Circle": {"$ref": "#/$defs/Circle"}}}
    if place == "whole":
        schema |= {"allOf": [one for key, one in HOSTILE[name].items() if key != "type"]}
    try:
        # jsonschema says by a warning that it fetches what a reference names.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            form_from(schema).finish({"x": "a"})
    except (UndrawableSchema, InvalidForm):
        pass
    assert requested == []


def test_a_form_that_needs_a_field_it_does_not_have_is_refused_and_not_shown_dead() -> None:
    with pytest.raises(UndrawableSchema, match="'y'"):
        form_from({**only(type="string"), "required": ["x", "y"]})


@pytest.mark.parametrize("items", [{"type": "string"}, {"type": "string", "enum": ["a", "b"]}])
def test_a_required_list_may_be_empty_where_its_schema_says_nothing_else(items: Any, person: Any) -> None:
    schema = {"type": "object", "properties": {"tags": {"type": "array", "items": items}}, "required": ["tags"]}
    with scripted(lambda ask: {"tags": []}):
        assert ask_form("Tags?", schema) == {"tags": []}
    schema["properties"]["tags"]["minItems"] = 1
    with scripted(lambda ask: {"tags": []}), pytest.raises(Unscripted):
        ask_form("Tags?", schema)
