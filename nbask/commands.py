"""What `%nbask COMMAND` does: one function a command, in one table that `%nbask` and its help read."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from IPython.core.error import UsageError
from IPython.display import display

from nbask.hosts import KernelHost
from nbask.logbook import shown
from nbask.record.answers import AnswersFault
from nbask.runtime import Runtime
from nbask.status import status

LAST_PORT = 65535


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
    if not current.fronts.show_again():
        print("No question is open.")


def _decisions(current: Runtime, _words: list[str]) -> None:
    if records := current.journal.records():
        display(shown(records), raw=True)
    else:
        print("No question has ended yet.")


def _replay(current: Runtime, words: list[str]) -> None:
    print(current.record.start_replay(words[0]))


def _record(current: Runtime, words: list[str]) -> None:
    print(current.record.start_recording(words[0]))


def _off(current: Runtime, _words: list[str]) -> None:
    print(current.record.stop())


def _inbox(current: Runtime, _words: list[str]) -> None:
    try:
        current.fronts.show_inbox()
    except RuntimeError as fault:
        raise UsageError(str(fault)) from None


def _serve(current: Runtime, words: list[str]) -> None:
    port = words[0] if words else "0"
    if not port.isdigit() or int(port) > LAST_PORT:
        raise UsageError(f"{port!r} is no port; give a number up to {LAST_PORT}, or nothing for a free one")
    try:
        from nbask import serve
        from nbask.serve.settings import settings_of

        server = serve.start(int(port))
    except (ImportError, OSError, RuntimeError) as fault:
        raise UsageError(str(fault)) from None
    print(settings_of(server))
    if isinstance(current.host, KernelHost):
        current.fronts.show_inbox()


def _input(_current: Runtime, words: list[str]) -> None:
    from nbask.adapters import inputs

    if words[0] not in ("on", "off"):
        raise UsageError(f"{words[0]!r} is neither on nor off; write %nbask input on, or %nbask input off")
    try:
        inputs.on() if words[0] == "on" else inputs.off()
    except RuntimeError as fault:
        raise UsageError(str(fault)) from None
    print("input() and getpass() ask with a card." if words[0] == "on" else "input() and getpass() ask as they did.")


def _stop(_current: Runtime, _words: list[str]) -> None:
    from nbask import serve

    print("This kernel is served no more." if serve.stop() else "This kernel is not served.")


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "": Command("how this kernel asks, and why", _status),
        "pending": Command("show every open question again, here", _pending),
        "inbox": Command("list every open question, here, now and from now on", _inbox),
        "decisions": Command("every question that ended in this kernel, and how", _decisions),
        "record": Command("write every answer to FILE from now on", _record, "FILE"),
        "replay": Command("answer from FILE, and ask what is not in it", _replay, "FILE"),
        "off": Command("neither record nor replay any more", _off),
        "serve": Command("let coding agents ask here, over MCP", _serve, "[PORT]"),
        "input": Command("have input() and getpass() ask with a card, or no more", _input, "on|off"),
        "stop": Command("serve no more", _stop),
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
    try:
        command.run(current, words)
    except AnswersFault as fault:
        raise UsageError(str(fault)) from None


def usage() -> str:
    """Every command with what it does, a line each."""
    return "\n".join(f"{_written(name, command):24} {command.does}" for name, command in COMMANDS.items())


def _written(name: str, command: Command) -> str:
    return " ".join(filter(None, ["%nbask", name, command.takes]))
