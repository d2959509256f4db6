"""Determines the meanings of the names in a program, as far as its source shows them.

`q.exit` means `sys.exit` after `q = sys`. Some names are the program's own even if a builtin has the same name: a name
in a function, if the function binds it, and a name of the module after a statement that binds it and always runs. If
the module may or may not have bound a name, a name that is called means the builtin, because otherwise the program
could bind it in code that never runs; a name that is only read means the variable.
"""

import ast
import builtins
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from grader.plugins.code_rules.constant_text import constant_text
from grader.plugins.code_rules.module_names import assigned_names, bound_by_name, is_stored
from grader.plugins.code_rules.used_names import live_children
from grader.rules.source import ParsedSource

_BUILTINS = ("builtins", "__builtins__")
_IMPORTERS = ("__import__", "importlib.import_module", "importlib.__import__")
_DEEPEST = 100
_GETTERS = ("operator.attrgetter", "operator.methodcaller")
_LOOK_UP = ("getattr", "object.__getattribute__", "inspect.getattr_static")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Names = frozenset[str]


class Meanings:
    """The dotted names that a program's expressions refer to.

    A name that is bound only once, to a dotted name, refers to that dotted name. A name that is bound several times may
    mean several things and refers to itself, so that no wrong claim is made about it.
    """

    def __init__(self, tree: ast.Module, known: Mapping[str, str | None] | None = None) -> None:
        """Analyse the whole program, `tree`. `known` gives the meanings of further names: dotted names, or None."""
        self._imported: dict[str, str | None] = {**dict(imported_names(tree)), **(known or {})}
        self._values: dict[str, list[ast.expr]] = defaultdict(list)
        for name, value in _assigned_values(tree):
            self._values[name].append(value)
        self._meant: dict[ast.expr, str | None] = {}
        self._makers: dict[str, str | None] = {}
        self._depth = 0
        bound = Counter(bindings(tree))
        self._alias_values = {name: values[0] for name, values in self._values.items() if bound[name] == 1}

    def is_alias(self, name: str) -> bool:
        """Return whether the name is bound once, to something with a dotted name."""
        return name in self._alias_values and self._alias(name, frozenset()) is not None

    def of(self, node: ast.expr) -> str | None:
        """Return the dotted name of an expression, without a dot for a builtin, or None if it has no name."""
        return self._of(node, frozenset())

    def maker(self, value: ast.expr) -> str | None:
        """Return the callable that creates an object, if every call assigned to the object's name uses the same one."""
        if not isinstance(value, ast.Name):
            return self._only_maker([value])
        if value.id not in self._makers:
            self._makers[value.id] = self._only_maker(self._values.get(value.id, []))
        return self._makers[value.id]

    def _only_maker(self, values: Iterable[ast.expr]) -> str | None:
        makers = {self.of(value.func) for value in values if isinstance(value, ast.Call)}
        return makers.pop() if len(makers) == 1 else None

    def _of(self, node: ast.expr, seen: frozenset[str]) -> str | None:
        """Return the dotted name. Each node is examined only once, however many names refer to it."""
        if node not in self._meant and self._depth < _DEEPEST:
            self._depth += 1
            meaning = self._meaning(node, seen)
            self._depth -= 1
            self._meant[node] = meaning
        return self._meant.get(node)

    def _meaning(self, node: ast.expr, seen: frozenset[str]) -> str | None:
        match node:
            case ast.Name(id=name):
                return self._alias(name, seen) or self._imported.get(name, name)
            case ast.NamedExpr(value=value):
                return self._of(value, seen)
            case ast.BoolOp(values=values):
                return next(filter(None, (self._of(operand, seen) for operand in values)), None)
            case ast.IfExp(body=value, orelse=other):
                return self._of(value, seen) or self._of(other, seen)
            case ast.Attribute(value=value, attr=attribute):
                return self._member(value, attribute, seen)
            case ast.Call(func=function, args=arguments):
                return self._called(function, arguments, seen)
            case ast.Subscript(value=space, slice=key):
                return self._item(space, key, seen)
        return None

    def _called(self, function: ast.expr, arguments: Sequence[ast.expr], seen: frozenset[str]) -> str | None:
        """Return the meaning of a call that looks up a name or imports a module."""
        match self.plain(function), arguments:
            case ast.Attribute(value=space, attr="get" | "pop" | "setdefault" | "__getitem__"), [key, *_]:
                return self._item(space, key, seen)
            case ast.Attribute(value=value, attr="__getattribute__"), [key]:
                return self._named(value, key, seen)
            case ast.Call(func=maker, args=[key, *_]), [value] if self._of(maker, seen) in _GETTERS:
                return self._named(value, key, seen)
            case ast.Call(func=maker, args=[key]), [space] if self._of(maker, seen) == "operator.itemgetter":
                return self._item(space, key, seen)
        known = self._of(function, seen) if isinstance(function, ast.Name | ast.Attribute) else None
        match arguments:
            case [value, key, *_] if known in _LOOK_UP:
                return self._named(value, key, seen)
            case [name, *_] if known in _IMPORTERS:
                return constant_text(name, self.plain)
        return None

    def plain(self, node: ast.expr) -> ast.expr:
        """Return the value of a name that is bound only once, or otherwise the expression itself."""
        return self._alias_values.get(node.id, node) if isinstance(node, ast.Name) else node

    def _named(self, value: ast.expr, key: ast.expr, seen: frozenset[str]) -> str | None:
        """Return the meaning of `getattr(value, key)`."""
        attribute = constant_text(key, self.plain)
        return None if attribute is None else self._member(value, attribute, seen)

    def _item(self, space: ast.expr, key: ast.expr, seen: frozenset[str]) -> str | None:
        if isinstance(key, ast.Name) and key.id == "__name__":
            return "__main__" if self._of(space, seen) == "sys.modules" else None
        name = constant_text(key, self.plain)
        if name is None:
            return None
        space = self.plain(space)
        owner = namespace_owner(space)
        if owner is not None:
            return self._member(owner, name, seen)
        match space:
            case (
                ast.Call(func=ast.Name(id="globals" | "locals" | "vars"), args=[])
                | ast.Attribute(attr="__globals__" | "f_globals" | "f_locals")
            ):
                return self._alias(name, seen) or self._imported.get(name, name)
        known = self._of(space, seen)
        return {"sys.modules": name, "__builtins__": name}.get(known or "")

    def _member(self, value: ast.expr, attribute: str, seen: frozenset[str]) -> str | None:
        if attribute in ("__builtins__", "f_builtins"):
            return "__builtins__"
        owner = self._of(value, seen)
        if owner is None:
            return None
        if attribute == "__self__" and hasattr(builtins, owner):
            return "builtins"
        return attribute if owner in _BUILTINS else f"{owner}.{attribute}"

    def _alias(self, name: str, seen: frozenset[str]) -> str | None:
        value = self._alias_values.get(name)
        return self._of(value, seen | {name}) if value is not None and name not in seen else None


