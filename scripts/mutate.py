"""What `scripts/mutate` does; run that instead."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
CACHE = Path(os.environ["NBASK_CACHE"])
sys.path.append(str(CACHE / "attack"))  # last: the tests run on what the dev environment has

from mutation.ground import Ground, Outcome, tested_copy  # noqa: E402
from mutation.living import Functions  # noqa: E402
from mutation.mutants import Key, Mutant, mutants_of  # noqa: E402
from mutation.page import explained  # noqa: E402

PAGE = ROOT / "docs" / "mutation.md"
LAST = CACHE / "mutate.json"
"""What the last runs found, so that `--again` knows what nobody noticed."""

MODULES = [
    *("desk", "reading", "replies", "questions", "options", "kinds", "routing", "schema", "checking", "patterns"),
    *("schema_faults", "references", "forms", "record", "journal", "logbook", "receipts", "diffing", "builders"),
    *("choosing", "plans", "text", "errors", "testing", "settings"),
    *("waiting/__init__", "waiting/base", "waiting/later", "waiting/plain", "waiting/tap", "waiting/gate"),
    *("waiting/inlet", "waiting/outlet", "waiting/nested", "waiting/stdin", "waiting/typed", "waiting/marimo"),
    "asking",
]
"""The pure modules and the waiting."""
AT_IMPORT = {"asking.py": ["tests/unit/test_asking.py"]}
"""What runs when nbask is imported, and the tests on which a fresh process tries what is not noticed after that."""
TESTS = [
    *("approval", "asking", "builders", "checking", "consent", "decisions", "desk", "diffing", "errors", "fields"),
    *("forms", "inputs", "kinds", "later", "marimo", "patterns", "questions", "reading", "receipts", "record"),
    *("record_answers", "record_entries", "record_fingerprint", "record_notebooks", "replies", "routing", "schema"),
    *("schema_faults", "settings", "testing", "text", "text_front", "waiting_base", "waiting_nested", "waiting_stdin"),
    "wire",
]
"""The files of `tests/unit` that say what those modules do; the others are about what stands on them."""

KERNEL_MODULES = {
    "waiting/tap.py": "7.4.0",
    "waiting/gate.py": "6.31.0",
    "waiting/inlet.py": "7.4.0",
    "waiting/outlet.py": "7.4.0",
    "waiting/nested.py": "6.31.0",
    "waiting/stdin.py": "6.31.0",
}
"""What unit tests show with stand-ins for a kernel, and the ipykernel on which the rest is tried."""
KERNEL_TESTS = [
    *("answer_arrives", "test_c10_interrupt", "test_page_reloaded", "test_loading_twice", "test_c11_queued"),
    *("test_c18", "test_a_page_has_its_draft", "test_other_tasks", "test_asked_from_a_thread", "test_receipt_takes"),
    "test_a28_a_blocking",
]
"""What is tried on them, of `tests/kernel`: a few, as each change needs a kernel of its own."""


def main() -> int:
    """Try the mutants that the arguments name; 1 if some were noticed by no test and are not explained."""
    options = _arguments()
    known = explained(PAGE)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts what is in the background without it
    with tempfile.TemporaryDirectory(prefix="nbask-mutants-") as scratch:
        copy = _copied(Path(scratch).resolve())
        os.chdir(copy)
        tested_copy(copy / "nbask")
        kind, modules = (KernelTrial, list(KERNEL_MODULES)) if options.kernels else (Trial, MODULES)
        trial = kind(copy / "nbask", _modules(copy / "nbask", options.modules or modules), options)
        trial.run()
    return trial.report(known)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/mutate",
        description="Changes nbask in small ways, one at a time and in a copy, and says which no test notices.",
        epilog="Exits with 1 if a change went unnoticed that docs/mutation.md does not explain.",
    )
    parser.add_argument("modules", nargs="*", help="modules or folders: desk, kinds, waiting/base (all by default)")
    parser.add_argument(
        "--kernels", action="store_true", help="what unit tests did not notice of waiting/, on real kernels"
    )
    parser.add_argument("--again", action="store_true", help="only what nobody noticed when it was last tried")
    parser.add_argument("--sample", type=int, metavar="N", help="at most N changes of each module, chosen at random")
    parser.add_argument("--seed", type=int, default=1, help="what the sample is chosen by (1)")
    parser.add_argument("--minutes", type=float, default=120, help="begin no further change after so long (120)")
    return parser.parse_args()


def _copied(scratch: Path) -> Path:
    """A copy of what the tests need: nothing of the tree itself is ever changed."""
    for folder in ("nbask", "docs", "requirements", "tests/unit", "tests/kernel", "tests/wire"):
        shutil.copytree(ROOT / folder, scratch / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("tests/conftest.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, scratch / file)
    return scratch


def _modules(package: Path, named: Iterable[str]) -> list[str]:
    """The files these names stand for.

    Raises:
        SystemExit: If one stands for none.
    """
    found: list[str] = []
    for name in named:
        path = package / name.removesuffix(".py").removesuffix("/")
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        if missing := [file for file in files if not file.is_file()]:
            raise SystemExit(f"nbask: there is no module {name!r}: no file {missing[0].relative_to(package.parent)}.")
        found += [str(file.relative_to(package)) for file in files]
    return list(dict.fromkeys(found))


class Trial:
    """Tries the mutants of some modules, and remembers how each ended."""

    def __init__(self, package: Path, modules: list[str], options: argparse.Namespace) -> None:
        self.found: dict[str, list[tuple[Mutant, Outcome]]] = defaultdict(list)
        self._package = package
        self._modules = modules
        self._options = options
        self._ends = time.monotonic() + options.minutes * 60
        self._left = 0

    def run(self) -> None:
        """Collect the tests, and try all mutants on them."""
        output = self._package.parent / "pytest.txt"
        with _Quiet(output):
            try:
                Ground(self._package, self._try_all).run(self._tests())
            except RuntimeError as error:
                raise SystemExit(f"nbask: {error}\n{output.read_text()[-3000:]}") from None

    def _tests(self) -> list[str]:
        """What pytest is to collect."""
        return [f"tests/unit/test_{name}.py" for name in TESTS]

    def _try_all(self, ground: Ground) -> None:
        _say(f"seeing what each of {len(ground.items)} tests runs, unchanged")
        covered = ground.measure(CACHE / "mutate-measured.json", limit=900)
        functions = Functions(self._package, self._modules)

        def in_process(mutant: Mutant) -> Outcome:
            return ground.try_in_process(mutant, covered.by(mutant), functions)

        for module in self._modules:
            files = AT_IMPORT.get(module)
            self._try_module(module, in_process if files is None else _afresh_too(ground, in_process, files))

    def _try_module(self, module: str, attempt: Callable[[Mutant], Outcome]) -> None:
        begun = time.monotonic()
        mutants = self._chosen(module)
        for at, mutant in enumerate(mutants):
            if time.monotonic() > self._ends:
                self._left += len(mutants) - at
                break
            self.found[module].append((mutant, attempt(mutant)))
            if at % 50 == 49:
                _say(f"  {_counted(module, self.found[module])} so far, of {len(mutants)}")
        if self.found[module]:
            _say(f"{_counted(module, self.found[module])} ({time.monotonic() - begun:.0f} s)")
            _remember(module, self.found[module])

    def _chosen(self, module: str) -> list[Mutant]:
        mutants = mutants_of(self._package, module)
        if self._options.again or self._options.kernels:
            unnoticed = _last(module)
            mutants = [mutant for mutant in mutants if mutant.key in unnoticed]
        if self._options.sample is not None and len(mutants) > self._options.sample:
            chosen = random.Random(f"{self._options.seed} {module}").sample(mutants, self._options.sample)
            return sorted(chosen, key=lambda mutant: mutant.lines.start)
        return mutants

    def report(self, known: set[Key]) -> int:
        """Print what came of it; 1 if something went unnoticed that is not explained."""
        all_found = [pair for found in self.found.values() for pair in found]
        survivors = {mutant.key: mutant for mutant, outcome in all_found if outcome in ("survived", "not run")}
        unexplained = [mutant for key, mutant in survivors.items() if key not in known]
        for mutant in unexplained:
            _say(f"\n{mutant}")
        _say("")
        if not (self._options.again or self._options.kernels or self._options.sample or self._left):
            if not any(outcome == "killed" for _, outcome in all_found):
                _say("no change was noticed at all: are the tests run on the copy?")
                return 1
            for key in sorted(key for key in known - survivors.keys() if key[0] in self.found):
                _say(f"docs/mutation.md explains what is noticed, or gone: {' '.join(key[:2])}: {key[3]}")
        _say(f"{_counted('all', all_found)}, {len(unexplained)} unexplained" if all_found else "nothing to try.")
        if self._left:
            _say(f"{self._left} were not tried, as the time was up.")
        return 1 if unexplained else 0


class KernelTrial(Trial):
    """The same with what unit tests did not notice last time, each in kernels that are started for it."""

    def _tests(self) -> list[str]:
        os.environ["NBASK_KERNELS"] = " ".join(sorted(set(KERNEL_MODULES.values())))
        return ["tests/kernel", "-k", " or ".join(KERNEL_TESTS)]

    def _try_all(self, ground: Ground) -> None:
        limits: dict[str, float] = {}
        for module in self._modules:
            if module not in KERNEL_MODULES:
                raise RuntimeError(f"--kernels is for {', '.join(KERNEL_MODULES)}, not {module}.")
            version = KERNEL_MODULES[module]
            names = [name for name in ground.items if f"[{version}" in name]
            verdict = partial(ground.verdict, names)
            if version not in limits:
                _say(f"running {len(names)} tests on ipykernel {version}, unchanged")
                limits[version] = 10 + 2 * ground.time(verdict, limit=300)
            self._try_module(module, partial(ground.try_on_disk, verdict=verdict, limit=limits[version]))


def _afresh_too(ground: Ground, attempt: Callable[[Mutant], Outcome], files: list[str]) -> Callable[[Mutant], Outcome]:
    """Try a mutant in this way, and then in a fresh process if nobody has noticed it."""
    verdict = partial(ground.afresh, files)
    limit = 10 + 2 * ground.time(verdict, limit=300)

    def both(mutant: Mutant) -> Outcome:
        outcome = attempt(mutant)
        return outcome if outcome in ("killed", "timeout") else ground.try_on_disk(mutant, verdict, limit)

    return both


def _counted(name: str, found: list[tuple[Mutant, Outcome]]) -> str:
    counts = Counter(outcome for _, outcome in found)
    return f"{name}: {len(found)} changes, " + ", ".join(
        f"{counts[outcome]} {outcome}" for outcome in ("killed", "timeout", "survived", "not run") if counts[outcome]
    )


def _remember(module: str, found: list[tuple[Mutant, Outcome]]) -> None:
    kept = json.loads(LAST.read_text()) if LAST.exists() else {}
    kept[module] = [mutant.key for mutant, outcome in found if outcome in ("survived", "not run")]
    LAST.write_text(json.dumps(kept, indent=1))


def _last(module: str) -> set[Key]:
    kept = json.loads(LAST.read_text()) if LAST.exists() else {}
    return {(key[0], key[1], key[2], key[3]) for key in kept.get(module, ())}


_OUT = os.dup(1)


def _say(line: str) -> None:
    os.write(_OUT, f"{line}\n".encode())


class _Quiet:
    """Sends what this process and its forks print to a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        sys.stdout.flush()
        self._saved = os.dup(1), os.dup(2)
        target = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        for stream in (1, 2):
            os.dup2(target, stream)
        os.close(target)

    def __exit__(self, *_: object) -> None:
        sys.stdout.flush()
        for stream, saved in zip((1, 2), self._saved, strict=True):
            os.dup2(saved, stream)
            os.close(saved)


if __name__ == "__main__":
    sys.exit(main())
