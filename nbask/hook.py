"""`nbask hook`: hands what a Claude Code hook is called with to a served kernel, and prints what that says.

Claude Code waits for it at every question, so it is light: everything that weighs is in the kernel already.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import sys
from typing import Any
from urllib.parse import urlsplit

TIMEOUT = 24 * 3600
"""Seconds after which Claude Code gives a hook up. Its own default is ten minutes, and people have lunch."""


def answer(given: bytes, notebook: str | None = None) -> str:
    """What the hook prints for what it was given.

    Args:
        given: The payload, as it came on standard input.
        notebook: The notebook to ask in, by name, path or kernel id; by default the one served last.

    Returns:
        JSON; or nothing, so that Claude Code asks in its own way: the payload is of nothing to ask, no kernel is
        served, or nobody there has decided.
    """
    from nbask.adapters.claude.hooks import read_hook

    try:
        payload = json.loads(given)
        if read_hook(payload) is None:
            return ""
        from nbask.serve import rendezvous

        found = rendezvous.find(notebook)
        return "" if found is None else _asked(found, given)
    except Exception:  # noqa: BLE001 - a hook that fails must not stop the agent, whatever it is
        return ""


def _asked(found: Any, payload: bytes) -> str:
    from http.client import HTTPConnection

    from nbask.serve.rendezvous import REACH

    at = urlsplit(found.url)
    with contextlib.closing(HTTPConnection(at.hostname or "", at.port, timeout=REACH)) as connection:
        connection.connect()
        connection.sock.settimeout(None)  # a person may take an hour
        headers = {"Authorization": f"Bearer {found.token}", "Content-Type": "application/json"}
        connection.request("POST", "/hook", payload, headers)
        response = connection.getresponse()
        return response.read().decode() if response.status == 200 else ""


def settings() -> str:
    """What belongs into Claude Code's settings, as JSON.

    A question is answered before its dialog is shown. A plan is answered where its permission is asked, since only
    there the answer can say that edits need no more approval.

    Example:
        >>> sorted(json.loads(settings())["hooks"])
        ['Elicitation', 'PermissionRequest', 'PreToolUse']
    """
    from nbask.adapters.claude.inputs import PLAN_TOOL, QUESTION_TOOL

    command = shlex.join([sys.executable, "-m", "nbask", "hook"])
    run = [{"type": "command", "command": command, "timeout": TIMEOUT}]
    hooks = {
        "PreToolUse": [{"matcher": QUESTION_TOOL, "hooks": run}],
        "PermissionRequest": [{"matcher": PLAN_TOOL, "hooks": run}],
        "Elicitation": [{"hooks": run}],
    }
    return json.dumps({"hooks": hooks}, indent=2)
