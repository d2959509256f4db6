"""results.csv: a row per student for spreadsheets; docs/reference/results.md documents the format."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from decimal import Decimal
from io import StringIO
from typing import TextIO

from grader.grading.student_result import override_words, unused_override_words
from grader.model.assignment import Assignment
from grader.model.results import ClassResult, StudentResult
from grader.model.submission import StudentIdentity
from grader.text.csv_cells import readable_cell
from grader.text.words import format_decimal

_REST = [
    "submitted",
    "due",
    "not_yet_marked",
    "to_confirm",
    "late_days",
    "late_hours",
    "cap",
    "late_deduction",
    "late_days_used",
    "late_days_left",
    "excused",
    "overrides",
    "mark",
    "notes",
    "reason",
    "source",
    "shape",
    "attempt",
    *(field.name for field in fields(StudentIdentity)),
]


def results_csv(graded: ClassResult) -> str:
    """Return the class as CSV (RFC 4180, UTF-8), without cells that a spreadsheet would interpret as formulas.

    The cells of an undecided mark are empty.
    """
    out = StringIO()
    write_results_csv(graded, out)
    return out.getvalue()


def write_results_csv(graded: ClassResult, out: TextIO) -> None:
    """Write the class as CSV to a file that does not translate line endings."""
    writer = csv.writer(out)
    parts = (part.id for part in graded.assignment.parts)
    groups = (group.id for group in graded.assignment.groups)
    columns = graded.roster_columns
    further = (f"roster_{name}" for name in columns)
    writer.writerow(["student", *parts, *groups, "points", "full", *_REST, *map(readable_cell, further)])
    for row in graded.rows:
        writer.writerow(readable_cell(cell) for cell in _cells(graded.assignment, row, columns))


def _cells(assignment: Assignment, row: StudentResult, columns: Sequence[str]) -> list[str]:
    submission = row.graded.submission
    mark = row.mark
    points_of = {result.group.id: result.points for result in row.graded.groups}
    return [
        row.student,
        *(format_decimal(row.part_points(part)) for part in assignment.parts),
        *(format_decimal(points_of.get(group.id, Decimal(0))) for group in assignment.groups),
        format_decimal(row.points),
        format_decimal(assignment.marks),
        submission.submitted.isoformat() if submission.submitted else "",
        row.due.isoformat(),
        "; ".join(item.id for item in row.not_yet_marked),
        "; ".join(result.rule.id for result in row.to_confirm),
        str(mark.late_days) if mark else "",
        str(mark.late_hours) if mark else "",
        format_decimal(mark.cap) if mark else "",
        format_decimal(mark.deduction) if mark else "",
        str(mark.bank_used) if mark else "",
        str(mark.bank_left) if mark else "",
        "yes" if row.granted.excused else "",
        "; ".join(
            [
                *(override_words(override) for override in row.overrides),
                *(unused_override_words(override) for override in row.unfit),
            ]
        ),
        format_decimal(mark.adjusted) if mark else "",
        "; ".join(submission.notes),
        row.granted.reason,
        submission.source,
        submission.shape or "",
        str(submission.attempt) if submission.source else "",
        *(value or "" for value in asdict(submission.identity).values()),
        *(submission.roster.get(name, "") for name in columns),
    ]
