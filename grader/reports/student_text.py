"""The feedback of one student as a text file: marks, tests, and every failure in detail."""

from collections.abc import Iterator

from rich.text import Text

from grader.intake.further_files import unused_words
from grader.model.assignment import Assignment, Part
from grader.model.judgement import Verdict
from grader.model.results import StudentResult
from grader.reports.terminal.test_result import (
    cost_words,
    failure_text,
    group_line,
    manual_lines,
    note_lines,
    points_words,
    rule_lines,
    test_heading,
    variant_words,
    verdict_line,
)
from grader.reports.theme import TERMINAL
from grader.text.escape import escape_controls
from grader.text.words import format_decimal


def student_text(assignment: Assignment, row: StudentResult) -> str:
    """The feedback of `row`, plain text."""
    return "".join(f"{line.plain}\n" for line in _lines(assignment, row))


def _lines(assignment: Assignment, row: StudentResult) -> Iterator[Text]:
    yield Text(f"{escape_controls(assignment.title)}: {escape_controls(row.label)}")
    yield Text()
    yield from _mark_lines(assignment, row)
    for words in variant_words(assignment, row.graded):
        yield Text(f"{words} (an accepted variant)")
    for comment in row.comments:
        yield Text()
        yield from (Text(escape_controls(line)) for line in comment.splitlines())
    yield from _request_lines(row)
    for part in assignment.parts:
        yield from _part_lines(row, part)
    yield from _other_rules(row)
    for result in row.graded.results:
        if result.verdict is not Verdict.PASSED:
            yield Text()
            yield from failure_text(result)


def _request_lines(row: StudentResult) -> Iterator[Text]:
    """What the student asked to have looked at again, and the answers."""
    for request in row.requests:
        about = f" about {request.about}" if request.about else ""
        yield Text()
        yield Text(f"Request {request.id}{about}: {escape_controls(request.words)}")
        for sign, text in ((">", request.text), (" ", request.answer)):
            yield from (Text(f"  {sign} {escape_controls(line)}".rstrip()) for line in text.splitlines())


def _part_lines(row: StudentResult, part: Part) -> Iterator[Text]:
    yield Text()
    so_far = " so far" if row.waits(part) else ""
    bonus = " (bonus)" if part.bonus else ""
    points = f"{format_decimal(row.part_points(part))} of {format_decimal(part.marks)}{bonus}{so_far}"
    yield Text(f"{part.title}: {points}")
    for result in row.graded.results:
        if result.test.part == part.id:
            yield verdict_line(result.verdict, test_heading(result.test)).append(f" {points_words(result)}")
            yield from note_lines(result, row.graded.results)
    for group in row.graded.groups:
        if group.group.part == part.id:
            yield group_line(group)
    for rule in row.graded.rules:
        if rule.rule.part == part.id:
            yield from rule_lines(rule)
    yield from manual_lines(row, part)


def _other_rules(row: StudentResult) -> Iterator[Text]:
    """Rules that earn nothing."""
    shown = [result for result in row.told_rules if result.rule.part is None]
    if shown:
        yield Text()
        yield Text("Rules about the code")
    for result in shown:
        yield from rule_lines(result)
        if result.rule.asks:
            yield Text(f"    costs {cost_words(result)}", TERMINAL.failed)


def _mark_lines(assignment: Assignment, row: StudentResult) -> Iterator[Text]:
    submitted = row.graded.submission.submitted
    so_far = " so far" if row.not_yet_marked else ""
    yield Text(f"Points           {format_decimal(row.points)} of {format_decimal(assignment.marks)}{so_far}")
    yield Text(f"Due              {row.due:%Y-%m-%d %H:%M:%S %Z}")
    if submitted is not None:
        yield Text(f"Handed in        {submitted:%Y-%m-%d %H:%M:%S %Z} ({row.graded.submission.time_source})")
    if row.graded.python:
        yield Text(f"Python           {row.graded.python}")
    if row.granted.excused:
        yield Text("Mark             excused: no mark counts")
    elif row.mark is None and row.not_yet_marked:
        yield Text(f"Mark             not yet marked: {', '.join(item.title for item in row.not_yet_marked)}")
    elif row.mark is None:
        yield Text("Mark             not known yet; see the instructor's notes")
    else:
        yield Text(f"Mark             {format_decimal(row.mark.adjusted)}")
        yield from (Text(f"  {escape_controls(step)}") for step in row.mark.steps)
    if row.graded.submission.unused:
        yield Text(f"Note             {escape_controls(unused_words(row.graded.submission.unused))}")
