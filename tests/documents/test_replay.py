"""Notebooks executed by nbclient and by papermill, with nobody there: from their record, or not at all."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import papermill
import person
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from nbask.record.answers import read
from nbask.wire import RECEIPT as MIME

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
QUIZ = NOTEBOOKS / "04-teaching-quiz.ipynb"
QUIZ_ANSWERS = NOTEBOOKS / "04-teaching-quiz.answers.json"

FORM = """\
schema = {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
print(ask_form("Where to?", schema))
"""
AWAITED = """\
async def two():
    return await asyncio.gather(aio.ask("First?", ["A", "B"]), aio.ask("Second?", ["A", "B"]))

print(await two())
"""
DECLINED = """\
try:
    ask("Want to?", ["Yes"])
except NoAnswer as error:
    print(error)
"""
CELLS = [
    "%load_ext nbask\nimport asyncio, nbask\nfrom nbask import *",
    *(f"print(ask('Question {number}?', ['A', 'B', 'C']))" for number in range(1, 14)),
    "print([ask('Again?', ['A', 'B']) for _ in range(4)])",
    "print(confirm('Go?'), confirm('Stop?', yes='Halt', no='On'))",
    "print(ask('Which checks?', ['lint', 'types', 'units'], many=True))",
    "print(ask_text('Name?'), ask_text('In your words?', multiline=True))",
    FORM,
    "print(ask_questions([Question('One?', ['A', 'B']), Question('Since?', kind='date')]).values)",
    AWAITED,
    DECLINED,
    "print(put(Ask(Question('Talk?', ['A']))).text)",
    "print(approve_plan('1. Drop the column'))",
    "print(ask('An object?', [Option('Robust', value=('median', 'mad')), Option('Plain')]))",
]
ASKS = 30
"""How many asks these cells put."""

PERSON = """
from nbask.replies import Declined, Discussed
from nbask.testing import scripted
picks = iter("ABAB")
def said(ask):
    question = ask.questions[0]
    match question.text:
        case "Again?":
            return next(picks)
        case "Question 7?":
            return "in other words"
        case "Want to?":
            return Declined()
        case "Talk?":
            return Discussed(text="what for?")
        case "Go ahead with this plan?":
            return "Keep it"
    return willing(ask)
someone = scripted(said)
someone.__enter__()
"""

Executed = Callable[[Any, Path], Any]


def notebook(*sources: str) -> Any:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return made


def with_nbclient(made: Any, folder: Path) -> Any:
    """Execute a copy in `folder`."""
    made = copy.deepcopy(made)
    return NotebookClient(made, timeout=60, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()


def with_papermill(made: Any, folder: Path) -> Any:
    """Execute a copy in `folder`."""
    nbformat.write(made, folder / "in.ipynb")
    return papermill.execute_notebook(
        folder / "in.ipynb", folder / "out.ipynb", cwd=folder, progress_bar=False, execution_timeout=60
    )


@pytest.fixture(params=[with_nbclient, with_papermill], ids=["nbclient", "papermill"])
def execute(request: pytest.FixtureRequest) -> Executed:
    return request.param


def outputs(executed: Any) -> list[Any]:
    """What the cells put out, without what is new in every run: when, and the asks' ids."""
    taken = [_whole(copy.deepcopy(cell.outputs)) for cell in executed.cells if cell.cell_type == "code"]
    for output in (one for cell in taken for one in cell):
        output.pop("execution_count", None)
        output.get("metadata", {}).clear()
        if (record := output.get("data", {}).get(MIME)) is not None:
            record.update(at="", ask="")
            html = re.sub(r"nbask-[0-9a-f]{12}", "", output.data["text/html"])
            output.data["text/html"] = re.sub(r"\d+ \w{3} \d{4}, \d\d:\d\d", "", html)
    return taken


def _whole(cell: list[Any]) -> list[Any]:
    """Outputs with what was printed in one piece; a kernel sends it in as many as it likes."""
    joined: list[Any] = []
    for output in cell:
        if joined and output.output_type == "stream" and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def printed(executed: Any) -> str:
    return "".join(one.text for cell in outputs(executed) for one in cell if one.output_type == "stream")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """The thirty questions, answered by a scripted person and recorded: the executed notebook and the file."""
    folder = tmp_path_factory.mktemp("recorded")
    source = Path(person.__file__).read_text(encoding="utf-8") + PERSON
    run = with_nbclient(notebook(source, CELLS[0], "%nbask record answers.json", *CELLS[1:]), folder)
    run.cells = [run.cells[1], *run.cells[3:]]
    return run, folder / "answers.json"


def test_c26_thirty_questions_run_from_their_record_twice_with_the_same_outputs(
    recorded: tuple[Any, Path], execute: Executed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, file = recorded
    assert len(read(file)) == ASKS
    before = file.read_bytes()
    monkeypatch.setenv("NBASK_ANSWERS", str(file))
    first, second = (execute(notebook(*CELLS), tmp_path) for _ in range(2))
    assert outputs(first) == outputs(second)
    assert printed(first) == printed(live)
    receipts = [one.data[MIME] for cell in outputs(first) for one in cell if MIME in one.get("data", {})]
    assert [receipt["via"] for receipt in receipts] == ["replay"] * ASKS
    assert file.read_bytes() == before


def test_c27_thirty_recorded_questions_take_the_time_of_the_code(
    recorded: tuple[Any, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel measures itself: how long all cells take, beside one that does nothing."""
    monkeypatch.setenv("NBASK_ANSWERS", str(recorded[1]))
    run = with_nbclient(
        notebook(CELLS[0], "import time; start = time.monotonic()", *CELLS[1:], "time.monotonic() - start"), tmp_path
    )
    seconds = float(run.cells[-1].outputs[0].data["text/plain"])
    assert seconds < 10  # under 1 s on a busy machine; waiting for a card to be seen takes 5 s


def test_c27_without_a_record_the_run_fails_at_the_first_question_and_names_it(
    execute: Executed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NBASK_ANSWERS", raising=False)
    start = time.monotonic()
    with pytest.raises((CellExecutionError, papermill.PapermillExecutionError)) as error:
        execute(notebook(*CELLS), tmp_path)
    assert "no answer to 'Question 1?'" in str(error.value)
    assert "Question 2?" not in str(error.value)
    assert time.monotonic() - start < 60


def test_c26_a_changed_question_fails_the_run_and_is_named_with_the_file(
    recorded: tuple[Any, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBASK_ANSWERS", str(recorded[1]))
    with pytest.raises(CellExecutionError, match=r"no answer to 'Question 1\?'.*answers\.json has no answer to it"):
        with_nbclient(notebook(CELLS[0], CELLS[1].replace("'C'", "'D'")), tmp_path)


def test_c26_a_broken_answers_file_fails_the_run_and_is_named(
    execute: Executed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.json"
    file.write_text("{broken")
    monkeypatch.setenv("NBASK_ANSWERS", "answers.json")
    with pytest.raises((CellExecutionError, papermill.PapermillExecutionError)) as error:
        execute(notebook(*CELLS), tmp_path)
    assert re.search(
        r"'Question 1\?'.*NBASK_ANSWERS is of no use: .*answers\.json is no answers file", str(error.value)
    )
    assert file.read_text() == "{broken"


def test_answers_taken_out_of_the_saved_notebook_replay_it(
    recorded: tuple[Any, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, _file = recorded
    nbformat.write(live, tmp_path / "saved.ipynb")
    file = tmp_path / "answers.json"
    taken = [sys.executable, "-m", "nbask", "answers", tmp_path / "saved.ipynb", "--output", file]
    subprocess.run(taken, check=True, timeout=60, stdout=subprocess.DEVNULL)
    monkeypatch.setenv("NBASK_ANSWERS", str(file))
    assert printed(with_nbclient(notebook(*CELLS), tmp_path)) == printed(live)


def test_the_readmes_commands_replay_a_notebook_and_take_its_answers_out(
    recorded: tuple[Any, Path], tmp_path: Path
) -> None:
    live, file = recorded
    nbformat.write(notebook(*CELLS), tmp_path / "quiz.ipynb")
    (tmp_path / "answers.json").write_bytes(file.read_bytes())
    at: dict[str, Any] = {"shell": True, "timeout": 60, "cwd": tmp_path, "capture_output": True, "text": True}
    # The editable install's commands are beside its Python.
    at["env"] = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run("NBASK_ANSWERS=answers.json jupyter nbconvert --execute --to notebook quiz.ipynb", check=True, **at)
    assert printed(nbformat.read(tmp_path / "quiz.nbconvert.ipynb", as_version=4)) == printed(live)
    nbformat.write(live, tmp_path / "quiz.ipynb")
    taken = subprocess.run("nbask answers quiz.ipynb", check=True, **at).stdout
    assert len(json.loads(taken)["answers"]) == ASKS


def test_the_quiz_is_replayed_from_the_answers_beside_it(
    execute: Executed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = QUIZ_ANSWERS.read_bytes()
    monkeypatch.setenv("NBASK_ANSWERS", str(QUIZ_ANSWERS))
    first, second = (execute(nbformat.read(QUIZ, as_version=4), tmp_path) for _ in range(2))
    assert outputs(first) == outputs(second)
    assert "5 of 6" in printed(first)
    assert QUIZ_ANSWERS.read_bytes() == before
    # Nothing in the file is left over from an earlier version of the notebook.
    receipts = [one.data[MIME] for cell in outputs(first) for one in cell if MIME in one.get("data", {})]
    assert len(receipts) == len(read(QUIZ_ANSWERS))
