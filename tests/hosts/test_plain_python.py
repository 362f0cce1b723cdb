"""Plain Python in a terminal, with questionary and without.

Cases of the project's list that are tested here, by id: A30, C10.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from screen import DOWN, END_OF_INPUT, ENTER, ESC, INTERRUPT, Screen, Script

pytestmark = pytest.mark.support(front="plain Python", kernel="none", how="pseudo-terminal")

ASK = 'print("GOT", repr(ask("Red or blue?", ["Red", "Blue", "Dark green"])))\n'
MANY = 'print("GOT", repr(ask("Which checks?", ["lint", "types", "docs"], many=True, min=1, max=2)))\n'
SECRET = 'print("GOT", len(put(Ask(Question("Key?", secret=True))).value))\n'


def got(screen: Screen) -> str:
    """What the script has printed of the answer."""
    return re.findall(r"GOT (.*)", screen.wait_end())[-1]


@pytest.mark.support(action="ask")
@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("2", "'Blue'"),
        (ENTER, "'Red'"),
        (DOWN + DOWN + ENTER, "'Dark green'"),
        ("gre" + ENTER, "'Dark green'"),
        ("mauve" + ENTER + ENTER, "'mauve'"),
        ("4" + "pink" + ENTER, "'pink'"),
    ],
    ids=["digit", "enter", "arrows", "filter", "typed", "other"],
)
def test_a_choice_is_picked_by_keys(python: Script, keys: str, answer: str) -> None:
    screen = python(ASK)
    text = screen.wait("Esc cancels")
    assert "» 1. Red" in text
    screen.press(keys)
    assert got(screen) == answer
    assert "Discuss it first" not in screen.text  # the prompt is gone, a line of the answer is left
    assert f"Red or blue? {answer[1:-1]}" in screen.text


def test_several_are_ticked_and_their_number_is_said_and_enforced(python: Script) -> None:
    screen = python(MANY)
    screen.wait("choose 1 to 2")
    screen.press(ENTER)
    screen.wait("This question needs an answer.")
    screen.press(" 23")
    screen.wait(lambda text: text.count("●") == 3)
    screen.press(ENTER)
    screen.wait("Choose at most 2; 3 chosen.")
    screen.press("1")
    screen.wait(lambda text: text.count("●") == 2)
    screen.press(ENTER)
    assert got(screen) == "['types', 'docs']"


def test_a6_ticks_and_own_words_both_count(python: Script) -> None:
    screen = python(MANY)
    screen.wait("Esc cancels")
    screen.press("14" + ENTER)
    screen.wait("In your own words:")
    screen.press("on ARM" + ENTER)
    assert got(screen) == "['lint', 'on ARM']"


def test_esc_cancels_after_a_question_of_its_own_where_something_was_typed(python: Script) -> None:
    screen = python('print("GOT", put(Ask([Question("Name?"), Question("Age?", kind="integer")])).kind)')
    screen.wait("Name?")
    screen.press("Ann" + ENTER)
    screen.wait("Age?")
    screen.press("4" + ESC)
    screen.wait("Go on answering")
    screen.press(ENTER)
    screen.wait(lambda text: "Age?" in text and "> 4" in text)  # what was typed is still there
    screen.press(ESC)
    screen.wait("Go on answering")
    screen.press(DOWN + ENTER)
    assert got(screen) == "cancelled"


def test_several_questions_are_looked_over_and_changed_before_they_are_sent(python: Script) -> None:
    screen = python(
        'print("GOT", put(Ask([Question("Which?", ["a", "b"]), Question("How many?", kind="integer", max=9),'
        ' Question("Day?", kind="date"), Question("Tags?", kind="list", required=False)])).values)'
    )
    screen.wait("(1 of 4)")
    screen.press("1")
    screen.wait("How many?")
    screen.press("4.5" + ENTER)
    screen.wait("This is not a whole number, such as 3.")
    screen.press("\x7f\x7f\x7f7" + ENTER)
    screen.wait("Day?")
    screen.press("2026-03-01" + ENTER)
    screen.wait("Tags?")
    screen.press(ENTER)
    text = screen.wait("Is this right?")
    assert "Change: How many? – 7" in text
    assert "Change: Tags? – not answered" in text
    screen.press("Which" + ENTER)
    screen.wait("(1 of 4)")
    screen.press("2")
    screen.wait("Change: Which? – b")
    screen.press(ENTER)
    assert got(screen) == "{'q1': 'b', 'q2': 7, 'q3': datetime.date(2026, 3, 1)}"


@pytest.mark.parametrize("plain", [False, True], ids=["questionary", "plain"])
def test_a_secret_is_not_shown(python: Script, plain: bool) -> None:
    screen = python(SECRET, plain=plain)
    screen.wait("Key?")
    screen.press("hunter2" + ENTER)
    assert got(screen) == "7"
    assert "hunter2" not in screen.raw


@pytest.mark.parametrize("plain", [False, True], ids=["questionary", "plain"])
@pytest.mark.parametrize("question", ['"Red?", ["Red"]', '"Key?", secret=True'], ids=["choice", "secret"])
def test_a_prompt_is_taken_away_at_the_deadline_and_the_terminal_is_as_it_was(
    python: Script, plain: bool, question: str
) -> None:
    code = f'print("ENDED", put(Ask(Question({question}), timeout=1)).kind)\nprint("GOT", input("Then? "))'
    screen = python(code, plain=plain)
    text = screen.wait("Then?")
    assert "ENDED timed_out" in text
    screen.press("typed" + ENTER)
    assert got(screen) == "typed"
    assert "Then? typed" in screen.text  # echoed


@pytest.mark.support(action="interrupt")
@pytest.mark.parametrize("plain", [False, True], ids=["questionary", "plain"])
def test_c10_ctrl_c_interrupts_the_program(python: Script, plain: bool) -> None:
    code = (
        "try:\n    " + ASK + "except KeyboardInterrupt:\n    print('INTERRUPTED')\n"
        "print('GOT', nbask.decisions()[-1:] and input('Then? '))"
    )
    screen = python(code.replace("nbask.decisions()[-1:] and ", ""), plain=plain)
    screen.wait("1. Red")
    screen.press(INTERRUPT)
    screen.wait("Then?")
    screen.press("on" + ENTER)
    assert got(screen) == "on"
    assert "INTERRUPTED" in screen.text


AWAITED = """
async def main():
    async def work():
        while True:
            await asyncio.sleep(0.05)
            ticks.append(1)
    ticks, worker = [], asyncio.create_task(work())
    answer = await nbask.aio.ask("Awaited?", ["a", "b"])
    print("GOT", answer, len(ticks) > 0)
