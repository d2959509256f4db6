"""The relative patch size: the distance between the syntax trees of two programs, as a share of the first tree's size.

It is the measure by which Refactory's paper compares itself with Clara (Hu et al., ASE 2019): nodes are labelled with
their name, argument or constant, otherwise with their kind; contexts and the module itself do not count. The distance
is that of Zhang and Shasha (SIAM Journal on Computing 18, 1989).
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_NOT_COUNTED = (ast.Module, ast.expr_context, ast.type_ignore)


@dataclass(frozen=True)
class _Tree:
    """The labels of a tree in postorder, and for each node the place of its leftmost leaf."""

    labels: Sequence[str]
    leftmost: Sequence[int]

    def roots(self) -> list[int]:
        """Return the nodes that are the last with their leftmost leaf."""
        last = {leaf: node for node, leaf in enumerate(self.leftmost)}
        return sorted(last.values())


def relative_patch_size(before: str, after: str) -> float:
    """Return the distance between two programs. Raises SyntaxError."""
    first, second = _tree(before), _tree(after)
    return _distance(first, second) / len(first.labels)


def patched(text: str, diff: str) -> str:
    """Return a text with the changes of a unified diff."""
    lines, new, place = text.splitlines(), list[str](), 0
    for line in diff.split("\n")[2:]:
        if line.startswith("@@"):
            start, _, count = line.split()[1][1:].partition(",")
            first = int(start) - (count != "0")
            new += lines[place:first]
            place = first
        elif line.startswith("+"):
            new.append(line[1:])
        else:
            new += lines[place : place + 1] if line.startswith(" ") else []
            place += 1
    return "\n".join([*new, *lines[place:]]) + "\n"


def _tree(text: str) -> _Tree:
    labels: list[str] = []
    leftmost: list[int] = []

    def visit(node: ast.AST) -> None:
        first = len(labels)
        for child in ast.iter_child_nodes(node):
            visit(child)
        if not isinstance(node, _NOT_COUNTED):
            leftmost.append(leftmost[first] if len(labels) > first else first)
            labels.append(_label(node))

    visit(ast.parse(text))
    # The root, so that there is one tree.
    leftmost.append(0)
    labels.append("")
    return _Tree(labels, leftmost)


def _label(node: ast.AST) -> str:
    for field in ("id", "name", "arg", "value"):
        value = getattr(node, field, None)
        if isinstance(value, str | int | float | bytes | bool):
            return f"{value!r}"
    return type(node).__name__


def _distance(first: _Tree, second: _Tree) -> int:
    distances = [[0] * len(second.labels) for _ in first.labels]
    for root in first.roots():
        for other in second.roots():
            for node, place, distance in _of_subtrees(first, second, root, other, distances):
                distances[node][place] = distance
    return distances[-1][-1]


def _of_subtrees(
    first: _Tree, second: _Tree, root: int, other: int, distances: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int, int]]:
    """Yield the distances of all pairs of trees whose leftmost leaves are those of two nodes."""
    start, begin = first.leftmost[root], second.leftmost[other]
    above = list(range(other - begin + 2))
    table = [above]
    for node in range(start, root + 1):
        row = [node - start + 1]
        for place in range(begin, other + 1):
            column = place - begin + 1
            least = min(table[-1][column], row[-1]) + 1
            if first.leftmost[node] == start and second.leftmost[place] == begin:
                least = min(least, table[-1][column - 1] + (first.labels[node] != second.labels[place]))
                yield node, place, least
            else:
                forest = table[first.leftmost[node] - start][second.leftmost[place] - begin]
                least = min(least, forest + distances[node][place])
            row.append(least)
        table.append(row)
