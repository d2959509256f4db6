"""Parses the source of a program for the rules. Programs are read, never run."""

import ast
import io
import re
import symtable
import tokenize
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

from grader.errors import GraderError
from grader.model.rule import RuleFinding
from grader.text.combining import MAX_MARKS, has_many_marks
from grader.text.syntax import parse

# Python 3.11 parses nested f-strings in quadratic time; this many take five seconds at worst.
_MAX_BYTES = 200_000

# Some checks take quadratic time in the depth of blocks, functions and comprehensions; `elif` costs less.
_DEEPEST = 30
_ELIFS_A_LEVEL = 7

_LONGEST_CODE = 120

FunctionDefinition = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Result = TypeVar("_Result")


class UncheckedSourceError(GraderError):
    """Rules do not read this file although Python may run it, for example because it is too large."""


class UnreadableSourceError(Exception):
    """Python cannot run this file; `line` is the location of its error, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, kw_only=True)
class ParsedSource:
    """The parsed program `file`, which is a name in the submission.

    `names` contains the names of the module and, nested, of its functions. `provided` maps the names of provided
    modules to their files, `modules` contains the student's modules next to the programs, and `called_by_others` the
    names that tests and other programs use, or None if a test may call any function.
    """

    file: str
    text: str
    tree: ast.Module
    names: symtable.SymbolTable
    provided: Mapping[str, Path]
    modules: tuple["ParsedSource", ...] = ()
    called_by_others: frozenset[str] | None = frozenset()
    _results: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def once(self, work: Callable[["ParsedSource"], _Result]) -> _Result:
        """Return the result of `work` for this source, computing it only once."""
        if work not in self._results:
            self._results[work] = work(self)
        return cast("_Result", self._results[work])

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree, in the order of `ast.walk`."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def lines(self) -> list[str]:
        """Return the lines as Python counts them, without newlines."""
        lines = re.split(r"\r\n|\r|\n", self.text)
        return lines if lines[-1] else lines[:-1]

    def all_functions(self) -> Iterator[FunctionDefinition]:
        """Yield every function, including methods and nested functions."""
        yield from (node for node in self.nodes if isinstance(node, FunctionDefinition))

    def absence(self, message: str) -> RuleFinding:
        """Return a finding about something that the whole program lacks."""
        return RuleFinding(file=self.file, message=message)

    def finding(self, line: int | None, message: str) -> RuleFinding:
        """Return a finding about a line, with the code of the line."""
        if line is None or not 0 < line <= len(self.lines):
            return self.absence(message)
        code = self.lines[line - 1].strip()[:_LONGEST_CODE]
        return RuleFinding(file=self.file, line=line, code=code, message=message)


def read_source(path: Path, file: str, provided: Mapping[str, Path] | None = None) -> ParsedSource:
    """Parse the submitted program `file` at `path`; `provided` maps the names of provided modules to their files.

    Raises UnreadableSourceError, UncheckedSourceError, and OSError if the file does not exist.
    """
    with path.open("rb") as stream:
        content = stream.read(_MAX_BYTES + 1)
    if len(content) > _MAX_BYTES:
        raise UncheckedSourceError(f"the file has more than {_MAX_BYTES} bytes")
    try:
        text = _decoded(content)
        if has_many_marks(text):
            raise UncheckedSourceError(f"there are more than {MAX_MARKS} combining characters in a row")
        tree = parse(content, file)
        if _is_deep(tree):
            raise UncheckedSourceError("its blocks are nested too deeply")
        names = symtable.symtable(text, file, "exec")
    except SyntaxError as error:
        raise UnreadableSourceError(f"Python cannot read the program ({error.msg})", error.lineno) from None
    except ValueError as error:
        raise UnreadableSourceError(f"Python cannot read the program ({error})") from None
    except (RecursionError, MemoryError):
        raise UncheckedSourceError("it is nested too deeply") from None
    _make_imports_absolute(tree, file)
    return ParsedSource(file=file, text=text, tree=tree, names=names, provided=provided or {})


def _make_imports_absolute(tree: ast.Module, file: str) -> None:
    """Replace relative imports in a file of a package: `from .core import add` becomes `from pkg.core import add`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            package = file.split("/")[: -node.level]
            node.module, node.level = ".".join([*package, *([node.module] if node.module else [])]), 0


def _decoded(content: bytes) -> str:
    """Return the text of a program. Raises the same errors as Python if it cannot be decoded."""
    try:
        return content.decode(tokenize.detect_encoding(io.BytesIO(content).readline)[0], "replace")
    except (SyntaxError, LookupError, UnicodeError):
        parse(content)
        raise UncheckedSourceError("its encoding is not clear") from None


def _is_deep(tree: ast.Module) -> bool:
    kinds = ast.stmt | ast.ExceptHandler | ast.match_case | ast.Lambda | _Comprehension
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > _DEEPEST * _ELIFS_A_LEVEL:
            return True
        for child in ast.iter_child_nodes(node):
            is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
            waiting.append((child, depth + (1 if is_elif else _ELIFS_A_LEVEL if isinstance(child, kinds) else 0)))
    return False
