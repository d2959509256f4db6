"""Shared mistakes and statistics of tests for the terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.analysis.failure_groups import (
    FailureGroup,
    example_of,
    groups_of,
    printed_the_same,
    shared_groups,
    students_by_mistake,
)
from grader.analysis.item_statistics import TestStatistics, item_statistics
from grader.model.results import ClassResult, GradedSubmission
from grader.reports.terminal.test_result import failure_text
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.words import pluralize, some_of

_MAX_TESTS = 6
_MAX_STUDENTS = 12
_Mistakes: TypeAlias = Sequence[tuple[str, Sequence[str]]]
_Shared: TypeAlias = Sequence[tuple[FailureGroup, Sequence[str]]]


def print_insight(console: Console, graded: ClassResult, *, show: int) -> None:
    """Print the groups of a class, `show` of them with one member's failure in full, then a row per test."""
    submissions = [row.graded for row in graded.rows]
    groups = groups_of(submissions)
    by_student = {submission.submission.student: submission for submission in submissions}
    shared = _groups_with_same_output(groups, by_student)
    console.print(Text(escape_controls(graded.assignment.title), TerminalStyle.HEADING), soft_wrap=True)
    console.print(f"{len(shared)} mistake{'' if len(shared) == 1 else 's'} that several students share")
    mistakes = students_by_mistake(submissions)
    for line in _mistake_lines(mistakes):
        console.print(line, soft_wrap=True)
    for number, (group, students) in enumerate(shared):
        for line in _group_lines(group, students, by_student, mistakes, full=number < show):
            console.print(line, soft_wrap=True)
    alone = _students_alone(groups, shared)
    if alone:
        console.print()
        console.print(
            Text(f"Failing in a way of their own: {escape_controls(some_of(alone, _MAX_STUDENTS))}"), soft_wrap=True
        )
    console.print()
    console.print(_items_table(item_statistics(submissions)))


def _groups_with_same_output(groups: Iterable[FailureGroup], by_student: Mapping[str, GradedSubmission]) -> _Shared:
    """Return the groups in which students printed the same wrong output, with these students, largest first."""
    shared = (
        (group, printed_the_same(group, example_of(group, by_student), by_student)) for group in shared_groups(groups)
    )
    return sorted((pair for pair in shared if len(pair[1]) > 1), key=lambda pair: -len(pair[1]))


def _mistake_lines(mistakes: _Mistakes) -> Iterator[Text]:
    """Yield the mistakes that findings name, such as a change that repairs the programs of several students."""
    if mistakes:
        yield Text()
        yield Text("Repaired by the same change", TerminalStyle.HEADING)
    for words, students in mistakes:
        yield Text(escape_controls(f"  {len(students)} students: {words}"))
        yield Text(f"    {escape_controls(some_of(students, _MAX_STUDENTS))}", TerminalStyle.MUTED)


def _group_lines(
    group: FailureGroup,
    students: Sequence[str],
    by_student: Mapping[str, GradedSubmission],
    mistakes: _Mistakes,
    *,
    full: bool,
) -> Iterator[Text]:
    example = example_of(group, by_student)
    yield Text()
    heading = f"{len(students)} students, {pluralize(len(group.tests), 'test')}"
    yield Text(heading, TerminalStyle.HEADING)
    yield Text(f"  tests     {escape_controls(some_of(group.tests, _MAX_TESTS))}")
    yield Text(f"  students  {escape_controls(some_of(students, _MAX_STUDENTS))}")
    if further := [student for student in group.students if student not in students]:
        yield Text(f"  further   {escape_controls(some_of(further, _MAX_STUDENTS))} (other signs of it)")
    for words, names in mistakes:
        if members := [name for name in names if name in group.students]:
            yield Text(escape_controls(f"  repair    {words}: {some_of(members, _MAX_STUDENTS)}"))
    if full:
        yield Text(f"  such as   {escape_controls(group.showings[0].students[0])}")
        for line in failure_text(example):
            yield Text("    ").append_text(line)
    elif example.judgement.diagnosis:
        yield Text(f"  such as   {escape_controls(example.judgement.diagnosis.sentence)}")
    yield Text(f"  comment   to all of them: group {group.id} in comments.yaml", TerminalStyle.MUTED)


def _items_table(items: Sequence[TestStatistics]) -> Table:
    table = Table(title="Tests", title_justify="left")
    table.add_column("test", overflow="fold")
    for header in ("passed", "like the rest", "median s", "longest s"):
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


def _students_alone(groups: Sequence[FailureGroup], shared: _Shared) -> list[str]:
    """Return the students who fail a test but share no mistake with others."""
    together = {student for group, _ in shared for student in group.students}
    return sorted({student for group in groups for student in group.students} - together)
