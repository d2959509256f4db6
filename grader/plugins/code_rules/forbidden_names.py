"""The rule that forbids some names, such as `eval` or `sys.exit`."""

import ast
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

from grader.model.rule import RuleFinding
from grader.plugins.code_rules.escapes import escapes
from grader.plugins.code_rules.meanings import Meanings, bindings, own_names
from grader.plugins.code_rules.module_names import imported_names, module_name, program_and_modules
from grader.plugins.code_rules.unclear_names import unclear_names
from grader.plugins.code_rules.used_names import all_names
from grader.rules.code_rule import SourceRule
from grader.rules.source import ParsedSource, UncheckedSourceError
from grader.text.sentence import say

_MAX_WAYS = 5
_MAX_OPENED = 20
# The maximum number of parts in a forbidden name.
_MAX_PARTS = 10
_WAYS_TO_IMPORT = {"__import__", "import_module", "modules", "__builtins__", "builtins", "exec", "eval"}


@dataclass(frozen=True)
class ForbiddenNames(SourceRule):
    """The program uses or imports none of the `names`, such as `eval` or `sys.exit`, except names it defines itself."""

    name = "forbidden-names"
    holds_in_modules = True
    broken_by = (
        "The program uses or imports one of the names. Its own variables, parameters and functions, and those of the "
        "student's modules, can have these names. If it is unclear whether a variable has been assigned yet, for "
        "example after a loop or `try`, the name refers to the variable if it is only read, and to the builtin if it "
        "is called. The rule also finds names under other names, in `getattr` and similar functions with a literal "
        "string, and in modules that other Python modules import. If a module that contains one of the names is "
        "passed through a collection, attribute, parameter or pattern, or the name is imported from two modules, a "
        "person has to decide. The same applies if the program may lose its own object of that name before it is "
        "used, for example by `except ... as`, an import of `*`, `delattr` or `globals()`. The rule does not see "
        "names created while the program runs, or code in strings, so it cannot prove that a name is not used."
    )

    names: tuple[str, ...]
    """The forbidden names, with dots if they belong to a module."""

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the uses and imports. Raises UncheckedSourceError if the only possible uses are unclear."""
        reading = _Reading(source)
        first, *others = reading.possible_meanings()
        findings = list(reading.findings(first, self.names))
        if not findings:
            for meanings in others:
                for finding in reading.findings(meanings, self.names):
                    raise UncheckedSourceError(f"{finding}, if the name means this import")
            for place in (*reading.unclear(self.names), *_passed_modules(source, self.names)):
                raise UncheckedSourceError(str(place))
        yield from findings


class _Reading:
    """A program and the possible meanings of its names."""

    def __init__(self, source: ParsedSource) -> None:
        self._source = source
        self._modules = {module_name(module): module for module in source.modules}
        self._own = own_names(source, self._modules)
        self._imported = frozenset(_imported_modules(source.tree))
        self._star_imported_modules = {
            name: file.once(_star_imported_modules) for name, file in {**self._modules, "": source}.items()
        }

    def possible_meanings(self) -> Iterator[Meanings]:
        """Yield meanings for each way in which names are imported, the last one in the text first."""
        tree = self._source.tree
        ways: dict[str, list[str]] = defaultdict(list)
        for name, meant in imported_names(self._source.nodes):
            ways[name] = [meant, *(meaning for meaning in ways[name] if meaning != meant)]
        variables = dict.fromkeys(_never_imported(tree))
        for number in range(max(map(len, ways.values()), default=1)):
            if number == _MAX_WAYS:
                raise UncheckedSourceError(f"a name is imported in more than {_MAX_WAYS} ways")
            chosen = {name: meant[number % len(meant)] for name, meant in ways.items() if len(meant) > 1}
            yield Meanings(tree, {**variables, **chosen})

    def findings(self, meanings: Meanings, names: Collection[str]) -> Iterator[RuleFinding]:
        """Yield the uses and imports of forbidden names."""
        lasts = {name.rpartition(".")[2] for name in names}
        for node in filter(lambda node: node not in self._own, self._source.nodes):
            meant = (dotted for name in self._used(node, meanings) for dotted in self.meant(name))
            originals = (_defining_name(name) if name.rpartition(".")[2] in lasts else name for name in meant)
            for used in dict.fromkeys(originals):
                if used in names:
                    yield self._source.finding(getattr(node, "lineno", None), say("{name} may not be used", name=used))

    def unclear(self, names: Collection[str]) -> Iterator[RuleFinding]:
        """Yield the places after which one of the program's own names may mean a forbidden one."""
        return unclear_names(self._source, self._own, {name for name in names if "." not in name})

    def escapes(self) -> Iterator[tuple[RuleFinding, str]]:
        """Yield the places where an imported object is passed on as a value, with its dotted name."""
        for value, name in escapes(self._source.tree, next(self.possible_meanings()), self._own):
            yield self._source.finding(value.lineno, say("it is not clear what happens to {name}", name=name)), name

    def _used(self, node: ast.AST, meanings: Meanings) -> Iterator[str]:
        for name in _used(node, meanings, self._star_imported_modules):
            yield name
            if isinstance(node, ast.Attribute):
                yield from (f"{module}.{name}" for module in self._star_imported_modules[""] if module in self._modules)

    def meant(self, name: str) -> Iterator[str]:
        """Yield the meanings of a dotted name, which a student's module may re-export."""
        for _ in range(_MAX_WAYS):
            yield from _meant(name, self._star_imported_modules, self._imported)
            module, _, rest = name.partition(".")
            first, dot, last = rest.partition(".")
            reexported = self._modules[module].once(_reexports).get(first) if module in self._modules else None
            if reexported is None:
                return
            name = f"{reexported}{dot}{last}"


