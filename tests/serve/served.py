"""A kernel that is served: its front end on one side, and on the other the agents, which run beside the pump."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from driver import Kernel
from environments import ROOT
from outside_agents import ANSWERS, agent
from page import PATIENCE, Execution, InboxView

T = TypeVar("T")
PEER = Path(__file__).parents[1] / "peers" / "agent.mjs"
SCRIPTED = f"from nbask.testing import scripted\nperson = scripted({dict(ANSWERS)!r})\nasks = person.__enter__()"
BUSY = "import time\nuntil = time.monotonic() + {seconds}\nwhile time.monotonic() < until: sum(range(1000))"
"""A cell that computes, and gives nothing else a turn."""


class Served:
    """One kernel and its agents.

    Args:
        kernel: The kernel, of which nothing was asked yet.
        runtime_dir: Jupyter's runtime folder, where it leaves its rendezvous file.
    """

    def __init__(self, kernel: Kernel, runtime_dir: Path) -> None:
        self.kernel = kernel
        self.runtime_dir = runtime_dir
        self._pool = ThreadPoolExecutor(64)

    def begin(self) -> str:
        """Load nbask, serve, and look at the inbox; returns what `%nbask serve` printed."""
        self.kernel.run("%load_ext nbask\nimport nbask, threading\nfrom nbask import *").ok()
        cell = self.kernel.run("%nbask serve")
        said = cell.ok(60)
        if not self.kernel._inboxes():  # there since before this page was
            self.kernel._load_widgets()
        inbox = self.inbox()
        self.kernel.wait_handled(inbox.attach().last_sent)
        return said

    def rest(self) -> bool:
        """Leave nothing running and nobody scripted; whether the kernel is good for another test."""
        if any(not run.done for run in self.kernel.executions.values()):
            self.kernel.interrupt()
        undone = self.kernel.run("if 'person' in globals(): person.__exit__(None, None, None); del person").wait()
        alive = self.kernel.is_alive() and undone.error is None
        self.kernel.forget()
        return alive

    def end(self) -> None:
        self.kernel.shutdown()
        self._pool.shutdown(wait=False)

    def inbox(self) -> InboxView:
        return self.kernel.wait_inbox()

    @property
    def rendezvous(self) -> dict[str, Any]:
        """What the rendezvous file says."""
        (path,) = (self.runtime_dir / "nbask").glob("*.json")
        return json.loads(path.read_text())

    @property
    def env(self) -> dict[str, str]:
        """The environment of an agent's own processes."""
        return {**os.environ, "JUPYTER_RUNTIME_DIR": str(self.runtime_dir), "PYTHONPATH": str(ROOT)}

    @property
    def bridge(self) -> tuple[str, list[str]]:
        """The command that an agent's settings have."""
        return sys.executable, ["-m", "nbask", "mcp"]

    def compute(self, seconds: float = 60) -> Execution:
        """Have a cell compute; returns once it does."""
        cell = self.kernel.run(BUSY.format(seconds=seconds))
        self.kernel.until(lambda: cell.started, "the cell to compute", PATIENCE)
        return cell

    # -- agents -------------------------------------------------------------------------------------

    def beside(self, main: Coroutine[Any, Any, T], limit: float = 120) -> Future[T]:
        """Run an agent in a thread of its own; the page is pumped by whoever waits for it."""
        return self._pool.submit(asyncio.run, asyncio.wait_for(main, limit))  # type: ignore[arg-type]

    def wait(self, done: Future[T], timeout: float = PATIENCE) -> T:
        """Pump the page until an agent is done."""
        self.kernel.until(done.done, "an agent to be done", timeout)
        return done.result()

    def call(self, tool: str, arguments: dict[str, Any], **rest: Any) -> Future[Any]:
        """Have an agent call one tool; `rest` goes to :func:`outside_agents.agent`."""
        found = self.rendezvous

        async def main() -> Any:
            async with agent(found["url"], found["token"], **rest) as client:
                return await client.call_tool(tool, arguments)

        return self.beside(main())

    def peer(self, *args: str, **transport: Any) -> Future[list[dict[str, Any]]]:
        """Have the TypeScript client do what `tests/peers/agent.mjs` says."""
        words = ["node", str(PEER), json.dumps(transport), *args]

        def run() -> list[dict[str, Any]]:
            done = subprocess.run(words, env=self.env, capture_output=True, text=True, timeout=120, check=False)
            assert done.returncode == 0, done.stderr
            return [json.loads(line) for line in done.stdout.splitlines()]

        return self._pool.submit(run)
