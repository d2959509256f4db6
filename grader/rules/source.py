"""What a rule about code looks at: the source of a program, or the results of its tests.

A program is read, never run.
"""

import ast
import builtins
import io
import pkgutil
import re
import symtable
import tokenize
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import ClassVar, TypeAlias, TypeGuard

from grader.errors import GraderError
from grader.model.judgement import Verdict
from grader.model.rule import RuleFinding
from grader.model.test import Test
from grader.text.combining import MOST_MARKS, has_many_marks

# Python 3.11 parses nested f-strings in quadratic time; so much takes five seconds at worst.
_MOST_BYTES = 200_000
# What looks at a program takes the square of the depth of its statements, of which each `elif` is one more.
_DEEPEST = 400
_LONGEST_CODE = 120
FunctionDefinition = ast.FunctionDef | ast.AsyncFunctionDef
_TYPICAL_MODULES = frozenset(
    {"bisect", "collections", "copy", "datetime", "decimal", "fractions", "functools", "heapq", "io", "itertools"}
    | {"json", "math", "operator", "os", "random", "re", "statistics", "string", "sys", "time"}
)
_STREAM = re.compile(r"sys\.(stdin|stdout|stderr)\.")
_MAKERS = {
    *("namedtuple", "NamedTuple", "TypedDict", "NewType", "TypeVar", "Enum", "IntEnum", "StrEnum", "Flag"),
    *("partial", "lru_cache", "cache"),
}
_BUILT_IN = {name for name, value in vars(builtins).items() if isinstance(value, type)}
_CALLABLE = {name for name, value in vars(builtins).items() if callable(value)}
_CLASS_NAME = re.compile(r"_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")


class UncheckedSourceError(GraderError):
    """A file that is not looked at though Python may run it, such as one that is too large."""


class UnreadableSourceError(Exception):
    """A file that Python cannot run; `line` is where that shows, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, kw_only=True)
class ParsedSource:
    """The program `file` (the name it is handed in under).

    `names` are those of the module and, inside, of its functions. `provided` has the files of the provided modules,
    `modules` are those that the student handed in beside the programs, `called_by_tests` the names in calls of tests.
    """

    file: str
    text: str
    tree: ast.Module
    names: symtable.SymbolTable
    provided: Mapping[str, Path]
    modules: tuple["ParsedSource", ...] = ()
    called_by_tests: frozenset[str] = frozenset()

    @cached_property
    def lines(self) -> list[str]:
        """The text by lines as Python counts them, without newlines."""
        lines = re.split(r"\r\n|\r|\n", self.text)
        return lines if lines[-1] else lines[:-1]

    @property
    def module_name(self) -> str:
        """The name under which another module imports it."""
        return self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def functions(self) -> dict[str, FunctionDefinition | ast.Lambda]:
        """The functions of the module itself by name, the last one of each; one may have several names."""
        found: dict[str, FunctionDefinition | ast.Lambda] = {}
        for node in outside_functions(self.tree):
            if isinstance(node, FunctionDefinition):
                found[node.name] = node
            for name, value in _assigned(node):
                if (meant := _function_meant(value, found)) is not None:
                    found[name] = meant
        return found

    @property
    def made_elsewhere(self) -> set[str]:
        """The names of the module that calls, attributes and other names are assigned to: these may be functions."""
        nodes = outside_functions(self.tree)
        kinds = ast.Call | ast.Attribute | ast.Name | ast.IfExp
        return {name for node in nodes for name, value in _assigned(node) if isinstance(value, kinds)}

    def stored(self) -> Counter[str]:
        """How often the module assigns to each name, outside of functions and comprehensions."""
        nodes = list(outside_functions(self.tree))
        inside = {id(inner) for node in nodes if isinstance(node, ast.comprehension) for inner in ast.walk(node.target)}
        return Counter(node.id for node in nodes if _is_stored(node) and id(node) not in inside)

    def variables(self) -> set[str]:
        """Return what the module assigns to; a name of a handler or a pattern may be a function, class or module."""
        nodes = list(outside_functions(self.tree))
        named = {node.name for node in nodes if isinstance(node, FunctionDefinition | ast.ClassDef)}
        bound = {name for node in nodes for name in _bound_by_name(node)} - named - dict(_imported(nodes)).keys()
        return bound | self.stored().keys()

    def made_classes(self) -> set[str]:
        """The names of the module that only stand for functions, classes and modules, though they are assigned to."""
        nodes = list(outside_functions(self.tree))
        defined = {node.name for node in nodes if isinstance(node, FunctionDefinition | ast.ClassDef)}
        imported = dict(_imported(nodes))
        stored = self.stored()
        made: Counter[str] = Counter()
        variables = stored.keys() - defined - imported.keys()
        callables = defined | imported.keys()
        # What is made of the variables so far decides what the later ones are.
        known = _Known(defined, variables, imported, self._own_callables())
        for node in nodes:
            found = {*_made_by(node, known), *_kept_by(node, callables)}
            made.update(found)
            variables -= found
        return {name for name, times in made.items() if times == stored[name]}

    def _own_callables(self) -> frozenset[str]:
        """Return the dotted names of functions and classes in modules of the student, and in classes of this one."""
        bodies = [(module.module_name, module.tree.body) for module in self.modules]
        bodies += [(node.name, node.body) for node in self.tree.body if isinstance(node, ast.ClassDef)]
        kinds = FunctionDefinition | ast.ClassDef
        return frozenset(f"{owner}.{node.name}" for owner, body in bodies for node in body if isinstance(node, kinds))

    def all_functions(self) -> Iterator[FunctionDefinition]:
        """Every function, methods and nested ones too."""
        yield from (node for node in ast.walk(self.tree) if isinstance(node, FunctionDefinition))

    def absence(self, message: str) -> RuleFinding:
        """A finding about something that the whole program lacks."""
        return RuleFinding(file=self.file, message=message)

    def finding(self, line: int | None, message: str) -> RuleFinding:
        """A finding at a line, with the code that stands there."""
        known = line is not None and 0 < line <= len(self.lines)
        code = self.lines[line - 1].strip()[:_LONGEST_CODE] if known and line is not None else ""
        return RuleFinding(file=self.file, line=line if known else None, code=code, message=message)


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement assigns a value to."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from (pair for target in targets for pair in assigned_pairs(target, value))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value


def assigned_pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Return the names in a target of an assignment, each with its value as far as the text pairs them."""
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case (ast.Tuple(elts=names) | ast.List(elts=names), ast.Tuple(elts=values) | ast.List(elts=values)):
            if len(names) == len(values):
                yield from (pair for one in zip(names, values, strict=True) for pair in assigned_pairs(*one))