def namespace_owner(node: ast.expr) -> ast.expr | None:
    """Return the object whose attributes `node` holds: `m` for `m.__dict__` and `vars(m)`."""
    match node:
        case ast.Attribute(value=owner, attr="__dict__"):
            return owner
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return owner
    return None


def imported_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield imported names with their meanings: `o` for `os` after `import os as o`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.asname, alias.name) for alias in node.names if alias.asname)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = node.module or ""
                meant = alias.name if module in _BUILTINS else f"{module}.{alias.name}"
                yield alias.asname or alias.name, meant


def _assigned_values(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the assigned names with their values."""
    for node in ast.walk(tree):
        yield from assigned_names(node)
        if isinstance(node, ast.NamedExpr):
            yield node.target.id, node.value


def bindings(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a program binds, once per binding."""
    for node in ast.walk(tree):
        yield from _binds(node)
        match node:
            case ast.Name(id=name, ctx=ast.Del()) | ast.arg(arg=name):
                yield name
            case ast.alias(name=name, asname=asname):
                yield asname or name.split(".")[0]


@dataclass(frozen=True)
class _Scope:
    """The names that a function or comprehension binds, and the names that it declares global."""

    own: _Names
    shared: _Names


class _Bound:
    """The names of the module that a block always binds, and the names that it may bind, added to earlier bindings."""

    def __init__(self, before: "_Bound | None" = None, surely: Set[str] = frozenset(), maybe: Set[str] = frozenset()):
        self.before = before
        self.surely = set(surely)
        self.maybe = set(maybe)

    def always_has(self, name: str) -> bool:
        """Return whether a name is always bound."""
        return any(name in bound.surely for bound in self._chain())

    def may_have(self, name: str) -> bool:
        """Return whether a name may be bound."""
        return any(name in bound.maybe for bound in self._chain())

    def _chain(self) -> Iterator["_Bound"]:
        bound: _Bound | None = self
        while bound is not None:
            yield bound
            bound = bound.before


def own_names(source: ParsedSource, modules: Mapping[str, ParsedSource] | None = None) -> frozenset[ast.Name]:
    """Return the name nodes that a file assigns to or deletes, and the ones that refer to the program's own objects.

    `modules` holds the student's modules by name: names imported from them are the program's own.
    """
    return frozenset(_Finder(source.tree, modules or {}).found)


def local_names(source: ParsedSource) -> frozenset[ast.Name]:
    """Return the name nodes that refer to variables of functions and comprehensions."""
    return frozenset(_Finder(source.tree, {}).local)


def _surely_bound(source: ParsedSource) -> _Names:
    """Return the names that a module always binds."""
    return frozenset(_Finder(source.tree, {}).surely)


def _names_given_by_star(source: ParsedSource) -> _Names:
    """Return the names that `*` surely imports from a module; `__all__` limits them if it is a list of strings."""
    names = frozenset(name for name in _surely_bound(source) if not name.startswith("_"))
    match [value for name, value in _assigned_values(source.tree) if name == "__all__"]:
        case [ast.List(values) | ast.Tuple(values)]:
            return names & {value.value for value in values if isinstance(value, ast.Constant)}
    return names


class _Finder:
    """A finder of the program's own names, in one pass over the program.

    A function may use functions, and variables that are only read, before they are defined.
    """

    def __init__(self, tree: ast.Module, modules: Mapping[str, ParsedSource]) -> None:
        self.found: set[ast.Name] = set()
        self.local: set[ast.Name] = set()
        self._modules = modules
        self._bound: list[str] = []
        self._bound_by: dict[ast.AST, slice] = {}
        nodes = (node for statement in tree.body if not _deleted_by(statement) for node in ast.walk(statement))
        self._foreign = frozenset(name for node in nodes for name in self._foreign_in(node))
        # These are always deleted, once, so the program only owns them before that. But a function may be called later.
        self._deleted = frozenset(name for node in tree.body for name in _deleted_by(node))
        others = self._foreign | self._deleted
        self._functions = frozenset(node.name for node in tree.body if isinstance(node, _Definition)) - others
        declared = frozenset(name for node in ast.walk(tree) for name in _bound_as_global(node))
        self._variables = (self._bound_in(*tree.body) | declared) - others
        self._called = _called(tree)
        self.surely: Set[str] = self._block(tree.body, _Bound()).surely

    def _block(self, statements: Sequence[ast.stmt], bound: _Bound) -> _Bound:
        """Mark the program's own names in statements of the module, and return `bound` with the names they bind."""
        for statement in statements:
            given = self._bound_in(statement)
            if isinstance(statement, _Definition):
                self._mark(statement, bound)
                bound.surely |= given
                bound.maybe |= given
                continue
            blocks, parts = list(_blocks(statement)), list(_parts(statement))
            # A loop may have bound a name in an earlier iteration, and a handler or `else` comes after `try`.
            is_again = isinstance(statement, ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar)
            inside = _Bound(bound, maybe=given if is_again else self._bound_in(*(parts if blocks else ())))
            for part in parts:
                self._mark(part, inside)
            ends = [self._block(block, _Bound(inside, surely=names - self._foreign)) for block, names in blocks]
            bound.surely |= self._surely_after(statement, [end.surely for end in ends])
            bound.maybe |= given
            bound.surely -= _deleted_by(statement) & self._deleted
            bound.maybe -= _deleted_by(statement) & self._deleted
        return bound

    def _surely_after(self, statement: ast.stmt, ends: Sequence[Set[str]]) -> Set[str]:
        """Return the names that are always bound after a statement, given the names bound after each of its blocks."""
        match statement:
            case ast.If(orelse=[_, *_]):
                return ends[0] & ends[1]
            case ast.Assign(targets=targets):
                return _stored(targets) - self._foreign
            case ast.AnnAssign(target=target, value=ast.expr()):
                return _stored([target]) - self._foreign
            case ast.ImportFrom():
                return self._names_from_student_module(statement) - self._foreign
        return frozenset()

    def _mark(self, start: ast.AST, bound: _Bound) -> None:
        waiting: list[tuple[ast.AST, tuple[_Scope, ...]]] = [(start, ())]
        while waiting:
            node, scopes = waiting.pop()
            if isinstance(node, ast.Name) and (not isinstance(node.ctx, ast.Load) or self._is_own(node, scopes, bound)):
                self.found.add(node)
            inner = {id(nested) for nested in _inner_nodes(node)}
            within = (*scopes, self._scope(node)) if inner else scopes
            parts = (part for child in ast.iter_child_nodes(node) for part in _parts_of_clause(child))
            waiting += ((part, within if id(part) in inner else scopes) for part in parts)

    def _is_own(self, node: ast.Name, scopes: Sequence[_Scope], bound: _Bound) -> bool:
        for scope in reversed(scopes):
            if node.id in scope.shared:
                break
            if node.id in scope.own:
                self.local.add(node)
                return True
        if scopes and node.id in self._deleted:
            return False
        if bound.always_has(node.id) or (scopes and node.id in self._functions):
            return True
        return node not in self._called and (node.id in self._variables if scopes else bound.may_have(node.id))

    def _scope(self, node: ast.AST) -> _Scope:
        if isinstance(node, _Comprehension):
            return _Scope(_stored(loop.target for loop in node.generators) - self._foreign, frozenset())
        body = list(_nodes_of_scope(_inner_nodes(node)))
        elsewhere = {name for inner in body if isinstance(inner, ast.Global | ast.Nonlocal) for name in inner.names}
        shared = frozenset(name for inner in body if isinstance(inner, ast.Global) for name in inner.names)
        arguments = ast.walk(node.args) if isinstance(node, _Function) else ()
        bound = {argument.arg for argument in arguments if isinstance(argument, ast.arg)}
        bound |= {name for inner in body for name in (*_binds(inner), *self._names_from_student_module(inner))}
        return _Scope(frozenset(bound - elsewhere) - self._foreign, shared)

    def _bound_in(self, *nodes: ast.AST) -> _Names:
        """Return the names that these nodes may bind in the module, leaving out code that clearly never runs."""
        for node in nodes:
            if node not in self._bound_by:
                self._go_through(node)
        return frozenset().union(*(self._bound[self._bound_by[node]] for node in nodes)) - self._foreign

    def _go_through(self, start: ast.AST) -> None:
        """Record the names bound by a node and the nodes inside it, so that the names of each node form one slice."""
        waiting = [start]
        begun: dict[ast.AST, int] = {}
        while waiting:
            node = waiting.pop()
            if node in begun:
                self._bound_by[node] = slice(begun[node], len(self._bound))
                continue
            begun[node] = len(self._bound)
            waiting.append(node)
            self._bound += [*_binds(node), *self._names_from_student_module(node)]
            if not isinstance(node, _Definition | ast.Lambda | _Comprehension):
                waiting += live_children(node)

    def _foreign_in(self, node: ast.AST) -> Iterator[str]:
        """Yield the names that are imported, or that are deleted and so regain their earlier meaning."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            yield node.id
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
            yield from names - self._names_from_student_module(node)

    def _names_from_student_module(self, node: ast.AST) -> _Names:
        """Return the names imported from a student's module; names that it takes from Python are looked up there."""
        if not isinstance(node, ast.ImportFrom):
            return frozenset()
        module = node.module or ""
        if module not in self._modules:
            return frozenset()
        names = frozenset(alias.asname or alias.name for alias in node.names)
        return self._modules[module].once(_names_given_by_star) if "*" in names else names


def _deleted_by(statement: ast.stmt) -> _Names:
    """Return the variables that a `del` of the module deletes."""
    targets = statement.targets if isinstance(statement, ast.Delete) else ()
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def _bound_as_global(node: ast.AST) -> _Names:
    """Return the names that a function declares global and binds."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return frozenset()
    body = list(_nodes_of_scope(node.body))
    shared = {name for inner in body if isinstance(inner, ast.Global) for name in inner.names}
    return frozenset(name for inner in body for name in _binds(inner)) & shared


def _called(tree: ast.Module) -> set[ast.Name]:
    """Return the names that are called, directly or through an alias."""
    functions = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    called = {function for function in functions if isinstance(function, ast.Name)}
    names = {function.id for function in called}
    return called | {value for name, value in _assigned_values(tree) if name in names and isinstance(value, ast.Name)}


def _blocks(statement: ast.stmt) -> Iterator[tuple[list[ast.stmt], _Names]]:
    """Yield the blocks of a statement other than a definition, each with the names bound when it begins."""
    match statement:
        case ast.For(target=target) | ast.AsyncFor(target=target):
            begun = _stored([target])
        case ast.With(items=items) | ast.AsyncWith(items=items):
            begun = _stored(item.optional_vars for item in items if item.optional_vars)
        case _:
            begun = frozenset()
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            yield block, begun if name == "body" else frozenset()
    for handler in getattr(statement, "handlers", ()):
        yield handler.body, frozenset(_binds(handler))
    for case in getattr(statement, "cases", ()):
        yield case.body, _stored([case.pattern])


def _parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the children of a statement, except its blocks."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from (part for part in ast.iter_child_nodes(child) if not isinstance(part, ast.stmt))
        elif not isinstance(child, ast.stmt):
            yield child


def _inner_nodes(node: ast.AST) -> Sequence[ast.AST]:
    """Return the nodes of an inner scope; defaults, decorators and a comprehension's first iterable are outside."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.body
    if isinstance(node, _Comprehension):
        parts = [part for child in ast.iter_child_nodes(node) for part in _parts_of_clause(child)]
        return [part for part in parts if part is not node.generators[0].iter]
    return ()


def _parts_of_clause(node: ast.AST) -> Iterable[ast.AST]:
    """Return the parts of a comprehension's `for` clause, or any other node unchanged."""
    return ast.iter_child_nodes(node) if isinstance(node, ast.comprehension) else (node,)


def _nodes_of_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes in a function, except nodes in inner scopes."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _Definition | ast.Lambda | _Comprehension):
            waiting += ast.iter_child_nodes(node)


def _binds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, _Definition):
        yield node.name
    elif is_stored(node):
        yield node.id
    yield from bound_by_name(node)


def _stored(targets: Iterable[ast.AST]) -> _Names:
    """Return the names bound in the targets of an assignment."""
    return frozenset(name for target in targets for node in ast.walk(target) for name in _binds(node))
