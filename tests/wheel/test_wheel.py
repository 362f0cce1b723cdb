"""What ships: the wheel's contents and sizes, and that it works where there is no Node and no source tree."""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

from driver import Kernel

ESM_LIMIT = 40 * 1024
CSS_LIMIT = 10 * 1024
WHEEL_LIMIT = 400 * 1024


def test_contents(wheel: Path) -> None:
    """The package with its types and its built front end; no sources of that, no tests."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {"nbask/__init__.py", "nbask/py.typed", "nbask/record/answers.schema.json"} <= names
    assert {"nbask/static/card.js", "nbask/static/card.css", "nbask/static/stub.js"} <= names
    assert {"nbask/static/inbox.js", "nbask/static/inbox.css"} <= names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"nbask"}
    static = {name for name in names if name.startswith("nbask/static/")}
    assert all(name.endswith((".js", ".css")) for name in static), static
    assert not any("__pycache__" in name or name.endswith((".ts", ".tsx", ".map")) for name in names)


def test_sizes(wheel: Path) -> None:
    """Every first card of a kernel carries the code, so its size is a promise."""
    with zipfile.ZipFile(wheel) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
    assert sizes["nbask/static/card.js"] <= ESM_LIMIT
    assert sizes["nbask/static/card.css"] <= CSS_LIMIT
    assert sizes["nbask/static/stub.js"] <= 3 * 1024
    assert wheel.stat().st_size <= WHEEL_LIMIT


def test_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    assert metadata["Name"] == "nbask"
    assert metadata["License-Expression"] == "BSD-3-Clause"
    assert metadata["Requires-Python"] == ">=3.10"
    extras = {"mcp", "claude", "langgraph", "pydantic-ai", "openai-agents", "acp", "terminal", "all"}
    assert set(metadata.get_all("Provides-Extra", [])) == extras
    core = [requirement for requirement in metadata.get_all("Requires-Dist", []) if "extra ==" not in requirement]
    assert not any(requirement.startswith(("ipykernel", "jupyterlab")) for requirement in core)


def test_sdist_has_sources_and_built_files(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"nbask/static/card.js", "js/package.json", "js/package-lock.json", "hatch_build.py"} <= names
    assert not any("node_modules" in name or name.startswith("tests") for name in names)


def test_sdist_builds_the_same_wheel_without_node(
    sdist: Path, wheel: Path, tmp_path: Path, run, without_node: dict[str, str]
) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    out = tmp_path / "out"
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", out, source, env=without_node)
    (again,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())


def test_a_checkout_without_node_is_told_what_to_do(tmp_path: Path, sdist: Path, run, without_node) -> None:
    """No built files and no npm: the build says so in one sentence, and ships nothing broken."""
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    for built in (source / "nbask" / "static").iterdir():
        built.unlink()
    said = run(
        sys.executable,
        "-c",
        "import subprocess, sys; done = subprocess.run([sys.executable, '-m', 'build', '--no-isolation', '--wheel'],"
        " capture_output=True, text=True); print(done.stdout + done.stderr); sys.exit(done.returncode == 0)",
        env=without_node,
        cwd=source,
    )
    assert "install Node.js with npm" in said


def test_import_without_node(bare: Path, run, without_node: dict[str, str], tmp_path: Path) -> None:
    """`import nbask` is light: widgets load with the first card."""
    code = "import nbask, sys; print(nbask.__version__, 'anywidget' in sys.modules, 'ipywidgets' in sys.modules)"
    assert run(bare, "-c", code, env=without_node, cwd=tmp_path).split() == ["0.1.0", "False", "False"]


def test_the_installed_command_finds_nothing_to_mend(
    bare: Path, run, without_node: dict[str, str], tmp_path: Path
) -> None:
    """`nbask doctor` is on the path of whoever installs the wheel, and looks at that very environment."""
    said = run(bare.with_name("nbask"), "doctor", env=without_node, cwd=tmp_path)
    assert said.endswith("nothing to mend\n")
    assert re.search(r"^  widgets +built$", said, re.MULTILINE)


def test_a_real_ask_from_the_installed_wheel(bare: Path, without_node: dict[str, str]) -> None:
    kernel = Kernel(bare, env={"PATH": without_node["PATH"]})
    try:
        kernel.run("%load_ext nbask\nimport nbask\nfrom nbask import ask").ok()
        assert "site-packages" in kernel.run("print(nbask.__file__)").ok()
        cell = kernel.run('print(ask("Red or blue?", ["Red", "Blue"]))')
        card = kernel.wait_card().attach()
        assert card.state["_esm"]
        card.pick("Blue")
        assert cell.ok() == "Blue\n"
    finally:
        kernel.shutdown()
