"""Which of our own modules a bundle needs: those that its entry imports, directly or not."""

import ast
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "grader"


def modules_behind(entries: Iterable[str]) -> dict[str, Path]:
    """The modules of ours that `entries` may import, at once or later, and the packages they are in, by name."""
    found: dict[str, Path] = {}
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if name in found or file is None:
            continue
        found[name] = file
        waiting += imports_of(file)
        waiting.append(name.rpartition(".")[0])
    return found


def imports_of(file: Path) -> Iterator[str]:
    """The names that the module in `file` imports, but for those that only a type checker sees.

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


def _file(name: str) -> Path | None:
    """Where a module of ours is; None when `name` is not the name of one."""
    if name.partition(".")[0] != PACKAGE:
        return None
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec and spec.origin else None
