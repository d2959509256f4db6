"""Reads from the text of a module the names of those that it imports."""

import ast
from collections.abc import Iterator
from pathlib import Path


def imports_of(file: Path) -> Iterator[str]:
    """Return the names that the module in `file` imports, but for those that only a type checker sees.

    What is imported from a package may be a module of it, so both names are given.
    """
    waiting: list[ast.AST] = [ast.parse(file.read_bytes())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        waiting += ast.iter_child_nodes(node)