def _function_meant(
    value: ast.expr, found: Mapping[str, FunctionDefinition | ast.Lambda]
) -> FunctionDefinition | ast.Lambda | None:
    """The function that is assigned; the first one where a condition says which."""
    match value:
        case ast.Lambda():
            return value
        case ast.Name(id=name):
            return found.get(name)
        case ast.IfExp(body=one, orelse=other):
            return _function_meant(one, found) if _function_meant(other, found) else None
    return None


def _imported(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """What imported names stand for."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                package = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (package, package)
        elif isinstance(node, ast.ImportFrom):
            yield from ((one.asname or one.name, f"{node.module or ''}.{one.name}") for one in node.names)


@dataclass(frozen=True)
class _Known:
    """What is known of names: functions and classes of the module, its variables, and what is imported.

    `own_callables` are the dotted names of the student's functions and classes.
    """

    defined: Set[str]
    variables: Set[str]
    imported: Mapping[str, str]
    own_callables: Set[str]

    def is_callable(self, value: ast.expr) -> bool:
        """Whether an expression is a function, class or module, as far as its text tells."""
        match value:
            case ast.IfExp(body=one, orelse=other):
                return self.is_callable(one) and self.is_callable(other)
            case ast.Name(id=name) if name in self.defined:
                return True
            case ast.Name() | ast.Attribute():
                first, dot, rest = ast.unparse(value).partition(".")
                path = f"{self.imported.get(first, first)}{dot}{rest}"
                if first not in self.variables and (path in self.own_callables or _is_of_python(path)):
                    return True
        return _makes_class(value, self.variables)


def _is_of_python(path: str) -> bool:
    """Whether a dotted name is that of a function, class or module of a module that programs of beginners import."""
    path = _STREAM.sub("io.TextIOWrapper.", path)
    if path.partition(".")[0] not in _TYPICAL_MODULES:
        return False
    try:
        found = pkgutil.resolve_name(path)
    except (ImportError, AttributeError, ValueError):
        return False
    return callable(found) or isinstance(found, ModuleType)


def _made_by(node: ast.AST, known: _Known) -> Iterator[str]:
    """The names that a statement gives to functions, classes and modules by assigning them."""
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if ast.unparse(kind).endswith("TypeAlias"):
            yield name
        case ast.Assign() | ast.AnnAssign():
            yield from (name for name, value in _assigned(node) if known.is_callable(value))
        case _ if type(node).__name__ == "TypeAlias":
            # Since Python 3.12: `type Vector = list[float]`.
            yield from (one.id for one in ast.iter_child_nodes(node) if _is_stored(one))


def _kept_by(node: ast.AST, defined: Set[str]) -> Iterator[str]:
    """The names that stand for functions or modules still, as after `deal = counted(deal)` or `numpy = None`."""
    match node:
        case ast.Assign(targets, ast.Constant(None)):
            yield from (target.id for target in targets if _is_one_of(target, defined))
        case ast.Assign([ast.Name(name)], ast.Call(args=arguments)) if name in defined:
            yield from [name] if any(_is_one_of(one, {name}) for one in arguments) else []


def _is_one_of(value: ast.expr, names: Set[str]) -> TypeGuard[ast.Name]:
    return isinstance(value, ast.Name) and value.id in names


def _bound_by_name(node: ast.AST) -> Iterator[str]:
    """The names that handlers and patterns bind."""
    match node:
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _makes_class(value: ast.expr, variables: Set[str]) -> bool:
    """Whether a value is a function or a class that is written as an expression, or another name for a type."""
    match value:
        case ast.Call(func=made):
            while isinstance(made, ast.Call):
                made = made.func
            return getattr(made, "attr", getattr(made, "id", None)) in _MAKERS
        case ast.Lambda():
            return True
        case ast.Subscript(value=generic):
            return _is_type(generic, variables)
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            sides = [_is_type(one, variables) for one in (left, right)]
            return any(sides) and all(side or _is_none(one) for side, one in zip(sides, (left, right), strict=True))
        case ast.Name(id=name):
            return name in _CALLABLE
        case ast.Attribute(value=ast.Name(id=name)):
            return name in _BUILT_IN or _is_type(value, variables)
    return False


def _is_type(value: ast.expr, variables: Set[str]) -> bool:
    """Whether an expression is a type, as far as its name tells: built in, called as a class, or made of such."""
    match value:
        case ast.Name(id=name) if name in variables:
            return False
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _BUILT_IN or bool(_CLASS_NAME.fullmatch(name))
        case ast.Subscript() | ast.BinOp():
            return _makes_class(value, variables)
    return False


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def program_and_modules(source: ParsedSource) -> tuple[ParsedSource, ...]:
    """A program, and the modules of the student that lie beside it."""
    return source, *source.modules


def outside_functions(start: ast.AST) -> Iterator[ast.AST]:
    """What is in `start` and not in a function, lambda or class, in the order of the text; these themselves are."""
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node is not start:
            yield node
        if node is start or not isinstance(node, FunctionDefinition | ast.Lambda | ast.ClassDef):
            waiting += reversed([*ast.iter_child_nodes(node)])


def read_source(path: Path, file: str, provided: Mapping[str, Path] | None = None) -> ParsedSource:
    """The program at `path`, handed in as `file`, that may import the modules `provided`, given by file name.

    Raises UnreadableSourceError, UncheckedSourceError, and OSError when there is no file.
    """
    with path.open("rb") as stream:
        content = stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise UncheckedSourceError(f"the file has more than {_MOST_BYTES} bytes")
    try:
        text = _decoded(content)
        if has_many_marks(text):
            raise UncheckedSourceError(f"there are more than {MOST_MARKS} combining characters in a row")
        tree = ast.parse(content, file)
        if _is_deep(tree):
            raise UncheckedSourceError(f"its statements are nested more than {_DEEPEST} levels deep")
        names = symtable.symtable(text, file, "exec")
    except SyntaxError as error:
        raise UnreadableSourceError(f"Python cannot read the program ({error.msg})", error.lineno) from None
    except ValueError as error:
        raise UnreadableSourceError(f"Python cannot read the program ({error})") from None
    except (RecursionError, MemoryError):
        raise UncheckedSourceError("it is nested too deeply") from None
    return ParsedSource(file=file, text=text, tree=tree, names=names, provided=provided or {})


def _decoded(content: bytes) -> str:
    """Return the text of a program. Raises what Python raises if it cannot read it, either."""
    try:
        return content.decode(tokenize.detect_encoding(io.BytesIO(content).readline)[0], "replace")
    except (SyntaxError, LookupError, UnicodeError):
        ast.parse(content)
        raise UncheckedSourceError("its encoding is not clear") from None


def _is_deep(tree: ast.Module) -> bool:
    kinds = ast.stmt | ast.ExceptHandler | ast.match_case
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node) if isinstance(child, kinds)]
    return bool(level)


class SourceRule(ABC):
    """A rule that looks at the source of each program by itself.

    `name` is its word in assignment.yaml. `broken_by` says what breaks it, for
    people who write assignments. `holds_in_modules` says that each module of the student beside the programs must keep
    it too; a rule about the program as a whole looks at `ParsedSource.modules` itself.
    """

    name: ClassVar[str]
    broken_by: ClassVar[str]
    reveals_hidden_tests: ClassVar[bool] = False
    holds_in_modules: ClassVar[bool] = False

    @abstractmethod
    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Where `source` breaks the rule, in any order."""


@dataclass(frozen=True)
class JudgedTest:
    """A test with its verdict and the transcript that was expected."""

    test: Test
    verdict: Verdict
    expected: str


class HiddenTestRule(ABC):
    """A rule that compares the results of public tests with those of their hidden twins.

    What it finds tells of hidden tests. The class attributes are those of SourceRule.
    """

    name: ClassVar[str]
    broken_by: ClassVar[str]
    reveals_hidden_tests: ClassVar[bool] = True

    @abstractmethod
    def findings(self, judged: Sequence[JudgedTest], sources: Mapping[str, ParsedSource]) -> Iterator[RuleFinding]:
        """What the results, and the `sources` of the programs by file name, show."""


CodeRule: TypeAlias = SourceRule | HiddenTestRule
