"""A Jupyter server of its own: a free loopback port, a random token, and no trace outside one temporary folder.

It serves JupyterLab, and whatever other front ends are installed beside it: Notebook 7, nbclassic, Voilà.
"""

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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
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
    "--JupyterNotebookApp.expose_app_in_browser=True",
    "--LabApp.extension_manager=readonly",
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
]


class LabServer:
    """A running JupyterLab, of the environment that this Python belongs to.

    Args:
        settings: JupyterLab's user settings, by `<package>/<plugin>`.
        kernels: More kernels than this environment's own, `python3`: their interpreters, by name. They import
            nbask from this tree.
    """

    def __init__(self, settings: Settings = FOR_TESTS, kernels: Mapping[str, Path] | None = None) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="nbask-lab-")
        home = Path(self._home.name)
        self.root = home / "notebooks"
        self.root.mkdir()
        self._settings = home / "config" / "lab" / "user-settings"
        self._write_settings(settings)
        for name, python in (kernels or {}).items():
            self._write_kernel(home / "data" / "kernels" / name, name, python)
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

    def _write_settings(self, settings: Settings) -> list[Path]:
        paths = [self._settings / f"{name}.jupyterlab-settings" for name in settings]
        for path, values in zip(paths, settings.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))
        return paths

    @contextmanager
    def with_settings(self, settings: Settings) -> Iterator[None]:
        """Have pages that are opened meanwhile find these settings, of plugins that have none otherwise."""
        paths = self._write_settings(settings)
        try:
            yield
        finally:
            for path in paths:
                path.unlink()

    @staticmethod
    def _write_kernel(folder: Path, name: str, python: Path) -> None:
        spec = {
            "argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "env": {"PYTHONPATH": str(ROOT)},
            "display_name": name,
            "language": "python",
        }
        folder.mkdir(parents=True)
        (folder / "kernel.json").write_text(json.dumps(spec))

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
        return self.address(f"lab/workspaces/{workspace}/tree/{notebook}")

    def address(self, path: str) -> str:
        """The address of one of the server's pages, for whoever has no cookie of it yet."""
        return f"{self.url}/{path}?token={self._token}"

    def shut_kernels_down(self) -> None:
        """End every kernel, so that one test's are not the next one's load."""
        for kind in ("sessions", "kernels"):  # Voilà's kernels have no session
            for one in self._list(kind):
                self.api("DELETE", f"/{kind}/{one['id']}")

    def kernels(self) -> list[str]:
        """The ids of all kernels that run."""
        return [kernel["id"] for kernel in self._list("kernels")]

    def _list(self, kind: str) -> list[dict[str, Any]]:
        found = self.api("GET", f"/{kind}")
        assert isinstance(found, list)
        return found

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
