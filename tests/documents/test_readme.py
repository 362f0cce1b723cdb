"""Every snippet in the README runs, in order, in one IPython session, with a scripted person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from person import willing

from nbask.testing import scripted

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = [text for language, text in FENCE.findall(README) if language == "python"]
COMMANDS = [line for language, text in FENCE.findall(README) if language == "console" for line in text.splitlines()]

RUN_BY = {
    "pip install nbask": "tests/wheel/",
    "nbask doctor": "tests/wheel/",
    "NBASK_ANSWERS=answers.json jupyter nbconvert --execute --to notebook quiz.ipynb": "tests/documents/",
    "nbask answers quiz.ipynb": "tests/documents/",
    "scripts/demo": "scripts/demo",
    "scripts/demo --check": "scripts/test",
    "scripts/test": ".ci/run",
}
"""Where the tests run each command; `scripts/demo` alone stays open, and `--check` is the same without a person."""


@pytest.fixture(scope="module")
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell.instance()
    yield shell
    shell.run_line_magic("unload_ext", "nbask")
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("snippet", PYTHON, ids=lambda text: text.splitlines()[0][:40])
def test_the_readmes_snippets_run_in_order(shell: InteractiveShell, snippet: str) -> None:
    with scripted(willing) as asks:
        result = shell.run_cell(snippet)
    result.raise_error()
    assert asks or "import" in snippet


def test_the_readmes_answers_are_what_it_says(shell: InteractiveShell) -> None:
    names = shell.user_ns
    assert (names["model"], names["checks"], names["go"], names["name"]) == ("fast", ["lint"], True, "exp-1")
    assert names["scaler"] == ("median", "mad")
    assert names["result"]["answers"] == {"Which database?": "Postgres (Recommended)"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_in_the_readme_is_run_by_the_tests(command: str) -> None:
    place = ROOT / RUN_BY[command]
    assert place.exists()
    name = command.removeprefix("pip install ")
    texts = [path.read_text() for path in ([place] if place.is_file() else sorted(place.glob("*.py")))]
    assert any(name in text for text in texts)


def test_pictures_and_links_of_the_readme_are_there() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
