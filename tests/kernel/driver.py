"""A front end in a few hundred lines: it starts a real kernel and does what JupyterLab would.

It runs cells, keeps the state of widgets, plays a card's view (`attached`, `draft`, `reply`) and
answers `input()`. There are no threads here: whoever waits pumps the channels until what it waits
for is there, or until its bound, when it fails with all that came so far.

Messages of comms go on the kernel's main shell, as VS Code and nbclassic send them, or on a subshell,
as JupyterLab does: :attr:`Kernel.route`.
"""

from __future__ import annotations

import os
import queue
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import zmq
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from page import PATIENCE, CardView, Execution, InboxView, view_of

T = TypeVar("T")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
Route = Literal["main", "subshell"]


class NoSubshellsError(Exception):
    """This kernel has no subshells (ipykernel 6)."""


class Kernel:
    """A running kernel, and the front end that is connected to it."""

    def __init__(self, python: Path, *, pythonpath: Path | None = None, env: Mapping[str, str] | None = None) -> None:
        self.route: Route = "main"
        self._home = tempfile.TemporaryDirectory(prefix="nbask-kernel-")
        self._stderr = Path(self._home.name, "stderr.txt")
        self._env = {
            **{name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSTARTUP")},
            # A profile of its own: no start-up files, no history of the developer's.
            "IPYTHONDIR": self._home.name,
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
            **({"PYTHONPATH": str(pythonpath)} if pythonpath else {}),
            **(env or {}),
        }
        argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        self._spec = KernelSpec(argv=argv, language="python", display_name="under test")
        try:
            self._start()
        except RuntimeError:  # its ports were free when they were chosen, and somebody took one
            self._client.stop_channels()
            self._manager.shutdown_kernel(now=True)
            self._start()

    def _start(self) -> None:
        self._manager = KernelManager()
        self._manager._kernel_spec = self._spec  # pyright: ignore[reportAttributeAccessIssue]
        with self._stderr.open("wb") as stderr:
            self._manager.start_kernel(env=self._env, stderr=stderr, cwd=self._home.name)
        self._connect()

    # -- life ---------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self.forget()
        self._subshell: str | None = None
        self._client = self._manager.client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=45)
        self._channels = {
            getattr(self._client, f"{name}_channel").socket: name for name in ("iopub", "shell", "stdin", "control")
        }
        self._poller = zmq.Poller()
        for socket in self._channels:
            self._poller.register(socket, zmq.POLLIN)
        self._features = self.request("shell", "kernel_info_request", {}).get("supported_features", [])

    def forget(self) -> None:
        """Start a new page: nothing that came so far is remembered."""
        self.executions: dict[str, Execution] = {}
        self.widgets: dict[str, CardView] = {}
        self.input_requests: list[dict[str, Any]] = []
        self._comms: dict[str, list[dict[str, Any]]] = {}
        self._replies: dict[str, dict[str, Any]] = {}
        self._idle_for: set[str] = set()
        self._log: list[str] = []
        self._displayed: set[str] = set()
        self._seen: set[str] = set()

    def restart(self) -> None:
        self._client.stop_channels()
        with self._stderr.open("ab") as stderr:
            self._manager.restart_kernel(now=True, env=self._env, stderr=stderr)
        self._connect()

    def interrupt(self) -> None:
        """What the stop button does."""
        self._manager.interrupt_kernel()

    def shutdown(self) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)
        self._manager.cleanup_resources()
        self._client.context.destroy(linger=0)
        self._home.cleanup()

    def is_alive(self) -> bool:
        return self._manager.is_alive()

    # -- cells --------------------------------------------------------------------------------------

    def run(self, code: str, *, allow_stdin: bool = True) -> Execution:
        """Send a cell to be run, and return at once: cells queue in the kernel, as Run All's do."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": allow_stdin,
            "stop_on_error": False,
        }
        execution = Execution(self, self._send("shell", "execute_request", content), code)
        self.executions[execution.msg_id] = execution
        return execution

    # -- cards --------------------------------------------------------------------------------------

    @property
    def cards(self) -> list[CardView]:
        """The widgets that are cards, oldest first, whether open or ended."""
        return [widget for widget in self.widgets.values() if "ask" in widget.state]

    def open_inbox(self) -> InboxView:
        """Run `%nbask inbox`, and look at it."""
        self.run("%nbask inbox").ok()
        if not self._inboxes():  # there since before this page was
            self._load_widgets()
        inbox = self.wait_inbox()
        self.wait_handled(inbox.attach().last_sent)
        return inbox

    def wait_inbox(self, timeout: float = PATIENCE) -> InboxView:
        """Wait for the inbox to be in the page."""
        return self.until(self._inboxes, "the inbox", timeout)[0]

    def _inboxes(self) -> list[InboxView]:
        return [one for one in self.widgets.values() if isinstance(one, InboxView) and not one.closed]

    def wait_card(self, timeout: float = PATIENCE) -> CardView:
        """Wait for the next card under a cell that no earlier call has returned.

        A view exists, and can say something, only once the kernel has displayed the widget.
        """

        def fresh() -> CardView | None:
            shown = (card for card in self.cards if card.comm_id in self._displayed)
            return next((card for card in shown if card.comm_id not in self._seen), None)

        card = self.until(fresh, "a card", timeout)
        self._seen.add(card.comm_id)
        return card

    def open_control_comm(self) -> dict[str, dict[str, Any]]:
        """What a reloaded page does, on the main shell: ask the kernel for every widget's state.

        A kernel that waits does not answer the new page's `kernel_info_request`, so the page takes it
        for one without subshells. Returns the state by comm id.
        """
        comm_id = uuid.uuid4().hex
        self._comms[comm_id] = []
        opened = {"comm_id": comm_id, "target_name": "jupyter.widget.control", "data": {}}
        self._send("shell", "comm_open", opened, metadata={"version": "1.0.0"})
        requested = {"comm_id": comm_id, "data": {"method": "request_states"}}
        self._send("shell", "comm_msg", requested)

        def states() -> dict[str, Any] | None:
            updates = (data for data in self._comms[comm_id] if data.get("method") == "update_states")
            return next(updates, None)

        found = self.until(states, "update_states on the widget control comm", PATIENCE)
        self._send("shell", "comm_close", {"comm_id": comm_id, "data": {}})
        return {model: held["state"] for model, held in found["states"].items()}

    def reload(self) -> None:
        """Forget every card, as a page does when it is reloaded, and fetch anew those that still are.

        The new page speaks on the main shell (see :meth:`open_control_comm`).
        """
        self.route = "main"
        self._seen.clear()
        self.widgets = {}
        # The new page draws the saved outputs; updates of the old page's displays find nothing there.
        for output in (out for run in self.executions.values() for out in run.outputs):
            output.display_id = None
        self._load_widgets()

    def _load_widgets(self) -> None:
        states = self.open_control_comm()
        self.widgets |= {comm_id: view_of(self, comm_id, dict(state)) for comm_id, state in states.items()}

    def send_comm(self, comm_id: str, data: object) -> str:
        """Send a `comm_msg`, on the shell of this front end's route."""
        return self._send("shell", "comm_msg", {"comm_id": comm_id, "data": data}, subshell=self._route_subshell())

    def wait_handled(self, msg_id: str, timeout: float = PATIENCE) -> None:
        """Wait for the `idle` that front ends throttle on: the kernel is done with that message."""
        self.until(lambda: msg_id in self._idle_for, f"idle for message {msg_id}", timeout)

    def _route_subshell(self) -> str | None:
        if self.route == "main":
            return None
        if self._subshell is None:
            # As JupyterLab decides it: ipykernel 6 leaves such a request without a reply.
            if "kernel subshells" not in self._features:
                raise NoSubshellsError
            self._subshell = str(self.request("control", "create_subshell_request", {})["subshell_id"])
        return self._subshell

    def require_route(self) -> None:
        """Raise :class:`NoSubshellsError` now, if this front end's route needs what the kernel lacks."""
        self._route_subshell()

    # -- input() ------------------------------------------------------------------------------------

    def wait_input_request(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """Wait for the kernel to ask for a line of input; returns the request's content."""
        request = self.until(lambda: self.input_requests[:1], "an input_request", timeout)[0]
        return request["content"]

    def answer_input(self, text: str) -> None:
        """Answer the oldest request for a line of input."""
        request = self.input_requests.pop(0)
        self._send("stdin", "input_reply", {"value": text, "status": "ok"}, parent=request)

    # -- the pump -----------------------------------------------------------------------------------

    def until(self, found: Callable[[], T | None], what: str, timeout: float) -> T:
        """Read the channels until `found` returns something true, and return that."""
        deadline = time.monotonic() + timeout
        while not (value := found()):
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"waited {timeout:g} s in vain for {what}\n{self.story()}")
            # A dead kernel sends nothing: look at it once a second.
            ready = self._poller.poll(int(min(left, 1.0) * 1000))
            for socket, _ in ready:
                self._read(self._channels[socket])
            if not ready and not self.is_alive():
                raise AssertionError(f"the kernel died before {what}\n{self.story()}")
        return value

    def request(self, channel: str, kind: str, content: Mapping[str, object]) -> dict[str, Any]:
        """Send a request and return its reply's content."""
        msg_id = self._send(channel, kind, content)
        return self.until(lambda: self._replies.get(msg_id), f"the reply to {kind}", PATIENCE)

    def story(self) -> str:
        """All that came and went, and the kernel's own stderr, for a failure's message."""
        lines = "\n".join(f"  {line}" for line in self._log[-80:])
        stderr = self._stderr.read_text(errors="replace")[-4000:]
        return f"what came and went:\n{lines}\nstderr of the kernel:\n{stderr}"

    def _send(
        self,
        channel: str,
        kind: str,
        content: Mapping[str, object],
        *,
        parent: dict[str, Any] | None = None,
        metadata: dict[str, Any] | None = None,
        subshell: str | None = None,
    ) -> str:
        msg = self._client.session.msg(kind, dict(content), parent=parent, metadata=metadata)
        if subshell:
            msg["header"]["subshell_id"] = subshell
        self._log.append(f"> {channel} {kind} {str(content)[:160]}")
        getattr(self._client, f"{channel}_channel").send(msg)
        return msg["header"]["msg_id"]

    def _read(self, channel: str) -> None:
        try:
            msg = getattr(self._client, f"{channel}_channel").get_msg(timeout=0)
        except queue.Empty:
            return
        kind, content = msg["msg_type"], msg["content"]
        parent = msg["parent_header"].get("msg_id", "")
        self._log.append(f"< {channel} {kind} {str(content)[:160]}")
        if channel == "iopub":
            self._read_iopub(kind, content, parent)
        elif kind == "input_request":
            self.input_requests.append(msg)
        else:
            self._replies[parent] = content
            if execution := self.executions.get(parent):
                execution.reply = content

    def _read_iopub(self, kind: str, content: dict[str, Any], parent: str) -> None:
        execution = self.executions.get(parent)
        if kind.startswith("comm_"):
            self._read_comm(kind, content, parent)
        elif kind == "status":
            self._read_status(content["execution_state"], parent)
        elif kind == "update_display_data":
            self._update_display(content["transient"]["display_id"], content["data"])
        elif execution:
            execution.take_output(kind, content)
            if view := content.get("data", {}).get(WIDGET_VIEW):
                self._displayed.add(view["model_id"])

    def _update_display(self, display_id: str, data: dict[str, Any]) -> None:
        # It may be about the output of any cell, not only of the one that runs.
        for output in (out for run in self.executions.values() for out in run.outputs):
            if output.display_id == display_id:
                gone = self.widgets.get(output.data.get(WIDGET_VIEW, {}).get("model_id"))
                output.data = data
                if gone and gone.attached:  # the update took the view away, and it says so as it goes
                    gone.detach()

    def _read_status(self, state: str, parent: str) -> None:
        execution = self.executions.get(parent)
        if state == "idle":
            self._idle_for.add(parent)
            if execution:
                execution.idle, execution.ended = True, time.monotonic()
        elif execution and not execution.started:
            execution.started = time.monotonic()

    def _read_comm(self, kind: str, content: dict[str, Any], parent: str) -> None:
        comm_id, data = content["comm_id"], content.get("data", {})
        card = self.widgets.get(comm_id)
        if kind == "comm_open" and content["target_name"] == "jupyter.widget":
            self.widgets[comm_id] = view_of(self, comm_id, dict(data["state"]))
        elif kind == "comm_close":
            if card:
                card.closed = True
        elif card and data.get("method") == "update":
            card.state.update(data["state"])
        elif card and data.get("method") == "echo_update":
            card.echoed.add(parent)
        elif card and data.get("method") == "custom":
            card.received.append(data["content"])
        elif comm_id in self._comms:
            self._comms[comm_id].append(data)
