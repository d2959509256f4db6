"""Finds the names that a program uses in reachable code, as far as its source shows.

Reachable code is the code outside functions, `main`, functions that tests or other programs name, functions that have
a decorator or whose name is a string in the program, and all functions and methods mentioned in reachable code.
Methods that Python or another class may call are always reachable. If a program computes names of functions at run
time, or a plugin's test may call any function, all functions are. Code that clearly never runs, such as after
`return`, is ignored.
"""

import ast
import operator
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from grader.plugins.code_rules.module_names import is_stored, module_name, program_and_modules
from grader.rules.source import FunctionDefinition, ParsedSource

_MAIN = "main"
_CHANGING = ("staticmethod", "classmethod", "property", "cache", "lru_cache", "wraps", "contextmanager", "overload")
_BY_NAME = ("getattr", "globals", "locals", "vars", "eval", "exec", "methodcaller", "attrgetter")

_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

NamesOf: TypeAlias = Callable[[ast.AST, Set[str]], Iterator[str]]
"""A function that yields the names that a node uses, given the names of imported modules."""


def function_names(node: ast.AST, modules: Set[str]) -> Iterator[str]:
    """Yield a function's name, alone or after its module: `deck.deal()` uses a method unless `deck` is a module."""
    match node:
        case ast.Name(name, ast.Load()):
            yield name
        case ast.Attribute(ast.Name(module), name) if module in modules:
            yield name
        case ast.Attribute(ast.Attribute(ast.Name(package), module), name) if f"{package}.{module}" in modules:
            yield name
        case _:
            yield from _names_looked_up(node)


def all_names(node: ast.AST, _imported_module_names: Set[str] = frozenset()) -> Iterator[str]:
    """Yield any name in a node, including attributes."""
    match node:
        case ast.Name(name, ast.Load()) | ast.Attribute(_, name):
            yield name
        case _:
            yield from _names_looked_up(node)


def _names_looked_up(node: ast.AST) -> Iterator[str]:
    """Yield the names in `getattr(game, "deal")`, `globals()["deal"]`, `globals().get("deal")` and `eval("deal()")`."""
    match node:
        case (
            ast.Call(ast.Name("getattr"), [_, ast.Constant(str(name)), *_])
            | ast.Subscript(ast.Call(ast.Name("globals" | "locals" | "vars")), ast.Constant(str(name)))
            | ast.Call(
                ast.Attribute(ast.Call(ast.Name("globals" | "locals" | "vars")), "get"), [ast.Constant(str(name)), *_]
            )
        ):
            yield name
        case ast.Call(ast.Name("eval" | "exec"), [ast.Constant(str(code)), *_]):
            yield from re.findall(r"\w+", code)


@dataclass(kw_only=True)
class _Part:
    """Code that runs together: the code outside functions, or a function without the functions inside it.

    `owner` is the class of a method. `bound` holds the names of its variables, which therefore do not mean functions of
    the module, and `local` the names of the functions defined in it.
    """

    name: str
    is_entry: bool
    is_lambda: bool = False
    is_registered: bool = False
    owner: ast.ClassDef | None = None
    around: "_Part | None" = None
    nodes: list[ast.AST] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    local: set[str] = field(default_factory=set)

    @property
    def path(self) -> str:
        """The path that identifies the part: `Deck.deal` for a method, `main.deal` inside a function."""
        names = [self.around.path if self.around else "", self.owner.name if self.owner else "", self.name]
        return ".".join(filter(None, names))

    def used(self, names_of: NamesOf, modules: Set[str]) -> set[str]:
        """Return the names that the part uses; functions inside functions are given by their paths."""
        used = set()
        for node in self.nodes:
            for name in names_of(node, modules):
                if not isinstance(node, ast.Name):
                    used |= {name} - ({self.name} if self.owner else set())
                elif meant := self.meant(name):
                    used.add(meant)
        return used - {self.path}

    def meant(self, name: str) -> str | None:
        """Return the function that a name means here, or None if it means a variable."""
        if name in self.local:
            return f"{self.path}.{name}"
        if name in self.bound:
            return None
        return self.around.meant(name) if self.around else name


