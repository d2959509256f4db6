"""The report on a class for the terminal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.judge.characters import harmless
from grader.judge.verdict import Verdict
from grader.marks.exact import exact
from grader.pipeline.results import GradedSubmission
from grader.report.graded_class import GradedClass, Row, lateness_words
from grader.spec.assignment import Assignment, Part

_NARROW = 100


def print_class(console: Console, graded: GradedClass) -> None:
    """Print a row per student, then what the instructor should know."""
    console.print(_table(graded, console.width))
    for row in graded.rows:
        for note in notes_of(row.graded, graded):
            console.print(Text(harmless(f"{row.student}: {note}"), "yellow"), soft_wrap=True)
    for note in graded.notes:
        console.print(Text(harmless(note), "yellow"), soft_wrap=True)
    if graded.not_graded:
        names = harmless(", ".join(graded.not_graded))
        console.print(Text(f"Interrupted; not graded: {names}", "bold red"), soft_wrap=True)


def notes_of(submission: GradedSubmission, graded: GradedClass) -> list[str]:
    """What is odd about a submission: intake notes, variants, tests that must be rerun."""
    notes = list(submission.submission.notes)
    for program, variant in submission.variants.items():
        if variant != graded.assignment.program_of[program].variants[0]:
            notes.append(f"{program} read as {variant}")
    undecided = [result.test.id for result in submission.results if result.judgement.is_undecided]
    failed = [result.test.id for result in submission.results if result.verdict is Verdict.INTERNAL_ERROR]
    reruns = [test_id for test_id in failed if test_id not in undecided]
    if undecided:
        notes.append(f"no mark yet, a person must decide these tests: {', '.join(undecided)}")
    if reruns:
        notes.append(f"no mark yet, these tests must be rerun (internal-error): {', '.join(reruns)}")
    if failed:
        return notes
    if submission.submission.submitted is None and submission.raw:
        notes.append("no mark yet, the time of the submission is not known")
    return notes


@dataclass(frozen=True)
class _Column:
    """A column of the table; one that is not `vital` is left out when the terminal is narrow."""

    header: str
    cell: Callable[[Row], str]
    vital: bool = False
    number: bool = True


def _table(graded: GradedClass, width: int) -> Table:
    assignment = graded.assignment
    columns = [column for column in _columns(assignment) if column.vital or width >= _NARROW]
    table = Table(title=harmless(assignment.title), title_justify="left", caption_justify="left")
    if width >= _NARROW:
        table.caption = _caption(assignment)
    for column in columns:
        style = "bold" if column.header == "mark" else None
        if column.number:
            table.add_column(column.header, justify="right", no_wrap=True, style=style)
        else:
            table.add_column(column.header, overflow="fold")
    for row in graded.rows:
        table.add_row(*(Text(column.cell(row)) for column in columns))
    return table


def _columns(assignment: Assignment) -> Iterator[_Column]:
    yield _Column("student", lambda row: harmless(row.student), vital=True, number=False)
    for number, part in enumerate(assignment.parts, 1):
        yield _Column(f"({number})\n/ {exact(part.marks)}", partial(_part_points, part))
    yield _Column("tests", lambda row: f"{_passed(row)}/{len(row.graded.results)}")
    yield _Column(f"raw\n/ {exact(assignment.marks)}", lambda row: exact(row.mark.raw) if row.mark else "?", vital=True)
    yield _Column("lateness", _lateness, number=False)
    yield _Column("cap", lambda row: exact(row.mark.cap) if row.mark else "?")
    yield _Column("mark", lambda row: exact(row.mark.adjusted) if row.mark else "?", vital=True)


def _part_points(part: Part, row: Row) -> str:
    return exact(row.graded.part_points(part.id))


def _passed(row: Row) -> int:
    return sum(result.verdict is Verdict.PASSED for result in row.graded.results)


def _lateness(row: Row) -> str:
    if row.mark is None:
        return "?"
    return lateness_words(row.mark.late) if row.graded.submission.submitted else "nothing handed in"


def _caption(assignment: Assignment) -> Text:
    parts = (f"({number}) {harmless(part.title)}" for number, part in enumerate(assignment.parts, 1))
    return Text("\n".join(parts))
