"""An ask put with pickers: its questions one after another, a look at all answers, and the ways to leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nbask.desk import Desk, Pending
from nbask.fronts import rows
from nbask.fronts.frames import Escaped, Frame, InterruptedHere, NoRow, Row
from nbask.fronts.pickers import pick, tell, tick, type_in
from nbask.fronts.text import Left, heading, leave_by, refusal, to_mend
from nbask.kinds import FieldKind, wire_answer
from nbask.questions import Question
from nbask.reading import Refused, read_answers
from nbask.receipts import duration
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply
from nbask.text import printable
from nbask.wire import AnswerWire

VIA = "terminal"


class _BackError(Exception):
    """The person came back from where a row led: the question is asked again."""


class Conversation:
    """One ask in a terminal.

    Args:
        desk: Where drafts are kept.
        pending: The open ask.
    """

    def __init__(self, desk: Desk, pending: Pending) -> None:
        self._desk = desk
        self._pending = pending
        self._ask = pending.ask
        self._said: dict[str, AnswerWire] = {}
        """By question, what was said or begun, which a question that is asked again starts with."""

    async def run(self) -> Reply:
        """Ask until there is a reply."""
        ask = self._ask
        if ask.message:
            tell(ask.message)
        asked = list(ask.questions)
        try:
            while True:
                for question in asked:
                    await self._answer(question)
                if (again := await self._review()) is not None:
                    asked = [again]
                    continue
                try:
                    return Answered(answers=read_answers(ask, self._said), via=VIA)
                except Refused as fault:
                    tell(refusal(ask, fault))
                    asked = to_mend(ask, fault)
        except Left as left:
            return left.reply
        except InterruptedHere:
            return Cancelled(by="interrupt", via=VIA)

    async def _answer(self, question: Question) -> None:
        """Ask one question until it is answered, or the person leaves."""
        while True:
            try:
                if question.kind == "consent":
                    given = await self._consent(question)
                elif question.options:
                    given = await (self._many if question.many else self._one)(question)
                else:
                    given = await self._field(question)
                self._said[question.id] = given = await self._with_note(question, given)
                break
            except (_BackError, NoRow):
                continue
            except Escaped as escaped:
                await self._cancel(escaped.changed or bool(self._said))
        tell(f"? {self._ask.who} asks: {question.text} {rows.words_of_answer(question, given)}")

    async def _one(self, question: Question) -> AnswerWire:
        said = self._so_far(question)
        listed = [*rows.option_rows(question, said), *([] if question.required else [("skip", "Leave unanswered")])]
        frame = self._frame(question, f"↑↓, a digit or typing finds, Enter picks, Esc cancels{rows.turning(question)}")
        pointed = next(iter(rows.picked(said)), None)
        try:
            name = await self._pick(frame, listed, pointed)
        except NoRow as none:
            name = self._as_other(question, none)
        if name == "skip":
            return wire_answer()
        return wire_answer(other=await self._own_words(question)) if name == "other" else wire_answer([name])

    async def _many(self, question: Question) -> AnswerWire:
        said = self._so_far(question)
        ticked = rows.picked(said)
        listed = [
            *_rows(rows.option_rows(question, said), ticked),
            *(Row(*named, leads_away=True) for named in rows.AWAY),
        ]

        def chosen(names: list[str]) -> AnswerWire:
            return wire_answer(rows.options_among(question, names), "…" if "other" in names else None)

        def keep(names: list[str]) -> None:
            self._keep(question, {**said, "selected": rows.options_among(question, names)})

        keys = f"{rows.count(question)}Space ticks, Enter sends, Esc cancels{rows.turning(question)}"
        frame = self._frame(question, keys, keep)
        try:
            names = await tick(frame, listed, lambda names: rows.fault_of(question, chosen(names)))
            await self._lead_away(*names)
            keep(names)
            return {**chosen(names), "other": await self._own_words(question) if "other" in names else None}
        except NoRow as none:
            self._as_other(question, none)
            raise

    def _as_other(self, question: Question, none: NoRow) -> str:
        """Words that no row has are own words, where the question takes those."""
        if not question.other:
            raise none
        self._said[question.id] = {**self._so_far(question), "other": none.typed}
        return "other"

    async def _own_words(self, question: Question) -> str:
        """What goes into the Other row; Esc leads back to the list, which keeps it."""
        before = self._so_far(question)

        def keep(text: str) -> None:
            self._keep(question, {**before, "other": text or None})

        label = printable(f"{question.other_label or 'In your own words'}:")
        frame = Frame(label, "Enter sends, Esc goes back", self._left, changed=keep)
        hint = printable(question.placeholder or "")
        return await _or_back(type_in(frame, _not_blank, before["other"] or "", placeholder=hint))

    async def _field(self, question: Question) -> AnswerWire:
        rules = question.rules
        assert isinstance(rules, FieldKind)
        default = self._default(question)

        def given(text: str) -> AnswerWire:
            if text == rows.as_text(default["value"]):
                return default
            return rules.typed(question, text) if text.strip() else wire_answer()

        def fault(text: str) -> str | None:
            try:
                leave_by(text, VIA)
            except Left:
                return None
            return rows.fault_of(question, given(text))

        hint = "" if rules.hint == FieldKind.hint else f"{rules.hint}. "
        sends = "Alt+Enter sends" if question.multiline else "Enter sends"
        skips = "" if question.required else ", empty skips"
        text = await type_in(
            self._frame(
                question,
                f"{hint}{sends}{skips}, Esc cancels; /discuss or /decline",
                lambda text: self._keep(question, given(text)),
            ),
            fault,
            "" if question.secret else rows.as_text(self._so_far(question)["value"]),
            multiline=question.multiline,
            secret=question.secret,
            placeholder=printable(question.placeholder or ""),
        )
        leave_by(text, VIA)
        return given(text)

    async def _consent(self, question: Question) -> AnswerWire:
        frame = self._frame(question, "↑↓, Enter picks, Esc cancels")
        await self._lead_away(await pick(frame, _rows(rows.consent_rows(self._ask, question))))
        return wire_answer(value=True)

    async def _with_note(self, question: Question, given: AnswerWire) -> AnswerWire:
        """The answer with a note, where the question takes one; own words hold their own."""
        if not question.notes or given["other"] is not None:
            return given
        before = self._so_far(question)["notes"] or ""
        self._said[question.id] = {**given, "notes": before}
        frame = Frame("A note to the asker?", "Enter sends, empty for none, Esc goes back", self._left)
        return {**given, "notes": await _or_back(type_in(frame, lambda _: None, before))}

    async def _review(self) -> Question | None:
        """Show all answers of several questions; the one to change, or None to send them."""
        if len(self._ask.questions) == 1:
            return None
        listed = rows.review_rows(self._ask, self._said)
        while True:
            try:
                frame = Frame("Is this right?", "↑↓, Enter picks", self._left)
                name = await self._pick(frame, listed)
                return next((one for one in self._ask.questions if name == f"change {one.id}"), None)
            except (_BackError, NoRow):
                continue
            except Escaped:
                await self._cancel(ask_first=True)

    async def _cancel(self, ask_first: bool) -> None:
        """Leave as cancelled, after a question of its own where something would be lost."""
        try:
            frame = Frame("Cancel?", "↑↓, Enter picks", self._left)
            if ask_first and await pick(frame, _rows(rows.BACK)) == "back":
                return
        except (Escaped, NoRow):
            return
        raise Left(Cancelled(via=VIA))

    async def _pick(self, frame: Frame, listed: Sequence[rows.Named], pointed: str | None = None) -> str:
        """Have one of the rows picked, or leave by one of those that every list ends with."""
        name = await pick(frame, _rows([*listed, *rows.AWAY]), pointed)
        await self._lead_away(name)
        return name

    async def _lead_away(self, *names: str) -> None:
        """Leave the ask where a row for that was picked."""
        if "decline" in names:
            raise Left(Declined(via=VIA))
        if "discuss" in names:
            frame = Frame("What is there to discuss?", "Enter sends, Esc goes back", self._left)
            text = await _or_back(type_in(frame, lambda _: None))
            raise Left(Discussed(text=text.strip(), via=VIA))

    def _frame(self, question: Question, keys: str, changed: Callable[[Any], None] = lambda _: None) -> Frame:
        head = heading(self._ask, question)
        if (several := len(self._ask.questions)) > 1:
            head[0] = f"{head[0]} ({self._ask.questions.index(question) + 1} of {several})"
        text = printable("\n".join(head))
        return Frame(text, keys, self._left, lambda name: rows.preview_of(question, name), changed)

    def _left(self) -> str:
        """How long there is to answer, where there is a limit."""
        remaining = self._pending.remaining()
        return "" if remaining is None else f"{duration(max(0, remaining))} left"

    def _keep(self, question: Question, given: AnswerWire) -> None:
        """Keep what is typed and ticked, here and as the ask's draft; of a secret only that something is typed."""
        if question.secret:
            self._desk.touch(self._ask.id)
            return
        self._said[question.id] = given
        secrets = {one.id for one in self._ask.questions if one.secret}
        answers = {name: answer for name, answer in self._said.items() if name not in secrets}
        self._desk.keep_draft(self._ask.id, {"answers": answers, "message": None})

    def _so_far(self, question: Question) -> AnswerWire:
        return self._said.get(question.id) or self._default(question)

    def _default(self, question: Question) -> AnswerWire:
        return wire_answer() if question.default is None else question.rules.write(question, question.default)


async def _or_back(typing: Any) -> str:
    """What is typed; Esc leads back to the question."""
    try:
        return await typing
    except Escaped:
        raise _BackError from None


def _rows(listed: Sequence[rows.Named], ticked: Sequence[str] = ()) -> list[Row]:
    """The rows, of which those that begin with a number can be picked by it."""
    return [Row(name, title, _digit(title), name in ticked) for name, title in listed]


def _digit(title: str) -> str:
    number, dot, _ = title.partition(". ")
    return number if dot and len(number) == 1 and number in "123456789" else ""


def _not_blank(text: str) -> str | None:
    return None if text.strip() else "Type something, or go back with Esc."
