"""A JupyterLab of its own: a free loopback port, a random token, and no trace outside one temporary folder."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

READY_S = 60.0
"""Seconds that a server may take to answer; a cold machine reads some hundred megabytes first."""

Settings = Mapping[str, Mapping[str, object]]
"""JupyterLab's user settings, by `<package>/<plugin>`."""

# Nothing asks the outside world, and no dialog asks whether it may.
QUIET: Settings = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
}
# Besides: every cell in the page at all times, and no doubt about which kernel.
FOR_TESTS: Settings = {
    **QUIET,
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none", "autoStartDefaultKernel": True},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}
OPTIONS = [
    "--no-browser",
    "--ServerApp.allow_root=True",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--LabApp.expose_app_in_browser=True",
    "--LabApp.extension_manager=readonly",
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
]


class LabServer:
    """A running JupyterLab, of the environment that this Python belongs to.

    Args:
        settings: JupyterLab's user settings, by `<package>/<plugin>`.
    """

    def __init__(self, settings: Settings = FOR_TESTS) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="nbask-lab-")
        home = Path(self._home.name)
        self.root = home / "notebooks"
        self.root.mkdir()
        self._write_settings(home / "config" / "lab" / "user-settings", settings)
        self._token = secrets.token_hex(16)
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._log = home / "server.log"
        env = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "JUPYTER_DATA_DIR": str(home / "data"),
            "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
            "IPYTHONDIR": str(home / "ipython"),
            "JUPYTER_TOKEN": self._token,  # the command line is for everybody on the machine to see
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }
        command = [sys.executable, "-m", "jupyterlab", *OPTIONS, f"--ServerApp.port={port}"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, f"--ServerApp.root_dir={self.root}"],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=home,
                # Ctrl+C is for the one who started this; the server would ask whether it is meant.
                start_new_session=True,
            )
        try:
            self._wait_ready()
        except BaseException:
            self.stop()
            raise

    @staticmethod
    def _write_settings(folder: Path, settings: Settings) -> None:
        for name, values in settings.items():
            path = folder / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))

    def _wait_ready(self) -> None:
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"JupyterLab ended with {self._process.returncode} at its start:\n{self.log()}")
            try:
                self.api("GET", "")
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)  # a server that is not there yet cannot tell us when it is
        raise RuntimeError(f"JupyterLab did not answer within {READY_S:g} s:\n{self.log()}")

    def api(self, method: str, path: str) -> object:
        """Call the server's REST API; returns the decoded answer, if there is one."""
        headers = {"Authorization": f"token {self._token}"}
        request = urllib.request.Request(f"{self.url}/api{path}", method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def page_url(self, notebook: str, workspace: str) -> str:
        """The address of JupyterLab with this notebook open, in a workspace of its own."""
        return f"{self.url}/lab/workspaces/{workspace}/tree/{notebook}?token={self._token}"

    def shut_kernels_down(self) -> None:
        """End every session, so that one test's kernels are not the next one's load."""
        sessions = self.api("GET", "/sessions")
        assert isinstance(sessions, list)
        for session in sessions:
            self.api("DELETE", f"/sessions/{session['id']}")

    def log(self) -> str:
        return self._log.read_text(errors="replace").replace(self._token, "…")[-6000:]

    def wait(self) -> None:
        """Wait until the server ends by itself."""
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._home.name, ignore_errors=True)
        self._home.cleanup()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
