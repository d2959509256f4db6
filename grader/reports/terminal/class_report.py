"""The report on a class for the terminal."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from grader.grading.student_result import override_words, unfit_words
from grader.model.assignment import Assignment, Part
from grader.model.judgement import Verdict
from grader.model.policy import PercentPerDay, PointsPerHour
from grader.model.student_result import GradedClass, Row
from grader.reports.terminal.test_result import cost_words, variant_words
from grader.text.escape import harmless
from grader.text.words import count, exact, lateness_words

_MOST_EVIDENCE = 3


_MOST_NAMED = 5


def print_class(console: Console, graded: GradedClass) -> None:
    """Print a row per student, then what the instructor should know."""
    console.print(_table(graded, console))
    for row in graded.rows:
        for note in notes_of(row, graded):
            console.print(Text(harmless(f"{row.student}: {note}"), "yellow"), soft_wrap=True)
    for note in graded.notes:
        console.print(Text(harmless(note), "yellow"), soft_wrap=True)
    if graded.not_graded:
        names = harmless(", ".join(graded.not_graded))
        console.print(Text(f"Interrupted; not graded: {names}", "bold red"), soft_wrap=True)


def _some(tests: Sequence[str]) -> str:
    more = len(tests) - _MOST_NAMED
    return ", ".join(tests[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def notes_of(row: Row, graded: GradedClass) -> list[str]:
    """What is odd about a submission: intake notes, variants, what waits for the instructor, tests to be rerun."""
    submission = row.graded
    notes = list(submission.submission.notes)
    notes += variant_words(graded.assignment, submission)
    notes += [f"special consideration: {row.granted.reason}"] if row.granted.reason else []
    notes += (f"override: {override_words(override)}" for override in row.overrides)
    notes += (f"override {unfit_words(override, submission.digest)}" for override in row.unfit)
    notes += late_day_words(row)
    for result in row.to_confirm:
        evidence = "; ".join(str(finding) for finding in result.findings[:_MOST_EVIDENCE])
        notes.append(f"to confirm or waive: {result.rule.id} ({result.rule.title}), {cost_words(result)}: {evidence}")
    if row.mark is None and not row.granted.excused:
        notes += _why_no_mark(row)
    return notes


def _why_no_mark(row: Row) -> Iterator[str]:
    submission = row.graded
    undecided = [result.test.id for result in submission.results if result.judgement.is_undecided]
    failed = [result.test.id for result in submission.results if result.verdict is Verdict.INTERNAL_ERROR]
    reruns = [test_id for test_id in failed if test_id not in undecided]
    if undecided:
        yield f"no mark yet, a person must decide these tests: {_some(undecided)}"
    if reruns:
        yield f"no mark yet, these tests must be rerun (internal-error): {_some(reruns)}"
    if failed:
        return
    if submission.submission.submitted is None and submission.raw:
        yield "no mark yet, the time of the submission is not known"
    elif row.not_yet_marked:
        yield f"no mark yet, not yet marked: {', '.join(item.id for item in row.not_yet_marked)}"


def late_day_words(row: Row) -> list[str]:
    """The late days that the assignment took from the student's bank."""
    if row.mark is None or row.mark.bank_used == 0:
        return []
    return [f"takes {count(row.mark.bank_used, 'late day')} from the bank, {row.mark.bank_left} left"]


@dataclass(frozen=True)
class Column:
    """A column of the table; one that is not `vital` is left out when the terminal is very narrow."""

    header: str
    cell: Callable[[Row], str]
    vital: bool = False
    number: bool = True

    @property
    def title(self) -> str:
        """The header in one line."""
        return self.header.replace("\n", " ")


def _table(graded: GradedClass, console: Console) -> Table:
    """The widest table that fits: with a column per part, or without, or with nothing but what is vital."""
    columns = list(class_columns(graded.assignment))
    parts = len(graded.assignment.parts)
    candidates = (
        _table_of(graded, columns, _caption(graded.assignment)),
        _table_of(graded, [columns[0], *columns[1 + parts :]], None),
    )
    fitting = (
        table for table in candidates if Measurement.get(console, console.options, table).maximum < console.width
    )
    return next(fitting, _table_of(graded, [column for column in columns if column.vital], None))


def _table_of(graded: GradedClass, columns: Sequence[Column], caption: Text | None) -> Table:
    title = harmless(graded.assignment.title)
    table = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    for column in columns:
        style = "bold" if column.header == "mark" else None
        if column.number:
            table.add_column(column.header, justify="right", no_wrap=True, style=style)
        else:
            table.add_column(column.header, overflow="fold")
    for row in graded.rows:
        table.add_row(*(Text(column.cell(row)) for column in columns))
    return table


def class_columns(assignment: Assignment) -> Iterator[Column]:
    """The columns of the table of a class."""
    yield Column("student", lambda row: harmless(row.student), vital=True, number=False)
    for number, part in enumerate(assignment.parts, 1):
        yield Column(f"({number})\n/ {exact(part.marks)}", partial(_part_points, part))
    yield Column("tests", lambda row: f"{_passed(row)}/{len(row.graded.results)}")
    yield Column(f"raw\n/ {exact(assignment.marks)}", _raw, vital=True)
    yield Column("lateness", _lateness, number=False)
    if isinstance(assignment.late, PointsPerHour | PercentPerDay):
        yield Column("late", lambda row: exact(-row.mark.deduction) if row.mark else "?")
    else:
        yield Column("cap", lambda row: exact(row.mark.cap) if row.mark else "?")
    yield Column("mark", _mark, vital=True)


def _part_points(part: Part, row: Row) -> str:
    return f"{exact(row.part_points(part))}{' + ?' if row.waits(part) else ''}"


def _raw(row: Row) -> str:
    if row.mark:
        return exact(row.mark.raw)
    return f"{exact(row.points)} + ?" if row.not_yet_marked else "?"


def _mark(row: Row) -> str:
    if row.granted.excused:
        return "excused"
    return exact(row.mark.adjusted) if row.mark else "?"


def _passed(row: Row) -> int:
    return sum(result.verdict is Verdict.PASSED for result in row.graded.results)


def _lateness(row: Row) -> str:
    if row.mark is None:
        return "?"
    return lateness_words(row.mark.late) if row.graded.submission.submitted else "nothing handed in"


def _caption(assignment: Assignment) -> Text:
    parts = (f"({number}) {harmless(part.title)}" for number, part in enumerate(assignment.parts, 1))
    return Text("\n".join(parts))
