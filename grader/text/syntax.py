"""Reads Python source into trees, from any thread."""

import ast
from threading import Lock

# Python 3.11 has one depth counter for the trees of all threads, and fails if two threads parse at once.
_TURN = Lock()


def parse(source: str | bytes, file: str = "<unknown>") -> ast.Module:
    """Return the tree of a module. Raises what `ast.parse` raises."""
    with _TURN:
        return ast.parse(source, file)


def parse_expression(source: str) -> ast.expr:
    """Return the tree of an expression. Raises what `ast.parse` raises."""
    with _TURN:
        return ast.parse(source, mode="eval").body
