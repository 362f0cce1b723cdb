"""Finding a served kernel: which file counts, and which is stale or not ours."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nbask.cli import main
from nbask.serve.rendezvous import Rendezvous, described, find, folder, living, remove, write


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))


@pytest.fixture
def served() -> Iterator[Callable[..., Rendezvous]]:
    """A rendezvous whose server takes connections, written: `served(kernel=…, notebook=…)`."""
    sockets: list[socket.socket] = []

    def make(**rest: Any) -> Rendezvous:
        listening = socket.create_server(("127.0.0.1", 0))
        sockets.append(listening)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        one = Rendezvous(**{"url": url, "token": "t", "kernel": "k1", "pid": os.getpid(), **rest})
        write(one)
        return one

    yield make
    for one in sockets:
        one.close()


def test_the_kernel_that_was_served_last_comes_first(served: Callable[..., Rendezvous]) -> None:
    first = served(kernel="a", started=1.0)
    second = served(kernel="b", started=2.0)
    assert living() == [second, first]


def test_the_kernel_that_is_meant_is_found_and_by_default_the_last(served: Callable[..., Rendezvous]) -> None:
    first = served(kernel="a", notebook="work/study.ipynb", started=1.0)
    second = served(kernel="b", started=2.0)
    assert [find(), find("study"), find("b"), find("other")] == [second, first, second, None]


def test_no_folder_is_no_kernel() -> None:
    assert living() == []
    assert find() is None


def test_a_file_of_a_process_that_is_gone_is_ignored(served: Callable[..., Rendezvous]) -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    served(pid=int(gone.stdout))
    assert living() == []


def test_a_file_whose_server_takes_no_connection_is_ignored(served: Callable[..., Rendezvous]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        served(url=f"http://127.0.0.1:{free.getsockname()[1]}/mcp")
        assert living() == []


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"v": 2}', '{"v": 1, "url": 3}', '{"v": 1, "url": "http://evil.example/mcp", "token": "t", "kernel": "k", "pid": 1}'],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_ignored(text: str, served: Callable[..., Rendezvous]) -> None:
    whole = served()
    path = folder() / "other.json"
    path.write_text(text)
    path.chmod(0o600)
    assert living() == [whole]


def test_a_file_that_points_away_from_this_machine_is_ignored(served: Callable[..., Rendezvous]) -> None:
    served(url="http://10.0.0.1:80/mcp")
    served(kernel="k2", url="http://127.0.0.1.evil.example:80/mcp")
    assert living() == []


@pytest.mark.skipif(sys.platform == "win32", reason="the runtime folder is in the user's own profile there")
def test_a_file_that_others_can_read_or_that_is_a_link_is_ignored(served: Callable[..., Rendezvous]) -> None:
    served(kernel="open")
    (folder() / "open.json").chmod(0o644)
    served(kernel="real")
    moved = folder() / "elsewhere"
    (folder() / "real.json").rename(moved)
    (folder() / "real.json").symlink_to(moved)
    assert living() == []


def test_a_file_is_removed_by_its_own_server_alone(served: Callable[..., Rendezvous]) -> None:
    old, new = served(token="old"), served(token="new")
    path = folder() / "k1.json"
    remove(path, old.token)
    assert json.loads(path.read_text())["token"] == "new"
    remove(path, new.token)
    remove(path, new.token)
    assert not path.exists()


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ("study.ipynb", True),
        ("study", True),
        ("work/study.ipynb", True),
        ("/home/ann/work/study.ipynb", True),
        ("01234567", True),
        ("01234567-89ab", True),
        ("0123", False),
        ("", False),
        ("ork/study.ipynb", False),
        ("other", False),
        ("work", False),
    ],
)
def test_a_kernel_is_named_by_its_notebook_or_its_id(wanted: str, fits: bool) -> None:
    one = Rendezvous("http://127.0.0.1:1/mcp", "t", "01234567-89ab", 1, "/home/ann/work/study.ipynb")
    assert one.fits(wanted) is fits


def test_the_list_names_kernels_and_no_tokens(
    served: Callable[..., Rendezvous], capsys: pytest.CaptureFixture[str]
) -> None:
    one = served(token="secret-token", notebook="work/study.ipynb")
    assert main(["mcp", "--list"]) == 0
    said = capsys.readouterr().out
    assert said == described(one) + "\n"
    assert "study.ipynb" in said
    assert "secret-token" not in said


def test_an_empty_list_says_what_to_do_and_gives_a_program_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    assert main(["mcp", "--list"]) == 0
    assert capsys.readouterr() == ("", "No kernel is served now; run %nbask serve in a notebook.\n")


def test_the_list_does_not_wait_for_the_sdk() -> None:
    code = (
        "import sys; from nbask.cli import main; main(['mcp', '--list']); print({'mcp', 'uvicorn'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "set()\n"
