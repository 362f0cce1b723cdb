"""Script the person: for tests of agents and notebooks that ask, with no front end at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from nbask.desk import Clock
from nbask.kinds import InvalidAnswer, wire_answer
from nbask.questions import Ask, Question
from nbask.reading import Refused, read_answers
from nbask.replies import Answered, Reply

__all__ = ["FakeClock", "Unscripted", "scripted"]

Script = Mapping[str, Any] | Callable[[Ask], Any]


class Unscripted(AssertionError):
    """An ask came that the script has no answer to, or an answer that does not fit; the message has its text."""


@contextmanager
def scripted(script: Script) -> Iterator[list[Ask]]:
    """Answer every ask from a script, in whatever thread or task it is made.

    Args:
        script: Answers by question text: a label, a list of labels, typed text or a bool; None leaves the question
            unanswered, and a :class:`~nbask.replies.Reply` ends the ask with it. By an ask's message: a dict of
            question id to answer, or a reply; what the dict leaves out is sent as it is prefilled. Or a function that
            gets the :class:`~nbask.Ask` and returns such an answer (of a single question), a dict of question id to
            answer, or a reply.

    Yields:
        The asks that came, in order.

    Raises:
        ValueError: The script is neither a dict nor a function.
        Unscripted: An ask came without an answer in the script, or with one that does not fit.

    Example:
        >>> from nbask import ask
        >>> with scripted({"Red or blue?": "Red"}) as asks:
        ...     ask("Red or blue?", ["Red", "Blue"])
        'Red'
        >>> asks[0].questions[0].text
        'Red or blue?'
    """
    from nbask import runtime

    if not isinstance(script, Mapping) and not callable(script):
        raise ValueError(f"the script is {script!r}; give a dict of question to answer, or a function of the Ask")
    asks: list[Ask] = []

    def decide(ask: Ask) -> Reply:
        asks.append(ask)
        return _reply(ask, script)

    deciders = runtime.current().deciders
    deciders.append(decide)
    try:
        yield asks
    finally:
        deciders.remove(decide)


class FakeClock(Clock):
    """A clock that moves only when told.

    Example:
        >>> clock = FakeClock(start=100.0)
        >>> clock.advance(5)
        >>> clock.wall(), clock.steady()
        (105.0, 105.0)
    """

    def __init__(self, start: float = 0.0) -> None:
        moment = [start]
        super().__init__(wall=lambda: moment[0], steady=lambda: moment[0])
        object.__setattr__(self, "_moment", moment)

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""
        self._moment[0] += seconds  # type: ignore[attr-defined]


def _reply(ask: Ask, script: Script) -> Reply:
    said = script(ask) if callable(script) else _looked_up(ask, script)
    if isinstance(said, Reply):
        return said
    if not isinstance(said, Mapping):
        if len(ask.questions) != 1:
            raise Unscripted(f"{ask.quoted} takes a dict of question id to answer, not {said!r}")
        said = {ask.questions[0].id: said}
    by_id = {question.id: question for question in ask.questions}
    if not said and [question.kind for question in ask.questions] == ["consent"]:
        said = {ask.questions[0].id: True}  # a form without fields, filled in
    try:
        prefilled = {question.id: question.default for question in ask.questions}
        given = {name: _written(by_id, name, plain) for name, plain in {**prefilled, **said}.items()}
        return Answered(answers=read_answers(ask, given), via="script")
    except (InvalidAnswer, Refused) as fault:
        errors = "; ".join(getattr(fault, "errors", {}).values())
        raise Unscripted(f"the script's answer {said!r} does not fit {ask.quoted}: {errors or fault}") from None


def _looked_up(ask: Ask, script: Mapping[str, Any]) -> Any:
    if ask.message is not None and ask.message in script:
        return script[ask.message]
    missing = [question for question in ask.questions if question.text not in script]
    if missing:
        asked = ask.quoted if ask.layout == "form" else repr(missing[0].text)
        raise Unscripted(f"no script for the question {asked}; the script has {sorted(map(str, script))}")
    replies = [script[question.text] for question in ask.questions if isinstance(script[question.text], Reply)]
    return replies[0] if replies else {question.id: script[question.text] for question in ask.questions}


def _written(questions: Mapping[str, Question], name: str, plain: Any) -> Any:
    if name not in questions:
        raise Refused("malformed", f"there is no question {name!r}")
    return wire_answer() if plain is None else questions[name].rules.write(questions[name], plain)