@dataclass(frozen=True)
class _Reached:
    """The reachable parts of a program, all parts of each file, and the names of imported modules."""

    parts: Sequence[_Part]
    in_files: Mapping[str, Sequence[_Part]]
    modules: Set[str]
    registered: frozenset[str]

    def used(self, names_of: NamesOf) -> set[str]:
        """Return the names that are used; recursion does not count."""
        return {*self.registered, *(name for part in self.parts for name in part.used(names_of, self.modules))}


def used_names(source: ParsedSource) -> set[str]:
    """Return the names that are used as functions; recursion does not count."""
    return _reached(source).used(function_names)


def used_functions(source: ParsedSource) -> set[tuple[str, str]]:
    """Return the program's own functions and methods that it uses, by file and path.

    A method counts for each class that the program uses. If it uses none of them, all methods with the same name count
    as one.
    """
    reached = _reached(source)
    functions, names, classes = reached.used(function_names), reached.used(all_names), _used_classes(source)
    used: set[tuple[str, str]] = set()
    elsewhere: dict[str, tuple[str, str]] = {}
    counted: set[str] = set()
    for file, parts in reached.in_files.items():
        for part in (part for part in parts if not part.is_lambda):
            key, is_named = (file, part.path), bool({part.name, part.path} & names)
            if part.owner is None and part.path in functions:
                used.add(key)
            elif part.owner is not None and part.owner.name in classes and (is_named or _is_special(part.name)):
                used.add(key)
                counted.add(part.name)
            elif part.owner is not None and is_named:
                elsewhere[part.name] = key
    return used | {key for name, key in elsewhere.items() if name not in counted}


def _reached(source: ParsedSource) -> _Reached:
    in_files = {module.file: _parts(module.tree) for module in program_and_modules(source)}
    parts = [part for inside in in_files.values() for part in inside]
    entries = {_MAIN, *(source.called_by_others or ())}
    modules: set[str] = set()
    module_names = {module_name(module) for module in source.modules}
    for module in program_and_modules(source):
        modules |= set(_imported_module_names(module.tree, module_names))
    entries |= {text for part in parts for node in part.nodes for text in _texts(node)}
    entries |= {name for part in parts if not part.name for node in part.nodes for name in all_names(node)}
    waiting = [part for part in parts if part.is_entry or part.name in entries]
    if source.called_by_others is None or any(_makes_names(node) for part in parts for node in part.nodes):
        # Names computed by the program may mean any function.
        waiting = list(parts)
    registered = frozenset(part.path for part in parts if part.is_registered)
    named: dict[str, list[_Part]] = defaultdict(list)
    for part in parts:
        named[part.name].append(part)
    reached: list[_Part] = []
    while waiting:
        part = waiting.pop()
        reached.append(part)
        for name in {name for node in part.nodes for name in all_names(node)}:
            waiting += named.pop(name, ())
    return _Reached(reached, in_files, modules, registered)


