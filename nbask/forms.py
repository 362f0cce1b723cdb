"""Forms: what a whole card of fields adds up to, and what is wrong with it, by field."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from pydantic.json_schema import GenerateJsonSchema

from nbask.checking import Checker, sentence_of
from nbask.kinds import InvalidForm
from nbask.kinds.base import listed
from nbask.questions import Question
from nbask.references import UndrawableSchema
from nbask.schema import DECIMAL, questions_from

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Form:
    """A form's questions, and what its answers add up to.

    Args:
        questions: One for each field, the field's name as id.
        finish: Takes question id to value and returns what the asker gets; raises
            :class:`~nbask.kinds.InvalidForm` with a sentence for each field to mend.
    """

    questions: tuple[Question, ...]
    finish: Callable[[Values], Any]


ACCEPT = "accept"
"""Id of the one question on the card of a form without fields."""


def form_from(shape: Any, default: Any = None, *, untrusted: bool = False) -> Form:
    """Make a form of a pydantic model class, or of a flat JSON Schema.

    Args:
        shape: A pydantic model class, whose instances come back; or a JSON Schema as a dict, and a dict
            comes back: without the fields that were left empty. Without any fields it asks for consent.
        default: What is prefilled over the shape's own defaults: a dict, or an instance of the model.
        untrusted: Whether the schema is a stranger's, whose patterns are matched in bounded time or not at all.

    Returns:
        The form.

    Raises:
        UndrawableSchema: It has fields that no form can be drawn for; it is a `ValueError`.
        ValueError: The default does not fit.

    Example:
        >>> form = form_from({"properties": {"name": {"type": "string"}, "age": {"type": "integer"}}})
        >>> form.finish({"name": "Ann"})
        {'name': 'Ann'}
    """
    validate = getattr(shape, "model_validate", None)
    if not isinstance(shape, Mapping) and (validate is None or not isinstance(shape, type)):
        mend = "its class, and it as default" if validate else "a JSON Schema object, or a pydantic model class"
        raise UndrawableSchema(f"the form's shape is {shape!r}; give {mend}")
    schema = cast("Mapping[str, Any]", shape) if validate is None else _model_schema(shape)
    given = _given(default)
    questions = questions_from(schema, given, untrusted=untrusted)
    finish = (
        partial(_checked, Checker(schema, untrusted=untrusted)) if validate is None else partial(_instance, validate)
    )
    if default is not None:
        _check_default(finish, given, questions)
    if not questions:
        consent = Question("Do you agree?", kind="consent", id=ACCEPT)
        return Form((consent,), lambda _values: finish({}))
    return Form(questions, finish)


class _FormSchema(GenerateJsonSchema):
    """A model's schema with a `Decimal` as a text: pydantic's own has a number or a text, and a number loses digits."""

    def decimal_schema(self, schema: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"type": "string", "format": DECIMAL}


def _model_schema(model: Any) -> dict[str, Any]:
    from pydantic.errors import PydanticUserError

    try:
        return model.model_json_schema(schema_generator=_FormSchema)
    except (PydanticUserError, AttributeError) as fault:
        reason = str(fault).splitlines()[0]
        raise UndrawableSchema(f"{model.__name__} has a field that no form can be drawn for: {reason}") from None


def _given(default: Any) -> dict[str, Any]:
    if default is None:
        return {}
    if isinstance(default, Mapping):
        return dict(cast("Mapping[str, Any]", default))
    fields: Mapping[str, Any] | None = getattr(cast("Any", type(default)), "model_fields", None)
    if fields is None:
        raise ValueError(f"default is {default!r}; give a dict of field to value, or an instance of the model")
    from pydantic_core import to_jsonable_python

    # Not model_dump(): that writes fields by another alias than they are read by, leaves some out, and adds some.
    return {_name_of(name, field): to_jsonable_python(getattr(default, name)) for name, field in fields.items()}


def _name_of(name: str, field: Any) -> str:
    """What a model's schema calls a field."""
    alias = field.validation_alias
    alias = getattr(alias, "choices", [alias])[0]
    return alias if isinstance(alias, str) else name


def _check_default(finish: Callable[[Values], Any], given: Values, questions: tuple[Question, ...]) -> None:
    if strays := sorted(set(given) - {question.id for question in questions}):
        fields = listed(question.id for question in questions)
        raise ValueError(f"default has {strays[0]!r}, which is no field; the fields are {fields}")
    required = {question.id for question in questions if question.required}
    if required <= set(given):  # a part of the fields may be prefilled alone, and is checked field by field
        try:
            finish(given)
        except InvalidForm as fault:
            raise ValueError(f"default does not fit the form: {fault}") from None


def _instance(validate: Callable[..., Any], values: Values) -> Any:
    from pydantic import ValidationError

    try:
        # What was typed is of its kind; a strict model would also have a list be a set, and a text a UUID.
        return validate(dict(values), strict=False)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
    naive = {str(fault["loc"][0]) for fault in faults if fault["type"] == "timezone_aware" and fault["loc"]}
    moments = {name: values[name] for name in naive if isinstance(values.get(name), dt.datetime)}
    if any(moment.tzinfo is None for moment in moments.values()):
        return _instance(validate, {**values, **{name: _aware(name, moment) for name, moment in moments.items()}})
    errors = {str(fault["loc"][0]) if fault["loc"] else "": sentence_of(fault["msg"]) for fault in reversed(faults)}
    raise InvalidForm(errors)


def _checked(checker: Checker, values: Values) -> dict[str, Any]:
    whole = {name: _json(name, value) for name, value in values.items()}
    checker.check(whole)
    return whole


def _json(name: str, value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return _aware(name, value).isoformat()
    return value.isoformat() if isinstance(value, dt.date) else value


def _aware(name: str, moment: dt.datetime) -> dt.datetime:
    # RFC 3339 wants an offset, and the person meant their own clock.
    try:
        return moment.astimezone() if moment.tzinfo is None else moment
    except (ValueError, OverflowError, OSError):
        raise InvalidForm({name: "This moment is out of range."}) from None
