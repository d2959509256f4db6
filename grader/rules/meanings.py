"""What the names of a program stand for, as far as the text alone tells.

`q.exit` stands for `sys.exit` after `q = sys`. Some names are the program's own for sure, though Python may have built
in something of the same name: one in a function, if the function binds it; one of the module after a statement that is
executed in any case. After a branch that may not be taken it could still be what Python has built in.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_BUILTINS = ("builtins", "__builtins__")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Names = frozenset[str]


class Meanings:
    """The dotted names that expressions of a program stand for.

    A name that is bound only once, to a dotted name, stands for that one. One that is bound several times may mean
    several things and stands for itself, so nothing is said of it that may be wrong.
    """

    def __init__(self, tree: ast.Module) -> None:
        """`tree` is the whole program."""
        self._imported = dict(imported_names(tree))
        self._alias_values = dict(_once_bound(tree))

    def is_alias(self, name: str) -> bool:
        """Whether the name is bound once, to something that has a dotted name."""
        return name in self._alias_values and self._alias(name, frozenset()) is not None

    def of(self, node: ast.expr) -> str | None:
        """The dotted name; what Python has built in has no dot. None when it is no name."""
        return self._of(node, frozenset())

    def _of(self, node: ast.expr, seen: frozenset[str]) -> str | None:
        match node:
            case ast.Name(id=name):
                return self._alias(name, seen) or self._imported.get(name, name)
            case ast.Attribute(value=value, attr=attribute):
                return self._member(value, attribute, seen)
            case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(attribute)), *_]):
                return self._member(value, attribute, seen)
            case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(module)), *_]):
                return module
            case ast.Subscript(value=space, slice=ast.Name(id="__name__")):
                return "__main__" if self._of(space, seen) == "sys.modules" else None
            case ast.Subscript(value=space, slice=ast.Constant(value=str(key))):
                owner = namespace_owner(space)
                if owner is not None:
                    return self._member(owner, key, seen)
                known = self._of(space, seen)
                return {"sys.modules": key, "__builtins__": key}.get(known or "")
        return None

    def _member(self, value: ast.expr, attribute: str, seen: frozenset[str]) -> str | None:
        owner = self._of(value, seen)
        if owner is None:
            return None
        return attribute if owner in _BUILTINS else f"{owner}.{attribute}"

    def _alias(self, name: str, seen: frozenset[str]) -> str | None:
        value = self._alias_values.get(name)
        return self._of(value, seen | {name}) if value is not None and name not in seen else None


def namespace_owner(node: ast.expr) -> ast.expr | None:
    """The object whose attributes `node` holds: `m` for `m.__dict__` and `vars(m)`."""
    match node:
        case ast.Attribute(value=owner, attr="__dict__"):
            return owner
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return owner
    return None


def imported_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What imported names stand for: `o` for `os` after `import os as o`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.asname, alias.name) for alias in node.names if alias.asname)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = node.module or ""
                meant = alias.name if module in _BUILTINS else f"{module}.{alias.name}"
                yield alias.asname or alias.name, meant


def _once_bound(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    bound = Counter(_bindings(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                targets = [target]
            case _:
                continue
        yield from ((one.id, value) for one in targets if isinstance(one, ast.Name) and bound[one.id] == 1)


def _bindings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
            case ast.alias(name=name, asname=asname):
                yield asname or name.split(".")[0]


@dataclass(frozen=True)
class _Scope:
    """What a function or comprehension binds, and what it says is the module's."""

    own: _Names
    shared: _Names


def own_names(tree: ast.Module) -> frozenset[ast.Name]:
    """The names in `tree` that are assigned to or deleted, and those that mean something of the program for sure."""
    return frozenset(_Finder(tree).found)


