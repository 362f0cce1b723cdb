"""The living functions of the package, whose code is swapped for a mutant's."""

from __future__ import annotations

import gc
import importlib
import types
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from mutation.mutants import Mutant


class Functions:
    """All living functions of some modules, so that their code can be swapped for a mutant's.

    A function keeps its identity, so decorators, registries and pydantic, which hold it, run the new code.
    """

    def __init__(self, package: Path, modules: Iterable[str]) -> None:
        for module in modules:
            importlib.import_module(f"{package.name}.{_dotted(module)}".removesuffix(".__init__"))
        self._package = package
        self._living: defaultdict[tuple[str, str, int], list[types.FunctionType]] = defaultdict(list)
        for found in gc.get_objects():
            if isinstance(found, types.FunctionType):
                code = found.__code__
                self._living[code.co_filename, code.co_name, code.co_firstlineno].append(found)
        gc.freeze()

    def swap(self, mutant: Mutant) -> None:
        """Put a mutant in place.

        Raises:
            ValueError: If that cannot be: nothing lives that has the code, or it needs other free variables.
        """
        path = str(self._package / mutant.module)
        before = compile(Path(path).read_text(), path, "exec", dont_inherit=True)
        after = compile(mutant.source, path, "exec", dont_inherit=True)
        swapped = 0
        for old, new in _pairs(before, after):
            for function in self._living[path, old.co_name, old.co_firstlineno]:
                function.__code__ = new
                swapped += 1
        if not swapped:
            raise ValueError(f"{mutant.module} {mutant.function} has no living function.")


def _dotted(module: str) -> str:
    return module.removesuffix(".py").replace("/", ".")


def _pairs(before: types.CodeType, after: types.CodeType) -> Iterator[tuple[types.CodeType, types.CodeType]]:
    """The functions that differ, each with what becomes of it, nested ones too."""
    old, new = ([const for const in code.co_consts if isinstance(const, types.CodeType)] for code in (before, after))
    if [code.co_name for code in old] != [code.co_name for code in new]:
        return
    for one, other in zip(old, new, strict=True):
        if one != other:
            yield one, other
            yield from _pairs(one, other)
