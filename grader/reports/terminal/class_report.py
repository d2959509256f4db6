"""The terminal report on a class."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from itertools import starmap
from pathlib import Path
from statistics import mean, median

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from grader.model.assignment import Assignment, Part
from grader.model.judgement import Verdict
from grader.model.policy import PenaltyForm
from grader.model.results import ClassResult, StudentResult
from grader.reports.lateness import lateness
from grader.reports.printed_report import PrintedReport
from grader.reports.student_notes import grouped_notes
from grader.reports.terminal.console import output_console
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.words import format_decimal, pluralize

_PIPE_WIDTH = 120
_MIN_SUMMARIZED = 3
_HUNDREDTH = Decimal("0.01")
_OPEN = "\ue000"
"""A placeholder for an open cell. No other text contains it, because `escape_controls` replaces it."""


def class_text(graded: ClassResult, folder: Path) -> PrintedReport:
    """Return the report on a class for standard output; `folder` contains its full reports."""
    console = output_console()
    if not console.is_terminal:
        # A table for a pipe or file is not squeezed into 80 columns.
        console.width = max(console.width, _PIPE_WIDTH)
    where = _printed(console, escape_controls(f"Reports: {folder}"), soft_wrap=True)
    return PrintedReport("".join((*class_pieces(console, graded), where)))


def class_pieces(console: Console, graded: ClassResult) -> Iterator[str]:
    """Yield the report as printed by `console`, in pieces: a row per student, then notes for the instructor."""
    yield from _table_pieces(console, graded)
    for line in _lines_below(graded):
        yield _printed(console, line, soft_wrap=True)


def _lines_below(graded: ClassResult) -> Iterator[str | Text]:
    yield from map(Text, _summary(graded))
    for note in (*grouped_notes(graded), *graded.notes):
        yield Text(escape_controls(note), TerminalStyle.WARNING)
    if graded.assignment.python.asks and graded.python:
        yield f"The programs ran under Python {graded.python}"
    if graded.not_graded:
        names, left_out = escape_controls(", ".join(graded.not_graded)), len(graded.not_graded)
        yield Text(
            f"Interrupted; {left_out} of {left_out + len(graded.rows)} not graded: {names}. The same command goes on "
            "from here: what was run is not run again.",
            f"{TerminalStyle.HEADING} {TerminalStyle.FAILED}",
        )


def _summary(graded: ClassResult) -> Iterator[str]:
    """Yield the mean and median of the marks, and how many students have no mark or wait for a decision."""
    marks = [row.mark.adjusted for row in graded.rows if row.mark]
    if len(graded.rows) < _MIN_SUMMARIZED:
        return
    counts = [pluralize(len(graded.rows), "student")]
    if marks:
        average, middle = (format_decimal(value.quantize(_HUNDREDTH)) for value in (mean(marks), median(marks)))
        counts.append(f"mean {average} and median {middle} of {format_decimal(graded.assignment.marks)}")
    without = sum(row.mark is None and not row.granted.excused for row in graded.rows)
    counts += [f"{without} without a mark"] if without else []
    waiting = sum(row.waits_for_decision for row in graded.rows)
    counts += [f"{waiting} to decide"] if waiting else []
    yield ", ".join(counts)


def _printed(console: Console, what: str | Text | Table, *, soft_wrap: bool = False) -> str:
    with console.capture() as capture:
        console.print(what, soft_wrap=soft_wrap)
    return capture.get()


@dataclass(frozen=True, kw_only=True)
class TableColumn:
    """A column of the table.

    A narrow terminal leaves out columns `of_part`, and a very narrow one all columns that are not `vital`.
    """

    header: str
    cell: Callable[[StudentResult], str]
    vital: bool = False
    number: bool = True
    of_part: bool = False

    @property
    def title(self) -> str:
        """The header as a single line."""
        return self.header.replace("\n", " ")


@dataclass(frozen=True)
class _FilledColumn:
    """A column with its text for each student, and its width in terminal cells."""

    column: TableColumn
    texts: Sequence[str]
    width: int

    def padded(self, text: str) -> str:
        """Return the text padded to this width."""
        space = " " * (self.width - cell_len(text))
        return f"{space}{text}" if self.column.number else f"{text}{space}"


def _table_pieces(console: Console, graded: ClassResult) -> Iterator[str]:
    """Yield the widest table that fits: with a column per part, without these, or with only the vital columns."""
    columns = [_filled(column, graded.rows) for column in class_columns(graded)]
    without_parts = [column_shown for column_shown in columns if not column_shown.column.of_part]
    vital = [column_shown for column_shown in columns if column_shown.column.vital]
    for shown, caption in (
        (columns, _caption(graded.assignment)),
        (without_parts, _missing_columns(columns, without_parts)),
        (vital, _missing_columns(columns, vital)),
    ):
        # Rich is slow for each row. If the widest cells fit on one line, all rows can use the layout of a row with
        # these cells.
        widest = [[_OPEN * column_shown.width for column_shown in shown]] if graded.rows else []
        table = _table_of(graded, shown, widest, caption)
        if _fits(table, console):
            yield from _with_rows(_printed(console, table), shown)
            return
    rows = zip(*(column_shown.texts for column_shown in vital), strict=True)
    yield _printed(console, _table_of(graded, vital, rows, _missing_columns(columns, vital)))


def _missing_columns(columns: Sequence[_FilledColumn], shown: Sequence[_FilledColumn]) -> Text:
    """List the columns that do not fit."""
    parts = any(column.column.of_part and column not in shown for column in columns)
    titles = [item.column.title for item in columns if item not in shown and not item.column.of_part]
    return Text(f"no room for: {', '.join([*(['the parts'] if parts else []), *titles])}")


def _filled(column: TableColumn, rows: Iterable[StudentResult]) -> _FilledColumn:
    # Most cells of a large class repeat others.
    shared = cache(str)
    texts = [shared(column.cell(row)) for row in rows]
    return _FilledColumn(column, texts, max(map(cell_len, (*column.header.split("\n"), *texts))))


def _with_rows(printed: str, columns: Sequence[_FilledColumn]) -> Iterator[str]:
    """Yield the printed table with the actual rows instead of the placeholder row."""
    for line in printed.splitlines(keepends=True):
        if _OPEN in line:
            row = re.sub(f"{_OPEN}+", "{}", line)
            texts = (map(column.padded, column.texts) for column in columns)
            yield from starmap(row.format, zip(*texts, strict=True))
        else:
            yield line


def _fits(table: Table, console: Console) -> bool:
    return Measurement.get(console, console.options, table).maximum < console.width


def _table_of(
    graded: ClassResult, columns: Sequence[_FilledColumn], rows: Iterable[Sequence[str]], caption: Text | None = None
) -> Table:
    title = escape_controls(graded.assignment.title)
    table = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    for column in (filled.column for filled in columns):
        style = TerminalStyle.HEADING if column.header == "mark" else None
        if column.number:
            table.add_column(column.header, justify="right", no_wrap=True, style=style)
        else:
            table.add_column(column.header, overflow="fold")
    for texts in rows:
        table.add_row(*map(Text, texts))
    return table


def class_columns(graded: ClassResult) -> Iterator[TableColumn]:
    """Yield the columns of the class table."""
    assignment = graded.assignment
    yield TableColumn(header="student", cell=lambda row: escape_controls(row.student), vital=True, number=False)
    if any(row.full_name for row in graded.rows):
        yield TableColumn(header="name", cell=lambda row: escape_controls(row.full_name), number=False)
    for number, part in enumerate(assignment.parts, 1):
        sign = "+" if part.bonus else "/"
        yield TableColumn(
            header=f"({number})\n{sign} {format_decimal(part.marks)}", cell=partial(_part_points, part), of_part=True
        )
    yield TableColumn(header="tests", cell=lambda row: f"{_passed(row)}/{len(row.graded.results)}")
    yield TableColumn(header=f"raw\n/ {format_decimal(assignment.marks)}", cell=_raw, vital=True)
    yield TableColumn(header="lateness", cell=lateness, number=False)
    form = assignment.late.form if assignment.late else PenaltyForm.CAP
    if assignment.late or assignment.late_terms.cut_off:
        yield TableColumn(header=form, cell=_deduction if form is PenaltyForm.DEDUCTION else _cap)
    yield TableColumn(header="mark", cell=_mark, vital=True)


def _deduction(row: StudentResult) -> str:
    return format_decimal(-row.mark.deduction) if row.mark else "?"


def _cap(row: StudentResult) -> str:
    return format_decimal(row.mark.cap) if row.mark else "?"


def _part_points(part: Part, row: StudentResult) -> str:
    return f"{format_decimal(row.part_points(part))}{' + ?' if row.waits(part) else ''}"


def _raw(row: StudentResult) -> str:
    if row.mark:
        return format_decimal(row.mark.raw)
    return f"{format_decimal(row.points)} + ?" if row.not_yet_marked else "?"


def _mark(row: StudentResult) -> str:
    if row.granted.excused:
        return "excused"
    return format_decimal(row.mark.adjusted) if row.mark else "?"


def _passed(row: StudentResult) -> int:
    return sum(result.verdict is Verdict.PASSED for result in row.graded.results)


def _caption(assignment: Assignment) -> Text:
    parts = (f"({number}) {escape_controls(part.title)}" for number, part in enumerate(assignment.parts, 1))
    return Text("\n".join(parts))