class _Finder:
    """Goes through a program once.

    Functions, and variables that a function declares as `global`, may be used in it before they are there.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.found: set[ast.Name] = set()
        self._foreign = frozenset(name for node in ast.walk(tree) for name in _foreign(node))
        self._functions = frozenset(node.name for node in tree.body if isinstance(node, _Definition)) - self._foreign
        targets = (target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets)
        self._variables = _stored(targets) - self._foreign
        self._block(tree.body, frozenset())

    def _block(self, statements: Sequence[ast.stmt], known: _Names) -> _Names:
        """Look at statements of the module, given the names that are `known` before; give those known after."""
        for statement in statements:
            if isinstance(statement, _Definition):
                self._mark(statement, known)
                known |= {statement.name} - self._foreign
                continue
            inside = known
            if isinstance(statement, ast.For | ast.AsyncFor):
                inside |= _stored([statement.target]) - self._foreign
            for part in _parts(statement):
                self._mark(part, known)
            ends = [self._block(block, inside) for block in _blocks(statement)]
            match statement:
                case ast.If(orelse=[_, *_]):
                    known = ends[0] & ends[1]
                case ast.With() | ast.AsyncWith():
                    known = ends[0]
                case ast.Assign(targets=targets):
                    known |= _stored(targets) - self._foreign
                case ast.AnnAssign(target=target, value=ast.expr()):
                    known |= _stored([target]) - self._foreign
        return known

    def _mark(self, start: ast.AST, known: _Names) -> None:
        waiting: list[tuple[ast.AST, tuple[_Scope, ...]]] = [(start, ())]
        while waiting:
            node, scopes = waiting.pop()
            if isinstance(node, ast.Name) and (not isinstance(node.ctx, ast.Load) or self._is_own(node, scopes, known)):
                self.found.add(node)
            inner = {id(one) for one in _inside(node)}
            within = (*scopes, self._scope(node)) if inner else scopes
            parts = (part for child in ast.iter_child_nodes(node) for part in _opened(child))
            waiting += ((part, within if id(part) in inner else scopes) for part in parts)

    def _is_own(self, node: ast.Name, scopes: Sequence[_Scope], known: _Names) -> bool:
        for scope in reversed(scopes):
            if node.id in scope.shared and node.id in self._variables:
                return True
            if node.id in scope.shared:
                break
            if node.id in scope.own:
                return True
        return node.id in known or (bool(scopes) and node.id in self._functions)

    def _scope(self, node: ast.AST) -> _Scope:
        if isinstance(node, _Comprehension):
            return _Scope(_stored(one.target for one in node.generators) - self._foreign, frozenset())
        body = list(_within(_inside(node)))
        elsewhere = {name for one in body if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names}
        shared = frozenset(name for one in body if isinstance(one, ast.Global) for name in one.names)
        arguments = ast.walk(node.args) if isinstance(node, _Function) else ()
        bound = {one.arg for one in arguments if isinstance(one, ast.arg)}
        bound |= {name for one in body for name in _binds(one)}
        return _Scope(frozenset(bound - elsewhere) - self._foreign, shared)


def _foreign(node: ast.AST) -> Iterator[str]:
    """The names that are imported, or deleted so that they mean again what they did before."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
        yield node.id
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement that is no definition."""
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            yield block
    yield from (one.body for name in ("handlers", "cases") for one in getattr(statement, name, ()))


def _parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """What is in a statement, but for its blocks."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from (one for one in ast.iter_child_nodes(child) if not isinstance(one, ast.stmt))
        elif not isinstance(child, ast.stmt):
            yield child


def _inside(node: ast.AST) -> Sequence[ast.AST]:
    """What is in a scope of its own; defaults, decorators and what a comprehension begins with are not."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.body
    if isinstance(node, _Comprehension):
        parts = [part for child in ast.iter_child_nodes(node) for part in _opened(child)]
        return [part for part in parts if part is not node.generators[0].iter]
    return ()


def _opened(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of a `for` in a comprehension; anything else as it is."""
    return ast.iter_child_nodes(node) if isinstance(node, ast.comprehension) else (node,)


def _within(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What is in a function and in no scope inside of it."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _Definition | ast.Lambda | _Comprehension):
            waiting += ast.iter_child_nodes(node)


def _binds(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name


def _stored(targets: Iterable[ast.expr]) -> _Names:
    """The names in what is assigned to."""
    return frozenset(name for target in targets for node in ast.walk(target) for name in _binds(node))
