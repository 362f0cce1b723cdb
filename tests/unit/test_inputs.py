"""`input()` and `getpass()` as asks: the prompt made a question, and what each reply gives or raises."""

from __future__ import annotations

import asyncio
import builtins
import getpass
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from nbask import commands, runtime
from nbask.adapters import inputs
from nbask.adapters.inputs import ask_from
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted
from nbask.waiting.typed import Replaced

Runner = Callable[..., Future[Any]]
read = inputs._reader(lambda prompt="": f"the kernel's own: {prompt}")


@pytest.mark.parametrize(
    ("prompt", "text", "message"),
    [
        ("Your name? ", "Your name?", None),
        ("1) tea\n2) coffee\n\nWhich? ", "Which?", "1) tea\n2) coffee\n"),
        ("\x1b[1;32mGo on?\x1b[0m [y/N] ", "Go on? [y/N]", None),
        ("", inputs.UNNAMED, None),
        (" \n ", inputs.UNNAMED, None),
    ],
    ids=["a line", "a menu", "colours", "nothing", "blank"],
)
def test_the_last_line_asks_and_what_is_above_it_stays_above(prompt: str, text: str, message: str | None) -> None:
    ask = ask_from(prompt)
    assert (ask.questions[0].text, ask.message, ask.plain) == (text, message, True)


@pytest.mark.parametrize(
    ("caller", "label"),
    [("__main__", None), ("concurrent.futures.thread", None), ("smolagents.default_tools", "smolagents")],
)
def test_a_library_that_asks_is_named(caller: str, label: str | None) -> None:
    asker = ask_from("Go on?", caller).asker
    assert (asker and asker.label) == label


def test_a_typed_line_comes_back_as_it_was_typed() -> None:
    with scripted({"Your name?": " Ann "}):
        assert read("Your name? ") == " Ann "


def test_a_prompt_that_is_no_text_is_shown_as_input_would() -> None:
    with scripted({"42": "yes"}):
        assert read(42) == "yes"


def test_a_submit_of_nothing_is_an_empty_line() -> None:
    with scripted(lambda _ask: Answered()):
        assert read("Press Enter") == ""


def test_a_password_is_dots_wherever_it_is_shown() -> None:
    with scripted({"Password:": "hunter2"}) as asks:
        secret = inputs.read_secret()
    assert asks[0].questions[0].secret
    assert (secret, repr(secret)) == ("hunter2", "'••••••••'")


@pytest.mark.parametrize(
    "reply",
    [Declined(), Cancelled(), Discussed(text="which one?"), TimedOut(), Unavailable(), Withdrawn()],
    ids=lambda reply: reply.kind,
)
def test_no_answer_is_an_end_of_file_and_never_an_empty_line(reply: Reply) -> None:
    with scripted(lambda _ask: reply), pytest.raises(EOFError, match="no answer to 'Your name\\?'"):
        read("Your name? ")


def test_a_dismissed_card_in_a_cells_own_code_is_ctrl_c() -> None:
    shell = InteractiveShell.instance()
    shell.user_ns["read"] = read
    try:
        with scripted(lambda _ask: Cancelled()):
            result = shell.run_cell("read('Your name? ')", silent=True)
        assert isinstance(result.error_in_exec, KeyboardInterrupt)
    finally:
        InteractiveShell.clear_instance()


def test_no_default_of_the_settings_answers_for_the_person() -> None:
    assert ask_from("Go on? ").when_unanswered == "raise"


def test_it_asks_from_a_worker_thread_and_from_another_loops(in_thread: Runner) -> None:
    async def elsewhere() -> str:
        return await asyncio.to_thread(read, "Name? ")

    with scripted({"Name?": "Ann"}):
        assert in_thread(read, "Name? ").result(5) == "Ann"
        assert in_thread(asyncio.run, elsewhere()).result(5) == "Ann"


def test_two_threads_get_their_own_answers(in_thread: Runner) -> None:
    with scripted({"A?": "a", "B?": "b"}):
        lines = [in_thread(read, f"{name}? ") for name in "AB" * 5]
        assert [line.result(5) for line in lines] == ["a", "b"] * 5


