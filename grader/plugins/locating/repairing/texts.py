"""Changes to the texts that a program prints, taken from an expected line or from the texts of accepted programs."""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import partial

from grader.plugins.locating.ranking import parsed
from grader.plugins.locating.rewriting import Put, RewrittenProgram, SmallChange, is_docstring

_ALIKE = 0.6


@dataclass(frozen=True)
class PrintedLine:
    """The first printed line that is wrong, and the expected line."""

    printed: str
    expected: str


def texts_for_line(text: str, wrong: PrintedLine) -> Iterator[SmallChange]:
    """Yield the program with one text changed so that the wrong line may come out right."""

    def others(value: str) -> Iterator[str]:
        pieces = value.split("\n")
        for place, piece in enumerate(pieces):
            for new in in_expected_line(piece, wrong):
                yield "\n".join([*pieces[:place], new, *pieces[place + 1 :]])

    return _changed_texts(text, others)


def accepted_texts(program: str) -> frozenset[str]:
    """Return the texts of a program."""
    tree = parsed(program)
    return frozenset() if tree is None else frozenset(str(node.value) for node, _ in _texts(tree))


def texts_of_accepted(text: str, accepted: Sequence[frozenset[str]]) -> Iterator[SmallChange]:
    """Yield the program with one text replaced by the most similar texts of accepted programs that it lacks."""
    pool = sorted(frozenset().union(*accepted))

    def others(value: str) -> Iterator[str]:
        if value not in pool and value.strip():
            yield from get_close_matches(value, pool, n=2, cutoff=_ALIKE)

    return _changed_texts(text, others)


def _changed_texts(text: str, others: Callable[[str], Iterator[str]]) -> Iterator[SmallChange]:
    program = RewrittenProgram.of(text)
    if program is None:
        return
    for node, statement in list(_texts(program.tree)):
        value = str(node.value)
        for other in dict.fromkeys(others(value)):
            if other != value:
                write = partial(program.with_puts, statement, [Put(node, "value", other)])
                yield SmallChange(statement.lineno, write)


def _texts(tree: ast.Module) -> Iterator[tuple[ast.Constant, ast.stmt]]:
    """Yield the texts of a program, and the statements that they are in."""
    for statement in ast.walk(tree):
        if not isinstance(statement, ast.stmt) or is_docstring(statement):
            continue
        waiting = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node, statement
            waiting = [*(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)), *waiting]


def in_expected_line(piece: str, wrong: PrintedLine) -> Iterator[str]:
    """Yield the parts of the expected line that correspond to a piece of the printed one."""
    start = wrong.printed.find(piece) if piece.strip() else -1
    if start < 0:
        return
    blocks = SequenceMatcher(None, wrong.printed, wrong.expected, autojunk=False).get_opcodes()
    for first in _places(blocks, start):
        for last in _places(blocks, start + len(piece)):
            if first <= last:
                yield wrong.expected[first:last]


def _places(blocks: Sequence[tuple[str, int, int, int, int]], place: int) -> list[int]:
    """Return the places in the expected line that a place between two characters may correspond to."""
    places: set[int] = {0} if not blocks else set()
    for kind, start, end, other_start, other_end in blocks:
        if kind == "equal" and start <= place <= end:
            places.add(other_start + place - start)
        elif start <= place <= end:
            places |= {other_start} if place == start else set()
            places |= {other_end} if place == end else set()
            if start < place < end:
                places.add(min(other_end, other_start + place - start))
    return sorted(places)
