"""A student's score for a platform, the reason for a missing score, and the origin of results."""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from grader.marks.submission_mark import submission_mark
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import StudentResult
from grader.store.origin import Provenance


def origin_words(row: StudentResult, origin: Provenance) -> str:
    """Describe the submission, tests and grader behind the results, for platforms that lack a field for this."""
    return f"Graded: submission {row.graded.digest}, tests {origin.spec or 'unknown'}, grader {origin.harness}."


def score_so_far(assignment: Assignment, row: StudentResult) -> Decimal | None:
    """Return the mark or, while items are unmarked, the mark without their points; None if there is neither."""
    mark = row.mark
    if mark is None and row.not_yet_marked:
        points = {**row.manual.points, **{item.id: Decimal(0) for item in row.not_yet_marked}}
        mark = submission_mark(assignment, row.graded, row.granted, replace(row.manual, points=points))
    return None if mark is None else mark.adjusted


def excused_note(rows: Iterable[StudentResult]) -> tuple[str, ...]:
    """Return a note about the students who are shown as excused instead of with a mark."""
    names = [row.student for row in rows if row.granted.excused]
    return (f"excused: {', '.join(names)}",) if names else ()


def why_open(row: StudentResult) -> str:
    """Return the reason why the row has no mark."""
    if row.granted.excused:
        return "excused"
    if row.graded.needs_rerun:
        failed = any(result.verdict is Verdict.INTERNAL_ERROR for result in row.graded.results)
        return "a test has to be run again (internal error)" if failed else "the grader could not check a rule"
    if row.not_yet_marked:
        return f"not yet marked: {', '.join(item.title for item in row.not_yet_marked)}"
    return "the submission cannot be read, or its time is not known"