def test_a_command_loop_reads_with_the_kernels_own() -> None:
    namespace: dict[str, Any] = {"__name__": "cmd", "read": read}
    exec("line = read('(Pdb) ')", namespace)
    assert namespace["line"] == "the kernel's own: (Pdb) "


def test_it_never_reads_with_input_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "input", lambda *_: pytest.fail("asked itself"))
    with scripted(lambda _ask: {"q1": "Ann"}):
        assert read("Name? ") == "Ann"


# Switching it on and off


class Kernel:
    """As much of ipykernel's as there is to `input()`: what a cell makes of the words, and what it puts back."""

    def raw_input(self, prompt: str = "") -> str:
        return f"raw {prompt}"

    def getpass(self, prompt: str = "", stream: Any = None) -> str:
        return f"secret {prompt}"

    def begin(self) -> None:
        self._sys_raw_input, builtins.input = builtins.input, self.raw_input
        self._save_getpass, getpass.getpass = getpass.getpass, self.getpass

    def end(self) -> None:
        builtins.input, getpass.getpass = self._sys_raw_input, self._save_getpass


@pytest.fixture
def words() -> Iterator[tuple[Any, Any]]:
    before = builtins.input, getpass.getpass
    yield before
    builtins.input, getpass.getpass = before


def ours(prompt: object = "") -> str:
    return f"card {prompt}"


@pytest.mark.parametrize("on_in_cell", [True, False])
@pytest.mark.parametrize("off_in_cell", [True, False])
def test_both_words_are_ours_until_they_are_put_back(words: Any, on_in_cell: bool, off_in_cell: bool) -> None:
    kernel = Kernel()
    in_cell = [False]

    def cell(works: Callable[[], Any], inside: bool) -> Any:
        if not inside:
            return works()
        kernel.begin()
        in_cell[0] = True
        try:
            return works()
        finally:
            in_cell[0] = False
            kernel.end()

    replaced = cell(lambda: Replaced(kernel, ours, ours, lambda: in_cell[0]), on_in_cell)
    assert (builtins.input, getpass.getpass) == (ours, ours)
    assert cell(lambda: builtins.input("a"), True) == "card a"
    assert (builtins.input, getpass.getpass) == (ours, ours)

    def off() -> str:
        replaced.restore()
        return builtins.input("b") if off_in_cell else "raw b"

    assert cell(off, off_in_cell) == "raw b"
    assert (builtins.input, getpass.getpass) == words
    assert "raw_input" not in vars(kernel)
    assert cell(lambda: getpass.getpass("c"), True) == "secret c"
    assert (builtins.input, getpass.getpass) == words


def test_what_somebody_else_put_there_since_is_left(words: Any) -> None:
    kernel: Any = Kernel()
    replaced = Replaced(kernel, ours, ours, lambda: False)
    theirs = kernel.raw_input = builtins.input = lambda prompt="": "theirs"
    replaced.restore()
    assert (kernel.raw_input, builtins.input) == (theirs, theirs)


def test_what_somebody_else_put_there_before_comes_back(words: Any) -> None:
    kernel: Any = Kernel()
    theirs = kernel.raw_input = builtins.input = lambda prompt="": f"theirs {prompt}"
    replaced = Replaced(kernel, ours, ours, lambda: False)
    assert kernel.raw_input("a") == builtins.input("a") == "card a"
    replaced.restore()
    assert (kernel.raw_input, builtins.input) == (theirs, theirs)
    assert (getpass.getpass, "getpass" in vars(kernel)) == (words[1], False)


@pytest.mark.parametrize(("line", "words"), [("input", "on|off"), ("input maybe", "neither on nor off")])
def test_the_command_says_what_it_takes(line: str, words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("|", r"\|")):
        commands.run(runtime.current(), line)


def test_outside_of_a_kernel_input_is_left_as_it_is() -> None:
    before = builtins.input
    with pytest.raises(UsageError, match="no Jupyter kernel"):
        commands.run(runtime.current(), "input on")
    assert builtins.input is before
    assert inputs.off() is False
