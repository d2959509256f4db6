"""Counts things in a package: modules, lines, functions, classes, imports, habits and turns of phrase.

Most measures return the places that they count, so that the figure is the number of places.
"""

import ast
import builtins
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from benchmarks.source_package import Function, Module, Package, docstring_lines

_MAX_FIELDS = 4


def counted_modules(package: Package) -> list[str]:
    """Return the modules, except for `__init__` files that define nothing."""
    return [module.name for module in package.modules if not module.is_face]


def modules_over(package: Package, lines: int) -> list[str]:
    """Return the modules with more than `lines` lines of code."""
    return [f"{module.name} {module.code_lines}" for module in package.modules if module.code_lines > lines]


def modules_under(package: Package, lines: int) -> list[str]:
    """Return the modules with fewer lines, including docstrings and comments, except for empty `__init__` files."""
    sizes = [(module.name, module.source.count("\n")) for module in package.modules if not module.is_face]
    return [f"{name} {size}" for name, size in sizes if size < lines]


def modules_with_one_importer(package: Package) -> list[str]:
    """Return the modules that exactly one other module of the package imports."""
    importers = Counter(name for names in package.imports.values() for name in names)
    return [module.name for module in package.modules if not module.is_face and importers[module.name] == 1]


def functions_over(package: Package, lines: int) -> list[str]:
    """Return the functions with more than `lines` lines, without docstrings."""
    return [
        module.at(node, f"{node.name} {size}")
        for module in package.modules
        for node in module.definitions
        if not isinstance(node, ast.ClassDef) and (size := _size(node)) > lines
    ]


def longest_function(package: Package) -> int:
    """Return the number of lines of the longest function, without its docstring."""
    functions = [node for module in package.modules for node in module.definitions if isinstance(node, Function)]
    return max(map(_size, functions), default=0)


def _size(function: Function) -> int:
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    return lines - len(set(docstring_lines(function.body)))


def _classes(package: Package) -> Iterator[tuple[Module, ast.ClassDef]]:
    for module in package.modules:
        for node in module.definitions:
            if isinstance(node, ast.ClassDef):
                yield module, node


def classes_of_one_name(package: Package) -> list[str]:
    """Return the names of public classes that more than one module defines."""
    owners = defaultdict(list)
    for module, node in _classes(package):
        if not node.name.startswith("_"):
            owners[node.name].append(module.name)
    return [f"{name}: {', '.join(modules)}" for name, modules in owners.items() if len(modules) > 1]


def classes_called(package: Package, names: Iterable[str]) -> list[str]:
    """Return the classes with one of these names."""
    unwanted = set(names)
    return [module.at(node, node.name) for module, node in _classes(package) if node.name.strip("_") in unwanted]


def unclear_dataclasses(package: Package) -> list[str]:
    """Return the dataclasses that take more than four fields by position."""
    return [
        module.at(node, node.name)
        for module, node in _classes(package)
        if any(_is_positional_dataclass(decorator) for decorator in node.decorator_list)
        and sum(isinstance(field, ast.AnnAssign) and "ClassVar" not in ast.unparse(field) for field in node.body)
        > _MAX_FIELDS
    ]


def _is_positional_dataclass(decorator: ast.expr) -> bool:
    call = ast.unparse(decorator)
    return call.startswith(("dataclass", "dataclasses.dataclass")) and "kw_only=True" not in call


def package_cycles(package: Package) -> list[str]:
    """Return the groups of top-level folders in the package that import each other, directly or indirectly."""
    edges: dict[str, set[str]] = defaultdict(set)
    for name, imported in package.imports.items():
        edges[_part(name)] |= {_part(module) for module in imported if module != package.name}
    edges.pop(package.name, None)
    reach = {part: reachable(edges, part) for part in edges}
    cycles = {frozenset(other for other in reach[part] if part in reach.get(other, ())) for part in edges}
    return sorted(" and ".join(sorted(cycle)) for cycle in cycles if len(cycle) > 1)


def _part(module: str) -> str:
    return ".".join(module.split(".")[:2])


