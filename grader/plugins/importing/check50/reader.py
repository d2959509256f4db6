"""Reads checks of check50 without running them, following a small subset of Python and refusing everything else."""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.plugins.importing.course_draft import is_inside
from grader.plugins.importing.stated import InexpressibleError

EOF = object()
"""The end of input or output, which check50 takes from pexpect."""

_MAX_STEPS = 10_000
_LONGEST_TEXT = 100_000
_SIGNATURES = {
    "stdin": ("line", "prompt"),
    "stdout": ("output", "str_output", "regex"),
    "exit": ("code",),
    "reject": (),
    "kill": (),
}
_METHODS = ("format", "join", "strip", "rstrip", "lstrip", "upper", "lower", "title", "replace", "split", "splitlines")
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "str": str, "int": int, "float": float, "len": len, "range": range, "list": list, "enumerate": enumerate,
    "zip": zip, "sorted": sorted, "sum": sum, "re.escape": re.escape, "escape": re.escape,
}  # fmt: skip
_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Mod: lambda left, right: left % right,
}
_OF_CHECK50 = re.compile(r"check50(?:\.\w+)+")
_SILENT = ("check50.log", "print")


@dataclass(frozen=True, kw_only=True)
class SessionStep:
    """A step of a session: the method of check50 that is called, and its arguments by name."""

    name: str
    given: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Session:
    """A program that check50 starts with a command, and the steps that follow."""

    command: str
    steps: list[SessionStep] = field(default_factory=list)


@dataclass(kw_only=True)
class Check:
    """A check: its name and title, the check that it depends on, and everything that it does."""

    name: str
    title: str
    line: int
    after: str | None
    sessions: list[Session] = field(default_factory=list)
    exists: list[str] = field(default_factory=list)
    include: list[str] = field(default_factory=list)
    compiled: list[tuple[Sequence[str], Mapping[str, Any]]] = field(default_factory=list)
    hint: str | None = None
    unsaid: str | None = None
    """The reason why it cannot be expressed here."""


def read_checks(file: Path) -> tuple[Check, ...]:
    """Return the checks of a file, in order. Raises SyntaxError, or ValueError for a null byte."""
    tree = ast.parse(file.read_bytes())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    shared: dict[str, Any] = {"EOF": EOF, "check50.EOF": EOF}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            nothing = Check(name="", title="", line=0, after=None)
            _Follower(shared=shared, functions=functions, folder=file.parent, check=nothing).fill([node])
    checks = []
    for node in functions.values():
        if (check := _check_of(node)) is not None:
            _Follower(shared=dict(shared), functions=functions, folder=file.parent, check=check).fill(node.body)
            checks.append(check)
    return tuple(checks)


def _check_of(node: ast.FunctionDef) -> Check | None:
    """Return a new check, without any steps yet, or None for a helper."""
    found = None
    hint = None
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(ast.Attribute(ast.Name("check50"), "check") | ast.Name("check"), arguments):
                found = arguments[0].id if arguments and isinstance(arguments[0], ast.Name) else ""
            case ast.Call(ast.Attribute(ast.Name("check50"), "hidden") | ast.Name("hidden"), [ast.Constant(str(text))]):
                hint = text
    if found is None:
        return None
    title = (ast.get_docstring(node) or node.name.replace("_", " ")).strip().splitlines()[0]
    return Check(name=node.name, title=title, line=node.lineno, after=found or None, hint=hint)


class _ReturnedError(Exception):
    """A function returns a value."""

    def __init__(self, value: Any) -> None:
        """Keep the value."""
        super().__init__()
        self.value = value