asyncio.run(main())
"""


@pytest.mark.support(action="await")
@pytest.mark.parametrize("plain", [False, True], ids=["questionary", "plain"])
def test_an_awaited_ask_leaves_the_running_loop_free(python: Script, plain: bool) -> None:
    """questionary's own ask() calls asyncio.run(), which a running loop refuses (tmbo/questionary#117)."""
    screen = python(AWAITED, plain=plain)
    screen.wait("Awaited?")
    screen.wait("2. b")
    screen.press("2" + (ENTER if plain else ""))
    assert got(screen) == "b True"


@pytest.mark.parametrize("plain", [False, True], ids=["questionary", "plain"])
def test_c10_ctrl_c_while_awaiting_ends_the_program(python: Script, plain: bool) -> None:
    code = AWAITED.replace("asyncio.run(main())", "try:\n    asyncio.run(main())\nexcept KeyboardInterrupt:\n")
    screen = python(code + "    print('GOT interrupt')\n", plain=plain)
    screen.wait("2. b")
    screen.press(INTERRUPT)
    assert got(screen) == "interrupt"


def test_a_program_that_ends_during_a_threads_question_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import pathlib, threading, time\nfrom nbask import ask\n"
        'threading.Thread(target=lambda: ask("Red?", ["Red"]), daemon=True).start()\n'
        "while not pathlib.Path('end').exists(): time.sleep(0.05)\n"
    )
    screen = Screen("/bin/sh", "-c", f"{sys.executable} script.py; stty -a; echo DONE", home=tmp_path)
    screen.wait("Esc cancels")
    (tmp_path / "end").touch()
    text = screen.wait("DONE")
    assert " icanon" in text
    assert " echo " in text


def test_a_sync_ask_in_a_running_loop(python: Script) -> None:
    screen = python("async def main():\n    " + ASK + "asyncio.run(main())\n")
    screen.wait("Esc cancels")
    screen.press("1")
    assert got(screen) == "'Red'"


