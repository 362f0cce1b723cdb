"""The command line: its table, its help, its exit codes, and that it starts at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import nbask
from nbask import cli

ROOT = Path(nbask.__file__).parents[1]


def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nbask", *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, cwd=ROOT, env={**os.environ, **env}, check=False
    )


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put one command into the table that does what the test says."""

    def put(run: Any) -> None:
        row = cli.Subcommand("does what the test says", lambda parser: None, run)
        monkeypatch.setattr(cli, "COMMANDS", MappingProxyType({"try": row}))

    return put


def test_the_installed_command_is_this_one() -> None:
    assert '[project.scripts]\nnbask = "nbask.cli:main"\n' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert callable(cli.main)


def test_help_lists_every_command_with_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert all(f"{name} {row.does}" in said for name, row in cli.COMMANDS.items())


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--help"]) == 0
    out, err = capsys.readouterr()
    assert cli.COMMANDS[name].does in " ".join(out.split())
    assert (f"usage: nbask {name}" in out, err) == (True, "")


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"nbask {nbask.__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nbask: the following arguments are required: COMMAND; see nbask --help\n"),
        (["bogus"], "'bogus'"),
        (["doctor", "--jsno"], "--jsno"),
        (["doctor", "now"], "now"),
        (["--jsno"], "nbask: "),
    ],
)
def test_words_that_do_not_fit_are_refused_in_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert err.endswith("--help\n")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ValueError("a.json holds no answers;\n  record it again"), "a.json holds no answers; record it again"),
        (FileNotFoundError(2, "No such file or directory", "a.json"), "[Errno 2] No such file or directory: 'a.json'"),
        (RuntimeError("odd"), "unexpected RuntimeError: odd"),
    ],
)
def test_a_fault_is_one_sentence_and_no_traceback(
    command: Any, fault: Exception, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(given: Any) -> int:
        raise fault

    command(fail)
    assert cli.main(["try"]) == 1
    assert capsys.readouterr() == ("", f"nbask try: {said}\n")


def test_the_exit_code_is_the_commands(command: Any) -> None:
    command(lambda given: 7)
    assert cli.main(["try"]) == 7


def test_an_interrupt_ends_without_a_traceback(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(given: Any) -> int:
        raise KeyboardInterrupt

    command(interrupted)
    assert cli.main(["try"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    code = (
        "import os, sys\nfrom nbask import cli\nread, write = os.pipe()\nos.close(read)\nos.dup2(write, 1)\n"
        "sys.exit(cli.main(['doctor']))"
    )
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_python_m_nbask_is_the_same_command() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"nbask {nbask.__version__}\n")
    assert run("bogus").returncode == 2


def test_it_starts_without_anything_heavy() -> None:
    code = "import sys, nbask.cli; nbask.cli.main(['--version']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stdout.split())
    assert not {"pydantic", "IPython", "traitlets", "asyncio", "inspect", "nbask.asking", "nbask.runtime"} & loaded
