"""The changes that are tried, one at a time: mutmut's, and three of our own, inside functions.

mutmut's own runner writes all mutants of a function beside it and has a decorator choose; that passes over what is
decorated (validators, properties), and puts names into pydantic's classes. So its operators are used here, and
:mod:`mutation.living` puts a mutant in place.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import libcst as cst  # pyright: ignore[reportMissingImports] - scripts/setup attack
from libcst import matchers  # pyright: ignore[reportMissingImports]
from mutmut.mutation import mutators  # pyright: ignore[reportMissingImports]
from mutmut.mutation.file_mutation import Mutation, MutationVisitor, deep_replace  # pyright: ignore[reportMissingImports]
from mutmut.mutation.pragma_handling import IgnoredCode  # pyright: ignore[reportMissingImports]

TOKEN = re.compile(r"""[rbuRBU]*(['"])[\w.:/+*-]+\1""")
"""A string that code reads: a key, a tag, a name. What has spaces, people read."""
NOT_CHANGED = {"cast", "log"}
"""Calls whose arguments only type checkers, or readers of a log, will see."""

NEVER = re.compile(r"(case _:\s*)?assert_never\(.*\)")
"""What the type checker shows that nobody gets to."""

Key = tuple[str, str, str, str]
"""Module, function, the lines that go, the lines that come: what a mutant is known by, wherever it stands."""


@dataclass(frozen=True)
class Mutant:
    """One change of one function.

    Attributes:
        module: The file, from the package on: `kinds/text.py`.
        function: Its qualified name: `Desk.settle`.
        lines: The lines of the statement that is changed, counted from 1: who runs them may notice.
        removed: The lines that go, without their indents.
        added: The lines that come.
        source: The whole module, changed.
    """

    module: str
    function: str
    lines: range
    removed: str
    added: str
    source: str

    @property
    def key(self) -> Key:
        return (self.module, self.function, self.removed, self.added)

    def __str__(self) -> str:
        minus = "\n".join(f"- {line}" for line in self.removed.splitlines())
        plus = "\n".join(f"+ {line}" for line in self.added.splitlines())
        return f"{self.module} {self.function}\n{minus}\n{plus}"


def mutants_of(package: Path, module: str) -> list[Mutant]:
    """All mutants of a module, in the order of its lines."""
    source = (package / module).read_text()
    visitor = _Visitor(_OPERATORS, IgnoredCode(set(), set(), set()))
    tree = cst.MetadataWrapper(cst.parse_module(source)).visit(visitor)
    writer, places = _Writer(tree), _Places(source)
    found: dict[str, Mutant] = {}
    for change in visitor.mutations:
        if change.contained_by_top_level_function is None:
            continue
        changed = writer.changed(change)
        made = _mutant(module, source, changed, places)
        if made is not None and not NEVER.fullmatch(made.removed):
            found.setdefault(changed, made)
    return sorted(found.values(), key=lambda mutant: mutant.lines.start)


class _Writer:
    """Writes a module with one change; only the statement that holds it is written anew."""

    def __init__(self, tree: cst.Module) -> None:
        self._tree = tree
        self._head = [tree.code_for_node(line) for line in tree.header]
        self._parts = [tree.code_for_node(statement) for statement in tree.body]
        self._tail = [tree.code_for_node(line) for line in tree.footer]
        self._at: dict[cst.CSTNode, int] = {}
        for index, statement in enumerate(tree.body):
            self._at[statement] = index
            if isinstance(statement, cst.ClassDef):
                self._at.update(dict.fromkeys(statement.body.body, index))

    def changed(self, change: Mutation) -> str:
        """The module's source with this change."""
        function = change.contained_by_top_level_function
        assert function is not None
        index = self._at[function]
        whole = self._tree.body[index]
        made = deep_replace(function, change.original_node, change.mutated_node)
        if isinstance(whole, cst.ClassDef):
            body = [made if child is function else child for child in whole.body.body]
            made = whole.with_changes(body=whole.body.with_changes(body=body))
        assert isinstance(made, cst.CSTNode)
        parts = [*self._parts[:index], self._tree.code_for_node(made), *self._parts[index + 1 :]]
        return "".join([*self._head, *parts, *self._tail])


def _mutant(module: str, source: str, changed: str, places: _Places) -> Mutant | None:
    before, after = source.splitlines(), changed.splitlines()
    first = _shared(before, after)
    last = _shared(before[first:][::-1], after[first:][::-1])
    place = places.of(first + 1)
    if place is None or not _compiles(changed):
        return None
    removed = [line.strip() for line in before[first : len(before) - last]]
    added = [line.strip() for line in after[first : len(after) - last]]
    return Mutant(module, place[0], place[1], "\n".join(removed), "\n".join(added), changed)


def _shared(one: list[str], other: list[str]) -> int:
    """How many lines two begin with together."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, pair in pairs if pair[0] != pair[1]), min(len(one), len(other)))


def _compiles(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


class _Places:
    """Finds the function and the statement that a line is in."""

    def __init__(self, source: str) -> None:
        self._found: dict[int, tuple[str, range]] = {}
        self._walk(ast.parse(source).body, "", None)

    def of(self, line: int) -> tuple[str, range] | None:
        """The function's name and the statement's lines, or None outside of functions."""
        return self._found.get(line)

    def _walk(self, body: Iterable[ast.stmt], within: str, function: str | None) -> None:
        for statement in body:
            inner = function
            if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and function is None:
                within_it = f"{within}.{statement.name}".lstrip(".")
                if isinstance(statement, ast.ClassDef):
                    self._walk(statement.body, within_it, None)
                else:
                    self._walk(statement.body, within_it, within_it)
                continue
            if inner is not None:
                own = range(statement.lineno, _header_end(statement) + 1)
                for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
                    self._found[line] = (inner, own)
            for nested in _bodies(statement):
                self._walk(nested, within, inner)


def _bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for clause in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
        yield clause.body


def _header_end(statement: ast.stmt) -> int:
    first = [body[0].lineno - 1 for body in _bodies(statement) if body]
    return max(statement.lineno, min(first)) if first else statement.end_lineno or statement.lineno


class _Visitor(MutationVisitor):
    """mutmut's visitor, which goes into decorated functions too: nothing of them is copied here."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef):
            return False
        if isinstance(node, cst.Parameters) or (isinstance(node, cst.Arg) and _is_strict(node)):
            return True
        if isinstance(node, cst.Call) and _name(node.func) in NOT_CHANGED:
            return True
        return super()._skip_node_and_children(node)


def _name(node: cst.BaseExpression) -> str:
    """`cast` of `cast`, `log` of `log.warning`."""
    inner = node.value if isinstance(node, cst.Attribute) else node
    return inner.value if isinstance(inner, cst.Name) else ""


def _is_strict(arg: cst.Arg) -> bool:
    """Whether it is the `strict=` of a zip: it states what holds, as an assert does."""
    return arg.keyword is not None and arg.keyword.value == "strict"


def _is_wording(node: cst.BaseExpression) -> bool:
    """Whether it is text that people read."""
    if isinstance(node, cst.SimpleString):
        return TOKEN.fullmatch(node.value) is None and node.evaluated_value != ""
    return isinstance(node, cst.FormattedString | cst.ConcatenatedString)


def _string(node: cst.BaseString) -> Iterable[cst.BaseString]:
    """`"submit"` -> `"XXsubmitXX"`."""
    if isinstance(node, cst.SimpleString) and TOKEN.fullmatch(node.value):
        yield from list(mutators.operator_string(node))[:1]


def _assigned(node: cst.Assign | cst.AnnAssign) -> Iterable[cst.CSTNode]:
    """`a = b` -> `a = None`; not one false value for another."""
    if not (isinstance(node.value, cst.Name) and node.value.value in ("None", "False")):
        yield from mutators.operator_assignment(node)


def _argument(node: cst.Call) -> Iterable[cst.Call]:
    """`f(a, b)` -> `f(None, b)`, `f(b)`, …"""
    for changed in mutators.operator_arg_removal(node):
        gone = next(arg for arg in node.args if not any(arg is kept for kept in changed.args))
        if not _is_strict(gone) and not _is_wording(gone.value):
            yield changed


def _test(node: cst.If | cst.While) -> Iterable[cst.CSTNode]:
    """`if found:` -> `if not found:`; what mutmut changes the inside of is left to it."""
    if not isinstance(node.test, cst.Comparison | cst.UnaryOperation):
        inner = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        negated = cst.UnaryOperation(cst.Not(whitespace_after=cst.SimpleWhitespace(" ")), inner)
        yield node.with_changes(test=negated)


def _call(node: cst.Expr) -> Iterable[cst.CSTNode]:
    """A statement that is a call -> `pass`; without its `super()`, no code could take a method's place."""
    if isinstance(node.value, cst.Call | cst.Await) and not matchers.matches(node, _OF_SUPER):
        yield cst.Pass()


def _return(node: cst.Return) -> Iterable[cst.CSTNode]:
    """`return value` -> `return None`."""
    if node.value is not None and not isinstance(node.value, cst.Name):
        yield node.with_changes(value=cst.Name("None"))


_OF_SUPER = matchers.Expr(matchers.Call(matchers.Attribute(matchers.Call(matchers.Name("super")))))
_OURS = {
    mutators.operator_string: _string,
    mutators.operator_arg_removal: _argument,
    mutators.operator_assignment: _assigned,
}
_OPERATORS = [
    *((kind, _OURS.get(operator, operator)) for kind, operator in mutators.mutation_operators),
    (cst.If, _test),
    (cst.While, _test),
    (cst.Expr, _call),
    (cst.Return, _return),
]