@dataclass(kw_only=True)
class _Follower:
    """A follower of statements that knows the names and functions of a file, and adds what it finds to a check."""

    shared: dict[str, Any]
    functions: Mapping[str, ast.FunctionDef]
    folder: Path
    check: Check
    line: int = 0
    steps: int = 0

    def fill(self, body: Sequence[ast.stmt]) -> None:
        """Add everything that the statements do, or the reason why they cannot be expressed."""
        try:
            self._body(body, self.shared)
        except _ReturnedError:
            return
        except InexpressibleError as reason:
            self.check.unsaid = f"line {self.line}: {reason}"
        except Exception as error:
            self.check.unsaid = f"line {self.line}: it cannot be followed ({type(error).__name__})"

    def _body(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> None:
        for node in body:
            self.line, self.steps = node.lineno, self.steps + 1
            if self.steps > _MAX_STEPS:
                raise InexpressibleError("it does too much to be followed")
            match node:
                case ast.Expr(value):
                    self._value(value, names)
                case ast.Assign([target], value):
                    self._assign(target, self._value(value, names), names)
                case ast.For(target, values, inner, []):
                    for item in self._value(values, names):
                        self._assign(target, item, names)
                        self._body(inner, names)
                case ast.Return(value):
                    raise _ReturnedError(None if value is None else self._value(value, names))
                case ast.Pass() | ast.Import() | ast.ImportFrom():
                    pass
                case _:
                    raise InexpressibleError(f"a statement with `{type(node).__name__.lower()}` has no form here")

    def _assign(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        match target:
            case ast.Name(name):
                names[name] = value
            case ast.Tuple(parts):
                for part, item in zip(parts, value, strict=True):
                    self._assign(part, item, names)
            case _:
                raise InexpressibleError(f"`{ast.unparse(target)}` is set")

    def _value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        """Return the value of an expression. Raises InexpressibleError."""
        match node:
            case ast.Constant():
                return node.value
            case ast.Name() | ast.Attribute() if (name := ast.unparse(node)) in names:
                return names[name]
            case ast.List() | ast.Tuple():
                return [self._value(item, names) for item in node.elts]
            case ast.Dict():
                pairs = zip(node.keys, node.values, strict=True)
                return {self._value(key, names): self._value(value, names) for key, value in pairs if key is not None}
            case ast.Subscript():
                return self._value(node.value, names)[self._value(node.slice, names)]
            case ast.Call():
                return self._call(node, names)
            case _:
                return self._short(self._composed(node, names))

    def _composed(self, node: ast.expr, names: dict[str, Any]) -> Any:
        """Return a string or number composed of other values."""
        match node:
            case ast.JoinedStr():
                return "".join(str(self._value(part, names)) for part in node.values)
            case ast.FormattedValue(conversion=-1):
                form = "" if node.format_spec is None else self._value(node.format_spec, names)
                return format(self._value(node.value, names), form)
            case ast.BinOp() if type(node.op) in _OPERATORS:
                return self._operation(type(node.op), self._value(node.left, names), self._value(node.right, names))
            case ast.UnaryOp(ast.USub()):
                return -self._value(node.operand, names)
            case _:
                raise InexpressibleError(f"`{ast.unparse(node)}` has no form here")

    def _operation(self, kind: type[ast.operator], left: Any, right: Any) -> Any:
        sizes = [len(side) if isinstance(side, str | list) else side for side in (left, right)]
        if kind is ast.Mult and isinstance(left, str | list) and sizes[0] * sizes[1] > _LONGEST_TEXT:
            raise InexpressibleError("a text is too long")
        return self._short(_OPERATORS[kind](left, right))

    @staticmethod
    def _short(value: Any) -> Any:
        if isinstance(value, str) and len(value) > _LONGEST_TEXT:
            raise InexpressibleError("a text is too long")
        return value

    def _call(self, node: ast.Call, names: dict[str, Any]) -> Any:
        name = ast.unparse(node.func)
        if name in _SILENT:
            return None
        values = [self._value(argument, names) for argument in node.args]
        given = {str(keyword.arg): self._value(keyword.value, names) for keyword in node.keywords}
        if name in _FUNCTIONS:
            return _FUNCTIONS[name](*values, **given)
        if name in self.functions:
            return self._helper_value(self.functions[name], values, given)
        if name == "open":
            return self._file(str(values[0]))
        if _OF_CHECK50.fullmatch(name):
            return self._of_check50(name.removeprefix("check50."), values, given)
        if not isinstance(node.func, ast.Attribute):
            raise InexpressibleError(f"`{name}` has no form here")
        owner = self._value(node.func.value, names)
        if isinstance(owner, Session):
            return self._step(owner, node.func.attr, values, given)
        if isinstance(owner, str) and node.func.attr == "read":
            return owner
        if isinstance(owner, str) and node.func.attr in _METHODS:
            return self._short(getattr(owner, node.func.attr)(*values, **given))
        raise InexpressibleError(f"`{name}` has no form here")

    def _helper_value(self, function: ast.FunctionDef, values: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """Return the value of a helper of the file."""
        parameters = [parameter.arg for parameter in function.args.args]
        defaults = [self._value(default, self.shared) for default in function.args.defaults]
        names = {**self.shared, **dict(zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True))}
        try:
            self._body(function.body, {**names, **dict(zip(parameters, values, strict=False)), **given})
        except _ReturnedError as result:
            return result.value
        return None

    def _file(self, name: str) -> str:
        """Return the text of a file beside the checks."""
        file = self.folder / name
        if not is_inside(self.folder, name):
            raise InexpressibleError(f"`{name}` is outside the imported folder and is not read")
        if not file.is_file():
            raise InexpressibleError(f"`{name}` is a file that the program writes or students hand in")
        return file.read_text("utf-8")

    def _of_check50(self, name: str, values: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """Add a call of one of check50's functions. Raises InexpressibleError for unusual functions."""
        if name in ("run", "c.run"):
            self.check.sessions.append(Session(command=str(values[0])))
            return self.check.sessions[-1]
        if name in ("exists", "include"):
            (self.check.exists if name == "exists" else self.check.include).extend(map(str, values))
        elif name == "c.compile":
            self.check.compiled.append((tuple(map(str, values)), given))
        elif name not in ("py.compile", "py.import_"):
            raise InexpressibleError(f"`check50.{name}` has no form here")
        return None

    @staticmethod
    def _step(session: Session, name: str, values: Sequence[Any], given: Mapping[str, Any]) -> Session:
        if name not in _SIGNATURES:
            raise InexpressibleError(f"`{name}` has no form here")
        if name == "stdout" and not values:
            raise InexpressibleError("it looks at all output with code of its own")
        named = dict(zip(_SIGNATURES[name], values, strict=False))
        session.steps.append(SessionStep(name=name, given={**named, **given}))
        return session
