"""`%load_ext nbask` in a shell: the magics, the settings, and all of it taken back."""

from __future__ import annotations

import datetime as dt
import re
import types
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from nbask import Ask, NoAnswer, Question, runtime
from nbask.commands import COMMANDS
from nbask.extension import read_cell
from nbask.replies import Declined
from nbask.testing import scripted


@pytest.fixture(scope="module")
def one_shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A shell in this process, with no files of the person's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        config = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}})
        shell = InteractiveShell.instance(config=config, user_module=types.ModuleType("notebook"), user_ns={})
        yield shell
        InteractiveShell.clear_instance()


@pytest.fixture
def shell(one_shell: Any) -> Iterator[Any]:
    one_shell.extension_manager.load_extension("nbask")
    yield one_shell
    one_shell.extension_manager.unload_extension("nbask")
    one_shell.user_ns.clear()
    one_shell.config.pop("NbAsk", None)  # %config writes there


def magics(shell: Any) -> set[str]:
    return {f"%{name}" for name in shell.magics_manager.magics["line"] if name in ("ask", "nbask")} | {
        f"%%{name}" for name in shell.magics_manager.magics["cell"] if name in ("ask", "nbask")
    }


def settings_in(shell: Any) -> list[Any]:
    return [one for one in shell.configurables if type(one).__name__ == "NbAsk"]


def test_loading_brings_the_magics_and_the_settings(shell: Any) -> None:
    assert magics(shell) == {"%ask", "%nbask", "%%ask"}
    assert settings_in(shell) == [runtime.current().settings]


def test_loading_twice_changes_nothing(shell: Any) -> None:
    import nbask

    before = runtime.current()
    assert shell.extension_manager.load_extension("nbask") == "already loaded"
    nbask.load_ipython_extension(shell)
    assert runtime.current() is before
    assert len(settings_in(shell)) == 1


def completed(shell: Any, text: str) -> set[str]:
    with provisionalcompleter():
        return {one.text for one in shell.Completer.completions(text, len(text))}


def test_the_commands_are_completed_and_after_them_files(one_shell: Any) -> None:
    one_shell.extension_manager.load_extension("nbask")
    assert completed(one_shell, "x = 1\n%nbask re") == {"record", "replay"}
    assert completed(one_shell, "%nbask ") >= {name for name in COMMANDS if name}
    assert "pending" not in completed(one_shell, "%nbask record pe")
    one_shell.extension_manager.unload_extension("nbask")
    assert "replay" not in completed(one_shell, "%nbask re")


def test_unloading_takes_it_all_back_and_withdraws_what_is_open(one_shell: Any) -> None:
    one_shell.extension_manager.load_extension("nbask")
    pending = runtime.current().desk.open(Ask(Question("A?")))
    one_shell.extension_manager.unload_extension("nbask")
    assert (magics(one_shell), settings_in(one_shell)) == (set(), [])
    assert pending.reply is not None
    assert pending.reply.kind == "withdrawn"


def test_a_magic_that_was_there_before_is_back_after_unloading(one_shell: Any) -> None:
    def theirs(line: str) -> str:
        return "theirs"

    one_shell.register_magic_function(theirs, "line", "ask")
    try:
        one_shell.extension_manager.load_extension("nbask")
        one_shell.extension_manager.unload_extension("nbask")
        assert one_shell.magics_manager.magics["line"].get("ask") is theirs
    finally:
        one_shell.magics_manager.magics["line"].pop("ask", None)


def test_it_loads_again_after_unloading(shell: Any) -> None:
    shell.extension_manager.reload_extension("nbask")
    with scripted({"A?": "x"}):
        assert shell.run_line_magic("ask", '"A?" x y') == "x"


def test_ask_in_a_line_asks_a_choice(shell: Any) -> None:
    with scripted({"Red or blue?": "Sky blue"}) as asks:
        assert shell.run_line_magic("ask", '"Red or blue?" Red "Sky blue"') == "Sky blue"
    assert [option.label for option in asks[0].questions[0].options] == ["Red", "Sky blue"]


def test_ask_in_a_line_without_options_asks_for_words(shell: Any) -> None:
    with scripted({"Name?": "exp-1"}) as asks:
        assert shell.run_line_magic("ask", "Name?") == "exp-1"
    assert asks[0].questions[0].kind == "text"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", '^%ask needs a question; write %ask "Question'),
        ('"no end', "cannot be read .No closing quotation.; write %ask"),
        ("'", "cannot be read .No closing quotation.; write %ask"),
        ('""', "say what is asked"),
    ],
)
def test_ask_in_a_line_says_how_it_is_written(shell: Any, line: str, says: str) -> None:
    with pytest.raises((UsageError, ValueError), match=says):
        shell.run_line_magic("ask", line)


def test_a_line_with_equal_options_is_refused(shell: Any) -> None:
    with pytest.raises(ValueError, match="'A'"):
        shell.run_line_magic("ask", "Q? A A")


