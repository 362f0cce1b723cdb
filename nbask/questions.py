"""What is asked: an :class:`Option`, a :class:`Question`, and the :class:`Ask` that puts questions on one card.

All three are frozen and checked when built, so that a mistake is a `ValueError` in
the caller's own line and never a broken card.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, cast

from pydantic import Field, model_validator

from nbask.errors import Checked
from nbask.kinds import Kind, first_repeated, kind_named
from nbask.options import UNSET, Option, options_from
from nbask.text import sendable

Policy = Literal["raise", "default"]
HUGE = 1e300


class Question(Checked):
    """One thing to decide.

    Args:
        text: The question itself.
        options: For a choice: labels, :class:`Option` objects, a mapping of label to description, an
            `Enum` class, or any objects (shown by `str()` and returned themselves).
        kind: A name in :data:`nbask.kinds.KINDS`: `"choice"`, `"confirm"`, `"text"`, `"number"`, `"integer"`,
            `"date"`, `"datetime"`, `"list"` or `"consent"`; by default a choice where there are options, else a text.
        id: Name of the answer, unique on its card; `q1`, `q2`, … by default.
        header: A chip above the question, meant for 12 characters at most.
        many: Whether several options may be picked.
        description: Help under the question.
        min: Fewest picks (with `many`), characters (text) or entries (list), or the least number.
        max: Most of the same.
        other: Whether there is a row for an answer in the person's own words; by default where there are options.
        other_label: What that row is called, instead of "Other".
        default: What is preselected or prefilled: a label, a list of labels, a bool, a text, a number, a date.
        required: Whether the card can only be submitted with an answer to this question.
        notes: Whether a note can be added to the answer; None leaves it to the settings.
        placeholder: A hint in an empty text field.
        multiline: Whether a text field has several lines.
        format: `"email"` or `"uri"`, for a text.
        pattern: A regular expression that a text must match somewhere, as in JSON Schema.
        secret: Whether a text is shown as dots, and kept out of receipts, records, drafts and logs.
        danger: Whether a confirm's yes cannot be undone: its safe button then comes first.
        url: The address that a consent is about.
        warnings: Sentences shown above the field.

    Raises:
        ValueError: Something does not fit together; the message names the value and the mend.

    Example:
        >>> Question("Which checks?", ["lint", "types"], many=True, max=2).kind
        'choice'
    """

    text: str = Field(strict=True)
    options: tuple[Option, ...] = ()
    kind: str = ""
    id: str = ""
    header: str | None = Field(default=None, strict=True)
    many: bool = False
    description: str | None = None
    min: int | float | None = None
    max: int | float | None = None
    other: bool | None = None
    other_label: str | None = None
    default: Any = None
    required: bool = True
    notes: bool | None = None
    placeholder: str | None = None
    multiline: bool = False
    format: str | None = None
    pattern: str | None = None
    secret: bool = False
    danger: bool = False
    url: str | None = None
    warnings: tuple[str, ...] = ()

    def __init__(self, text: str, options: Any = None, **rest: Any) -> None:
        given = options_from(options) if options is not None else ()
        kind = rest.pop("kind", "") or ("text" if options is None else "choice")
        if kind == "confirm":
            given = _meaning_yes_and_no(given or (Option("Yes"), Option("No")))
        if rest.get("other") is None:
            rest["other"] = kind == "choice"
        rest["default"] = _labelled(rest.get("default"), many=kind == "list" or bool(rest.get("many")))
        super().__init__(text=text, options=given, kind=kind, **rest)

    @model_validator(mode="after")
    def _fits_together(self) -> Question:
        if not self.text.strip():
            raise ValueError(f"the question's text is {self.text!r}; say what is asked")
        if self.id != sendable(self.id):  # a page would name another one in its reply
            raise ValueError(f"id is {self.id!r}, which holds half a character; name the answer otherwise")
        for name, bound in (("min", self.min), ("max", self.max)):
            if bound is not None and not -HUGE < bound < HUGE:  # JSON and browsers have no more room, nor NaN
                raise ValueError(f"{name} is {str(bound)[:40]}; leave it out where there is no bound")
        self.rules.check(self)
        for name, kind in (("secret", "text"), ("format", "text"), ("pattern", "text"), ("danger", "confirm")):
            if getattr(self, name) and self.kind != kind:
                raise ValueError(f"{self.text!r} is of kind {self.kind!r}; {name} belongs to {kind!r}")
        if self.url is not None and self.kind != "consent":
            raise ValueError(f"{self.text!r} is of kind {self.kind!r}; url belongs to 'consent'")
        return self

    @property
    def rules(self) -> Kind:
        """The rules of this question's kind."""
        return kind_named(self.kind)

    def option(self, option_id: str) -> Option | None:
        """The option with this wire id (`o1`, `o2`, …), or None."""
        return dict(zip(self.option_ids, self.options, strict=True)).get(option_id)

    @property
    def option_ids(self) -> tuple[str, ...]:
        """Wire ids of the options, in order; ids and not labels cross the wire."""
        return tuple(f"o{number}" for number in range(1, len(self.options) + 1))