def _texts(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text


def _makes_names(node: ast.AST) -> bool:
    """Return whether a node may look up a function by a name that is not a string in the program."""
    match node:
        case ast.Call(ast.Name("getattr"), [_, ast.Constant(), *_]):
            return False
        case ast.Call(ast.Name(name)):
            return name in _BY_NAME
    return False


def _imported_module_names(tree: ast.AST, own_modules: Set[str]) -> Iterator[str]:
    """Yield the names of imported modules, including the program's own modules imported from a package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from (alias.asname or alias.name, (alias.asname or alias.name).partition(".")[0])
        elif isinstance(node, ast.ImportFrom):
            paths = {f"{node.module or ''}.{alias.name}".lstrip("."): alias for alias in node.names}
            yield from (alias.asname or alias.name for path, alias in paths.items() if path in own_modules)


def _parts(tree: ast.Module) -> list[_Part]:
    outside = _Part(name="", is_entry=True)
    parts = [outside]
    foreign: set[ast.AST] = set()
    waiting: list[tuple[ast.AST, _Part, ast.ClassDef | None]] = [(node, outside, None) for node in live(tree.body)]
    while waiting:
        node, part, owner = waiting.pop()
        around: list[ast.AST]
        inside: list[ast.AST] = []
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                parts.append(_function(node, owner, part))
                around, inside = [*node.decorator_list, *_defaults(node.args)], [*live(node.body)]
            case ast.Assign([ast.Name(name)], ast.Lambda(arguments, body)) | ast.AnnAssign(
                ast.Name(name), value=ast.Lambda(arguments, body)
            ):
                made = _Part(name=name, is_entry=False, is_lambda=True, owner=owner, around=part)
                made.bound |= _parameters(arguments)
                parts.append(made)
                around, inside = _defaults(arguments), [body]
            case ast.ClassDef():
                waiting += ((inner, part, node) for inner in live(node.body))
                around = [*node.decorator_list, *node.bases]
            case _:
                if isinstance(node, _Comprehension):
                    foreign.update(_comprehension_names(node))
                # A class variable is not a variable of the module.
                elif node not in foreign and not (owner and is_stored(node)):
                    part.nodes.append(node)
                around = [*live_children(node)]
        waiting += ((inner, part, owner) for inner in around)
        waiting += ((inner, parts[-1], None) for inner in inside)
    _bind(tree, parts)
    return parts


def _bind(tree: ast.Module, parts: Sequence[_Part]) -> None:
    """Note which names each part binds, and which functions are local to another one."""
    outside, *inner = parts
    for part in inner:
        part.bound |= _assigned_names(part.nodes)
        if part.owner is None and part.around is not outside and part.around is not None:
            part.around.local.add(part.name)
    defined = {node.name for node in tree.body if isinstance(node, FunctionDefinition)}
    outside.bound = defined & _assigned_names(outside.nodes) - _rebound_functions(outside.nodes)


def _comprehension_names(node: _Comprehension) -> Iterator[ast.Name]:
    """Yield the names that refer to variables of a comprehension; its first iterable is outside their scope."""
    targets = {name for loop in node.generators for name in _assigned_names(ast.walk(loop.target))}
    outside = set(ast.walk(node.generators[0].iter))
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in targets and inner not in outside:
            yield inner


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef | None, around: _Part) -> _Part:
    is_called_by_others = owner is not None and (bool(owner.bases) or _is_special(node.name))
    return _Part(
        name=node.name,
        is_entry=bool(node.decorator_list) or is_called_by_others,
        owner=owner,
        is_registered=any(map(_may_register, node.decorator_list)),
        around=around,
        bound=_parameters(node.args),
    )


def _may_register(decorator: ast.expr) -> bool:
    """Return whether a decorator may keep the function for later calls; Python's own, which only change it, do not."""
    used = decorator.func if isinstance(decorator, ast.Call) else decorator
    first, *rest = ast.unparse(used).split(".")
    return (rest or [first])[-1] not in _CHANGING and first not in ("functools", "contextlib", "abc", "typing")


def _parameters(arguments: ast.arguments) -> set[str]:
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    return {parameter.arg for parameter in every if parameter is not None}


def _assigned_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that are assigned to or deleted, except names declared global."""
    names = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return names - {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def _rebound_functions(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that still mean a function, as after `deal = counted(deal)` or `deal = other`."""
    names = set()
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], ast.Name() | ast.Attribute()):
                names.add(name)
            case ast.Assign([ast.Name(name)], value) if name in _mentioned(value):
                names.add(name)
    return names


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _defaults(arguments: ast.arguments) -> list[ast.AST]:
    return [*arguments.defaults, *filter(None, arguments.kw_defaults)]


