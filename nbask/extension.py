"""`%load_ext nbask`: the magics and the settings of one IPython shell."""

from __future__ import annotations

import re
import shlex
from keyword import iskeyword
from typing import Any, cast

import yaml
from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class

from nbask import commands, runtime
from nbask.asking import Request, put
from nbask.builders import request_choice, request_text
from nbask.options import Option, options_from
from nbask.questions import Ask, Question
from nbask.text import one_line, sendable

_WRITE = 'write %ask "Question?" "Option A" "Option B"'
_COMPLETED = "%nbask"
_replaced: dict[tuple[str, str], Any] = {}
"""Magics of the same names that were there before, for :func:`unload` to put back."""


def load(shell: Any) -> None:
    """Register the magics and the settings, and get ready to wait. Loading again changes nothing."""
    manager = shell.magics_manager
    if NbAskMagics.__name__ in manager.registry:
        return
    current = runtime.current()
    shell.configurables.append(current.settings)
    _replaced.clear()
    _replaced.update({(kind, name): manager.magics[kind].get(name) for kind, name in _names()})
    shell.register_magics(NbAskMagics(shell))
    shell.set_hook("complete_command", _completions, str_key=_COMPLETED)


def unload(shell: Any) -> None:
    """Take all of that back."""
    manager = shell.magics_manager
    manager.registry.pop(NbAskMagics.__name__, None)
    for kind, name in _names():
        manager.magics[kind].pop(name, None)
        if (before := _replaced.get((kind, name))) is not None:
            manager.magics[kind][name] = before
    shell.strdispatchers["complete_command"].strs.pop(_COMPLETED, None)
    settings = runtime.current().settings
    shell.configurables[:] = [one for one in shell.configurables if one is not settings]
    runtime.unload()


def _completions(_shell: Any, event: Any) -> list[str]:
    """The commands that the first word after `%nbask` may become; of any other, IPython completes files."""
    first = event.line.rpartition("%nbask")[2].lstrip() == event.symbol
    return [name for name in commands.COMMANDS if name and first]


def _names() -> list[tuple[str, str]]:
    return [(kind, name) for kind, names in NbAskMagics.magics.items() for name in names]


@magics_class
class NbAskMagics(Magics):
    """`%ask`, `%%ask` and `%nbask`."""

    @line_magic("ask")
    def ask(self, line: str) -> Any:
        """Ask a question: `answer = %ask "Red or blue?" Red Blue`. Without options it asks for words."""
        try:
            words = shlex.split(line)
        except ValueError as fault:
            raise UsageError(f"{line!r} cannot be read ({fault}); {_WRITE}") from None
        if not words:
            raise UsageError(f"%ask needs a question; {_WRITE}")
        text, *labels = words
        request: Request[Any] = request_choice(text, labels) if labels else request_text(text)
        return request.result(put(request.ask))

    @cell_magic("ask")
    def ask_cell(self, line: str, cell: str) -> Any:
        """Ask a question written as YAML; `%%ask name` also puts the answer into the variable `name`.

        The cell holds `question:` and any keyword of `nbask.Question` (`options:`, `many:`, `header:` …);
        an option is a label, or a mapping with `label:`, `description:`, `preview:`, `recommended:`. Several
        questions go in a list under `questions:`. Beside either stand `message:`, `timeout:`,
        `when_unanswered:` and `asker:`.
        """
        name = line.strip()
        if name and (not name.isidentifier() or iskeyword(name)):
            raise UsageError(f"{name!r} is no variable name; write %%ask or %%ask answer")
        ask = read_cell(cell)
        single = len(ask.questions) == 1
        request: Request[Any] = Request(ask, lambda reply: reply.value if single else reply.values)
        value = request.result(put(ask))
        if name:
            cast("Any", self.shell).user_ns[name] = value
            return None
        return value

    @line_magic("nbask")
    def nbask(self, line: str) -> None:
        """Say how this kernel asks (`%nbask`), or do what `%nbask COMMAND` says; `%nbask help` lists the commands."""
        commands.run(runtime.current(), line)


class _Yaml(yaml.SafeLoader):
    """Safe YAML in which Yes, No, On and Off are words, as YAML 1.2 has it: they are common options."""

    def construct_scalar(self, node: Any) -> Any:
        # JSON spells an emoji as two halves, and PyYAML leaves them so.
        return sendable(super().construct_scalar(node))


_Yaml.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_BESIDE = ("message", "timeout", "when_unanswered", "asker")
"""What a single question's mapping may hold of the whole ask."""
_LARGEST = 10_000
"""Values that a cell may hold with its references followed, which can double at every step or go in a circle."""
_Yaml.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|false|False)$"), list("tTfF"))


def read_cell(cell: str) -> Ask:
    """Read an ask written as YAML.

    Args:
        cell: The text; see :meth:`NbAskMagics.ask_cell`.

    Raises:
        ValueError: It is not YAML, not a mapping, or does not fit together; the message names the mend.

    Example:
        >>> read_cell("question: Red or blue?\\noptions: [Red, Blue]").questions[0].kind
        'choice'
    """
    try:
        given = yaml.load(cell, Loader=_Yaml)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, ValueError) as fault:  # 2026-13-45 reads like a date, and is none
        raise ValueError(f"%%ask holds no YAML: {' '.join(str(fault).split())}") from None
    except (AttributeError, RecursionError) as fault:  # a loader of PyYAML's own tags has run into what it reads
        why = "it is nested too deeply" if isinstance(fault, RecursionError) else "a value does not fit its tag"
        raise ValueError(f"%%ask holds no YAML: {why}") from None
    _check_size(given)
    if not isinstance(given, dict):
        raise ValueError(f"%%ask needs a mapping such as 'question: Red or blue?', not {one_line(repr(given))}")
    if "questions" not in given:
        beside = {name: given.pop(name) for name in _BESIDE if name in given}
        return Ask(_question(given), **beside)
    questions = given.pop("questions")
    if not isinstance(questions, list):
        raise ValueError(f"questions is {one_line(repr(questions))}; give a list, each with its own 'question:'")
    return Ask([_question(one) for one in questions], **{str(name): value for name, value in given.items()})


def _check_size(given: Any) -> None:
    left, found = _LARGEST, [given]
    while found:
        one = found.pop()
        left -= 1
        if left < 0:
            raise ValueError("%%ask holds too much, or refers to itself; write it out, without & and *")
        found += [*one, *one.values()] if isinstance(one, dict) else one if isinstance(one, list | tuple | set) else []


def _question(given: Any) -> Question:
    if not isinstance(given, dict) or given.get("question") is None:
        raise ValueError(f"{one_line(repr(given))} has no 'question:'; add the question's text")
    rest = _keywords(given)
    text, options = rest.pop("question"), rest.pop("options", None)
    return Question(str(text), None if options is None else _options(options), **rest)


def _options(given: Any) -> Any:
    if not isinstance(given, list):
        return options_from(given)
    return [_option(option) if isinstance(option, dict) else option for option in given]


def _option(given: dict[Any, Any]) -> Option:
    rest = _keywords(given)
    if "label" not in rest:
        raise ValueError(f"option {one_line(repr(given))} has no 'label:'; add one, or write the option as a text")
    label = rest.pop("label")
    if not isinstance(label, str):
        rest.setdefault("value", label)
    return Option(str(label), **rest)


def _keywords(given: dict[Any, Any]) -> dict[str, Any]:
    for name in given:
        if not isinstance(name, str):
            raise ValueError(f"{name!r} is no keyword in {one_line(repr(given))}; keywords are words, such as 'label:'")
    return dict(given)
