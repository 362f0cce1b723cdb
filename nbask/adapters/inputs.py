"""`input()` and `getpass()` as cards: for plain code, and for every library that asks by them.

    %nbask input on

Smolagents, crewAI, AutoGen's default and many small scripts ask with `input()`. While this is on, such a question
is a card, in the cell's own code, in a worker thread and after the cell has ended; an answers file answers it, too.
"""

from __future__ import annotations

import inspect
import re
import sys
import threading
from collections.abc import Callable
from types import FrameType

from nbask.asking import put
from nbask.questions import Ask, Asker, Question
from nbask.replies import Answered, Cancelled, NoAnswer

__all__ = ["off", "on"]

UNNAMED = "The code here waits for a line of text."
EMPTY = "Nothing typed is an empty line"
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")

_undo: Callable[[], None] | None = None
_lock = threading.Lock()


def on() -> bool:
    """Have `input()` and `getpass.getpass()` ask with a card, from now on and in every thread.

    Returns:
        False where they did already.

    Raises:
        RuntimeError: This is no kernel in which a question can be a card; the message says what it is.

    Example:
        >>> on()
        Traceback (most recent call last):
        ...
        RuntimeError: input() is left as it is: this is no Jupyter kernel, where it could be a card
    """
    global _undo  # noqa: PLW0603 - one a process, as `input` is
    from nbask import runtime

    current = runtime.current()
    with _lock:
        if _undo is not None:
            return False
        _undo = current.replace_input(_reader, read_secret)
    current.when_unloaded(off)
    return True


def off() -> bool:
    """Put the kernel's own `input()` and `getpass()` back.

    Returns:
        False where they were there already.

    Example:
        >>> off()
        False
    """
    global _undo
    with _lock:
        undo, _undo = _undo, None
    if undo is not None:
        undo()
    return undo is not None


def _reader(own: Callable[..., str]) -> Callable[..., str]:
    """What stands for `input`, and leaves a debugger's prompts to the kernel's `own`."""

    def read(prompt: object = "") -> str:
        # A command loop (pdb, ipdb) reads a line for each step, and a card for each would bury the cell.
        caller = _caller()
        return own(prompt) if caller == "cmd" else _asked(str(prompt), caller)

    return read


def read_secret(prompt: object = "Password: ", stream: object = None, *, echo_char: str | None = None) -> str:  # noqa: ARG001
    """What stands for `getpass.getpass`: dots on the card, and kept nowhere."""
    return _asked(str(prompt), _caller(), secret=True)


def _asked(prompt: str, caller: str, *, secret: bool = False) -> str:
    ask = ask_from(prompt, caller, secret)
    reply = put(ask)
    if isinstance(reply, Answered):
        answer = next(iter(reply.answers.values()), None)
        return "" if answer is None else answer.value
    missing = NoAnswer(reply, ask)
    if isinstance(reply, Cancelled) and _takes_ctrl_c():
        raise KeyboardInterrupt(str(missing)) from missing
    raise EOFError(str(missing)) from missing


def ask_from(prompt: str, caller: str = "__main__", secret: bool = False) -> Ask:
    """The ask of a prompt: its last line is the question, what stands above that is shown above.

    Args:
        prompt: The text given to `input()`.
        caller: The module that called it; a library's name is on the card.
        secret: Whether it was `getpass()`.

    Example:
        >>> ask_from("1) tea\\n2) coffee\\nWhich? ").questions[0].text
        'Which?'
    """
    *above, last = [line.rstrip() for line in _COLOURS.sub("", prompt).strip().split("\n")]
    question = Question(last.strip() or UNNAMED, required=False, notes=False, secret=secret, placeholder=EMPTY)
    name = "getpass()" if secret else "input()"
    package = caller.partition(".")[0]
    of_a_library = package != "__main__" and package not in sys.stdlib_module_names
    asker = Asker(package, name) if of_a_library else None
    above = "\n".join(above) or None
    # With a form of its own, a submit of nothing is an answer: an empty line. No setting's default may stand for it.
    return Ask(question, message=above, plain=True, asker=asker, form=dict, when_unanswered="raise")


def _caller() -> str:
    """Name of the module that called what called this."""
    frame = inspect.currentframe()
    for _ in range(2):
        frame = frame and frame.f_back
    return str(frame.f_globals.get("__name__", "__main__")) if frame else "__main__"


def _takes_ctrl_c() -> bool:
    """Whether a KeyboardInterrupt ends the cell that asks.

    Ctrl-C only ever reaches the main thread. There, in a task of the user's own, it would leave the event loop
    and end the kernel with it; in a cell's own code IPython is there to catch it.
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    frame: FrameType | None = inspect.currentframe()
    while frame is not None:
        if frame.f_code.co_name == "run_code" and frame.f_globals.get("__name__", "").startswith("IPython."):
            return True
        frame = frame.f_back
    return False
