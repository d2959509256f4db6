"""Mutants with two mistakes at once, as programs of students often have several."""

import ast
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from grader.authoring.audit.mutants import MistakeSource, Mutant


def paired(mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    """These mutants of one program two by two, in the order in which they come; those without a partner are left out.

    Two go together when they change different lines, at least one apart.
    """
    waiting: list[Mutant] = []
    for mutant in mutants:
        for index, other in enumerate(waiting):
            both = _with_both(other, mutant)
            if both is not None:
                del waiting[index]
                yield both
                break
        else:
            waiting.append(mutant)


def _with_both(one: Mutant, other: Mutant) -> Mutant | None:
    changes = sorted((*_changes(one), *_changes(other)))
    if any(first[1] >= second[0] for first, second in pairwise(changes)):
        return None
    lines = one.base.source.splitlines(keepends=True)
    for start, end, instead in reversed(changes):
        lines[start:end] = instead
    source = "".join(lines)
    try:
        ast.parse(source)
    except SyntaxError:
        return None
    return Mutant(one.base, f"{one.about} and {other.about}", source, MistakeSource.PAIR)


def _changes(mutant: Mutant) -> list[tuple[int, int, list[str]]]:
    """The lines of the original that a mutant changes, from the first to before the last, and what it has instead."""
    before, after = (text.splitlines(keepends=True) for text in (mutant.base.source, mutant.source))
    return [
        (start, end, after[first:last])
        for tag, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
