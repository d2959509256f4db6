"""Recognises programs in Python 2."""

import ast
import re
import warnings

from grader.text.syntax import parse

_FIRST_LINE = re.compile(rb"#!.*python2\b")
_STATEMENTS = re.compile(
    rb"^\s*(?:[^#'\"\n]*[:;]\s*)?print(?:\s+[^\s(=.,)]|\s*$)|^\s*except\s+[\w.]+\s*,\s*\w+\s*:", re.MULTILINE
)

_FUNCTIONS = {"raw_input", "xrange", "unicode", "unichr", "execfile"}


def is_python_2(source: bytes) -> bool:
    """Return whether a program needs Python 2, judging by its first line, its statements, and undefined functions."""
    if _FIRST_LINE.match(source):
        return True
    try:
        with warnings.catch_warnings(action="ignore"):
            names = [node for node in ast.walk(parse(source)) if isinstance(node, ast.Name)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _STATEMENTS.search(source) is not None
    defined = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    used = {name.id for name in names} & _FUNCTIONS
    # A program for both versions defines one name as the other.
    return bool(used) and not defined & (_FUNCTIONS | {"input", "range"}) and b"NameError" not in source
