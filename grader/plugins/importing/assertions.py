"""Turns assertions of test functions into function tests: each becomes a call and its result."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from grader.config.yaml_writer import Writable
from grader.plugins.importing.stated import InexpressibleError
from grader.plugins.importing.test_files import TestFunction, literal, names_in
from grader.plugins.importing.tested.judging import NoStatedValueError, stated_value

_EQUAL = {f"assert{kind}Equal" for kind in ("", "List", "Dict", "Tuple", "Set", "MultiLine")} | {"assertEquals"}
_COMPARED = {
    "assertNotEqual": "!=", "assertGreater": ">", "assertGreaterEqual": ">=", "assertLess": "<",
    "assertLessEqual": "<=", "assertIn": "in", "assertNotIn": "not in", "assertIs": "is", "assertIsNot": "is not",
}  # fmt: skip
_CALLED = {
    "assertIsInstance": "isinstance({0}, {1})",
    "assertNotIsInstance": "not isinstance({0}, {1})",
    "assertIsNotNone": "{0} is not None",
    "assertSequenceEqual": "list({0}) == list({1})",
    "assertCountEqual": (
        "(lambda a, b: len(a) == len(b) and all(a.count(x) == b.count(x) for x in a))(list({0}), list({1}))"
    ),
}
_OF_TWO = _EQUAL | {*_COMPARED, *_CALLED, "assertAlmostEqual"} - {"assertIsNotNone"}
_RAISES = ("assertRaises", "raises")
_OUTSIDE = (
    "subprocess", "patch", "mock", "open", "os", "sys", "io", "importlib", "pexpect", "tempfile", "contextlib",
    "redirect_stdout", "StringIO", "capsys", "capfd", "monkeypatch", "tmp_path", "Path", "exec", "eval", "super",
)  # fmt: skip
_LONGEST_LOOP = 50
_PLACES = 7
_RELATIVE, _ABSOLUTE = 1e-6, 1e-12
"""The tolerances of `pytest.approx`."""
_DECORATORS = {"weight", "number", "visibility", "partial_credit", "leaderboard", "hide_errors", "tags", "parametrize"}


def asserted_entries(function: TestFunction, module: str) -> list[dict[str, Writable]]:
    """Return the keys of a test for each assertion of a function; `module` is the program's module.

    Raises InexpressibleError with the line number.
    """
    statements = (*function.before, *_body(function.node))
    _refuse_unusual(function, statements)
    writer = _Writer(function=function, module=module, has_state=any(map(_calls_without_arguments, statements)))
    for statement in statements:
        writer.add(statement)
    if not writer.entries:
        raise InexpressibleError(f"line {function.node.lineno}: it asserts nothing")
    if writer.rest:
        raise InexpressibleError(f"line {writer.rest[0].lineno}: a statement after the last assertion has no form here")
    return writer.entries


def _refuse_unusual(function: TestFunction, statements: Iterable[ast.stmt]) -> None:
    """Raise InexpressibleError if the statements alone do not decide what the function tests."""
    place = f"line {function.node.lineno}"
    if reason := function.preparation:
        raise InexpressibleError(f"{place}: {reason}")
    for decorator in function.node.decorator_list:
        name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if name.rpartition(".")[2] not in _DECORATORS:
            raise InexpressibleError(f"line {decorator.lineno}: `@{name}` has no form here")
    parts = [part for statement in statements for part in ast.walk(statement)]
    of_self = {part.attr for part in parts if isinstance(part, ast.Attribute) and _is_self(part.value)}
    stored = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    both = of_self & (stored - function.attributes | function.file.shared.keys())
    if both:
        raise InexpressibleError(f"{place}: `{min(both)}` is also an attribute of `self`")


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _calls_without_arguments(node: ast.AST) -> bool:
    """Return whether a function of the program is called without arguments, so that its result depends on state."""
    return any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and not part.args and not part.keywords
        for part in ast.walk(node)
        if not (isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id[:1].isupper())
    )


def _is_immutable(node: ast.expr) -> bool:
    match node:
        case ast.Tuple(items):
            return all(map(_is_immutable, items))
        case ast.List() | ast.Dict() | ast.Set():
            return False
        case _:
            return _is_literal(node)


def _body(node: ast.FunctionDef) -> list[ast.stmt]:
    """Return the statements, inside a loop for each list of pytest parameters."""
    body = node.body
    for decorator in reversed(node.decorator_list):
        match decorator:
            case ast.Call(ast.Attribute(_, "parametrize"), [ast.Constant(str(names)), values], keywords) if all(
                keyword.arg == "ids" for keyword in keywords
            ):
                body = [ast.For(ast.parse(names, mode="eval").body, values, body, [], lineno=decorator.lineno)]
    return body


def _is_literal(node: ast.expr) -> bool:
    return literal(node) is not None or (isinstance(node, ast.Constant) and node.value is None)


@dataclass(kw_only=True)
class _Writer:
    """A writer of entries for the assertions of a function, which collects the lines that run before them."""

    function: TestFunction
    module: str
    has_state: bool
    """A flag that makes each earlier call of the function run again before a test."""
    lines: list[str] = field(default_factory=list)
    values: dict[str, ast.expr] = field(default_factory=dict)
    """The known values of variables."""
    entries: list[dict[str, Writable]] = field(default_factory=list)
    rest: list[ast.stmt] = field(default_factory=list)
    """The statements since the last assertion."""

    def add(self, node: ast.stmt) -> None:
        """Add a statement. Raises InexpressibleError."""
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass() | ast.Expr(ast.Call(ast.Name("print"))):
                return
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name)) as call) if name.startswith("assert"):
                self._assertion(name, call)
            case ast.Assert(test):
                self._plain(test)
            case ast.With([ast.withitem(ast.Call(ast.Attribute(_, name), [kind], []), None)], [ast.Expr(call)]) if (
                name in _RAISES
            ):
                self._raises(kind, call)
            case ast.With([ast.withitem(ast.Call(ast.Attribute(ast.Name("self"), "subTest")), None)], body):
                for statement in body:
                    self.add(statement)
            case ast.For(target, values, body, []) if (rows := self._rows(target, values)) is not None:
                self._loop(rows, body)
            case (
                ast.Assign()
                | ast.Expr()
                | ast.AugAssign()
                | ast.AnnAssign()
                | ast.Import()
                | ast.ImportFrom()
                | ast.Delete()
            ):
                self._line(node)
            case _:
                word = type(node).__name__.lower()
                raise InexpressibleError(f"line {node.lineno}: a statement with `{word}` has no form here")

    def _line(self, node: ast.stmt) -> None:
        """Add a statement that runs before the later assertions."""
        self.lines.append(self._text(node))
        self.rest.append(node)
        self._forget(node)
        match node:
            case ast.Assign([ast.Name(name)], value):
                self.values[name] = value

    def _forget(self, node: ast.AST) -> None:
        """Forget the values that a statement or call can change."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self.values:
                is_stored = not isinstance(part.ctx, ast.Load)
                if is_stored or not _is_immutable(self.values[part.id]):
                    del self.values[part.id]

    def _loop(self, rows: "Iterable[Mapping[str, ast.expr]]", body: Sequence[ast.stmt]) -> None:
        """Add the statements of a loop, once for each row of values."""
        for row in rows:
            self.values |= row
            self.lines += [f"{name} = {ast.unparse(value)}" for name, value in row.items()]
            for statement in body:
                self.add(statement)

    def _rows(self, target: ast.expr, values: ast.expr) -> "list[dict[str, ast.expr]] | None":
        """Return the values of the variables of a loop over a short list, or None."""
        items = self._items(values)
        match target:
            case ast.Name(name) if items is not None:
                return [{name: item} for item in items]
            case ast.Tuple(parts) if items is not None:
                names = [part.id for part in parts if isinstance(part, ast.Name)]
                rows = [item.elts for item in items if isinstance(item, ast.Tuple | ast.List)]
                is_even = len(names) == len(parts) and len(rows) == len(items)
                if is_even and all(len(row) == len(names) for row in rows):
                    return [dict(zip(names, row, strict=True)) for row in rows]
        return None

    def _items(self, node: ast.expr) -> "Sequence[ast.expr] | None":
        """Return the items of a short list that is written in the file, or of a variable that holds one."""
        node = self.values.get(node.id, node) if isinstance(node, ast.Name) else node
        items = node.elts if isinstance(node, ast.List | ast.Tuple) else ()
        return items if 0 < len(items) <= _LONGEST_LOOP and all(map(_is_literal, items)) else None

    def _assertion(self, name: str, call: ast.Call) -> None:
        arguments = call.args
        texts = [self._text(argument) for argument in arguments]
        if len(arguments) < (2 if name in _OF_TWO else 1):
            raise InexpressibleError(f"line {call.lineno}: `{name}` with named arguments has no form here")
        if name in _EQUAL:
            self._equal(arguments[0], arguments[1])
        elif name == "assertIs" and literal(arguments[1]) is not None:
            self._same(arguments[0], arguments[1])
        elif name in ("assertTrue", "assertFalse"):
            self._truth(arguments[0], is_true=name == "assertTrue")
        elif name == "assertIsNone":
            self._entry(arguments[0], {"returns": "none"})
        elif name in _COMPARED:
            self._truth(_parsed(f"({texts[0]}) {_COMPARED[name]} ({texts[1]})"), is_true=True)
        elif name in _CALLED:
            self._truth(_parsed(_CALLED[name].format(*texts)), is_true=True)
        elif name == "assertAlmostEqual":
            self._close(arguments[0], arguments[1], {"tolerance": f"{Decimal(str(self._largest_error(call))):f}"})
        elif name in _RAISES and len(arguments) > 1:
            self._raises(arguments[0], _called(arguments[1], arguments[2:], call.keywords))
        else:
            raise InexpressibleError(f"line {call.lineno}: `{name}` has no form here")

    def _largest_error(self, call: ast.Call) -> float:
        """Return the difference that `assertAlmostEqual` allows."""
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        delta = self._number(given.get("delta"))
        places = self._number(call.args[2] if len(call.args) > 2 else given.get("places"))
        return delta if delta is not None else 0.5 * 10 ** -(_PLACES if places is None else places)

    def _number(self, node: ast.expr | None) -> float | None:
        """Return a number that is written in the function or its file, or None. Raises InexpressibleError."""
        if isinstance(node, ast.Name):
            node = self.values.get(node.id) or self.function.file.value(node.id) or node
        value = literal(node)
        if node is not None and type(value) not in (int, float, type(None)):
            raise InexpressibleError(f"line {node.lineno}: the tolerance is no number")
        if isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.BinOp):
            raise InexpressibleError(f"line {node.lineno}: the tolerance is not written as a number")
        return value if isinstance(value, int | float) else None

    def _plain(self, test: ast.expr) -> None:
        """Add a plain `assert`."""
        match test:
            case ast.Compare(left, [ast.Eq()], [ast.Call(kind) as call]) if _is_approximate(kind):
                self._approximate(left, call)
            case ast.Compare(ast.Call(kind) as call, [ast.Eq()], [right]) if _is_approximate(kind):
                self._approximate(right, call)
            case ast.Compare(left, [ast.Eq()], [right]):
                self._equal(left, right)
            case ast.Compare(left, [ast.Is()], [ast.Constant(True | False | None) as right]):
                self._same(left, right)
            case ast.UnaryOp(ast.Not(), operand):
                self._truth(operand, is_true=False)
            case _:
                self._truth(test, is_true=True)

    def _approximate(self, actual: ast.expr, call: ast.Call) -> None:
        """Add a comparison with `pytest.approx`."""
        given = dict(zip(("expected", "rel", "abs"), call.args, strict=False))
        given |= {str(keyword.arg): keyword.value for keyword in call.keywords}
        if not {"expected"} <= given.keys() <= {"expected", "rel", "abs"}:
            raise InexpressibleError(f"line {call.lineno}: these arguments of `approx` have no form here")
        relative, absolute = self._number(given.get("rel")), self._number(given.get("abs"))
        if relative is None and absolute is None:
            relative = _RELATIVE
        keys = {"tolerance": _ABSOLUTE if absolute is None else absolute, "relative_tolerance": relative}
        self._close(actual, given["expected"], {key: f"{Decimal(str(off)):f}" for key, off in keys.items() if off})

    def _equal(self, left: ast.expr, right: ast.expr) -> None:
        """Add a comparison; in Python, 1 and 0 equal True and False, which a test with `returns` tells apart."""
        if not any(isinstance(literal(side), bool) for side in (left, right)):
            self._same(left, right)
        else:
            self._truth(_parsed(f"({self._text(left)}) == ({self._text(right)})"), is_true=True)

    def _same(self, left: ast.expr, right: ast.expr) -> None:
        for actual, expected in ((left, right), (right, left)):
            value = self._stated(expected)
            if value is not None:
                self._entry(actual, {"returns": value})
                return
        self._truth(_parsed(f"({self._text(left)}) == ({self._text(right)})"), is_true=True)

    def _close(self, left: ast.expr, right: ast.expr, compare: Mapping[str, Writable]) -> None:
        for actual, expected in ((left, right), (right, left)):
            value = self._stated(expected)
            if value is not None:
                self._entry(actual, {"returns": value, "compare": compare})
                return
        raise InexpressibleError(f"line {left.lineno}: the number that is expected is no literal")

    def _stated(self, node: ast.expr) -> "Writable | None":
        """Return the value of a literal, or of a variable that holds one, in the form used in tests."""
        if isinstance(node, ast.Name) and node.id in self.values:
            node = self.values[node.id]
        try:
            return stated_value(ast.unparse(node))[0]
        except NoStatedValueError:
            return None

    def _truth(self, node: ast.expr, *, is_true: bool) -> None:
        is_boolean = isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
        call = node if is_boolean else _parsed(f"bool({self._text(node)})")
        self._entry(call, {"returns": "true" if is_true else "false"})

    def _raises(self, kind: ast.expr, call: ast.expr) -> None:
        if not isinstance(kind, ast.Name | ast.Attribute):
            raise InexpressibleError(f"line {kind.lineno}: several exceptions have no form here")
        self._entry(call, {"raises": ast.unparse(kind).rpartition(".")[2]})

    def _entry(self, node: ast.expr, keys: Mapping[str, Writable]) -> None:
        """Add a test; a variable set by the last line is replaced by its value."""
        lines, call = self.lines, node
        if isinstance(node, ast.Name) and lines and lines[-1].startswith(f"{node.id} = ") and node.id in self.values:
            lines, call = lines[:-1], self.values[node.id]
        text = self._text(call)
        setup = [*self._shared([*lines, text]), *lines]
        self.entries.append({**({"setup": setup} if setup else {}), "call": text, **keys})
        self.rest.clear()
        if call is node and any(isinstance(part, ast.Call) for part in ast.walk(call)):
            self._replay(text, keys.get("raises"))
            self._forget(ast.parse(text))

    def _replay(self, text: str, exception: "Writable | None") -> None:
        """Run a call before the later tests if it can change what they see."""
        line = text if exception is None else f"with __import__('contextlib').suppress(Exception): {text}"
        if self.has_state or _names(text) & {name for line in self.lines for name in _names(line)}:
            self.lines.append(line)

    def _shared(self, lines: Sequence[str]) -> list[str]:
        """Return the imports and variables of the file that the lines use, directly or not."""
        shared = self.function.file.shared
        used = {name for line in lines for name in _names(line)}
        while more := {part for name in used & shared.keys() for part in _names(shared[name])} - used:
            used |= more
        texts = dict.fromkeys(text for name, text in shared.items() if name in used)
        return [line for line in texts if not self._has_names(line)]

    def _has_names(self, line: str) -> bool:
        """Return whether a line imports names of the program, which are available to calls anyway."""
        return line.startswith(f"from {self.module} import ") and " as " not in line

    def _text(self, node: ast.AST) -> str:
        """Return code without `self`. Raises InexpressibleError if it uses names that a call here cannot use."""
        changed = _WithoutSelf(self.function).visit(ast.parse(ast.unparse(node)))
        for part in ast.walk(changed):
            name = part.id if isinstance(part, ast.Name) else part.arg if isinstance(part, ast.arg) else ""
            line = getattr(node, "lineno", self.function.node.lineno)
            if name in {argument.arg for argument in self.function.node.args.args} - self.values.keys():
                raise InexpressibleError(f"line {line}: it uses the fixture `{name}`")
            if name in self.function.file.helpers:
                raise InexpressibleError(f"line {line}: it uses `{name}`, which the file of tests defines")
            if name in self.function.file.changing and name not in self.values:
                raise InexpressibleError(f"line {line}: it uses `{name}`, whose value is not clear")
            if name in _OUTSIDE:
                raise InexpressibleError(f"line {line}: it uses `{name}`")
        return ast.unparse(changed)


class _WithoutSelf(ast.NodeTransformer):
    """A transformer that turns attributes of `self` into variables."""

    def __init__(self, function: TestFunction) -> None:
        self._function = function

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace an attribute of `self` or `cls`."""
        if not _is_self(node.value):
            return self.generic_visit(node)
        if node.attr in self._function.methods or node.attr.startswith("assert"):
            raise InexpressibleError(
                f"line {self._function.node.lineno}: it uses the method `{node.attr}` of its class"
            )
        return ast.Name(node.attr, node.ctx)


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _names(text: str) -> set[str]:
    return names_in(ast.parse(text))


def _called(function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    if isinstance(function, ast.Lambda) and not arguments and not keywords:
        return function.body
    return ast.copy_location(ast.Call(function, arguments, keywords), function)


def _is_approximate(function: ast.expr) -> bool:
    return ast.unparse(function) in ("pytest.approx", "approx")
