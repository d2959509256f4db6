"""Turns assertions of test functions into function tests: each becomes a call and its result."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from grader.config.yaml_writer import Writable
from grader.plugins.importing.stated import InexpressibleError
from grader.plugins.importing.test_files import UNIT_TESTING, TestFunction, literal
from grader.plugins.importing.tested.judging import NoStatedValueError, stated_value

_EQUAL = {f"assert{kind}Equal" for kind in ("", "List", "Dict", "Tuple", "Set", "Sequence", "MultiLine")} | {
    "assertEquals"
}
_COMPARED = {
    "assertNotEqual": "!=", "assertGreater": ">", "assertGreaterEqual": ">=", "assertLess": "<",
    "assertLessEqual": "<=", "assertIn": "in", "assertNotIn": "not in", "assertIs": "is", "assertIsNot": "is not",
}  # fmt: skip
_CALLED = {
    "assertIsInstance": "isinstance({0}, {1})",
    "assertNotIsInstance": "not isinstance({0}, {1})",
    "assertIsNotNone": "{0} is not None",
    "assertCountEqual": "sorted({0}, key=repr) == sorted({1}, key=repr)",
}
_RAISES = ("assertRaises", "raises")
_OUTSIDE = (
    "subprocess", "patch", "mock", "open", "os", "sys", "io", "importlib", "pexpect", "tempfile", "contextlib",
    "redirect_stdout", "StringIO", "capsys", "capfd", "monkeypatch", "tmp_path", "Path", "exec", "eval",
)  # fmt: skip
_LONGEST_LOOP = 50
_PLACES = 7


def asserted_entries(function: TestFunction, module: str) -> list[dict[str, Writable]]:
    """Return the keys of a test for each assertion of a function; `module` is the program's module.

    Raises InexpressibleError with the line number.
    """
    writer = _Writer(function=function, module=module)
    for statement in (*function.before, *_body(function.node)):
        writer.add(statement)
    if not writer.entries:
        raise InexpressibleError(f"line {function.node.lineno}: it asserts nothing")
    return writer.entries


def _body(node: ast.FunctionDef) -> list[ast.stmt]:
    """Return the statements, inside a loop for each list of pytest parameters."""
    body = node.body
    for decorator in reversed(node.decorator_list):
        match decorator:
            case ast.Call(ast.Attribute(_, "parametrize"), [ast.Constant(str(names)), values, *_]):
                body = [ast.For(ast.parse(names, mode="eval").body, values, body, [], lineno=decorator.lineno)]
    return body


def _is_literal(node: ast.expr) -> bool:
    return literal(node) is not None or (isinstance(node, ast.Constant) and node.value is None)


@dataclass(kw_only=True)
class _Writer:
    """A writer of entries for the assertions of a function, which collects the lines that run before them."""

    function: TestFunction
    module: str
    lines: list[str] = field(default_factory=list)
    values: dict[str, ast.expr] = field(default_factory=dict)
    entries: list[dict[str, Writable]] = field(default_factory=list)

    def add(self, node: ast.stmt) -> None:
        """Add a statement. Raises InexpressibleError."""
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass() | ast.Expr(ast.Call(ast.Name("print"))):
                return
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name)) as call) if name.startswith("assert"):
                self._assertion(name, call)
            case ast.Assert(test):
                self._plain(test)
            case ast.With([ast.withitem(ast.Call(ast.Attribute(_, name), [kind]))], [ast.Expr(call)]) if (
                name in _RAISES
            ):
                self._raises(kind, call)
            case ast.For(target, values, body) if (rows := self._rows(target, values)) is not None:
                self._loop(rows, body)
            case ast.Assign([ast.Name(name)], value):
                self.values[name] = value
                self.lines.append(self._text(node))
            case (
                ast.Assign()
                | ast.Expr()
                | ast.AugAssign()
                | ast.AnnAssign()
                | ast.Import()
                | ast.ImportFrom()
                | ast.Delete()
            ):
                self.lines.append(self._text(node))
            case _:
                word = type(node).__name__.lower()
                raise InexpressibleError(f"line {node.lineno}: a statement with `{word}` has no form here")

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
        keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg != "msg"}
        if name in _EQUAL or (name == "assertIs" and literal(arguments[1]) is not None):
            self._equal(arguments[0], arguments[1])
        elif name in ("assertTrue", "assertFalse"):
            self._truth(arguments[0], is_true=name == "assertTrue")
        elif name == "assertIsNone":
            self._entry(arguments[0], {"returns": "none"})
        elif name in _COMPARED:
            self._truth(_parsed(f"({texts[0]}) {_COMPARED[name]} ({texts[1]})"), is_true=True)
        elif name in _CALLED:
            self._truth(_parsed(_CALLED[name].format(*texts)), is_true=True)
        elif name == "assertAlmostEqual":
            places = literal(arguments[2] if len(arguments) > 2 else keywords.get("places"))
            off = literal(keywords.get("delta")) or 0.5 * 10 ** -(places if isinstance(places, int) else _PLACES)
            self._close(arguments[0], arguments[1], {"tolerance": f"{Decimal(str(off)):f}"})
        elif name in _RAISES and len(arguments) > 1:
            self._raises(arguments[0], _parsed(f"{texts[1]}({', '.join(texts[2:])})"))
        else:
            raise InexpressibleError(f"line {call.lineno}: `{name}` has no form here")

    def _plain(self, test: ast.expr) -> None:
        """Add a plain `assert`."""
        match test:
            case ast.Compare(
                left, [ast.Eq()], [ast.Call(ast.Attribute(ast.Name("pytest"), "approx"), [value]) as call]
            ):
                given = {keyword.arg: literal(keyword.value) for keyword in call.keywords}
                relative = given.get("rel") or (None if given.get("abs") else 1e-6)
                keys = {"tolerance": given.get("abs"), "relative_tolerance": relative}
                self._close(left, value, {key: f"{Decimal(str(off)):f}" for key, off in keys.items() if off})
            case ast.Compare(left, [ast.Eq()], [right]):
                self._equal(left, right)
            case ast.Compare(left, [ast.Is()], [ast.Constant(True | False | None) as right]):
                self._equal(left, right)
            case ast.UnaryOp(ast.Not(), operand):
                self._truth(operand, is_true=False)
            case _:
                self._truth(test, is_true=True)

    def _equal(self, left: ast.expr, right: ast.expr) -> None:
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
        parts = list(ast.walk(ast.parse(text)))
        if call is node and any(isinstance(part, ast.Call) for part in parts) and "raises" not in keys:
            names = {part.id for line in self.lines for part in ast.walk(ast.parse(line)) if isinstance(part, ast.Name)}
            self.lines += [text] if names & {part.id for part in parts if isinstance(part, ast.Name)} else []

    def _shared(self, lines: Sequence[str]) -> list[str]:
        """Return the imports and variables of the file that the lines use."""
        names = {node.id for line in lines for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Name)}
        shared = self.function.file.shared
        used = dict.fromkeys(text for name, text in shared.items() if name in names)
        return [
            line for line in used if not any(module in line for module in UNIT_TESTING) and not self._has_names(line)
        ]

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
            if name in _OUTSIDE:
                raise InexpressibleError(f"line {line}: it uses `{name}`")
        return ast.unparse(changed)


class _WithoutSelf(ast.NodeTransformer):
    """A transformer that turns attributes of `self` into variables."""

    def __init__(self, function: TestFunction) -> None:
        self._function = function

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace an attribute of `self` or `cls`."""
        if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
            return self.generic_visit(node)
        if node.attr in self._function.methods or node.attr.startswith("assert"):
            raise InexpressibleError(
                f"line {self._function.node.lineno}: it uses the method `{node.attr}` of its class"
            )
        return ast.Name(node.attr, node.ctx)


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
