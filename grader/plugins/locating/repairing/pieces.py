"""Single differences between a program and accepted programs, the differences to many of them first."""

from collections import Counter
from collections.abc import Iterator, Sequence

from grader.plugins.locating.repairing.edits import Edit, cost, edited, edits_between
from grader.plugins.locating.repairing.program_lines import ProgramLine

_MAX_TOKENS = 15
"""The size of an edit that is tried alone."""


def pieces(
    program: Sequence[ProgramLine], accepted: Sequence[Sequence[ProgramLine]]
) -> Iterator[tuple[int, Sequence[ProgramLine]]]:
    """Yield the program with one edit towards an accepted program, and the size of the edit.

    Edits that many accepted programs share come first.
    """
    counts: Counter[Edit] = Counter()
    for target in accepted:
        counts.update(edits_between(program, target))
    sizes = {edit: cost(program, [edit]) for edit in counts}
    small = [edit for edit in counts if sizes[edit] <= _MAX_TOKENS]
    for edit in sorted(small, key=lambda edit: (-counts[edit], sizes[edit])):
        yield sizes[edit], edited(program, [edit])
