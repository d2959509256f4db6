"""Items of a coding standard that a machine can judge."""

import ast
import re
from collections.abc import Iterator

from grader.model.rule import Rule, RuleFinding
from grader.rules.source import ParsedSource

_SMALL = re.compile(r"_{0,2}[a-z][a-z0-9_]*|_+")


_CONSTANT = re.compile(r"_{0,2}[A-Z][A-Z0-9_]*")


_CLASS = re.compile(r"_?[A-Z][A-Za-z0-9]*")


def header_comment(rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:  # noqa: ARG001
    """Whether the file begins with a comment or a docstring that says what it is."""
    first = next((line.strip() for line in source.lines if line.strip() and not line.startswith("#!")), "")
    if not first.startswith("#") and ast.get_docstring(source.tree) is None:
        yield source.finding(1, "the program does not begin with a comment on what it does")


def docstrings(rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:  # noqa: ARG001
    """Functions without a docstring."""
    for function in source.all_functions():
        if ast.get_docstring(function) is None:
            yield source.finding(function.lineno, f"the function {function.name}() has no docstring")


def naming(rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:  # noqa: ARG001
    """Names of functions and variables that are not in small letters, and of classes that do not begin with a capital.

    Constants, all in capitals, are welcome.
    """
    seen: set[str] = set()
    for node, name in _named(source):
        if name in seen:
            continue
        seen.add(name)
        if isinstance(node, ast.ClassDef):
            if not _CLASS.fullmatch(name):
                yield source.finding(node.lineno, f"the name of the class {name} does not begin with a capital letter")
        elif name.isascii() and not _SMALL.fullmatch(name) and not _CONSTANT.fullmatch(name):
            yield source.finding(node.lineno, f"the name {name} is not in small letters with `_` between words")


def _named(source: ParsedSource) -> Iterator[tuple[ast.stmt | ast.expr | ast.arg, str]]:
    for node in ast.walk(source.tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node, node.name
            case ast.arg():
                yield node, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node, node.id


def line_length(rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:
    """Lines that are longer than the standard allows."""
    assert rule.columns is not None
    for number, line in enumerate(source.lines, 1):
        if len(line) > rule.columns:
            yield source.finding(number, f"the line has {len(line)} characters; expected at most {rule.columns}")
