"""`nbask hook` as Claude Code runs it: a process of its own, that finds a real kernel and waits for the inbox."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from outside_agents import QUESTION
from served import Served

PAYLOAD = {
    "session_id": "5d0c",
    "cwd": "/work",
    "hook_event_name": "PreToolUse",
    "tool_name": "AskUserQuestion",
    "tool_input": {"questions": [QUESTION]},
    "tool_use_id": "toolu_1",
}


@pytest.fixture
def hook(served: Served) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-m", "nbask", "hook"], stdin=-1, stdout=-1, stderr=-1, env=served.env)
    assert process.stdin is not None
    process.stdin.write(json.dumps(PAYLOAD).encode())
    process.stdin.close()
    process.stdin = None  # for communicate(), which is not to flush it
    yield process
    process.kill()
    process.communicate(timeout=20)


def test_the_click_in_the_inbox_is_what_the_hook_prints(served: Served, hook: subprocess.Popen[bytes]) -> None:
    (card,) = served.inbox().wait_listed("Which format?")
    assert card.ask["asker"] == {"label": "Claude Code", "detail": "AskUserQuestion"}
    assert hook.poll() is None
    card.pick("Parquet")
    said, errors = hook.communicate(timeout=20)
    assert (hook.returncode, errors) == (0, b"")
    updated = {"questions": [QUESTION], "answers": {"Which format?": "Parquet"}}
    output = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": updated}
    assert json.loads(said) == {"hookSpecificOutput": output}


def test_a_hook_that_claude_code_ends_takes_its_card_along(served: Served, hook: subprocess.Popen[bytes]) -> None:
    (card,) = served.inbox().wait_listed("Which format?")
    hook.terminate()
    assert card.wait_ended() == "withdrawn"


def test_a_kernel_that_ends_lets_the_terminal_ask(served: Served, hook: subprocess.Popen[bytes]) -> None:
    served.inbox().wait_listed("Which format?")
    served.kernel.run("%nbask stop").ok()
    began = time.monotonic()
    assert hook.communicate(timeout=20) == (b"", b"")
    assert (hook.returncode, time.monotonic() - began < 10) == (0, True)
