"""results.csv: a row per student for a spreadsheet; docs/results-format.md documents it."""

import csv
from io import StringIO

from grader.marks.exact import exact
from grader.report.graded_class import GradedClass, Row


def results_csv(graded: GradedClass) -> str:
    """The class as CSV (RFC 4180, UTF-8). Cells of a mark that cannot be told yet are empty."""
    out = StringIO()
    writer = csv.writer(out)
    parts = [part.id for part in graded.assignment.parts]
    writer.writerow(["student", *parts, "points", "full", "submitted", "due", "late_days", "cap", "mark", "notes"])
    for row in graded.rows:
        writer.writerow(_cells(graded, row, parts))
    return out.getvalue()


def _cells(graded: GradedClass, row: Row, parts: list[str]) -> list[str]:
    submission = row.graded.submission
    mark = row.mark
    return [
        row.student,
        *(exact(row.graded.part_points(part)) for part in parts),
        exact(row.graded.raw),
        exact(graded.assignment.marks),
        submission.submitted.isoformat() if submission.submitted else "",
        row.due.isoformat(),
        str(mark.late_days) if mark else "",
        exact(mark.cap) if mark else "",
        exact(mark.adjusted) if mark else "",
        "; ".join(submission.notes),
    ]