CELL = """
question: Which plot?
header: Plot
options:
- robust
- {label: plain, description: The mean, preview: '+--+', recommended: true}
"""


def test_a_cell_asks_what_its_yaml_says(shell: Any) -> None:
    with scripted({"Which plot?": "plain"}) as asks:
        assert shell.run_cell_magic("ask", "", CELL) == "plain"
    (question,) = asks[0].questions
    assert question.header == "Plot"
    second = question.options[1]
    assert (second.label, second.description, second.preview, second.recommended) == ("plain", "The mean", "+--+", True)


def test_a_cell_with_a_name_puts_the_answer_there(shell: Any) -> None:
    with scripted({"Which plot?": "robust"}):
        assert shell.run_cell_magic("ask", "plot", CELL) is None
    assert shell.user_ns["plot"] == "robust"


def test_a_cell_with_several_questions_gives_a_dict(shell: Any) -> None:
    questions = "questions:\n- {question: 'Name?', id: name}\n- {question: 'Go?', kind: confirm}"
    cell = f"message: Two things\ntimeout: 60\n{questions}"
    with scripted({"Two things": {"name": "Ann", "q2": True}}) as asks:
        shell.run_cell_magic("ask", "both", cell)
    assert shell.user_ns["both"] == {"name": "Ann", "q2": True}
    assert asks[0].timeout == 60