def live(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements up to the first one after which none of the rest can run."""
    for statement in statements:
        yield statement
        if _ends(statement):
            return


def _ends(statement: ast.stmt) -> bool:
    """Return whether nothing in the block can run after a statement."""
    match statement:
        case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
            return True
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("sys"), "exit") | ast.Attribute(ast.Name("os"), "_exit"))):
            return True
        case ast.If(test, body, others):
            truth = constant_truth(test)
            return (truth is False or any(map(_ends, body))) and (truth is True or any(map(_ends, others)))
        case ast.While(test, body):
            return constant_truth(test) is True and not any(map(_breaks, body))
        case ast.Try(body, handlers, others, last) | ast.TryStar(body, handlers, others, last):
            tried = any(map(_ends, (*body, *others))) and all(any(map(_ends, handler.body)) for handler in handlers)
            return tried or any(map(_ends, last))
    return False


def _breaks(node: ast.AST) -> bool:
    """Return whether a `break` in a part of a loop's body may end that loop."""
    match node:
        case ast.Break():
            return True
        case ast.For(orelse=others) | ast.AsyncFor(orelse=others) | ast.While(orelse=others):
            return any(map(_breaks, others))
        case ast.expr() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return False
    return any(map(_breaks, ast.iter_child_nodes(node)))


def live_children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node, except code that clearly never runs and expressions that do nothing."""
    match node:
        case ast.Expr(ast.Name() | ast.Attribute() | ast.Lambda() | ast.Constant()):
            return
        case ast.If(test, body, others):
            yield test
            yield from live(body if constant_truth(test) is not False else [])
            yield from live(others if constant_truth(test) is not True else [])
        case ast.While(test, body, others):
            yield test
            yield from live(body if constant_truth(test) is not False else [])
            yield from live(others)
        case ast.For(target, source, body, others):
            yield from (target, source)
            yield from live([] if _is_empty(source) else body)
            yield from live(others)
        case ast.Assert(test) if constant_truth(test) is True:
            return
        case ast.AnnAssign(target, _, value):
            yield from filter(None, (target, value))
        case ast.expr():
            yield from _live_operands(node)
        case _:
            yield from _fields(node)


def _live_operands(node: ast.expr) -> Iterator[ast.AST]:
    """Yield the children of an expression, except operands that are clearly never evaluated."""
    match node:
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() if _is_empty(node.generators[0].iter):
            return
        case ast.IfExp(test, value, other):
            yield test
            yield from [value] if constant_truth(test) is not False else []
            yield from [other] if constant_truth(test) is not True else []
        case ast.BoolOp(operation, values):
            for value in values:
                yield value
                if constant_truth(value) is isinstance(operation, ast.Or):
                    return
        case _:
            yield from _fields(node)


def _fields(node: ast.AST) -> Iterator[ast.AST]:
    for _, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield value
        elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield from live(value)
        elif isinstance(value, list):
            yield from (inner for inner in value if isinstance(inner, ast.AST))


def constant_truth(test: ast.expr) -> bool | None:
    """Return the truth value that a condition always has, or None if the source does not reveal it."""
    match test:
        case ast.Constant(value):
            return bool(value)
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return False
        case ast.UnaryOp(ast.Not(), operand):
            inner = constant_truth(operand)
            return None if inner is None else not inner
        case ast.BoolOp(operation, values):
            deciding, truths = isinstance(operation, ast.Or), {constant_truth(value) for value in values}
            return deciding if deciding in truths else None if None in truths else not deciding
        case ast.Compare(ast.Constant(first), [comparison], [ast.Constant(second)]) if type(first) is type(second):
            compare = _COMPARISONS.get(type(comparison))
            return compare(first, second) if compare and isinstance(first, int | float | str) else None
    return None


def _is_empty(iterable: ast.expr) -> bool:
    """Return whether an iterable is clearly empty."""
    match iterable:
        case ast.Call(ast.Name("range"), [ast.Constant(0)]):
            return True
    return constant_truth(iterable) is False


def _used_classes(source: ParsedSource) -> set[str]:
    """Return the names of the classes that are mentioned outside their own definitions."""
    trees = [module.tree for module in program_and_modules(source)]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    everywhere = Counter(name for tree in trees for name in _mentioned(tree))
    return {node.name for node in classes if everywhere[node.name] > Counter(_mentioned(node))[node.name]}


def _mentioned(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        yield from all_names(node)
