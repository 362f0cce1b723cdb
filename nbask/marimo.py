"""The reactive twins for marimo: a card in one cell, its answer in every cell that reads it.

`marimo.ask(...)` waits for nobody. It returns a :class:`Question`, which is shown as its card; the cells that
use it run again when it is answered.

    colour = nbask.marimo.ask("Red or blue?", ["Red", "Blue"])
    colour                                      # in another cell: colour.value, None until it is answered

Run as a script, where no cell runs again, a notebook asks at once and waits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from marimo._runtime.state import State

from nbask import runtime
from nbask.asking import Request, checked_call, named
from nbask.builders import (
    request_choice,
    request_confirm,
    request_form,
    request_questions,
    request_text,
)
from nbask.desk import Pending
from nbask.hosts.marimo import displayable, in_marimo, when_cell_goes
from nbask.plans import request_plan
from nbask.receipts import receipt
from nbask.replies import NoAnswer, Reply
from nbask.text import one_line

__all__ = ["Question", "approve_plan", "ask", "ask_form", "ask_questions", "ask_text", "confirm"]

P = ParamSpec("P")
T = TypeVar("T")


class Question(State[Any]):
    """A question that was asked and is not waited for; marimo shows it as its card.

    It is one of marimo's states, so that the cells which use it run again when it is answered.
    """

    def __init__(self, request: Request[Any]) -> None:
        super().__init__(None)
        self._request = request
        self._pending: Pending | None = None
        self._model: str | None = None
        here = runtime.current()
        if not in_marimo():
            self._value = here.put(request.ask)
            return
        pending = self._pending = here.post(request.ask)
        self._value = pending.reply
        if self._value is None:
            self._model = here.fronts.cards.open(pending, keep=True)
            self._alive = True
            pending.when_done(self._ended)
            when_cell_goes(self._forget)

    @property
    def reply(self) -> Reply | None:
        """How it ended; None while it is open."""
        return self._value

    @property
    def value(self) -> Any:
        """The answer, as the blocking form of the same name returns it; None until, and unless, there is one."""
        if self._value is None:
            return None
        try:
            return self._request.result(self._value)
        except NoAnswer:
            return None

    def __repr__(self) -> str:
        said = "open" if self._value is None else self._value.kind
        return f"<Question {one_line(self._request.ask.questions[0].text)!r}: {said}>"

    def _display_(self) -> Any:
        from nbask.fronts.widget import view_of

        if self._model is not None:
            return displayable(view_of(self._model, repr(self)))
        if self._pending is not None and self._value is not None:
            ended = self._pending.opened + self._value.elapsed
            return displayable(receipt(self._pending.ask, self._value, ended))
        return repr(self)

    def _ended(self) -> None:
        assert self._pending is not None
        if self._alive:
            self._set_value(self._pending.reply)  # and so its readers run
        else:
            self._value = self._pending.reply

    def _forget(self) -> None:
        """The cell that asked is run again or gone: nobody can answer any more."""
        assert self._pending is not None
        self._alive = False
        here = runtime.current()
        here.desk.withdraw(self._pending.ask.id, "its cell was run again or deleted")
        here.fronts.cards.drop(self._pending)


_REACTS = (
    "Waits for nobody: it returns a :class:`Question`, which is shown as its card and has the answer as its `value`.\n"
    "There is no deadline, so no `timeout` either."
)


def _reactive(build: Callable[P, Request[T]], name: str) -> Callable[P, Question]:
    """The reactive door to a request."""
    checked = checked_call(build, name)

    @wraps(build)
    def ask(*args: P.args, **kwargs: P.kwargs) -> Question:
        request = checked(*args, **kwargs)
        if request.ask.timeout is not None:
            raise ValueError(f"timeout={request.ask.timeout:g} is for who waits; leave it out of nbask.marimo.{name}()")
        return Question(request)

    return named(ask, build, name, "nbask.marimo", _REACTS)


approve_plan = _reactive(request_plan, "approve_plan")
ask = _reactive(request_choice, "ask")
ask_form = _reactive(request_form, "ask_form")
ask_questions = _reactive(request_questions, "ask_questions")
ask_text = _reactive(request_text, "ask_text")
confirm = _reactive(request_confirm, "confirm")
