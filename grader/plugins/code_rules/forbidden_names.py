"""The rule that some names, such as `eval` or `sys.exit`, are not used."""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from importlib.machinery import PathFinder

from grader.model.rule import RuleFinding
from grader.plugins.code_rules.meanings import Meanings, bindings, own_names
from grader.plugins.code_rules.used_names import all_names
from grader.rules.code_rule import SourceRule
from grader.rules.source import ParsedSource

_WAYS_TO_IMPORT = {"__import__", "import_module", "modules", "__builtins__", "builtins", "exec", "eval"}


@dataclass(frozen=True)
class ForbiddenNames(SourceRule):
    """None of the `names`, such as `eval` or `sys.exit`, is used or imported, except as the program's own."""

    name = "forbidden-names"
    holds_in_modules = True
    broken_by = (
        "One of the names is used or imported. A variable, parameter or function of the program, or of a module of the "
        "student, may be called so. Where it is open whether a variable was assigned already, as after a loop or "
        "`try`, the name means the variable if it is only read, and what Python has built in if it is called. Names "
        "are also found behind other names, in `getattr` and the like with a text that is plain, and in modules that "
        "other modules of Python hold. Names that are made while the program runs, and code in texts, are not seen, "
        "nor modules and functions that go through a collection, an attribute, a loop, a pattern or a call."
    )

    names: tuple[str, ...]

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the uses and imports."""
        meanings = Meanings(source.tree, dict.fromkeys(_never_imported(source.tree)))
        own = own_names(source.tree, {one.module_name: one.tree for one in source.modules})
        imported = frozenset(_imported_modules(source.tree))
        opened = {"": _opened(source.tree), **{one.module_name: _opened(one.tree) for one in source.modules}}
        for node in (one for one in ast.walk(source.tree) if one not in own):
            used = (meant for name in _used(node, meanings, opened) for meant in _meant(name, opened, imported))
            for name in dict.fromkeys(used):
                if name in self.names:
                    yield source.finding(getattr(node, "lineno", None), f"{name} may not be used")


def _imported_modules(tree: ast.AST) -> Iterator[str]:
    """Yield the first names of the modules that a file imports, as they are called outside of it."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(str(module)):
                yield module.partition(".")[0]


def _never_imported(tree: ast.AST) -> Set[str]:
    """Return the names that the program assigns to, but that it imports in no way: they are no modules."""
    used = {name for node in ast.walk(tree) for name in all_names(node)}
    if used & _WAYS_TO_IMPORT:
        return frozenset()
    aliases = [node for node in ast.walk(tree) if isinstance(node, ast.alias)]
    imported = {alias.asname or alias.name.partition(".")[0] for alias in aliases}
    return frozenset() if "*" in imported else (frozenset(bindings(tree)) & sys.stdlib_module_names) - imported


def _meant(name: str, opened: Mapping[str, Sequence[str]], imported: Set[str]) -> Iterator[str]:
    """Yield a dotted name, and what else it means.

    Modules of Python hold those that they import, as in `shutil.os.system`; a package may have others of their names.
    A module of the student gives on what it imports by `*`.
    """
    yield name
    first, *rest = name.split(".")
    if first in ("posix", "nt") and rest:
        yield ".".join(("os", *rest))
    if first in opened:
        yield from (rest[0] if module == "builtins" else ".".join((module, *rest)) for module in opened[first] if rest)
    elif first in imported & sys.stdlib_module_names:
        rest = [part.lstrip("_") for part in rest]
        yield from (".".join(rest[start:]) for start in range(len(rest) - 1))
        yield from rest[-1:] if "builtins" in rest[:-1] else ()
        yield from (part for part in rest[-1:] if part in sys.stdlib_module_names and not _is_package(first))


def _is_package(module: str) -> bool:
    spec = PathFinder.find_spec(module)
    return spec is not None and spec.submodule_search_locations is not None


def _opened(tree: ast.AST) -> list[str]:
    """Return the modules of which a file imports `*`."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return [node.module or "" for node in imports if any(alias.name == "*" for alias in node.names)]


def _used(node: ast.AST, meanings: Meanings, opened: Mapping[str, Sequence[str]]) -> Iterator[str]:
    match node:
        case ast.Name(name):
            yield name
            yield meanings.of(node) or name
            yield from (f"{module}.{name}" for module in opened[""])
        case ast.Call():
            # It may import a module.
            yield from _with_parents(meanings.of(node) or "")
        case ast.Attribute() | ast.Subscript():
            yield meanings.of(node) or ""
        case ast.Import(names):
            yield from (module for alias in names for module in _with_parents(alias.name))
        case ast.ImportFrom(str(module), names):
            yield from _with_parents(module)
            yield from (f"{module}.{alias.name}" for alias in names)
            yield from [alias.name for alias in names] if module == "builtins" else []


def _with_parents(module: str) -> Iterator[str]:
    """Return a module and the packages that are imported with it: `numpy.linalg` and `numpy`."""
    parts = module.split(".")
    return (".".join(parts[:count]) for count in range(len(parts), 0, -1))
