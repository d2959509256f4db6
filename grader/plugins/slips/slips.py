"""Finds calls without parentheses, and lists whose rows are one and the same list, in the source of a program."""

import ast
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.plugins.slips.reach import owned_nodes
from grader.text.escape import quote
from grader.text.sentence import Sentence, say

_LONGEST = 60
_BUILT_IN_METHODS = frozenset(
    name for kind in (str, list, dict, set, io.TextIOWrapper) for name in dir(kind) if callable(getattr(kind, name))
)
_BUILT_IN_FUNCTIONS = frozenset({"exit", "quit", "print", "input"})
_TAKE_VALUES = frozenset({"print", "str", "int", "float", "bool", "len", "list", "sorted", "range"})
_MAKE_CONTAINERS = frozenset({"list", "dict", "set"})
_Container = ast.List | ast.ListComp | ast.Dict | ast.DictComp | ast.Set | ast.SetComp
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True)
class Slip:
    """A slip in a line of a file, with a sentence about it; `owner` is the function around it, or empty."""

    file: str
    line: int
    owner: str
    sentence: Sentence


@dataclass(frozen=True, kw_only=True)
class _Names:
    """The names of methods and functions that mean nothing else in a program, and the names of modules."""

    methods: frozenset[str]
    functions: frozenset[str]
    modules: frozenset[str]
    values: frozenset[str]
    called: frozenset[str]


def find_slips(trees: Mapping[str, ast.Module], provided: Mapping[str, ast.Module]) -> Iterator[Slip]:
    """Yield the slips in a student's files, in the order of their lines; `provided` are the course's modules."""
    names = _names([*trees.values(), *provided.values()])
    for file, tree in trees.items():
        slips = [
            Slip(file=file, line=node.lineno, owner=owner, sentence=sentence)
            for owner, parent in owned_nodes(tree)
            for node, sentence in (*_uncalled(parent, names), *_one_row(parent))
        ]
        yield from sorted(slips, key=lambda slip: slip.line)


def _names(trees: list[ast.Module]) -> _Names:
    nodes = [node for tree in trees for node in ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    inside = [node for kind in classes for node in kind.body]
    methods = {node.name for node in inside if isinstance(node, _Function) and not node.decorator_list}
    functions = {node.name for node in nodes if isinstance(node, _Function)} - {
        node.name for node in inside if isinstance(node, _Function)
    }
    values = {name for node in nodes for name in _other_names(node)}
    values |= {node.name for node in inside if isinstance(node, _Function) and node.decorator_list}
    imports = [node for node in nodes if isinstance(node, ast.Import)]
    return _Names(
        methods=frozenset((methods | _BUILT_IN_METHODS) - values),
        functions=frozenset((functions | _BUILT_IN_FUNCTIONS) - values),
        modules=frozenset((alias.asname or alias.name).partition(".")[0] for node in imports for alias in node.names),
        values=frozenset(values),
        called=frozenset(
            node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ),
    )


def _other_names(node: ast.AST) -> Iterator[str]:
    """Yield the names of variables, parameters, attributes and fields of named tuples."""
    match node:
        case ast.Name(name, ast.Store()) | ast.Attribute(_, name, ast.Store()) | ast.arg(name):
            yield name
        case ast.Call(ast.Name("namedtuple"), [_, fields, *_]):
            for field in ast.walk(fields):
                if isinstance(field, ast.Constant):
                    yield from str(field.value).replace(",", " ").split()


def _uncalled(parent: ast.AST, names: _Names) -> Iterator[tuple[ast.expr, Sentence]]:
    """Yield methods and functions without parentheses, where their result must be meant."""
    for value in _used_values(parent, names):
        if isinstance(value, ast.Attribute):
            root = value.value
            is_of_module = isinstance(root, ast.Name) and root.id in names.modules
            is_statement = isinstance(parent, ast.Expr) and value.attr not in names.values
            is_slip = is_statement or (value.attr in names.methods and not is_of_module)
        else:
            is_slip = isinstance(value, ast.Name) and value.id in names.functions
        if is_slip:
            code = _quoted(value)
            yield value, say("{code} has no parentheses after it, so nothing is called there", code=code)


def _used_values(node: ast.AST, names: _Names) -> Iterator[ast.expr]:
    """Yield the parts of a statement or expression whose value counts: conditions, operands, and what is printed."""
    match node:
        case ast.Expr(value) | ast.FormattedValue(value) | ast.Subscript(value):
            yield value
        case ast.If(test=value) | ast.While(test=value) | ast.IfExp(test=value) | ast.Assert(test=value):
            yield value
        case ast.For(iter=value) | ast.UnaryOp(operand=value) | ast.comprehension(iter=value):
            yield value
        case ast.BoolOp(values=values):
            yield from values
        case ast.BinOp(left=left, right=right):
            yield from (left, right)
        case ast.Compare(left, operators, others) if not any(
            isinstance(operator, ast.Is | ast.IsNot) for operator in operators
        ):
            yield from (left, *others)
        case ast.Call(ast.Name(function), arguments) if function in _TAKE_VALUES:
            yield from arguments
        case ast.Assign([ast.Name(name)], ast.Attribute() as value) if name not in names.called:
            yield value


def _one_row(node: ast.AST) -> Iterator[tuple[ast.expr, Sentence]]:
    """Yield a list of rows that is repeated by multiplication."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return
    for rows, times in ((node.left, node.right), (node.right, node.left)):
        once = isinstance(times, ast.Constant) and times.value in (0, 1)
        if isinstance(rows, ast.List) and not once and any(map(_is_container, rows.elts)):
            yield (
                node,
                say(
                    "{code} repeats one and the same row, so what is put into one row is in all of them",
                    code=_quoted(node),
                ),
            )


def _is_container(node: ast.expr) -> bool:
    is_made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MAKE_CONTAINERS
    is_repeated = isinstance(node, ast.BinOp) and isinstance(node.left, ast.List)
    return is_made or is_repeated or isinstance(node, _Container)


def _quoted(node: ast.expr) -> str:
    code = ast.unparse(node)
    return quote(code if len(code) <= _LONGEST else f"{code[:_LONGEST]}…")
