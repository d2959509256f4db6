"""The table of a class looks as Rich lays it out as a whole, however wide names and terminal are."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.model.policy import LatePolicy, LateTerms
from grader.model.results import ClassResult, StudentResult
from grader.plugins.late_policies.falling_cap import FallingCap
from grader.plugins.late_policies.percent_per_day import PercentPerDay
from grader.reports.terminal.class_report import TableColumn, class_columns, class_pieces
from grader.reports.theme import TerminalStyle
from tests.reports import counted_example, decided_example, rubric_example
from tests.reports.graded_example import CLASS

ROWS = CLASS.rows
NAMES = st.text(st.sampled_from("ab{}% é́漢字🙂\t\n\ue000"), min_size=1, max_size=40)
CONSOLES = {"width": st.integers(30, 160), "colours": st.booleans()}


def console_of(width: int, *, colours: bool) -> Console:
    return Console(
        file=StringIO(),
        width=width,
        highlight=False,
        markup=False,
        color_system="standard" if colours else None,
        force_terminal=colours,
    )


def laid_out(graded: ClassResult, columns: Sequence[TableColumn], *, captioned: bool) -> Table:
    parts = (f"({number}) {part.title}" for number, part in enumerate(graded.assignment.parts, 1))
    table = Table(
        title=graded.assignment.title,
        title_justify="left",
        caption=Text("\n".join(parts)) if captioned else None,
        caption_justify="left",
    )
    for column in columns:
        style = TerminalStyle.HEADING if column.header == "mark" else None
        table.add_column(
            column.header,
            justify="right" if column.number else "left",
            no_wrap=column.number,
            overflow="fold",
            style=style,
        )
    for row in graded.rows:
        table.add_row(*(Text(column.cell(row)) for column in columns))
    return table


def by_rich(graded: ClassResult, console: Console) -> str:
    columns = list(class_columns(graded))
    table = laid_out(graded, columns, captioned=True)
    if console.measure(table).maximum >= console.width:
        table = laid_out(graded, [column for column in columns if not column.of_part], captioned=False)
    if console.measure(table).maximum >= console.width:
        table = laid_out(graded, [column for column in columns if column.vital], captioned=False)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def called(row: StudentResult, name: str, full_name: str) -> StudentResult:
    submission = row.graded.submission
    known = replace(submission, student=name, identity=replace(submission.identity, name=full_name))
    return replace(row, graded=replace(row.graded, submission=known))


@given(named=st.lists(st.tuples(st.sampled_from(ROWS), NAMES, NAMES), max_size=4), **CONSOLES)
def test_each_row_looks_as_if_rich_had_laid_it_out(
    named: list[tuple[StudentResult, str, str]], width: int, *, colours: bool
) -> None:
    graded = replace(CLASS, rows=tuple(called(*one) for one in named))
    printed = "".join(class_pieces(console_of(width, colours=colours), graded))
    assert printed.startswith(by_rich(graded, console_of(width, colours=colours)))


@pytest.mark.slow
@given(graded=st.sampled_from([counted_example.CLASS, decided_example.CLASS, rubric_example.CLASS]), **CONSOLES)
def test_so_do_bonus_points_and_what_is_not_yet_marked(graded: ClassResult, width: int, *, colours: bool) -> None:
    printed = "".join(class_pieces(console_of(width, colours=colours), graded))
    assert printed.startswith(by_rich(graded, console_of(width, colours=colours)))


@pytest.mark.parametrize(
    ("late", "terms", "column"),
    [
        (None, LateTerms(), []),
        (None, LateTerms(cut_off=CLASS.assignment.due), ["cap"]),
        (FallingCap(Decimal(5), 5), LateTerms(), ["cap"]),
        (PercentPerDay(Decimal(10)), LateTerms(), ["late"]),
    ],
)
def test_the_cost_of_lateness_is_only_shown_if_there_can_be_one(
    late: LatePolicy | None, terms: LateTerms, column: list[str]
) -> None:
    graded = replace(CLASS, assignment=replace(CLASS.assignment, late=late, late_terms=terms))
    assert [shown.header for shown in class_columns(graded) if shown.header in ("cap", "late")] == column
