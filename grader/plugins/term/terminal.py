"""The table of a term for the terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.plugins.term.formats import summary
from grader.plugins.term.table import CellState, TermCell, TermRow, TermTable, percent
from grader.reports.terminal.console import print_lines, screen_width
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.words import format_decimal, pluralize

_WIDEST_NAME = 24
_BETWEEN = 3
_BELOW = ("mean", "median")
_PLACES = Decimal("0.1")


@dataclass(frozen=True)
class _Column:
    """A heading, a cell per student, and the cells of mean and median."""

    heading: str
    cells: tuple[str, ...]

    @property
    def width(self) -> int:
        return max(map(cell_len, (self.heading, *self.cells))) + _BETWEEN


def print_term(console: Console, table: TermTable) -> None:
    """Print a row per student; columns that do not fit into the terminal follow in other tables."""
    console.print(Text(escape_controls(table.term.title), TerminalStyle.HEADING), soft_wrap=True)
    names = [*(escape_controls(row.student.student) for row in table.rows), *_BELOW]
    columns = list(_columns(table))
    if screen_width(console) is None:
        console.width = max(console.width, _width(names, columns))
    for fitting in _fitting(columns, names, console.width):
        _print_table(console, names, fitting)
    print_lines(console, (Text(line) for row in table.rows for line in _late_day_lines(row)))
    print_lines(console, (Text(escape_controls(line), TerminalStyle.WARNING) for line in _lines_below(table)))


def _print_table(console: Console, names: Sequence[str], columns: Sequence[_Column]) -> None:
    shown = Table()
    shown.add_column("student", overflow="fold", max_width=_WIDEST_NAME)
    for column in columns:
        shown.add_column(column.heading, justify="right", no_wrap=True)
    for number, name in enumerate(names):
        is_last_student = number == len(names) - len(_BELOW) - 1
        shown.add_row(Text(name), *(Text(column.cells[number]) for column in columns), end_section=is_last_student)
    console.print(shown)


def _fitting(columns: Sequence[_Column], names: Sequence[str], width: int) -> Iterator[Sequence[_Column]]:
    """Yield the columns of each table: as many as fit beside the names, and at least one."""
    fitting: list[_Column] = []
    for column in columns:
        if fitting and _width(names, [*fitting, column]) > width:
            yield fitting
            fitting = []
        fitting.append(column)
    yield fitting


def _width(names: Sequence[str], columns: Sequence[_Column]) -> int:
    """Return the width of a table with these columns."""
    name = min(max(map(cell_len, (*names, "student"))), _WIDEST_NAME)
    return name + _BETWEEN + sum(column.width for column in columns) + 1


def _columns(table: TermTable) -> Iterator[_Column]:
    below = summary(table)

    def column(name: str, heading: str, cells: Sequence[str]) -> _Column:
        return _Column(heading, (*cells, *(_percent(of[name]) for of in below.values())))

    for graded in table.classes:
        cells = [_cell_text(row.cells[graded.assignment]) for row in table.rows]
        yield column(graded.assignment, f"{graded.assignment} %", cells)
    for group in table.term.groups:
        yield column(group.id, f"{group.id} %", [_percent(row.groups.get(group.id)) for row in table.rows])
    if table.term.late_days:
        days = [f"{row.days_used} of {row.pool}" for row in table.rows]
        yield _Column("late days", (*days, "", ""))
    yield column("total", "total %", [_total_text(row) for row in table.rows])


def _cell_text(cell: TermCell) -> str:
    """Return the percentage, in brackets if it is not among the best of its group, and the late days."""
    if cell.state is CellState.OPEN:
        return "?"
    if cell.share is None:
        return str(cell.state)
    figure = "missing" if cell.state is CellState.MISSING else _percent(cell.share)
    counted = figure if cell.is_counted else f"({figure})"
    return f"{counted}, {cell.late_days} d" if cell.late_days else counted


def _total_text(row: TermRow) -> str:
    if row.open_because:
        return "open"
    return "-" if row.total is None else format_decimal(row.total)


def _percent(share: Fraction | None) -> str:
    return "-" if share is None else f"{percent(share).quantize(_PLACES)}"


def _late_day_lines(row: TermRow) -> Iterator[str]:
    """Yield lines that say which assignments took the student's late days, if any."""
    days = [f"{name} {cell.late_days}" for name, cell in row.cells.items() if cell.late_days]
    if days:
        used = f"{pluralize(row.days_used, 'late day')} of {row.pool} used"
        yield escape_controls(f"{row.student.student}: {used}: {', '.join(days)}")


def _lines_below(table: TermTable) -> Iterator[str]:
    for row in table.rows:
        for reason in row.open_because:
            yield f"{row.student.student}: open, because of {reason}"
        for doubt in row.doubts:
            yield f"{row.student.student}: {doubt}"
    yield from table.notes
