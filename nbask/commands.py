"""What `%nbask COMMAND` does: one function a command, in one table that `%nbask` and its help read."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from IPython.core.error import UsageError

from nbask.runtime import Runtime
from nbask.status import status


@dataclass(frozen=True)
class Command:
    """One command of `%nbask`.

    Args:
        does: What it does, in a few words, for the help.
        run: Called with the runtime and the words after the command.
        takes: The words it takes, as the help writes them: `"FILE"`, or an empty string for none.
    """

    does: str
    run: Callable[[Runtime, list[str]], None]
    takes: str = ""


def _status(current: Runtime, _words: list[str]) -> None:
    print(status(current))


def _pending(current: Runtime, _words: list[str]) -> None:
    if not current.show_again():
        print("No question is open.")


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "": Command("how this kernel asks, and why", _status),
        "pending": Command("show every open question again, here", _pending),
        "help": Command("list these commands", lambda _current, _words: print(usage())),
    }
)


def run(current: Runtime, line: str) -> None:
    """Run one line after `%nbask`.

    Raises:
        UsageError: There is no such command, or it takes other words; the message lists what there is.
    """
    try:
        name, *words = shlex.split(line) or [""]
    except ValueError as fault:
        raise UsageError(f"{line.strip()!r} cannot be read ({fault})") from None
    command = COMMANDS.get(name)
    if command is None:
        raise UsageError(f"%nbask has no {name!r}; there is\n{usage()}")
    needed = [word for word in command.takes.split() if not word.startswith("[")]
    if not len(needed) <= len(words) <= len(command.takes.split()):
        raise UsageError(f"write {_written(name, command)}: {command.does}")
    command.run(current, words)


def usage() -> str:
    """Every command with what it does, a line each."""
    return "\n".join(f"{_written(name, command):24} {command.does}" for name, command in COMMANDS.items())


def _written(name: str, command: Command) -> str:
    return " ".join(filter(None, ["%nbask", name, command.takes]))
