"""Follows modules that a program passes on as values, and finds the places where they can no longer be followed."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from grader.plugins.code_rules.meanings import Meanings, bindings
from grader.plugins.code_rules.module_names import assigned_pairs
from grader.rules.source import FunctionDefinition

_MAX_STEPS = 5

_LOOKERS = (
    "dir",
    "hasattr",
    "help",
    "id",
    "isinstance",
    "getattr",
    "print",
    "repr",
    "setattr",
    "delattr",
    "str",
    "vars",
)


def escapes(tree: ast.Module, meanings: Meanings, program_names: Set[ast.Name]) -> Iterator[tuple[ast.expr, str]]:
    """Yield each value passed to a call, a collection, an attribute or the like, with its dotted name.

    Names in `program_names`, which mean the program's own objects, are skipped, except aliases of imported objects.
    """
    for node in ast.walk(tree):
        for value in _passed_on(node, meanings):
            root = first_name(value)
            if root is None or root not in program_names or meanings.is_alias(root.id):
                yield value, meanings.of(value) or ""


def first_name(value: ast.expr) -> ast.Name | None:
    """Return the name with which an expression like `a.b.c` begins."""
    while isinstance(value, ast.Attribute):
        value = value.value
    return value if isinstance(value, ast.Name) else None


def _passed_on(node: ast.AST, meanings: Meanings) -> Iterator[ast.expr]:
    """Yield the parts of a node whose values it passes on to places that are not followed."""
    match node:
        case ast.Call(called, arguments, keywords) if meanings.of(called) not in _LOOKERS:
            yield from [*arguments, *(keyword.value for keyword in keywords)]
        case ast.Assign([target], value) | ast.AnnAssign(target, _, value) | ast.NamedExpr(target, value):
            is_followed = isinstance(target, ast.Name) and meanings.is_alias(target.id)
            yield from [value] if value and not is_followed else []
        case ast.Assign(_, value) | ast.Starred(value) | ast.withitem(value) | ast.Match(value) | ast.Lambda(_, value):
            yield value
        case ast.Return(ast.expr() as value) | ast.Yield(ast.expr() as value):
            yield value
        case ast.ClassDef(body=statements):
            yield from [statement.value for statement in statements if isinstance(statement, ast.Assign)]
        case ast.List(values) | ast.Tuple(values) | ast.Set(values) | ast.Dict(values=values):
            yield from values
        case ast.ListComp(value) | ast.SetComp(value) | ast.GeneratorExp(value) | ast.DictComp(value=value):
            yield value
        case ast.arguments(defaults=defaults, kw_defaults=by_name):
            yield from [*defaults, *filter(None, by_name)]


class Followed:
    """The parameters and loop variables that receive a passed-on value, each with its dotted name.

    `escaped` maps the passed-on values to their dotted names.
    """

    def __init__(self, tree: ast.Module, meanings: Meanings, escaped: Mapping[ast.expr, str]) -> None:
        self.names: dict[ast.expr, str] = {}
        self._escaped = dict(escaped)
        self._values: set[ast.expr] = set()
        self._entered: set[tuple[ast.AST, str]] = set()
        self._inside: dict[ast.AST, Mapping[str, Sequence[ast.Name]]] = {}
        nodes = list(ast.walk(tree))
        counts = Counter(bindings(tree))
        self._functions = {
            node.name: node for node in nodes if isinstance(node, FunctionDefinition) and counts[node.name] == 1
        }
        for _ in range(_MAX_STEPS):
            for node in nodes:
                for scope, pairs in self._bound(node, meanings):
                    self._enter(scope, dict(pairs))
            passed = {value for node in nodes for value in _passed_on(node, meanings) if value in self.names}
            if passed <= self._escaped.keys():
                break
            self._escaped |= {value: self.names[value] for value in passed}

    @property
    def lost(self) -> dict[ast.expr, str]:
        """The passed-on values that are not followed any further."""
        return {value: name for value, name in self._escaped.items() if value not in self._values}

    def _bound(
        self, node: ast.AST, meanings: Meanings
    ) -> Iterator[tuple[Sequence[ast.AST], Iterable[tuple[str, ast.expr]]]]:
        """Yield each scope in which a node binds names, with the pairs of name and value."""
        match node:
            case ast.Call(ast.Name(name)) if name in self._functions:
                function = self._functions[name]
                yield function.body, _arguments(function.args, node)
            case ast.Call(called) if isinstance(made := meanings.plain(called), ast.Lambda):
                yield [made.body], _arguments(made.args, node)
            case ast.FunctionDef(args=parameters, body=body):
                yield body, _defaults(parameters)
            case ast.Lambda(parameters, value):
                yield [value], _defaults(parameters)
            case ast.For(target, ast.List(values) | ast.Tuple(values) | ast.Set(values), body):
                yield from ((body, assigned_pairs(target, value)) for value in values)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                for loop in node.generators:
                    if isinstance(loop.iter, ast.List | ast.Tuple | ast.Set):
                        yield from ((_elements(node), assigned_pairs(loop.target, value)) for value in loop.iter.elts)

    def _enter(self, scope: Sequence[ast.AST], pairs: Mapping[str, ast.expr]) -> None:
        passed = {name: value for name, value in pairs.items() if value in self._escaped}
        self._values.update(passed.values())
        # Each name is searched once in its scope, however many values it gets there.
        new = {name: value for name, value in passed.items() if (scope[0], name) not in self._entered}
        if new and scope[0] not in self._inside:
            self._inside[scope[0]] = _never_bound(scope)
        for name, value in new.items():
            self._entered.add((scope[0], name))
            self.names |= dict.fromkeys(self._inside[scope[0]].get(name, ()), self._escaped[value])


def _never_bound(scope: Sequence[ast.AST]) -> Mapping[str, Sequence[ast.Name]]:
    """Map each name that is never bound in `scope` to the nodes where it occurs."""
    again = {name for start in scope for name in bindings(start)}
    names: dict[str, list[ast.Name]] = defaultdict(list)
    for node in (node for start in scope for node in ast.walk(start)):
        if isinstance(node, ast.Name) and node.id not in again:
            names[node.id].append(node)
    return names


def _elements(comprehension: ast.AST) -> list[ast.AST]:
    return [node for node in ast.iter_child_nodes(comprehension) if not isinstance(node, ast.comprehension)]


def _arguments(parameters: ast.arguments, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    by_place = [parameter.arg for parameter in (*parameters.posonlyargs, *parameters.args)]
    if not any(isinstance(argument, ast.Starred) for argument in call.args):
        yield from zip(by_place, call.args, strict=False)
    names = (*by_place, *(parameter.arg for parameter in parameters.kwonlyargs))
    yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg in names)


def _defaults(parameters: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    by_place = [parameter.arg for parameter in (*parameters.posonlyargs, *parameters.args)]
    yield from zip(reversed(by_place), reversed(parameters.defaults), strict=False)
    for parameter, value in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
        if value is not None:
            yield parameter.arg, value