def test_a_cell_takes_a_mapping_of_label_to_description() -> None:
    (question,) = read_cell("question: Which?\noptions: {fast: Cheaper, large: Better}").questions
    assert [(option.label, option.description) for option in question.options] == [
        ("fast", "Cheaper"),
        ("large", "Better"),
    ]


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("question: [", "holds no YAML"),
        ("just words", "needs a mapping such as 'question: Red or blue?', not 'just words'"),
        ("", "needs a mapping"),
        ("- a\n- b", "needs a mapping"),
        ("options: [A, B]", "has no 'question:'"),
        ("question:\noptions: [A, B]", "question"),
        ("question: Q?\noptions: A", "['A']"),
        ("question: Q?\noptions: []", "no options"),
        ("question: Q?\noptions: [A, A]", "'A'"),
        ("question: Q?\noptions: [{label: A, descripton: x}]", "'descripton'; did you mean 'description'"),
        ("question: Q?\noptions: [{label: A, 3: x}]", "3"),
        ("question: Q?\noptions: [{description: x}]", "label"),
        ("question: Q?\noptions:\n- Red: warm", "label"),
        ("question: Q?\noption: [A]", "'option'; did you mean 'options'"),
        ("question: Q?\noptions: [A]\ndefault: B", "'B'"),
        ("questions: Q?", "questions is 'Q?'; give a list"),
        ("questions: ['Q?']", "'Q?' has no 'question:'"),
        ("questions: []", "at least one"),
        ("questions: [{question: 'Q?'}]\ntimeuot: 3", "'timeuot'; did you mean 'timeout'"),
        ("question: !!python/object/apply:os.getcwd []", "holds no YAML"),
        ("question: 2026-13-45", "holds no YAML: month must be in 1..12"),
        ("question: !!timestamp 9", "holds no YAML: a value does not fit its tag"),
        ("question: " + 5000 * "[", "holds no YAML: it is nested too deeply"),
        ("question: Q?\ndefault: &all [*all]", "refers to itself; write it out"),
        ("question: Q?\nasker: {label: Ann}", "asker is {'label': 'Ann'}; give a label"),
    ],
)
def test_a_cell_that_does_not_fit_is_refused_with_the_mend(cell: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        read_cell(cell)


@pytest.mark.timeout(20)
def test_a_cell_whose_references_double_at_every_step_is_refused_at_once() -> None:
    steps = [f"- &s{n} [*s{n - 1}, *s{n - 1}]" for n in range(1, 60)]
    with pytest.raises(ValueError, match="holds too much, or refers to itself"):
        read_cell("\n".join(["question: Q?", "options:", "- &s0 [A, B]", *steps]))


def test_a_cell_may_say_a_thing_once_and_refer_to_it() -> None:
    cell = "questions:\n- question: One?\n  options: &both [A, B]\n- question: Two?\n  options: *both"
    assert [len(question.options) for question in read_cell(cell).questions] == [2, 2]


def test_what_json_spells_in_halves_is_one_character_in_a_cell() -> None:
    (question,) = read_cell(r'{"question": "\ud83d\ude00?", "options": ["\ud83d\ude00", "\ud83d"]}').questions
    assert [question.text, *(option.label for option in question.options)] == ["😀?", "😀", "\ufffd"]


def test_a_cell_that_is_refused_shows_and_assigns_nothing(shell: Any) -> None:
    with scripted({"Q?": "A"}) as asks, pytest.raises(ValueError, match="no options"):
        shell.run_cell_magic("ask", "answer", "question: Q?\noptions: []")
    assert asks == []
    assert "answer" not in shell.user_ns


def test_a_cell_with_one_question_says_beside_it_what_is_the_asks() -> None:
    cell = "question: Q?\nmessage: So\ntimeout: 60\nwhen_unanswered: default\nasker: Ann\ndefault: A"
    asked = read_cell(cell)
    assert (asked.message, asked.timeout, asked.when_unanswered, asked.who) == ("So", 60, "default", "Ann")
    assert (asked.questions[0].text, asked.questions[0].default) == ("Q?", "A")


def test_yes_and_no_in_a_cell_are_the_words() -> None:
    (question,) = read_cell("question: Sure?\noptions: [Yes, No]").questions
    assert [option.label for option in question.options] == ["Yes", "No"]


@pytest.mark.parametrize("name", ["2x", "a b", "a.b", "class"])
def test_a_cell_is_refused_a_name_that_is_none(shell: Any, name: str) -> None:
    with scripted({"Which plot?": "plain"}), pytest.raises(UsageError, match="no variable name"):
        shell.run_cell_magic("ask", name, CELL)


def test_a_cell_nobody_answers_raises_and_assigns_nothing(shell: Any) -> None:
    with scripted(lambda ask: Declined()), pytest.raises(NoAnswer):
        shell.run_cell_magic("ask", "plot", CELL)
    assert "plot" not in shell.user_ns


def test_nbask_says_how_this_process_asks(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_line_magic("nbask", "")
    out = capsys.readouterr().out
    for word in (
        "nbask 0.",
        "waiting   plain: no Jupyter kernel runs here",
        "fronts    none",
        "ipykernel",
        "no questions",
    ):
        assert word in out


def test_nbask_lists_what_is_open(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    runtime.current().desk.open(Ask(Question("Which\nDB?", ["A"]), asker="Claude"))
    shell.run_line_magic("nbask", "")
    out = capsys.readouterr().out
    assert "1 question\n" in out
    assert "0:00  Claude: Which DB?" in out


def test_nbask_pending_says_where_nothing_is_open(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_line_magic("nbask", "pending")
    assert capsys.readouterr().out == "No question is open.\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bogus", "no 'bogus'; there is\n%nbask "),
        ("Pending", "no 'Pending'; there is\n%nbask "),
        ("pending now", "write %nbask pending: show every open question"),
        ("'unclosed", "cannot be read (No closing quotation)"),
    ],
)
def test_nbask_names_what_exists(shell: Any, line: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        shell.run_line_magic("nbask", line)


def test_nbask_help_lists_every_command(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_line_magic("nbask", "help")
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in listed[1:]] == [name for name in COMMANDS if name]


def test_settings_are_changed_by_config(shell: Any) -> None:
    shell.run_line_magic("config", "NbAsk.asker = 'The lab'")
    shell.run_line_magic("config", "NbAsk.notes = True")
    assert (runtime.current().settings.asker, runtime.current().settings.notes) == ("The lab", True)


def test_a_bad_setting_is_refused_by_config(shell: Any) -> None:
    shell.run_line_magic("config", "NbAsk.when_unanswered = 'guess'")  # IPython logs the refusal
    assert runtime.current().settings.when_unanswered == "raise"


def test_settings_of_the_shells_configuration_apply(one_shell: Any) -> None:
    one_shell.config.NbAsk.asker = "From a file"
    try:
        one_shell.extension_manager.load_extension("nbask")
        assert runtime.current().settings.asker == "From a file"
    finally:
        one_shell.extension_manager.unload_extension("nbask")
        del one_shell.config["NbAsk"]


@pytest.mark.parametrize(
    ("cell", "kind", "default"),
    [
        ("question: How many?\nkind: integer\nmin: 1\nmax: 3\ndefault: 2", "integer", 2),
        ("question: How much?\nkind: number\ndefault: 2.5", "number", 2.5),
        ("question: Which day?\nkind: date\ndefault: 2026-03-01", "date", dt.date(2026, 3, 1)),
        ("question: When?\nkind: datetime\ndefault: 2026-03-01 14:30:00", "datetime", dt.datetime(2026, 3, 1, 14, 30)),
        ("question: Tags?\nkind: list\ndefault: [a, b]", "list", ["a", "b"]),
        ("question: Key?\nsecret: true", "text", None),
        ("question: Delete?\nkind: confirm\ndanger: true", "confirm", None),
        ("question: Open?\nkind: consent\nurl: https://example.org", "consent", None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_cell_asks_every_kind(cell: str, kind: str, default: Any) -> None:
    (question,) = read_cell(cell).questions
    assert (question.kind, question.default) == (kind, default)


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("question: How many?\nkind: integer\ndefault: many", "default is 'many'"),
        ("question: Which day?\nkind: date\nmin: 1", "no min and max"),
        ("question: Red?\noptions: [A]\nsecret: true", "secret belongs to 'text'"),
        ("question: Name?\npattern: '['", "no regular expression"),
    ],
)
def test_a_cell_that_does_not_fit_its_kind_is_refused(cell: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_cell(cell)
