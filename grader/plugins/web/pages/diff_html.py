"""Diffs as HTML: rows of two cells, which the page shows in one column or in two.

They are built here and not in a template, because a site may have hundreds of thousands of rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from grader.judge.diff import DiffLine, DiffSide, TranscriptDiff
from grader.plugins.web.pages.differing_line import differing_line
from grader.reports.html.text import shown
from grader.text.escape import escape_controls, legend
from grader.text.language import in_language, told, told_plural

_MAX_NAMES = 8
_MAX_FOLDED = 100
_MAX_WIDE = 1_000
_NOTHING = '<div class="none"></div>'


@dataclass(frozen=True)
class DiffRow:
    """A row of a diff: an expected line, and the line printed in its place (None if missing).

    For a line that is the same on both sides, `actual_number` is its number among the printed lines.
    """

    expected: DiffLine | None
    actual: DiffLine | None = None
    actual_number: int = 0


def diff_rows(diff: TranscriptDiff) -> Iterator[DiffRow]:
    """Yield the lines of `diff`, in pairs."""
    surplus = 0
    waiting: DiffLine | None = None
    for line in diff.lines:
        if waiting and line.side is not DiffSide.ACTUAL:
            yield DiffRow(waiting)
            waiting = None
        if line.side is DiffSide.EXPECTED:
            waiting = line
            surplus -= 1
        elif line.side is DiffSide.ACTUAL:
            yield DiffRow(waiting, line)
            waiting = None
            surplus += 1
        else:
            yield DiffRow(line, line, line.number + surplus)
    if waiting:
        yield DiffRow(waiting)


def diff_html(diff: TranscriptDiff, equal: str = "") -> Markup:
    """Return the rows of `diff`. Omitted equal lines can be unfolded if they are in the common beginning `equal`."""
    lines = equal.split("\n")[:-1]
    blocks: list[str] = []
    last = 0
    for same, together in groupby(diff_rows(diff), _is_same):
        rows = list(together)
        gaps = list(_gaps(rows, last)) if same else []
        last = rows[-1].expected.number if rows[-1].expected else last
        start = 0
        for place, numbers in gaps:
            blocks += [_block(rows[start:place], same=same)] if place > start else []
            blocks.append(_folded(numbers, lines))
            start = place
        blocks.append(_block(rows[start:], same=same))
    return Markup("\n".join(filter(None, blocks)))


def named(diff: TranscriptDiff) -> Sequence[str]:
    """Return the names of the marks in the differing lines."""
    lines = (line for line in diff.lines if line.side is not DiffSide.BOTH)
    names = legend("".join(_odd_characters(line) for line in lines))
    words = list(map(in_language, names[:_MAX_NAMES]))
    return words if len(names) <= _MAX_NAMES else [*words, "…"]


def _odd_characters(line: DiffLine) -> str:
    """Return the characters, possibly repeated, that a differing line shows as marks that need a name."""
    inner = line.text[line.start : line.end]
    space = " " if inner != inner.strip(" ") or line.text.endswith(" ") else ""
    others = "" if line.text.isprintable() else line.text.replace("\t", "")
    controls = (character for character in others if escape_controls(character) != character)
    return f"{inner.replace(' ', '')}{space}{''.join(controls)}"


def _is_same(row: DiffRow) -> bool:
    return row.expected is row.actual


def _gaps(rows: Sequence[DiffRow], last: int) -> Iterator[tuple[int, range]]:
    """Yield the places among equal rows before which lines are omitted, and the numbers of these lines."""
    for place, row in enumerate(rows):
        number = row.expected.number if row.expected else last
        if number > last + 1:
            yield place, range(last + 1, number)
        last = number


def _folded(numbers: range, lines: Sequence[str]) -> str:
    """Render equal lines that can be unfolded, or only the last ones if there are very many."""
    equal = range(numbers.start, min(numbers.stop, len(lines) + 1))
    if not equal:
        return ""
    rows = "".join(
        f'<div class="l"><span class="n">{number}</span><code>{shown(lines[number - 1][:_MAX_WIDE])}</code></div>'
        for number in equal[-_MAX_FOLDED:]
    )
    words = told_plural(len(equal), "{count} equal line", "{count} equal lines")
    return f'<details class="equal"><summary>{words}</summary>{rows}</details>'


def _block(rows: Sequence[DiffRow], *, same: bool) -> str:
    """Render neighbouring rows; in one column, paired lines alternate unless a pair has nothing in common."""
    is_apart = not same and any(map(_is_unlike, rows))
    return f'<div class="block{" is_apart" if is_apart else ""}">{"".join(map(_row, rows))}</div>'


def _is_unlike(row: DiffRow) -> bool:
    sides = [line for line in (row.expected, row.actual) if line]
    return len(sides) == 2 and all(line.start == 0 and line.end == len(line.text) for line in sides)


def _row(row: DiffRow) -> str:
    if row.expected is row.actual and row.expected:
        text = shown(row.expected.text)
        cells = _cell("e", row.expected.number, text) + _cell("a", row.actual_number, text)
        return f'<div class="r same">{cells}</div>'
    expected = _line("e", row.expected) if row.expected else _NOTHING
    actual = _line("a", row.actual) if row.actual else _NOTHING
    return f'<div class="r off">{expected}{actual}</div>'


def _line(side: str, line: DiffLine) -> str:
    words = told("no newline")
    end = "" if line.ended else f'<i class="end">{words}</i>'
    return _cell(side, line.number, differing_line(line.text, line.start, line.end), end)


def _cell(side: str, number: int, text: Markup, end: str = "") -> str:
    return f'<div class="{side}"><span class="n">{number}</span><code>{text}</code>{end}</div>'
