"""Which module may know of what: proved by importing them where the rest is blocked."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nbask

PACKAGE = Path(nbask.__file__).parent
PURE = [
    *("questions", "kinds", "replies", "desk", "reading", "routing", "wire", "errors"),
    *("builders", "diffing", "journal"),
    *("record.session", "record.recorder", "record.replay"),
]
JUPYTER = ["IPython", "anywidget", "ipywidgets", "traitlets", "comm", "markdown_it", "nh3", "ipykernel", "zmq"]
HEAVY = [*JUPYTER, "pygments", "jsonschema", "yaml", "nest_asyncio2"]
BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ImportError(f"{{name}} is blocked")
sys.meta_path.insert(0, Block())
"""
PRIVATE = ["shell_channel_thread", "_recv_callback", "_parent_ident", "shell_stream", "stdin_socket", "io_loop"]


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=PACKAGE.parent, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("module", PURE)
def test_a_pure_module_imports_where_jupyter_is_blocked(module: str) -> None:
    run(BLOCK.format(blocked=HEAVY) + f"import nbask.{module}")


def test_the_block_blocks() -> None:
    with pytest.raises(AssertionError, match="traitlets is blocked"):
        run(BLOCK.format(blocked=HEAVY) + "import nbask.settings")


def test_an_ask_is_opened_and_settled_where_jupyter_is_blocked() -> None:
    code = """
from nbask import Ask, Question
from nbask.desk import Desk
from nbask.reading import read_reply
desk = Desk()
ask = Ask(Question("Red?", ["Red", "Blue"]))
pending = desk.open(ask)
picked = {"q1": {"selected": ["o2"], "other": None, "value": None, "notes": None}}
message = {"type": "reply", "ask": ask.id, "action": "submit", "answers": picked, "message": None}
desk.settle(ask.id, read_reply(ask, message, "card"))
print(pending.reply.value)
"""
    assert run(BLOCK.format(blocked=HEAVY) + code).strip() == "Blue"


def test_importing_nbask_is_light() -> None:
    loaded = run("import sys; from nbask import *; print(*{name.partition('.')[0] for name in sys.modules})").split()
    assert "pydantic" in loaded
    assert not set(HEAVY) & set(loaded)


def test_importing_nbask_alone_does_not_even_load_what_it_offers() -> None:
    loaded = run("import sys, nbask; print(*sys.modules)").split()
    assert not {"pydantic", "nbask.asking"} & set(loaded)


def test_a_scripted_ask_needs_no_card() -> None:
    code = """
import sys
from nbask import ask
from nbask.testing import scripted
with scripted({"Red?": "Red"}):
    assert ask("Red?", ["Red"]) == "Red"
print(*{name.partition('.')[0] for name in sys.modules})
"""
    assert not {"anywidget", "ipywidgets", "IPython"} & set(run(code).split())


SOURCES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", [path for path in SOURCES if path.parts[0] != "waiting"], ids=str)
def test_only_the_waiting_code_touches_a_kernels_privates(path: Path) -> None:
    source = (PACKAGE / path).read_text(encoding="utf-8")
    assert not [name for name in PRIVATE if re.search(rf"\b{name}\b", source)]


@pytest.mark.parametrize("path", [path for path in SOURCES if path.parts[0] == "adapters"], ids=str)
def test_an_adapter_knows_no_front_and_no_waiting(path: Path) -> None:
    assert not re.search(r"nbask\.(fronts|waiting|host)", (PACKAGE / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", [path for path in SOURCES if path.parts[0] == "fronts"], ids=str)
def test_a_front_knows_no_adapter(path: Path) -> None:
    assert not re.search(r"nbask\.(adapters|asking|runtime)", (PACKAGE / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("desk.py", "import IPython"),
        ("kinds/base.py", "from nbask import questions"),
        ("fronts/text.py", "from nbask import runtime"),
        ("fronts/shown.py", "from nbask.waiting import tap"),
        ("adapters/langgraph/reviews.py", "from nbask.fronts import text"),
        ("adapters/recipes/ag2.py", "from nbask.adapters import langgraph"),
        ("record/replay.py", "from nbask import receipts"),
        ("hosts/base.py", "def late():\n    import zmq"),
        ("stray.py", ""),
    ],
)
def test_a_room_that_imports_what_it_may_not_breaks_a_rule(tmp_path: Path, file: str, line: str) -> None:
    root = tmp_path / "tree"
    shutil.copytree(PACKAGE, root / "nbask", ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(PACKAGE.parent / "pyproject.toml", root)
    with (root / "nbask" / file).open("a", encoding="utf-8") as module:
        module.write(f"\n{line}\n")
    assert "BROKEN" in _import_rules(root)


def test_every_room_keeps_the_import_rules(tmp_path: Path) -> None:
    assert " 0 broken" in _import_rules(PACKAGE.parent)


def _import_rules(root: Path) -> str:
    code = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", code, "--no-logo", "--no-cache"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=root, check=False)
    assert done.stderr == ""
    return done.stdout