def reachable(edges: Mapping[str, set[str]], start: str) -> set[str]:
    """Return the nodes that can be reached from `start`, which is only included if it is on a cycle."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for part in edges.get(waiting.pop(), set()) - reached:
            reached.add(part)
            waiting.append(part)
    return reached


def asserts(package: Package) -> list[str]:
    """Return the assert statements."""
    return [
        module.at(node, "assert") for module in package.modules for node in module.nodes if type(node) is ast.Assert
    ]


def constants_bound_twice(package: Package) -> list[str]:
    """Return the constants that their module assigns a second time."""
    again: list[str] = []
    for module in package.modules:
        bound: set[str] = set()
        for line, name in _constants(module):
            again += [f"{module.name}:{line} {name}"] if name in bound else []
            bound.add(name)
    return again


def constants_above_definitions(package: Package) -> float:
    """Return the share of constants that are bound above the first class or function of their module."""
    above = below = 0
    for module in package.modules:
        first = min((definition.lineno for definition in module.definitions), default=None)
        for line, _ in _constants(module):
            is_above = first is None or line < first
            above += is_above
            below += not is_above
    return above / max(above + below, 1)


def _constants(module: Module) -> Iterator[tuple[int, str]]:
    """Yield the names in capital letters that a module binds at its top level, each with its line."""
    for statement in module.tree.body:
        match statement:
            case ast.Assign(targets=targets):
                bound: Iterable[ast.expr] = targets
            case ast.AnnAssign(target=target, value=ast.expr()):
                bound = (target,)
            case _:
                continue
        for name in (node for target in bound for node in ast.walk(target) if isinstance(node, ast.Name)):
            if name.id.isupper():
                yield statement.lineno, name.id


def silenced_checks(package: Package) -> list[str]:
    """Return the comments that switch off a check of the linter."""
    return [
        f"{module.name}:{token.start[0]} {token.string}"
        for module in package.modules
        for token in module.tokens
        if token.type == tokenize.COMMENT and "noqa" in token.string
    ]


def positional_nones(package: Package) -> list[str]:
    """Return the calls of the package's own functions and classes that pass None by position."""
    own_names = package.defined - set(dir(builtins)) - {"get", "pop"}
    return [
        module.at(node, ast.unparse(node.func))
        for module in package.modules
        for node in module.nodes
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in own_names
        and any(isinstance(argument, ast.Constant) and argument.value is None for argument in node.args)
    ]


def prints(package: Package, is_allowed: Callable[[str], bool]) -> list[str]:
    """Return the calls of `print` for people, and of `sys.stdout.write`, except in modules that may call them."""
    return [
        module.at(node, ast.unparse(node.func))
        for module in package.modules
        if not is_allowed(module.name)
        for node in module.nodes
        if isinstance(node, ast.Call) and _prints(node)
    ]


def _prints(call: ast.Call) -> bool:
    """Return whether a call writes to the standard streams; `print` to another file, such as a pipe, does not."""
    name = ast.unparse(call.func)
    files = [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg == "file"]
    return name == "sys.stdout.write" or (name == "print" and set(files) <= {"sys.stdout", "sys.stderr"})


def imports_of(package: Package, libraries: Iterable[str], is_allowed: Callable[[str], bool]) -> list[str]:
    """Return the imports of these libraries except in modules that may import them."""
    unwanted = set(libraries)
    return [
        module.at(node, name)
        for module in package.modules
        if not is_allowed(module.name)
        for node in module.nodes
        for name in _libraries(node)
        if name in unwanted
    ]


def _libraries(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return {node.module.partition(".")[0]}
    return set()


def turns_of_phrase(package: Package, documents: Iterable[Path], phrases: Iterable[str]) -> list[str]:
    """Return the uses of the phrases in comments, strings and docstrings of the package and in documents."""
    wanted = re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)
    texts = [(module.name, number, text) for module in package.modules for number, text in _prose(module)]
    texts += [
        (file.name, number, line)
        for file in documents
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    ]
    return [f"{name}:{number} {phrase}" for name, number, text in texts for phrase in wanted.findall(text)]


def _prose(module: Module) -> Iterator[tuple[int, str]]:
    for token in module.tokens:
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def single_word_names(package: Package) -> float:
    """Return the share of classes, functions and methods whose name is a single word."""
    names = package.name_words
    return sum(len(words) == 1 for words in names) / len(names) if names else 0.0


def shared_words(package: Package, others: Iterable[Package], least: int = 2) -> float:
    """Return the share of the words in names that at least `least` other packages also use in names."""
    users = Counter(word for other in others for word in _words(other))
    words = _words(package)
    return sum(users[word] >= least for word in words) / len(words) if words else 0.0


def _words(package: Package) -> set[str]:
    return {word for words in package.name_words for word in words if not word.isdigit()}
