"""Keeps the student's spelling of the lines in which a changed program does not differ."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from grader.plugins.locating.repairing.program_lines import ProgramLine


def own_lines(
    raw: Sequence[ProgramLine], formatted: Sequence[ProgramLine], target: Sequence[ProgramLine]
) -> Sequence[ProgramLine]:
    """Return the lines of `target`, replacing each line of the `formatted` program with the student's `raw` line.

    If a line of the raw program has several statements, the lines do not correspond, and nothing is replaced.
    """
    if len(raw) != len(formatted):
        return target
    lines = list(target)
    for start, target_start, count in SequenceMatcher(None, formatted, target, autojunk=False).get_matching_blocks():
        lines[target_start : target_start + count] = raw[start : start + count]
    return lines
