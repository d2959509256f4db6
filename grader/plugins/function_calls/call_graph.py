"""Finds, from the source alone, which functions of a program a piece of code may call, directly or indirectly.

Several files may define functions, and import them from each other under any name. If the class of an object is not
clear, every method with the right name counts. Special methods, which Python calls, count for every use of their class.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

Item: TypeAlias = tuple[str, str]
"""A file, and a name in it: of a function, class or variable, or of a method after its class, as in `Deck.deal`."""


@dataclass(frozen=True, kw_only=True)
class CallGraph:
    """The items in the files of a program, and the items that each of them uses."""

    items: dict[Item, list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    imported: dict[Item, set[Item]] = field(default_factory=lambda: defaultdict(set))
    modules: dict[Item, str] = field(default_factory=dict)
    methods: dict[str, set[Item]] = field(default_factory=lambda: defaultdict(set))
    uses: dict[Item, set[Item]] = field(default_factory=dict)
    """The items that an item uses directly, computed when they are first needed."""

    def reached(self, file: str, code: ast.AST) -> Set[Item]:
        """Return the items that `code` uses as if it were in `file`, and all that these use in turn."""
        reached: set[Item] = set()
        waiting = set(self._used(file, code, ""))
        while waiting:
            item = waiting.pop()
            reached.add(item)
            waiting |= self._used_by(item) - reached
        return reached

    def _used_by(self, item: Item) -> set[Item]:
        if item not in self.uses:
            owner = item[1].rpartition(".")[0]
            self.uses[item] = {used for node in self.items[item] for used in self._used(item[0], node, owner)}
        return self.uses[item]

    def _used(self, file: str, code: ast.AST, owner: str) -> Iterator[Item]:
        """Yield the items that code uses directly. A class uses its bases and its special methods."""
        if isinstance(code, ast.ClassDef):
            prefix = f"{code.name}.__"
            yield from (item for item in self.items if item[0] == file and item[1].startswith(prefix))
            for base in code.bases:
                yield from self._meant(file, base)
            return
        nodes = list(ast.walk(code))
        bound = set(_bound(nodes)) - ({code.name} if isinstance(code, _Definition) else set())
        for node in nodes:
            match node:
                case ast.Name(name, ast.Load()) if name not in bound:
                    yield from self._named(file, name)
                case ast.Attribute(ast.Name("self" | "cls"), name) if owner:
                    yield from self._method(file, owner, name)
                case ast.Attribute(value, name):
                    yield from self._attribute(file, value, name)

    def _attribute(self, file: str, value: ast.expr, name: str) -> Iterator[Item]:
        """Yield the items that `value.name` may mean: a name in a module, or a method."""
        if isinstance(value, ast.Name) and (file, value.id) in self.modules:
            yield from self._named(self.modules[file, value.id], name)
            return
        classes = list(self._meant(file, value.func if isinstance(value, ast.Call) else value))
        if not classes:
            yield from self.methods.get(name, ())
        for module, owner in classes:
            yield from self._method(module, owner, name)

    def _method(self, file: str, owner: str, name: str) -> Iterator[Item]:
        """Yield the method of a class, or else all methods with this name."""
        item = (file, f"{owner}.{name}")
        yield from {item} if item in self.items else self.methods.get(name, set())

    def _meant(self, file: str, value: ast.expr) -> Iterator[Item]:
        """Yield the classes that an expression names."""
        match value:
            case ast.Name(name):
                items = self._named(file, name)
            case ast.Attribute(ast.Name(module), name) if (file, module) in self.modules:
                items = self._named(self.modules[file, module], name)
            case _:
                return
        for item in items:
            if any(isinstance(node, ast.ClassDef) for node in self.items[item]):
                yield item

    def _named(self, file: str, name: str) -> Iterator[Item]:
        """Yield the items that a name refers to in a file, including imported items."""
        waiting, seen = {(file, name)}, set[Item]()
        while waiting:
            item = waiting.pop()
            seen.add(item)
            if item in self.items:
                yield item
            everything = {(module, item[1]) for module, _ in self.imported.get((item[0], "*"), ())}
            waiting |= (self.imported.get(item, set()) | everything) - seen


def call_graph(trees: Mapping[str, ast.Module]) -> CallGraph:
    """Return the graph of the files of a program, given by name."""
    graph = CallGraph()
    files = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in trees}
    for file, tree in trees.items():
        for statement in _statements(tree.body):
            _define(graph, file, statement)
        for node in ast.walk(tree):
            _import(graph, file, node, files)
    return graph


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the statements outside functions and classes, also those inside `if` or `try`."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_Definition.__args__, ast.expr)):
            waiting += ast.iter_child_nodes(node)


def _define(graph: CallGraph, file: str, statement: ast.AST) -> None:
    match statement:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            graph.items[file, name].append(statement)
        case ast.Assign([ast.Name(name)], value):
            graph.items[file, name].append(value)
        case ast.ClassDef(name):
            graph.items[file, name].append(statement)
            for node in statement.body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    item = (file, f"{name}.{node.name}")
                    graph.items[item].append(node)
                    graph.methods[node.name].add(item)


def _import(graph: CallGraph, file: str, node: ast.AST, files: Mapping[str, str]) -> None:
    """Record the names that an import of another file of the program binds."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name in files:
                graph.modules[file, alias.asname or alias.name] = files[alias.name]
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            name, module = alias.asname or alias.name, node.module or ""
            if f"{module}.{alias.name}".lstrip(".") in files:
                graph.modules[file, name] = files[f"{module}.{alias.name}".lstrip(".")]
            elif module in files:
                graph.imported[file, name].add((files[module], alias.name))


def _bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that mean local variables and functions."""
    everywhere = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    for node in nodes:
        match node:
            case ast.arg(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                yield name
            case ast.Name(name, ast.Store()) if name not in everywhere:
                yield name
