"""Build hook: the front end's files must be in `nbask/static` before anything is packed.

They are made from `js/` with npm. An sdist carries them ready-made, so that a wheel can be built
from it where there is no Node.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = ("card.js", "card.css", "stub.js", "inbox.js", "inbox.css")
NOT_SOURCES = {"node_modules", "test", "dev", "coverage"}


def sources(js: Path) -> list[Path]:
    """The files that the built ones are made of."""
    return [path for path in js.rglob("*") if path.is_file() and not NOT_SOURCES & set(path.relative_to(js).parts)]


def is_stale(static: Path, js: Path) -> bool:
    """Whether a built file is missing, or older than a source."""
    built = [static / name for name in BUILT]
    if not all(path.is_file() for path in built):
        return True
    newest = max((path.stat().st_mtime for path in sources(js)), default=0.0)
    return min(path.stat().st_mtime for path in built) < newest


class FrontEndHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        static, js = root / "nbask" / "static", root / "js"
        if not is_stale(static, js):
            return
        npm = shutil.which("npm")
        if npm and (js / "package.json").is_file():
            self.app.display_info("nbask: building the front end with npm")
            subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=js, check=True)
            subprocess.run([npm, "run", "build"], cwd=js, check=True)
        missing = [name for name in BUILT if not (static / name).is_file()]
        if missing:
            raise RuntimeError(
                f"nbask/static lacks {', '.join(missing)}: install Node.js with npm, which build the front end "
                "from js/, or build from nbask's sdist, which has it ready-made."
            )
