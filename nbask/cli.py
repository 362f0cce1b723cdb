"""The command line, `nbask COMMAND`: one row a command in one table, like `%nbask`'s in :mod:`nbask.commands`.

What a command needs is imported when it runs, and nothing heavy before: a coding agent waits for `nbask hook`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, NoReturn

from nbask import __version__

FAULT = 1
USAGE = 2
INTERRUPTED = 130


class Subcommand(NamedTuple):
    """One command of `nbask`.

    Args:
        does: What it does, in a few words, for the help.
        add: Adds its arguments to its parser.
        run: Called with the arguments that were read; returns the exit code. Prints to standard output, and
            raises a `ValueError` or an `OSError` whose message is the sentence the person reads.
    """

    does: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the facts as JSON")


def _doctor(given: argparse.Namespace) -> int:
    from nbask import doctor

    return doctor.report(as_json=given.json)


def _add_answers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebook", metavar="NOTEBOOK", help="a notebook that was saved with its outputs")
    parser.add_argument("--output", metavar="FILE", help="add them to this answers file, and do not print them")


def _answers(given: argparse.Namespace) -> int:
    from nbask.record.answers import merge, placed, written
    from nbask.record.notebooks import entries_in

    entries = entries_in(placed(given.notebook))
    if given.output is None:
        print(written(entries), end="")
    else:
        path = placed(given.output)
        print(f"{path} has {merge(path, entries)} answers now.")
    return 0


def _add_mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--notebook", metavar="NAME", help="its name, path or kernel id, where several are served")
    parser.add_argument("--list", action="store_true", help="print the kernels that are served now, and end")


def _mcp(given: argparse.Namespace) -> int:
    from nbask.serve import INSTALL

    try:
        from nbask.serve import rendezvous

        if given.list:
            living = rendezvous.living()
            for found in living:
                print(rendezvous.described(found))
            if not living:
                print("No kernel is served now; run %nbask serve in a notebook.", file=sys.stderr)
            return 0
        from nbask.serve import bridge
    except ImportError as fault:
        raise ValueError(f"it needs the MCP SDK, 2.0 or newer ({fault}): {INSTALL}") from None
    if sys.stdin.isatty():
        raise ValueError("a coding agent runs this; %nbask serve prints the settings for it, and --list what is served")
    bridge.run(given.notebook)
    return 0


def _add_hook(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--notebook", metavar="NAME", help="its name, path or kernel id, where several are served")
    parser.add_argument("--print-settings", action="store_true", help="print what belongs into Claude Code's settings")


def _hook(given: argparse.Namespace) -> int:
    from nbask import hook

    if given.print_settings:
        print(hook.settings())
        return 0
    if sys.stdin.isatty():
        raise ValueError("Claude Code runs this and gives it a payload; nbask hook --print-settings says how")
    if said := hook.answer(sys.stdin.buffer.read(), given.notebook):
        print(said)
    return 0


COMMANDS: Mapping[str, Subcommand] = MappingProxyType(
    {
        "doctor": Subcommand(
            "say what is installed, how a kernel would ask and why, and what to mend", _add_doctor, _doctor
        ),
        "mcp": Subcommand(
            "give a coding agent the tools of a kernel where %nbask serve was run, over stdio", _add_mcp, _mcp
        ),
        "hook": Subcommand(
            "answer a hook of Claude Code in a notebook that is served, and say nothing where none is",
            _add_hook,
            _hook,
        ),
        "answers": Subcommand(
            "take the answers out of a saved notebook, as an answers file to replay", _add_answers, _answers
        ),
    }
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: The words after `nbask`; by default those of this process.

    Returns:
        The exit code: 0, or 2 where the words do not fit, or 1 where something went wrong; one sentence on
        standard error says what.
    """
    try:
        given = _parser().parse_args(argv)
    except SystemExit as end:  # --help and --version end here too
        return end.code if isinstance(end.code, int) else USAGE
    try:
        code = COMMANDS[given.command].run(given)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader (`| head`) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as fault:  # noqa: BLE001 - whatever it is, a person reads it
        unexpected = "" if isinstance(fault, ValueError | OSError) else f"unexpected {type(fault).__name__}: "
        print(f"nbask {given.command}: {unexpected}{' '.join(str(fault).split())}", file=sys.stderr)
        return FAULT


class _Parser(argparse.ArgumentParser):
    """Refuses in one sentence, without the block of usage that hides it."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="nbask", description="Questions to the person at the notebook, from the command line.")
    parser.add_argument("--version", action="version", version=f"nbask {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        # Only the help is a format.
        command.add(commands.add_parser(name, help=command.does.replace("%", "%%"), description=command.does))
    return parser
