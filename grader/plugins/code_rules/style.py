"""Rules of a coding standard: comments, names, lines."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Annotated, TypeAlias

from grader.model.option import AtLeast, AtMost
from grader.model.rule import RuleFinding
from grader.plugins.code_rules.made_classes import made_classes
from grader.rules.code_rule import SourceRule
from grader.rules.source import FunctionDefinition, ParsedSource
from grader.text.sentence import say

# The names that unittest prescribes for a test case.
_PRESCRIBED = (
    *("setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule"),
    *("asyncSetUp", "asyncTearDown", "runTest"),
)

_ENCODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-_.a-zA-Z0-9]+")


@dataclass(frozen=True)
class HeaderComment(SourceRule):
    """The file begins with a comment or docstring that describes it."""

    name = "header-comment"
    broken_by = "The file does not begin with a comment or docstring."

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the first line if it is neither a comment nor a docstring."""
        lines = [line.strip() for line in _readable_lines(source.lines)]
        first = next(filter(None, lines), "")
        opening = takewhile(lambda line: not line or line.startswith("#"), lines)
        says = first.startswith("#") and any(map(str.isalnum, "".join(opening)))
        if not says and not ast.get_docstring(source.tree):
            yield source.finding(1, say("the program does not begin with a comment on what it does"))


def _readable_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines except for the `#!` line of a script and the declaration of its encoding (PEP 263)."""
    for number, line in enumerate(lines):
        is_script = number == 0 and line.startswith("#!")
        if not is_script and not (number < 2 and _ENCODING.match(line)):
            yield line


@dataclass(frozen=True)
class Docstrings(SourceRule):
    """Every function has a docstring."""

    name = "docstrings"
    holds_in_modules = True
    broken_by = "A function has no docstring."

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the functions without a docstring."""
        for function in source.all_functions():
            if not ast.get_docstring(function):
                yield source.finding(
                    function.lineno, say("the function {function}() has no docstring", function=function.name)
                )


@dataclass(frozen=True)
class NamingStyle(SourceRule):
    """Functions and variables are in lower case, and classes begin with a capital letter. CONSTANTS are allowed."""

    name = "naming-style"
    holds_in_modules = True
    broken_by = "A function or variable is not in lower case, or a class does not begin with a capital letter."

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the first use of each name that breaks the rule."""
        seen: set[str] = set()
        classes = {name for name in source.once(made_classes) if _is_class_name(name)}
        for node, name in _named(source):
            if name in seen:
                continue
            seen.add(name)
            if isinstance(node, ast.ClassDef):
                if not _is_class_name(name):
                    yield source.finding(
                        node.lineno, say("the name of the class {name} does not begin with a capital letter", name=name)
                    )
            elif name not in classes and not _is_allowed_name(node, name):
                yield source.finding(
                    node.lineno, say("the name {name} is not in lowercase letters with `_` between words", name=name)
                )


def _is_class_name(name: str) -> bool:
    """Return whether a name begins with a capital, or with a letter of a script that has no capitals."""
    return not name.lstrip("_")[:1].islower()


def _is_allowed_name(node: ast.AST, name: str) -> bool:
    """Return whether a function or variable may have this name; a function is not a CONSTANT."""
    is_function = isinstance(node, FunctionDefinition)
    if is_function and name in _PRESCRIBED:
        return True
    # German has no capital of this letter in common use.
    is_constant = not any(map(str.islower, name.replace("ß", "")))
    return not any(map(str.isupper, name)) or (is_constant and not is_function)


_Named: TypeAlias = ast.stmt | ast.expr | ast.arg | ast.excepthandler | ast.pattern


def _named(source: ParsedSource) -> Iterator[tuple[_Named, str]]:
    for node in source.nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node, node.name
            case ast.arg():
                yield node, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node, node.id
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node, name
            case ast.MatchMapping(rest=str(name)):
                yield node, name


@dataclass(frozen=True)
class LineLength(SourceRule):
    """No line has more than `columns` characters."""

    name = "line-length"
    holds_in_modules = True
    broken_by = "A line is too long."

    columns: Annotated[int, AtLeast(20), AtMost(1000)]
    """The maximum number of characters in a line."""

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the lines that are too long."""
        for number, line in enumerate(source.lines, 1):
            if len(line) > self.columns:
                yield source.finding(
                    number,
                    say(
                        "the line has {length} characters; expected at most {most}", length=len(line), most=self.columns
                    ),
                )
