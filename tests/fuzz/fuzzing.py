"""Attacks one target under atheris, or runs files through it without; `scripts/fuzz` is the way to call it."""

from __future__ import annotations

import argparse
import hashlib
import logging
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
FOUND = HERE.parents[1] / "test-results" / "fuzz"
LONGEST = 1024
"""Bytes of an input; what needs more is found by hand."""
MOST = 60
"""Inputs that are kept of one target."""
PATIENCE = 60
"""Seconds after which an input counts as a hang."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/fuzz")
    parser.add_argument("target", help="which boundary")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep what was found in the corpus, as few as say most")
    parser.add_argument("--replay", type=Path, nargs="+", metavar="FILE", help="run these, and nothing else")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)  # what is refused is logged, thousands of times
    if given.replay:
        return replay(given.target, given.replay)
    if given.keep:
        return keep(given.target)
    return attack(given.target, given.seconds, given.seed)


def replay(name: str, files: list[Path]) -> int:
    """Run files through a target; the first fault ends it, with its traceback."""
    from targets import TARGETS

    for file in files:
        TARGETS[name](file.read_bytes())
        print(f"{file}: as promised")
    return 0


def keep(name: str) -> int:
    """Put those inputs into the corpus that reach most of nbask, of what was found and what is there already."""
    from reach import chosen
    from targets import TARGETS

    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    folders = (folder, FOUND / "corpus" / name, FOUND / "faults" / name)
    inputs = {file.read_bytes() for one in folders for file in one.glob("*") if file.suffix != ".txt"}
    kept = chosen(TARGETS[name], inputs, MOST)
    for file in folder.iterdir():
        file.unlink()
    for data in kept:
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    print(f"{name}: kept {len(kept)} of {len(inputs)} inputs")
    return 0


def attack(name: str, seconds: int, seed: int) -> int:
    """Search for as long as that. What is found is kept under `test-results/fuzz`, where the next search begins."""
    import atheris  # pyright: ignore[reportMissingImports, reportMissingModuleSource]

    with atheris.instrument_imports(include=["nbask"]):  # pyright: ignore[reportAttributeAccessIssue]
        from targets import TARGETS

    faults, found, kept = FOUND / "faults" / name, FOUND / "corpus" / name, CORPUS / name
    for folder in (faults, found, kept):
        folder.mkdir(parents=True, exist_ok=True)
    words = [
        *("fuzz", f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST}", f"-timeout={PATIENCE}"),
        *("-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={faults}/"),
        *map(str, (found, kept)),
    ]
    guarded = Guarded(TARGETS[name], faults)
    guarded(b"")  # what is imported at first use is no hang
    atheris.Setup(words, guarded)
    atheris.Fuzz()  # ends the process; what hangs or eats the memory ends it too, with another code than 0
    return 0


class Guarded:
    """A target that goes on after a fault, and keeps the shortest input for each place that one comes from."""

    def __init__(self, target: Callable[[bytes], None], folder: Path) -> None:
        self._target = target
        self._folder = folder
        self._shortest: dict[str, int] = {}

    def __call__(self, data: bytes) -> None:
        try:
            self._target(data)
        except Exception as fault:
            where = _where(fault)
            if len(data) < self._shortest.get(where, sys.maxsize):
                self._keep(where, data, fault)

    def _keep(self, where: str, data: bytes, fault: Exception) -> None:
        name = hashlib.sha256(where.encode()).hexdigest()[:16]
        (self._folder / name).write_bytes(data)
        if where not in self._shortest:
            said = "".join(traceback.format_exception(fault))
            (self._folder / f"{name}.txt").write_text(said, encoding="utf-8", errors="backslashreplace")
            print(f"fault {name}: {where}: {fault!r:.200}".encode("ascii", "backslashreplace").decode(), flush=True)
        self._shortest[where] = len(data)


def _where(fault: BaseException) -> str:
    frames = traceback.extract_tb(fault.__traceback__)
    return " < ".join([type(fault).__name__, *(f"{Path(one.filename).name}:{one.lineno}" for one in frames[:-4:-1])])


if __name__ == "__main__":
    sys.exit(main())
