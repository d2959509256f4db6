"""Parses Python source, from any thread."""

import ast
from threading import Lock

# Python 3.11 has a single depth counter for the trees of all threads, and fails if two threads parse at once.
_TURN = Lock()


def parse(source: str | bytes, file: str = "<unknown>") -> ast.Module:
    """Return the syntax tree of a module. Raises the same errors as `ast.parse`."""
    with _TURN:
        return ast.parse(source, file)


def parse_expression(source: str) -> ast.expr:
    """Return the syntax tree of an expression. Raises the same errors as `ast.parse`."""
    with _TURN:
        return ast.parse(source, mode="eval").body
