"""Strands: approve tool calls."""

from __future__ import annotations

import re
from typing import Any, cast

from nbask.adapters.recipes import common
from nbask.adapters.toolkit.approval import Approval, Rule, ToolCall
from nbask.adapters.toolkit.arguments import loaded

_STRANDS = re.compile(r'Approve "(?P<tool>.+?)"(?: — (?P<why>.*?))?\?\n  Input: (?P<input>.*)', re.DOTALL)


async def strands_ask(prompt: str, **_more: Any) -> str:
    """Strands: approve a tool call, with `HumanInTheLoop(ask=strands_ask)`; with `enable_trust=True` as well.

    Args:
        prompt: What Strands would have asked in the terminal.

    Returns:
        `"yes"`, `"trust"`, or `"no"` and why, where nobody decided too.

    Example:
        >>> import asyncio
        >>> from nbask.testing import scripted
        >>> with scripted({"Allow rm?": "Deny"}):
        ...     asyncio.run(strands_ask('Approve "rm"?\\n  Input: {"path": "data"}'))
        'no'
    """
    read = _STRANDS.fullmatch(prompt)
    if read is None:
        call = ToolCall(tool="this tool", arguments=prompt, editable=False)
    else:
        trust = Rule(label="Approve, and trust this tool in this session (where trust is enabled)", value="trust")
        arguments = loaded(read["input"])
        call = ToolCall(tool=read["tool"], arguments=arguments, description=read["why"], rules=[trust], editable=False)
    decided = await common.approved(call, "Strands")
    if decided:
        # A handler that does not know "trust" takes it for a no, which is the safe way to be wrong.
        return cast("Approval", decided).rule or "yes"
    why = common.why(decided)
    return f"no: {why}" if why else "no"
