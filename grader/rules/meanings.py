"""What expressions of a program stand for, as far as the text alone tells: `q.exit` for `sys.exit` after `q = sys`."""

import ast
from collections import Counter
from collections.abc import Iterator

_BUILTINS = ("builtins", "__builtins__")


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