def _reexports(module: ParsedSource) -> Mapping[str, str]:
    """Map the names that a student's module re-exports to their dotted names."""
    meanings = Meanings(module.tree)
    imported = {name for name, _ in imported_names(module.nodes)}
    names = {name for name in bindings(module.tree) if name in imported or meanings.is_alias(name)}
    return {name: meanings.of(ast.Name(name, ast.Load())) or name for name in names}


def _passed_modules(source: ParsedSource, names: Collection[str]) -> Iterator[RuleFinding]:
    """Yield the places where a module that contains one of the names is passed on, if that name occurs anywhere."""
    is_module = any(module.file == source.file for module in source.modules)
    sources = (source,) if is_module else program_and_modules(source)
    mentioned = {name for file in sources for node in file.nodes for name in _mentioned(node)}
    holders = {name.rpartition(".")[0] or "builtins" for name in names if name.rpartition(".")[2] in mentioned}
    for reading in map(_Reading, sources if holders else ()):
        for finding, name in reading.escapes():
            if holders.intersection(reading.meant(name)):
                yield finding


def _mentioned(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Attribute(_, name) | ast.Constant(str(name)):
            yield name
        case ast.MatchClass(kwd_attrs=names):
            yield from names


def _imported_modules(tree: ast.AST) -> Iterator[str]:
    """Yield the top-level names of the modules that a file imports, regardless of aliases."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(str(module)):
                yield module.partition(".")[0]


def _never_imported(tree: ast.AST) -> Set[str]:
    """Return the names of standard modules that the program binds but never imports, so they do not mean modules."""
    used = {name for node in ast.walk(tree) for name in all_names(node)}
    if used & _WAYS_TO_IMPORT:
        return frozenset()
    aliases = [node for node in ast.walk(tree) if isinstance(node, ast.alias)]
    imported = {alias.asname or alias.name.partition(".")[0] for alias in aliases}
    return frozenset() if "*" in imported else (frozenset(bindings(tree)) & sys.stdlib_module_names) - imported


def _meant(name: str, opened: Mapping[str, Sequence[str]], imported: Set[str]) -> Iterator[str]:
    """Yield a dotted name and its other meanings.

    Standard modules contain the modules that they import, as in `shutil.os.system`; a package may contain other modules
    with these names. A student's module re-exports the names that it imports by `*`.
    """
    yield name
    first, *rest = name.split(".")
    if first in ("posix", "nt") and rest:
        yield ".".join(("os", *rest))
    if first in opened:
        yield from (rest[0] if module == "builtins" else ".".join((module, *rest)) for module in opened[first] if rest)
    elif first in imported & sys.stdlib_module_names:
        rest = [part.lstrip("_") for part in rest]
        yield from (".".join(rest[start:]) for start in range(max(0, len(rest) - _MAX_PARTS), len(rest) - 1))
        yield from rest[-1:] if "builtins" in rest[:-1] else ()
        yield from (part for part in rest[-1:] if part in sys.stdlib_module_names and not _is_package(first))


def _defining_name(name: str) -> str:
    """Return the dotted name of an object by the standard module that defines it, if another one imports it."""
    module, _, last = name.rpartition(".")
    if module == "typing":
        return f"collections.{last}"
    return _imports_of(module).get(last, name) if module in sys.stdlib_module_names else name


@cache
def _imports_of(module: str) -> Mapping[str, str]:
    """Map the names that a standard module imports to the dotted names of their objects."""
    spec = PathFinder.find_spec(module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return {}
    tree = ast.parse(Path(spec.origin).read_bytes())
    return dict(imported_names(ast.walk(tree)))


def _is_package(module: str) -> bool:
    spec = PathFinder.find_spec(module)
    return spec is not None and spec.submodule_search_locations is not None


def _star_imported_modules(source: ParsedSource) -> list[str]:
    """Return the modules from which a file imports `*`. Raises UncheckedSourceError if there are too many."""
    imports = [node for node in source.nodes if isinstance(node, ast.ImportFrom)]
    opened = (node.module or "" for node in imports if any(alias.name == "*" for alias in node.names))
    modules = list(dict.fromkeys(opened))
    if len(modules) > _MAX_OPENED:
        raise UncheckedSourceError(f"`*` is imported from more than {_MAX_OPENED} modules")
    return modules


def _used(node: ast.AST, meanings: Meanings, opened: Mapping[str, Sequence[str]]) -> Iterator[str]:
    match node:
        case ast.Name(name):
            yield name
            yield meanings.of(node) or name
            yield from (f"{module}.{name}" for module in opened[""])
        case ast.Call():
            # The call may import a module.
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
    """Return a module and the packages that importing it also imports: `numpy.linalg` and `numpy`."""
    parts = module.split(".")
    return (".".join(parts[:count]) for count in range(len(parts), 0, -1))