class Asker(Checked):
    """Who asks: a label, and where known what for (a tool call, a server).

    Args:
        label: The asker's name, as the card's first line says it.
        detail: What it asks for, beside the name.

    Raises:
        ValueError: The label is blank.

    Example:
        >>> Asker("Claude", "AskUserQuestion").detail
        'AskUserQuestion'
    """

    label: str
    detail: str | None = None

    @model_validator(mode="after")
    def _is_named(self) -> Asker:
        if not self.label.strip():
            raise ValueError(f"the asker is {self.label!r}; say who asks, or leave it out")
        return self

    def __init__(self, label: str, detail: str | None = None, **rest: Any) -> None:
        super().__init__(label=label, detail=detail, **rest)


class Ask(Checked):
    """What one asker puts to the person at one time, on one card.

    Args:
        questions: One :class:`Question` or several.
        asker: Who asks: an :class:`Asker` or its label; None leaves it to the settings.
        message: Markdown shown above the questions.
        plain: Whether the message is shown as the text it is, with no markdown and no links: what a stranger says.
        timeout: Seconds until the ask ends unanswered; None waits as long as it takes.
        pausable: Whether typing pauses the deadline; not where the limit is another's.
        layout: `"tabs"`, a question at a time and a review; or `"form"`, all fields on one page.
        submit: Words on the submit button.
        form: For a form: takes question id to value and returns what they add up to, or raises
            :class:`~nbask.kinds.InvalidForm` with a sentence for each field to mend.
        when_unanswered: `"raise"` or `"default"`: what applies when nobody can answer; None leaves it to the settings.
        id: What replies name it by; by default 12 random hexadecimal digits.

    Raises:
        ValueError: No questions, two questions with one id, a timeout that is not above zero, or
            `when_unanswered="default"` where a required question has no default.

    Example:
        >>> Ask(Question("Name?")).questions[0].id
        'q1'
    """

    questions: tuple[Question, ...]
    asker: Asker | None = None
    message: str | None = None
    plain: bool = False
    timeout: float | None = None
    pausable: bool = True
    layout: Literal["tabs", "form"] = "tabs"
    submit: str | None = None
    form: Callable[[Mapping[str, Any]], Any] | None = None
    when_unanswered: Policy | None = None
    id: str = ""

    def __init__(self, questions: Question | Iterable[Question], **rest: Any) -> None:
        named = _named(_questions(questions))
        rest["asker"] = _asker(rest.pop("asker", None))
        rest.setdefault("id", uuid.uuid4().hex[:12])
        super().__init__(questions=named, **rest)

    @property
    def who(self) -> str:
        """The asker's label, for a sentence."""
        return self.asker.label if self.asker is not None else "This notebook"

    @property
    def quoted(self) -> str:
        """What is asked, in quotes, for a message: a form's own question, else the questions' texts."""
        if self.layout == "form" and self.message:
            return repr(self.message)
        return " / ".join(repr(question.text) for question in self.questions)

    @model_validator(mode="after")
    def _fits_together(self) -> Ask:
        if not self.questions:
            raise ValueError("an ask needs at least one question; questions is empty")
        ids = [question.id for question in self.questions]
        if twice := first_repeated(ids):
            raise ValueError(f"question id {twice!r} is given twice; give each question its own id")
        if self.timeout is not None and not 0 < self.timeout < math.inf:
            raise ValueError(f"timeout is {self.timeout!r}; give seconds above 0, or None to wait as long as it takes")
        if self.when_unanswered == "default":
            for question in self.questions:
                if question.required and question.default is None:
                    raise ValueError(
                        f"when_unanswered is 'default' but {question.text!r} has no default; give one, or use 'raise'"
                    )
        return self


def _asker(given: Any) -> Asker | None:
    if given is not None and not isinstance(given, Asker | str):
        raise ValueError(f"asker is {given!r}; give a label, or an Asker")
    return Asker(given) if isinstance(given, str) else given


def _meaning_yes_and_no(options: tuple[Option, ...]) -> tuple[Option, ...]:
    """A confirm's options answer True and False, in this order, unless they say otherwise."""
    meanings = (True, False)
    return (
        tuple(
            option.model_copy(update={"value": meaning}) if option.value is UNSET else option
            for option, meaning in zip(options, meanings, strict=False)
        )
        + options[len(meanings) :]
    )


def _questions(given: Any) -> tuple[Question, ...]:
    if isinstance(given, Question):
        return (given,)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ValueError(f"questions is {given!r}; give a Question, such as Question({given!r}), or several")
    several = tuple(cast("Iterable[Any]", given))
    for one in several:
        if not isinstance(one, Question):
            raise ValueError(f"{one!r} is no Question; give Question({one!r})")
    return several


def _named(questions: tuple[Question, ...]) -> tuple[Question, ...]:
    """The questions, with `q1`, `q2`, … for those without an id; a name that was given is not taken."""
    given = {question.id for question in questions}
    named: list[Question] = []
    for number, question in enumerate(questions, 1):
        name = f"q{number}"
        while name in given:
            name += "_"
        named.append(question if question.id else question.model_copy(update={"id": name}))
    return tuple(named)


def _labelled(default: Any, *, many: bool) -> Any:
    if many and isinstance(default, list | tuple):
        return [_labelled(item, many=False) for item in cast("list[Any]", default)]
    return default.label if isinstance(default, Option) else default
