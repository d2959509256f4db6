"""Finds assigned names that are functions, classes or modules, such as `Card = namedtuple(...)`."""

import ast
import builtins
import pkgutil
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from types import ModuleType
from typing import TypeGuard

from grader.plugins.code_rules.module_names import (
    assigned_names,
    assignment_counts,
    imported_names,
    is_stored,
    module_name,
    outside_functions,
)
from grader.rules.source import FunctionDefinition, ParsedSource

_TYPICAL_MODULES = frozenset(
    {"bisect", "collections", "copy", "datetime", "decimal", "fractions", "functools", "heapq", "io", "itertools"}
    | {"json", "math", "operator", "os", "random", "re", "statistics", "string", "sys", "time"}
)

_STREAM = re.compile(r"sys\.(stdin|stdout|stderr)\.")
_MAKERS = {
    *("namedtuple", "NamedTuple", "TypedDict", "NewType", "TypeVar", "Enum", "IntEnum", "StrEnum", "Flag"),
    *("partial", "lru_cache", "cache"),
}

# The maximum number of modules through which a function is followed.
_MAX_IMPORTS = 5

_BUILT_IN = {name for name, value in vars(builtins).items() if isinstance(value, type)}

_CALLABLE = {name for name, value in vars(builtins).items() if callable(value)}

_CLASS_NAME = re.compile(r"_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")


def made_classes(source: ParsedSource) -> set[str]:
    """Return the names of the module to which only functions, classes and modules are assigned."""
    nodes = list(outside_functions(source.tree))
    defined = {node.name for node in nodes if isinstance(node, FunctionDefinition | ast.ClassDef)}
    own_callables = _own_callables(source)
    imported = {**_imported_together(nodes, own_callables), **dict(imported_names(nodes))}
    counts = assignment_counts(source)
    made: Counter[str] = Counter()
    variables = counts.keys() - defined - imported.keys()
    callables = defined | imported.keys()
    # A variable that turns out to be a class is not a variable in later assignments.
    names = _KnownNames(defined, variables, imported, own_callables)
    for node in nodes:
        made_here = {*_made_by(node, names), *_kept_by(node, callables)}
        made.update(made_here)
        variables -= made_here
    return {name for name, times in made.items() if times == counts[name]}


def _own_callables(source: ParsedSource) -> frozenset[str]:
    """Return the dotted names of functions and classes in the student's modules, and in classes of this module."""
    bodies = [(module_name(module), module.tree.body) for module in source.modules]
    bodies += [(node.name, node.body) for node in source.tree.body if isinstance(node, ast.ClassDef)]
    kinds = FunctionDefinition | ast.ClassDef
    callables = {f"{owner}.{node.name}" for owner, body in bodies for node in body if isinstance(node, kinds)}
    for module in source.modules:
        callables |= {f"{module_name(module)}.{name}" for name in module.once(made_classes)}
    for _ in source.modules[:_MAX_IMPORTS]:
        # Modules also hand on the functions that they import.
        for module in source.modules:
            imported = {**_imported_together(module.nodes, callables), **dict(imported_names(module.nodes))}
            callables |= {f"{module_name(module)}.{name}" for name, path in imported.items() if path in callables}
    return frozenset(callables)


def _imported_together(nodes: Iterable[ast.AST], callables: Set[str]) -> dict[str, str]:
    """Map the names of the functions and classes that `*` imports to their dotted names."""
    stars = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"}
    paths = [(path.rpartition("."), path) for path in callables] if stars else []
    return {name: path for (module, _, name), path in paths if module in stars}


@dataclass(frozen=True)
class _KnownNames:
    """The functions and classes, the variables and the imports of a module.

    `own_callables` are the dotted names of the student's functions and classes.
    """

    defined: Set[str]
    variables: Set[str]
    imported: Mapping[str, str]
    own_callables: Set[str]

    def is_callable(self, value: ast.expr) -> bool:
        """Return whether an expression is a function, class or module, as far as its source shows."""
        match value:
            case ast.IfExp(body=value_if, orelse=value_else):
                return self.is_callable(value_if) and self.is_callable(value_else)
            case ast.Name(id=name) if name in self.defined:
                return True
            case ast.Name() | ast.Attribute():
                first, dot, rest = ast.unparse(value).partition(".")
                path = f"{self.imported.get(first, first)}{dot}{rest}"
                if first not in self.variables and (path in self.own_callables or _is_of_python(path)):
                    return True
        return _makes_class(value, self.variables)


def _is_of_python(path: str) -> bool:
    """Return whether a dotted name is a function, class or module in a module that beginners typically import."""
    path = _STREAM.sub("io.TextIOWrapper.", path)
    if path.partition(".")[0] not in _TYPICAL_MODULES:
        return False
    try:
        content = pkgutil.resolve_name(path)
    except (ImportError, AttributeError, ValueError):
        return False
    return callable(content) or isinstance(content, ModuleType)


def _made_by(node: ast.AST, names: _KnownNames) -> Iterator[str]:
    """Yield the names to which a statement assigns functions, classes or modules."""
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if ast.unparse(kind).endswith("TypeAlias"):
            yield name
        case ast.Assign() | ast.AnnAssign():
            pairs = list(assigned_names(node))
            # Many names may share one value.
            callables = {value for value in {value for _, value in pairs} if names.is_callable(value)}
            yield from (name for name, value in pairs if value in callables)
        case _ if type(node).__name__ == "TypeAlias":
            # Since Python 3.12: `type Vector = list[float]`.
            yield from (child.id for child in ast.iter_child_nodes(node) if is_stored(child))


def _kept_by(node: ast.AST, defined: Set[str]) -> Iterator[str]:
    """Yield the names that remain functions or modules after an assignment: `deal = counted(deal)`, `numpy = None`."""
    match node:
        case ast.Assign(targets, ast.Constant(None)):
            yield from (target.id for target in targets if _is_one_of(target, defined))
        case ast.Assign([ast.Name(name)], ast.Call(args=arguments)) if name in defined:
            yield from [name] if any(_is_one_of(argument, {name}) for argument in arguments) else []


def _is_one_of(value: ast.expr, names: Set[str]) -> TypeGuard[ast.Name]:
    return isinstance(value, ast.Name) and value.id in names


def _makes_class(value: ast.expr, variables: Set[str]) -> bool:
    """Return whether a value is an expression that creates a function or a class, or another name for a type."""
    match value:
        case ast.Call(func=made):
            while isinstance(made, ast.Call):
                made = made.func
            return getattr(made, "attr", getattr(made, "id", None)) in _MAKERS
        case ast.Lambda():
            return True
        case ast.Subscript(value=generic):
            return _is_type(generic, variables)
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            types = [side for side in (left, right) if _is_type(side, variables)]
            return bool(types) and all(side in types or _is_none(side) for side in (left, right))
        case ast.Name(id=name):
            return name in _CALLABLE
        case ast.Attribute(value=ast.Name(id=name)):
            return name in _BUILT_IN or _is_type(value, variables)
    return False


def _is_type(value: ast.expr, variables: Set[str]) -> bool:
    """Return whether an expression names a type: a built-in type, a name written like a class, or a combination."""
    match value:
        case ast.Name(id=name) if name in variables:
            return False
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _BUILT_IN or bool(_CLASS_NAME.fullmatch(name))
        case ast.Subscript() | ast.BinOp():
            return _makes_class(value, variables)
    return False


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
