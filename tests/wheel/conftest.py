"""The built distributions, made once from this tree: the sdist, and from it the wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Run = Callable[..., str]


@pytest.fixture(scope="session")
def without_node(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose PATH has nothing on it, so neither node nor npm."""
    empty = tmp_path_factory.mktemp("empty-path")
    kept = {name: value for name, value in os.environ.items() if name not in ("PATH", "PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, "PATH": str(empty)}


@pytest.fixture(scope="session")
def run() -> Run:
    def run(*command: object, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
        """Run a command to its end; on failure, fail with all it said."""
        done = subprocess.run(
            [str(part) for part in command],
            env=env,
            cwd=cwd,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=150,
        )
        assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    return run


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    """What `python -m build` makes. Without isolation, as this environment has hatchling, pinned."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT)
    return out


@pytest.fixture(scope="session")
def wheel(dist: Path) -> Path:
    (wheel,) = dist.glob("nbask-*.whl")
    return wheel


@pytest.fixture(scope="session")
def sdist(dist: Path) -> Path:
    (sdist,) = dist.glob("nbask-*.tar.gz")
    return sdist


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory, wheel: Path, run: Run, without_node: dict[str, str]) -> Path:
    """The interpreter of an environment with the wheel, what it asks for, and a kernel; nothing else."""
    home = tmp_path_factory.mktemp("bare")
    run(sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    uv = Path(sys.executable).with_name("uv")
    pins = ROOT / "requirements" / "kernel.txt"
    # The pins constrain, they do not add: what is missing from the wheel's metadata is missing here.
    run(uv, "pip", "install", "--python", python, "--constraints", pins, wheel, "ipykernel==7.3.0", env=without_node)
    return python
