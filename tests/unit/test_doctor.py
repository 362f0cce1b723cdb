"""What `nbask doctor` and `%nbask` find out, in environments that lack this or that."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

import nbask
from nbask import Ask, Question, cli, doctor
from nbask.status import status
from nbask.waiting import foreseen

ROOT = Path(nbask.__file__).parents[1]
WHOLE = {
    **dict.fromkeys(doctor.NEEDED, "99.1"),
    "ipykernel": "7.4.0",
    "jupyterlab": "4.6.6",
    "jupyterlab_widgets": "3.0.17",
}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Have an environment with everything, but for what the test says: a version, or None for "not installed"."""
    monkeypatch.delenv("NBASK_ANSWERS", raising=False)

    def put(**changes: str | None) -> None:
        there = {**WHOLE, **{name.replace("__", "-"): found for name, found in changes.items()}}

        def version(name: str) -> str:
            if (found := there.get(name)) is None:
                raise PackageNotFoundError(name)
            return found

        monkeypatch.setattr(doctor, "version", version)

    return put


def mends() -> list[str]:
    return [fact.mend for facts in doctor.examine().values() for fact in facts if fact.mend]


def says(name: str) -> str:
    return {fact.name: fact.says for facts in doctor.examine().values() for fact in facts}[name]


def test_what_is_needed_is_what_the_package_asks_for() -> None:
    asked = re.search(
        r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert asked is not None
    assert re.findall(r'"(.+)"', asked[1]) == [f"{name}>={least}" for name, least in doctor.NEEDED.items()]


def test_what_has_to_be_built_is_what_the_build_makes() -> None:
    built = re.search(r"^BUILT = \((.*)\)$", (ROOT / "hatch_build.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert built is not None
    assert re.findall(r'"(.+?)"', built[1]) == list(doctor.BUILT)


def test_a_whole_environment_has_nothing_to_mend(installed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    installed()
    assert cli.main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("nothing to mend\n")
    assert re.search(r"^  ipykernel +7\.4\.0$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("changes", "mend"),
    [
        ({"ipywidgets": None}, "ipywidgets is not installed: pip install ipywidgets"),
        ({"markdown__it__py": None}, "markdown-it-py is not installed: pip install markdown-it-py"),
        (
            {"anywidget": "0.9.3"},
            "anywidget 0.9.3 is too old, it takes 0.9.21 or newer: pip install --upgrade anywidget",
        ),
        ({"ipykernel": "6.5.1"}, "ipykernel 6.5.1 is too old, it takes 6.29 or newer: pip install --upgrade ipykernel"),
        (
            {"jupyterlab_widgets": None},
            "jupyterlab is installed without jupyterlab_widgets: pip install jupyterlab_widgets",
        ),
        (
            {"jupyterlab_widgets": None, "notebook": "7.6.5"},
            "jupyterlab and notebook are installed without jupyterlab_widgets: pip install jupyterlab_widgets",
        ),
        (
            {"jupyterlab_widgets": "1.1.9"},
            "jupyterlab_widgets 1.1.9 is too old, it takes 3 or newer: pip install --upgrade jupyterlab_widgets",
        ),
        ({"nbclassic": "1.3.3"}, "nbclassic is installed without widgetsnbextension: pip install widgetsnbextension"),
        (
            {"notebook": "6.5.7"},
            "notebook is installed without widgetsnbextension: pip install widgetsnbextension",
        ),
    ],
)
def test_what_is_missing_is_named_with_the_command_that_mends_it(
    installed: Any, changes: dict[str, str | None], mend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(**changes)
    assert mends() == [mend]
    assert cli.main(["doctor"]) == 1
    assert capsys.readouterr().out.endswith(f"to mend\n  {mend}\n")


@pytest.mark.parametrize("front", ["voila", "marimo", "jupyter_console", "qtconsole"])
def test_a_front_end_that_brings_its_own_needs_nothing_beside_it(installed: Any, front: str) -> None:
    installed(jupyterlab=None, jupyterlab_widgets=None, **{front: "1.0"})
    assert mends() == []
    assert says(front) == "1.0"


def test_no_front_end_here_is_no_fault(installed: Any) -> None:
    installed(jupyterlab=None, jupyterlab_widgets=None)
    assert mends() == []
    assert "may come from another one" in says("none")


def test_without_a_kernel_questions_are_asked_in_the_terminal(installed: Any) -> None:
    installed(ipykernel=None)
    assert mends() == []
    assert says("route") == "plain: without ipykernel, questions are asked in the terminal"
    assert says("ipykernel").endswith("pip install ipykernel")


def test_the_route_is_foreseen_without_a_kernel(installed: Any) -> None:
    installed()
    assert says("route") == ": ".join(foreseen())
    assert foreseen()[0] in ("tap", "gate")


def test_a_route_that_cannot_be_foreseen_is_no_traceback(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    installed()
    monkeypatch.setitem(sys.modules, "ipykernel.kernelbase", None)
    assert says("route").startswith("cannot be told (")


@pytest.mark.parametrize(
    ("source", "command"), [(True, "scripts/build"), (False, "pip install --force-reinstall --no-deps nbask")]
)
def test_a_front_end_that_is_not_built_is_named_with_the_command_that_builds_it(
    installed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: bool, command: str
) -> None:
    installed()
    static = tmp_path / "nbask" / "static"
    static.mkdir(parents=True)
    for name in doctor.BUILT[:-2]:
        (static / name).touch()
    if source:
        (tmp_path / "js").mkdir()
    monkeypatch.setattr(nbask, "__file__", str(static.parent / "__init__.py"))
    assert mends() == [f"nbask's front end is not built (inbox.js, inbox.css missing): {command}"]


def test_a_policy_from_the_environment_is_told_and_checked(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    installed()
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", "default")
    assert (says("NBASK_WHEN_UNANSWERED"), mends()) == ("'default'", [])
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", "guess")
    assert mends() == ["NBASK_WHEN_UNANSWERED is 'guess': set it to 'raise' or 'default'"]


@pytest.mark.parametrize("text", [None, "", "[]", '{"nbask": 99, "answers": []}'])
def test_an_answers_file_that_cannot_be_replayed_is_named(
    installed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    installed()
    path = tmp_path / "answers.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("NBASK_ANSWERS", str(path))
    (mend,) = mends()
    assert mend.startswith("NBASK_ANSWERS is of no use: ")
    assert str(path) in mend


def test_an_answers_file_that_can_be_replayed_is_told(
    installed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed()
    path = tmp_path / "answers.json"
    path.write_text('{"nbask": 1, "answers": []}', encoding="utf-8")
    monkeypatch.setenv("NBASK_ANSWERS", str(path))
    assert (says("NBASK_ANSWERS"), mends()) == (repr(str(path)), [])


def test_the_same_facts_come_as_json(installed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    installed(ipywidgets=None)
    assert cli.main(["doctor", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["v"], told["ok"]) == (1, False)
    assert {name: [fact["mend"] for fact in facts if fact["mend"]] for name, facts in told["facts"].items()} == {
        "versions": ["ipywidgets is not installed: pip install ipywidgets"],
        "front ends": [],
        "optional": [],
        "setup": [],
    }


@pytest.mark.parametrize(
    ("found", "least", "reaches"),
    [
        ("8", "8.0", True),
        ("8.0.0rc1", "8", True),
        ("7.9.9", "8", False),
        ("0.10", "0.9.21", True),
        ("1!2.0", "3", False),
        ("2.7.dev3+local", "2.7", True),
        ("unknown", "1", False),
    ],
)
def test_versions_are_compared_by_their_numbers(found: str, least: str, reaches: bool) -> None:
    assert doctor._reaches(found, least) is reaches


def test_it_examines_an_environment_that_lacks_nearly_everything() -> None:
    code = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"pydantic", "IPython", "ipykernel", "traitlets", "anywidget", "ipywidgets"}:
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Block())
from nbask.cli import main
main(["doctor"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "cannot be told (pydantic is blocked)" in done.stdout


# The same facts under %nbask


def test_nbask_says_what_to_mend(installed: Any, person: Any) -> None:
    installed(anywidget=None)
    said = status(person())
    assert "mend      anywidget is not installed: pip install anywidget" in said.splitlines()
    assert "versions  Python 3." in said


def test_nbask_says_which_answers_file_is_in_use(person: Any, tmp_path: Path) -> None:
    current = person()
    assert f"answers   {current.record.described()}\n" in status(current)
    current.record.start_recording(str(tmp_path / "answers.json"))
    assert f"answers   recording to {tmp_path / 'answers.json'}\n" in status(current)
    current.record.stop()


def test_nbask_shows_no_control_characters_of_an_open_question(person: Any) -> None:
    current = person()
    current.desk.open(Ask(Question("Which\x1b[2J?"), asker="\x1b]0;x\x07"))
    said = status(current)
    assert "Which␛[2J?" in said
    assert not {"\x1b", "\x07"} & set(said)


def test_nbask_names_only_the_settings_that_were_changed(person: Any) -> None:
    assert "settings" not in status(person())
    assert "settings  NbAsk.notes = True, NbAsk.timeout = 60.0\n" in status(person(timeout=60.0, notes=True))


@pytest.mark.parametrize(
    ("attached", "ever", "said"),
    [
        (True, True, "a card is on a page now"),
        (False, True, "cards were seen in this kernel"),
        (False, False, "no card was seen in this kernel yet"),
    ],
)
def test_nbask_says_whether_cards_are_seen(
    person: Any, monkeypatch: pytest.MonkeyPatch, attached: bool, ever: bool, said: str
) -> None:
    current = person()
    assert "views" not in status(current)  # cards belong to kernels
    monkeypatch.setattr(current.host, "kernel", object())
    seen = replace(current.fronts.facts(), attached=attached, ever_attached=ever)
    monkeypatch.setattr(current.fronts, "facts", lambda: seen)
    assert f"views     {said}\n" in status(current)