@pytest.mark.parametrize("plain", [False, True], ids=["questionary", "plain"])
def test_a30_asks_in_a_loop_and_asks_at_once_each_wait_for_their_answer(python: Script, plain: bool) -> None:
    code = """
async def main():
    print("GOT", await asyncio.gather(*(nbask.aio.ask(f"Number {i}?", ["Odd", "Even"]) for i in (1, 2, 3))))
for i in (4, 5):
    print(ask(f"Number {i}?", ["Odd", "Even"]))
asyncio.run(main())
"""
    screen = python(code, plain=plain)
    for number in (4, 5, 1, 2, 3):
        screen.wait(lambda text, asked=f"Number {number}?": "2. Even" in text.partition(asked)[2])
        screen.press(("1" if number % 2 else "2") + (ENTER if plain else ""))
    assert got(screen) == "['Odd', 'Even', 'Odd']"


def test_keys_pressed_before_a_question_is_there_do_not_answer_it(python: Script) -> None:
    screen = python("import select\nprint('READY', flush=True)\nselect.select([sys.stdin], [], [], 20)\n" + ASK)
    screen.wait("READY")
    screen.press(ENTER)
    screen.wait("Esc cancels")
    screen.press("2")
    assert got(screen) == "'Blue'"


def test_what_others_print_meanwhile_is_whole_and_so_is_the_prompt(python: Script) -> None:
    code = """
import threading
def work():
    for i in range(20):
        print("printed", i, "." * 60)
worker = threading.Timer(0.5, work); worker.start()
print("GOT", ask("Red or blue?", ["Red", "Blue"]))
"""
    screen = python(code)
    text = screen.wait(lambda text: "printed 19" in text and text.rstrip().endswith("Decline to answer"))
    assert [f"printed {i} {'.' * 60}" in text.splitlines() for i in range(20)] == [True] * 20
    screen.press("2")
    assert got(screen) == "Blue"


def test_control_characters_of_an_asker_are_shown_and_not_sent(python: Script) -> None:
    code = r"""
bad = "\x1b]52;c;Zm9v\x07\x1b[2J\x9b2J\u202e"
print("GOT", ask("Q" + bad, [Option("A" + bad, "d" + bad, preview="p" + bad), "B"], header=bad, asker="me" + bad) == "B")
"""
    for plain in (False, True):
        screen = python(code, plain=plain)
        screen.wait("2. B")
        screen.press("2" + (ENTER if plain else ""))
        assert got(screen) == "True"
        for sequence in ("\x1b]52", "\x1b[2J", "\x9b", "\u202e", "\x07"):
            assert sequence not in screen.raw
        assert "Q␛]52;c;Zm9v␇" in screen.text


@pytest.mark.parametrize(
    ("keys", "kind"),
    [("Discuss" + ENTER + "why?" + ENTER, "discussed why?"), ("Decline" + ENTER, "declined"), (ESC, "cancelled")],
    ids=["discuss", "decline", "esc"],
)
def test_a_question_may_be_left_without_an_answer(python: Script, keys: str, kind: str) -> None:
    code = 'reply = put(Ask(Question("Red?", ["Red"])))\nprint("GOT", reply.kind, getattr(reply, "text", ""))'
    screen = python(code)
    screen.wait("Esc cancels")
    screen.press(keys)
    assert got(screen).strip() == kind


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        ("/discuss why?" + ENTER, "discussed why?"),
        ("/decline" + ENTER, "declined"),
        ("/cancel" + ENTER, "cancelled"),
        (END_OF_INPUT, "cancelled"),
    ],
    ids=["discuss", "decline", "cancel", "ctrl-d"],
)
@pytest.mark.parametrize("plain", [False, True], ids=["questionary", "plain"])
def test_a_text_may_be_left_by_a_word(python: Script, keys: str, kind: str, plain: bool) -> None:
    code = 'reply = put(Ask(Question("Name?")))\nprint("GOT", reply.kind, getattr(reply, "text", ""))'
    screen = python(code, plain=plain)
    screen.wait("/discuss")
    screen.press(keys)
    assert got(screen).strip() == kind


@pytest.mark.support(action=("reload", "run all"), cell="–", note="A script has no page to reload and no cells.")
def test_without_questionary_the_options_are_numbered(python: Script) -> None:
    screen = python(ASK, plain=True)
    text = screen.wait("/cancel:")
    assert "  2. Blue" in text
    screen.press("9" * 3 + ENTER)  # own words
    assert got(screen) == "'999'"
