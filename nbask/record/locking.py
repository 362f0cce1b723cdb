"""A lock between processes and threads, for as long as a file is read, merged and written."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path

PATIENCE = 10.0
"""Seconds to wait for another process, which holds the lock for milliseconds."""
_TICK = 0.002
_GIVE_WAY = 0.1
"""Seconds for which a writer stands back after it has kept another waiting."""


@contextlib.contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold the lock of `path`: a hidden file beside it, which goes with the lock. A dead process holds none.

    Raises:
        OSError: The directory cannot be written to, or another process does not let go.
    """
    lock = path.with_name(f".{path.name}.lock")
    handle = _acquired(lock)
    try:
        yield
    finally:
        awaited = os.fstat(handle).st_size > 0
        with contextlib.suppress(OSError):  # Windows does not, while somebody waits for it
            lock.unlink()  # by its holder, so that nobody's lock is ever taken away
        os.close(handle)
        if awaited:  # who writes answer upon answer would never let the others in
            time.sleep(_GIVE_WAY)


def _acquired(lock: Path) -> int:
    give_up = time.monotonic() + PATIENCE
    while True:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        held = False
        try:
            held = _take(handle) and _is_at(lock, handle)
            if not held:
                with contextlib.suppress(OSError):  # Windows does not let a locked file be written to
                    os.write(handle, b".")  # whoever holds it sees that somebody waits
        finally:
            if not held:  # or it is a file that its last holder has taken away
                os.close(handle)
        if held:
            return handle
        if time.monotonic() > give_up:
            raise TimeoutError(f"another process holds {lock.name}")
        time.sleep(_TICK)


def _is_at(lock: Path, handle: int) -> bool:
    try:
        return os.path.samestat(lock.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
