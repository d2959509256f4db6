"""Shared mistakes and statistics of tests for the terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.analysis.failure_groups import FailureGroup, example_of, groups_of, shared_groups
from grader.analysis.item_statistics import TestStatistics, item_statistics
from grader.model.results import ClassResult, GradedSubmission
from grader.reports.terminal.test_result import failure_text
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.words import some_of

_MOST_TESTS = 6
_MOST_STUDENTS = 12


def print_insight(console: Console, graded: ClassResult, *, show: int) -> None:
    """Print the groups of a class, `show` of them with one member's failure in full, then a row per test."""
    submissions = [row.graded for row in graded.rows]
    groups = groups_of(submissions)
    shared = shared_groups(groups)
    by_student = {submission.submission.student: submission for submission in submissions}
    console.print(Text(escape_controls(graded.assignment.title), TerminalStyle.HEADING), soft_wrap=True)
    console.print(f"{len(shared)} mistake{'' if len(shared) == 1 else 's'} that several students share")
    for number, group in enumerate(shared):
        for line in _group_lines(group, by_student, full=number < show):
            console.print(line, soft_wrap=True)
    alone = _students_alone(groups)
    if alone:
        console.print()
        console.print(
            Text(f"Failing in a way of their own: {escape_controls(some_of(alone, _MOST_STUDENTS))}"), soft_wrap=True
        )
    console.print()
    console.print(_items_table(item_statistics(submissions)))


def _group_lines(group: FailureGroup, by_student: Mapping[str, GradedSubmission], *, full: bool) -> Iterator[Text]:
    example = example_of(group, by_student)
    yield Text()
    count, tests = len(group.students), len(group.tests)
    yield Text(f"{group.id}  ", TerminalStyle.HEADING).append(
        f"{count} students, {tests} test{'' if tests == 1 else 's'}", TerminalStyle.HEADING
    )
    yield Text(f"  tests     {escape_controls(some_of(group.tests, _MOST_TESTS))}")
    yield Text(f"  students  {escape_controls(some_of(group.students, _MOST_STUDENTS))}")
    if full:
        yield Text(f"  such as   {escape_controls(group.showings[0].students[0])}")
        for line in failure_text(example):
            yield Text("    ").append_text(line)
    elif example.judgement.diagnosis:
        yield Text(f"  such as   {escape_controls(example.judgement.diagnosis.sentence)}")


def _items_table(items: Sequence[TestStatistics]) -> Table:
    table = Table(title="Tests", title_justify="left")
    table.add_column("test", overflow="fold")
    for header in ("passed", "discrimination", "median s", "longest s"):
        table.add_column(header, justify="right", no_wrap=True)
    for item in items:
        table.add_row(
            item.test,
            f"{item.passed:.0%}",
            "-" if item.discrimination is None else f"{item.discrimination:.2f}",
            _seconds(item.median_seconds),
            _seconds(item.longest_seconds),
        )
    return table


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _students_alone(groups: Sequence[FailureGroup]) -> list[str]:
    """Return the students who fail a test but share no mistake with others."""
    together = {student for group in shared_groups(groups) for student in group.students}
    return sorted({student for group in groups for student in group.students} - together)
