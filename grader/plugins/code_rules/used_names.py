"""Which names a program uses where it can come to, as far as the text tells.

It comes to what stands outside of functions, to `main`, to functions that tests call, that have a decorator or whose
name is written as a text, and to all functions and methods that these name. Methods that Python or another class may
call are always come to, and a program that makes up names of functions as it runs comes to all. Code that plainly
never runs, such as after `return`, is left out.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.plugins.code_rules.module_names import program_and_modules
from grader.rules.source import FunctionDefinition, ParsedSource

_MAIN = "main"
_CHANGING = ("staticmethod", "classmethod", "property", "cache", "lru_cache", "wraps", "contextmanager", "overload")
_BY_NAME = ("getattr", "globals", "locals", "vars", "eval", "exec", "methodcaller", "attrgetter")

NamesOf: TypeAlias = Callable[[ast.AST, Set[str]], Iterator[str]]
"""The names that one node of a program uses; the names of imported modules are known."""


def function_names(node: ast.AST, modules: Set[str]) -> Iterator[str]:
    """Yield the name of a function, alone or with its module: `deck.deal()` uses a method if `deck` is no module."""
    match node:
        case ast.Name(name, ast.Load()):
            yield name
        case ast.Attribute(ast.Name(module), name) if module in modules:
            yield name
        case ast.Attribute(ast.Attribute(ast.Name(package), module), name) if f"{package}.{module}" in modules:
            yield name
        case _:
            yield from _looked_up(node)


def all_names(node: ast.AST, _modules: Set[str] = frozenset()) -> Iterator[str]:
    """Yield the name of anything, attributes too."""
    match node:
        case ast.Name(name, ast.Load()) | ast.Attribute(_, name):
            yield name
        case _:
            yield from _looked_up(node)


def _looked_up(node: ast.AST) -> Iterator[str]:
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
    """Code that runs together: what stands outside of functions, or a function without those inside it.

    `owner` is the class of a method. `bound` are the names that are variables in it, so that they are no functions of
    the module, and `local` the functions that are defined in it.
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
        """The path that identifies it: `Deck.deal` for a method, `main.deal` inside a function."""
        names = [self.around.path if self.around else "", self.owner.name if self.owner else "", self.name]
        return ".".join(filter(None, names))

    def used(self, names_of: NamesOf, modules: Set[str]) -> set[str]:
        """Return the names that are used in it; those of functions inside of functions are their paths."""
        used = set()
        for node in self.nodes:
            for name in names_of(node, modules):
                if not isinstance(node, ast.Name):
                    used |= {name} - ({self.name} if self.owner else set())
                elif meant := self.meant(name):
                    used.add(meant)
        return used - {self.path}

    def meant(self, name: str) -> str | None:
        """Return the function that a name means here, None if it means a variable."""
        if name in self.local:
            return f"{self.path}.{name}"
        if name in self.bound:
            return None
        return self.around.meant(name) if self.around else name


@dataclass(frozen=True)
class _Reached:
    """The parts of a program that it comes to, all that there are in each file, and the names of its modules."""

    parts: Sequence[_Part]
    in_files: Mapping[str, Sequence[_Part]]
    modules: Set[str]
    registered: frozenset[str]

    def used(self, names_of: NamesOf) -> set[str]:
        """Return the names that are used, for each function outside of the function itself."""
        return {*self.registered, *(name for part in self.parts for name in part.used(names_of, self.modules))}


def used_names(source: ParsedSource) -> set[str]:
    """Return the names that are used as functions, for each function outside of the function itself."""
    return _reached(source).used(function_names)


def used_functions(source: ParsedSource) -> set[tuple[str, str]]:
    """Return the functions and methods of the program that it uses, by file and path.

    Methods count for each class that the program uses. Where it uses none, all of a name are one.
    """
    reached = _reached(source)
    functions, names, classes = reached.used(function_names), reached.used(all_names), _used_classes(source)
    found: set[tuple[str, str]] = set()
    elsewhere: dict[str, tuple[str, str]] = {}
    counted: set[str] = set()
    for file, parts in reached.in_files.items():
        for part in (part for part in parts if not part.is_lambda):
            key, is_named = (file, part.path), bool({part.name, part.path} & names)
            if part.owner is None and part.path in functions:
                found.add(key)
            elif part.owner is not None and part.owner.name in classes and (is_named or _is_special(part.name)):
                found.add(key)
                counted.add(part.name)
            elif part.owner is not None and is_named:
                elsewhere[part.name] = key
    return found | {key for name, key in elsewhere.items() if name not in counted}


def _reached(source: ParsedSource) -> _Reached:
    in_files = {one.file: _parts(one.tree) for one in program_and_modules(source)}
    parts = [part for inside in in_files.values() for part in inside]
    entries = {_MAIN, *source.called_by_tests}
    modules: set[str] = set()
    own = {one.module_name for one in source.modules}
    for one in program_and_modules(source):
        entries |= set(_texts(one.tree))
        modules |= set(_modules(one.tree, own))
    entries |= {name for part in parts if not part.name for node in part.nodes for name in all_names(node)}
    waiting = [part for part in parts if part.is_entry or part.name in entries]
    is_called = any(part.name and not part.owner for part in waiting)
    if not is_called or any(_makes_names(node) for part in parts for node in part.nodes):
        # What is tested in another way, or a name that the program makes, may call any.
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


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(str(text)):
                yield text


