"""Finds the imports of a module by parsing its source."""

import ast
from collections.abc import Iterator
from pathlib import Path


def imports_of(file: Path, package: str = "") -> Iterator[str]:
    """Yield the names that the module in `file` imports, except imports for type checkers.

    An import from a package may import one of its modules, so both names are yielded. `package` resolves relative
    imports.
    """
    waiting: list[ast.AST] = [ast.parse(file.read_bytes())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
        waiting += ast.iter_child_nodes(node)
