"""A diff as rows of two cells, from which the page shows one column or two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grader.judge.characters import legend, marked
from grader.judge.diff import Diff, DiffLine, Side
from grader.report.html.text import differing_line, shown

_MOST_NAMES = 8


@dataclass(frozen=True)
class Cell:
    """A line of one transcript: its number there, counted from 1, its text as HTML, whether a line end follows."""

    number: int
    text: Markup
    ended: bool


@dataclass(frozen=True)
class DiffRow:
    """What stands side by side: the expected and the actual line. One of them is None where it has no counterpart."""

    expected: Cell | None
    actual: Cell | None
    same: bool


def diff_rows(diff: Diff) -> Iterator[DiffRow]:
    """The lines of `diff`, an expected one beside the actual one that came in its place."""
    surplus = 0
    waiting: DiffLine | None = None
    for line in diff.lines:
        if waiting and line.side is not Side.ACTUAL:
            yield DiffRow(_cell(waiting), None, same=False)
            waiting = None
        if line.side is Side.EXPECTED:
            waiting = line
            surplus -= 1
        elif line.side is Side.ACTUAL:
            yield DiffRow(_cell(waiting) if waiting else None, _cell(line), same=False)
            waiting = None
            surplus += 1
        else:
            text = shown(line.text)
            yield DiffRow(
                Cell(line.number, text, line.ended), Cell(line.number + surplus, text, line.ended), same=True
            )
    if waiting:
        yield DiffRow(_cell(waiting), None, same=False)


def named(diff: Diff) -> Sequence[str]:
    """What the marks in the differing lines stand for."""
    lines = (line for line in diff.lines if line.side is not Side.BOTH)
    names = legend("".join(marked(line.text, line.start, line.end) for line in lines))
    return names if len(names) <= _MOST_NAMES else [*names[:_MOST_NAMES], "…"]


def _cell(line: DiffLine) -> Cell:
    return Cell(line.number, differing_line(line.text, line.start, line.end), line.ended)