def _makes_names(node: ast.AST) -> bool:
    """Return whether this may get a function by a name that is no text of the program."""
    match node:
        case ast.Call(ast.Name("getattr"), [_, ast.Constant(), *_]):
            return False
        case ast.Call(ast.Name(name)):
            return name in _BY_NAME
    return False


def _modules(tree: ast.AST, own: Set[str]) -> Iterator[str]:
    """Yield the names of imported modules, including the program's own ones imported from a package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from (alias.asname or alias.name, (alias.asname or alias.name).partition(".")[0])
        elif isinstance(node, ast.ImportFrom):
            paths = {f"{node.module or ''}.{alias.name}".lstrip("."): alias for alias in node.names}
            yield from (alias.asname or alias.name for path, alias in paths.items() if path in own)


def _parts(tree: ast.Module) -> list[_Part]:
    outside = _Part(name="", is_entry=True)
    parts = [outside]
    waiting: list[tuple[ast.AST, _Part, ast.ClassDef | None]] = [(node, outside, None) for node in _live(tree.body)]
    while waiting:
        node, part, owner = waiting.pop()
        around: list[ast.AST]
        inside: list[ast.AST] = []
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                parts.append(_function(node, owner, part))
                around, inside = [*node.decorator_list, *_defaults(node.args)], [*_live(node.body)]
            case ast.Assign([ast.Name(name)], ast.Lambda(arguments, body)):
                made = _Part(name=name, is_entry=False, is_lambda=True, owner=owner, around=part)
                made.bound |= _parameters(arguments)
                parts.append(made)
                around, inside = _defaults(arguments), [body]
            case ast.ClassDef():
                waiting += ((inner, part, node) for inner in _live(node.body))
                around = [*node.decorator_list, *node.bases]
            case _:
                part.nodes.append(node)
                around = [*live_children(node)]
        waiting += ((inner, part, owner) for inner in around)
        waiting += ((inner, parts[-1], None) for inner in inside)
    for part in parts[1:]:
        part.bound |= _stored(part.nodes)
        if part.owner is None and part.around is not outside and part.around is not None:
            part.around.local.add(part.name)
    defined = {node.name for node in tree.body if isinstance(node, FunctionDefinition)}
    outside.bound = defined & _stored(outside.nodes) - _made_of_themselves(outside.nodes)
    return parts


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
    """Return whether it may keep the function to call it later; those of Python that only change it do not."""
    used = decorator.func if isinstance(decorator, ast.Call) else decorator
    first, *rest = ast.unparse(used).split(".")
    return (rest or [first])[-1] not in _CHANGING and first not in ("functools", "contextlib", "abc", "typing")


def _parameters(arguments: ast.arguments) -> set[str]:
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    return {one.arg for one in every if one is not None}


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that are assigned to, but for those that are said to be the module's."""
    names = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return names - {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def _made_of_themselves(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that stand for a function still, as after `deal = counted(deal)` or `deal = other`."""
    found = set()
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], ast.Name() | ast.Attribute()):
                found.add(name)
            case ast.Assign([ast.Name(name)], value) if name in _mentioned(value):
                found.add(name)
    return found


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _defaults(arguments: ast.arguments) -> list[ast.AST]:
    return [*arguments.defaults, *filter(None, arguments.kw_defaults)]


def _live(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements until one after which none of them runs."""
    for statement in statements:
        yield statement
        if isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue):
            return


def live_children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node, except code that plainly never runs and expressions that do nothing."""
    match node:
        case ast.Expr(ast.Name() | ast.Attribute()):
            return
        case ast.If(test, body, others):
            yield test
            yield from _live(body if _truth(test) is not False else [])
            yield from _live(others if _truth(test) is not True else [])
        case ast.While(test, body, others):
            yield test
            yield from _live(body if _truth(test) is not False else [])
            yield from _live(others)
        case ast.IfExp(test, value, other):
            yield test
            yield from [value] if _truth(test) is not False else []
            yield from [other] if _truth(test) is not True else []
        case ast.BoolOp(operator, values):
            for value in values:
                yield value
                if _truth(value) is isinstance(operator, ast.Or):
                    return
        case _:
            yield from _fields(node)


def _fields(node: ast.AST) -> Iterator[ast.AST]:
    for _, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield value
        elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield from _live(value)
        elif isinstance(value, list):
            yield from (inner for inner in value if isinstance(inner, ast.AST))


def _truth(test: ast.expr) -> bool | None:
    """Return whether a condition is always true or never; None when the text does not say."""
    match test:
        case ast.Constant(value):
            return bool(value)
        case ast.UnaryOp(ast.Not(), operand):
            inner = _truth(operand)
            return None if inner is None else not inner
    return None


def _used_classes(source: ParsedSource) -> set[str]:
    """Return the classes that stand somewhere outside of the class itself."""
    trees = [one.tree for one in program_and_modules(source)]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    everywhere = Counter(name for tree in trees for name in _mentioned(tree))
    return {one.name for one in classes if everywhere[one.name] > Counter(_mentioned(one))[one.name]}


def _mentioned(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        yield from all_names(node)
