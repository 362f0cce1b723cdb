"""How a coding agent finds a kernel: a file that a served kernel leaves in Jupyter's runtime folder."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

REACH = 0.5
"""Seconds a server on this machine has to take a connection."""


SHORT = 8
"""Characters of a kernel's id that stand for it."""


@dataclass(frozen=True)
class Rendezvous:
    """Where a kernel's server is, and how to be let in.

    Args:
        url: The server's address.
        token: Its bearer token.
        kernel: The kernel's id.
        pid: Its process.
        notebook: The notebook's path or name, where it is known.
        started: When the server was started, in seconds since the epoch.
    """

    url: str
    token: str = field(repr=False)
    kernel: str
    pid: int
    notebook: str | None = None
    started: float = 0.0

    @property
    def name(self) -> str:
        """What a person calls it: the notebook's name, else the kernel's id."""
        return Path(self.notebook).name if self.notebook else self.kernel

    def fits(self, wanted: str) -> bool:
        """Whether this is the kernel that a person means: by notebook name, path or kernel id."""
        if self.notebook:
            path = Path(self.notebook)
            tail = path.parts[-len(Path(wanted).parts) :]
            if wanted in (path.name, path.stem) or tail == Path(wanted).parts:
                return True
        # The beginning of an id that is as short as a notebook's name may be meant as one.
        return self.kernel == wanted or (len(wanted) >= SHORT and self.kernel.startswith(wanted))


def folder() -> Path:
    """Where the files are."""
    from jupyter_core.paths import jupyter_runtime_dir

    return Path(jupyter_runtime_dir(), "nbask")


def write(rendezvous: Rendezvous) -> Path:
    """Leave the file, whole or not at all, for this user alone to read; returns its path."""
    place = folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = place / f"{rendezvous.kernel}.json"
    # mkstemp makes it 0600 from its first moment on.
    handle, part = tempfile.mkstemp(dir=place, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"v": 1, **asdict(rendezvous)}, file)
        Path(part).replace(path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
    return path


def remove(path: Path, token: str) -> None:
    """Take the file away, unless a later server has put its own in its place."""
    with contextlib.suppress(OSError, ValueError):
        if json.loads(path.read_text(encoding="utf-8")).get("token") == token:
            path.unlink()


def living() -> list[Rendezvous]:
    """The kernels that are served now, the one that was served last first. What is stale or not ours is ignored."""
    found = [one for path in _files() if (one := _read(path)) is not None]
    return sorted((one for one in found if _runs(one.pid) and _listens(one.url)), key=lambda one: -one.started)


def find(wanted: str | None = None) -> Rendezvous | None:
    """The served kernel that a person means, by notebook name, path or kernel id; by default the one served last."""
    return next((one for one in living() if wanted is None or one.fits(wanted)), None)


def _files() -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from sorted(folder().glob("*.json"))


def _read(path: Path) -> Rendezvous | None:
    try:
        if not _ours_alone(path):
            return None
        given = json.loads(path.read_text(encoding="utf-8"))
        if given.pop("v") != 1:
            return None
        one = Rendezvous(**given)
        local = urlsplit(one.url).hostname == "127.0.0.1" and isinstance(one.pid, int)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return one if local else None


def _ours_alone(path: Path) -> bool:
    """Whether nobody else can have written or read it; a token in other hands is no token."""
    if sys.platform == "win32":  # the runtime folder is in the user's own profile there
        return True
    found = path.lstat()
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _runs(pid: int) -> bool:
    if sys.platform == "win32":  # where signal 0 is Ctrl-C
        return True
    try:
        os.kill(pid, 0)
    except (OSError, OverflowError):
        return False
    return True


def _listens(url: str) -> bool:
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=REACH):
            return True
    except (OSError, ValueError):
        return False


def described(one: Rendezvous) -> str:
    """A line on a served kernel, without its token."""
    since = time.strftime("%H:%M", time.localtime(one.started))
    return f"{one.name}  kernel {one.kernel[:SHORT]}  since {since}  {one.url}"
