"""The feedback of one student as a text file: marks, tests, and every failure in detail."""

from collections.abc import Iterator
from io import StringIO

from rich.console import Console
from rich.text import Text

from grader.judge.characters import harmless
from grader.judge.verdict import Verdict
from grader.marks.exact import exact
from grader.report.graded_class import Row, lateness_words
from grader.report.test_text import failure_text, note_lines, verdict_line
from grader.report.variant_words import variant_words
from grader.spec.assignment import Assignment

_WIDTH = 120


def student_text(assignment: Assignment, row: Row) -> str:
    """The feedback of `row`, plain text."""
    out = StringIO()
    console = Console(file=out, width=_WIDTH, color_system=None, highlight=False)
    for line in _lines(assignment, row):
        console.print(line, soft_wrap=True)
    return out.getvalue()


def _lines(assignment: Assignment, row: Row) -> Iterator[Text]:
    yield Text(f"{harmless(assignment.title)}: {harmless(row.student)}")
    yield Text()
    yield from _mark_lines(assignment, row)
    for words in variant_words(assignment, row.graded):
        yield Text(f"{words} (an accepted variant)")
    for part in assignment.parts:
        yield Text()
        yield Text(f"{part.title}: {exact(row.graded.part_points(part.id))} of {exact(part.marks)}")
        for result in row.graded.results:
            if result.test.part == part.id:
                yield verdict_line(result).append(f" ({exact(result.points)} of {exact(result.test.points)})")
                yield from note_lines(result)
    for result in row.graded.results:
        if result.verdict is not Verdict.PASSED:
            yield Text()
            yield from failure_text(result)


def _mark_lines(assignment: Assignment, row: Row) -> Iterator[Text]:
    submitted = row.graded.submission.submitted
    yield Text(f"Points           {exact(row.graded.raw)} of {exact(assignment.marks)}")
    yield Text(f"Due              {row.due:%Y-%m-%d %H:%M:%S %Z}")
    if submitted is not None:
        yield Text(f"Handed in        {submitted:%Y-%m-%d %H:%M:%S %Z} ({row.graded.submission.time_source})")
    if row.mark is None:
        yield Text("Mark             not known yet; see the instructor's notes")
        return
    yield Text(f"Lateness         {lateness_words(row.mark.late)}, counted as {_days(row.mark.late_days)}")
    yield Text(f"Maximum mark     {exact(row.mark.cap)}")
    yield Text(f"Mark             min({exact(row.mark.cap)}, {exact(row.mark.raw)}) = {exact(row.mark.adjusted)}")


def _days(count: int) -> str:
    return f"{count} day{'' if count == 1 else 's'}"
