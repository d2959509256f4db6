"""Tells which functions of a program a test can run, from the words in the source alone."""

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def owned_nodes(tree: ast.AST, owner: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield each node with the name of the outermost function or method around it, which is empty at the top level."""
    for node in ast.iter_child_nodes(tree):
        name = owner or (node.name if isinstance(node, _Function) else "")
        yield name, node
        yield from owned_nodes(node, name)


def reached(trees: Iterable[ast.Module], words: Iterable[str]) -> Container[str]:
    """Return the functions that the top level of the files and the `words` of a test may call, directly or not.

    Functions with the same name count as one, and special methods always count.
    """
    used: dict[str, set[str]] = defaultdict(set)
    for tree in trees:
        for owner, node in owned_nodes(tree):
            match node:
                case ast.Name(word) | ast.Attribute(_, word):
                    used["" if owner.startswith("__") else owner].add(word)
    found, waiting = {""}, {*words, *used[""]}
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= used.get(name, set()) - found
    return found | {owner for tree in trees for owner, _ in owned_nodes(tree) if owner.startswith("__")}
