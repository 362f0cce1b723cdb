"""What crosses between the kernel and a card's view: the names, once.

The TypeScript twin is `js/src/wire.ts`; the goldens under `tests/wire/` are
decoded by both sides, so a change here that is not made there fails a test.

Kernel to view, as synced traits: `ask` (:class:`AskWire`), `phase`
(:class:`OpenWire` or :class:`EndedWire`). View to kernel, as a synced trait:
`draft` (:class:`DraftWire`). Passing events are custom messages: from the view
:class:`ReplyWire`, :class:`AttachedWire`, :class:`DetachedWire`,
:class:`TypingWire` and :class:`CodeRequestWire`; from the kernel :class:`RefusedWire`,
:class:`CodeWire` and :class:`CallWire`.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

VERSION = 1
"""Version of the wire; a view that meets another one says so instead of guessing."""
RECEIPT = "application/vnd.nbask.reply+json"
"""The MIME type under which a receipt has the reply as data."""

Action = Literal["submit", "discuss", "decline", "cancel"]
ReplyKind = Literal["answered", "discussed", "declined", "cancelled", "timed_out", "unavailable", "withdrawn"]


class HtmlWire(TypedDict):
    """HTML that the kernel's renderer has sanitised; the one thing a view may set as HTML."""

    kind: Literal["html"]
    html: str


class ImageWire(TypedDict):
    """An image as a `data:` URL, drawn with `<img>`."""

    kind: Literal["image"]
    src: str
    alt: str


class FrameWire(TypedDict):
    """A whole HTML document for `<iframe sandbox srcdoc>` with no sandbox tokens."""

    kind: Literal["frame"]
    srcdoc: str
    title: str


RichWire = HtmlWire | ImageWire | FrameWire


class AskerWire(TypedDict):
    label: str
    detail: str | None


class OptionWire(TypedDict):
    id: str
    label: str
    description: str | None
    recommended: bool
    preview: RichWire | None


class AnswerWire(TypedDict):
    """One question's answer, or a draft of it.

    `selected` are option ids, `other` what was typed in the Other row, `value` what a field holds
    (a text question's text), `notes` the note to the asker. `None` means nothing was said.
    """

    selected: list[str]
    other: str | None
    value: object
    notes: str | None


class QuestionWire(TypedDict):
    """One question. `min` and `max` are picks, characters, entries or bounds, by its kind.

    A field's value crosses as text (a number as it was typed, a date in ISO 8601), a list's as a list of
    texts, a consent as true.
    """

    id: str
    kind: str
    text: str
    header: str | None
    required: bool
    many: bool
    min: int | float | None
    max: int | float | None
    other: bool
    notes: bool
    options: list[OptionWire]
    default: AnswerWire | None
    placeholder: str | None
    multiline: bool
    description: str | None
    format: Literal["email", "uri"] | None
    pattern: str | None
    secret: bool
    other_label: str | None
    danger: bool
    url: str | None
    warnings: list[str]


class AskWire(TypedDict):
    """Everything a view draws. Times are milliseconds since the epoch on the kernel's clock.

    `submit` are the words on the submit button, `notify` whether the person wants desktop notifications,
    `pausable` whether typing pauses the deadline.
    """

    v: int
    id: str
    asker: AskerWire
    message: RichWire | None
    opened: int
    deadline: int | None
    layout: Literal["tabs", "form"]
    submit: str | None
    notify: bool
    pausable: bool
    questions: list[QuestionWire]


class OpenWire(TypedDict):
    """The ask is open. Until `paused_until` its deadline stands still, because somebody types."""

    state: Literal["open"]
    deadline: int | None
    paused_until: int | None


class EndedWire(TypedDict):
    """How the ask ended; `receipt` is drawn by a view that outlives its card (after a page reload)."""

    state: Literal["ended"]
    kind: ReplyKind
    receipt: HtmlWire


PhaseWire = OpenWire | EndedWire


class DraftWire(TypedDict):
    """What was typed and picked so far; `message` is the text typed under Discuss.

    `answers` holds, by question id, only what differs from the defaults, and no secret. In a single choice,
    `other` beside a pick is text kept, not the answer.
    """

    answers: dict[str, AnswerWire]
    message: str | None


class ReplyWire(TypedDict):
    """The person's reply, whole in one message; `message` is what was said with `discuss`.

    Only a submit carries answers: nothing else is a decision.
    """

    type: Literal["reply"]
    ask: str
    action: Action
    answers: dict[str, AnswerWire]
    message: str | None


class AttachedWire(TypedDict):
    type: Literal["attached"]
    view: str


class DetachedWire(TypedDict):
    type: Literal["detached"]
    view: str


class TypingWire(TypedDict):
    """A secret is being typed, which no draft may tell of: the deadline stands still all the same."""

    type: Literal["typing"]


class CodeRequestWire(TypedDict):
    """A stub's view asks for the card's code, which its page no longer has."""

    type: Literal["code"]


class CodeWire(TypedDict):
    type: Literal["code"]
    build: str
    esm: str
    css: str


class CallWire(TypedDict):
    """A call of the roll: a view that is there says so, with `attached`; one that has gone without a word cannot."""

    type: Literal["call"]


class RefusedWire(TypedDict):
    """Why a reply did not count. `errors` names what to mend: a question id, or `""` for the form as a whole."""

    type: Literal["refused"]
    ask: str
    code: Literal["malformed", "foreign", "late", "invalid"]
    message: str
    errors: dict[str, str]
