"""Moodle's offline grading worksheet, filled in.

Moodle finds the student by `Identifier` and takes `Grade` and the columns of the feedback types; it refuses a grade
above the maximum, and one that was changed on Moodle after `Last modified (grade)`, so that cell stays as it is.
"""

import re

from grader.model.results import ClassResult, StudentResult
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportError, ExportOptions
from grader.platforms.shared.gradebook_file import GradebookFile, needed_sheet, number_in, written_like
from grader.platforms.shared.output_text import SUMMARY_BEGINS, excused_note, mark_summary, why_open
from grader.platforms.shared.student_matching import (
    StudentPerson,
    comparable_person,
    left_alone,
    match_students,
    person_of_submission,
)
from grader.text.words import format_decimal

_PARTICIPANT = re.compile(r"\D*(\d+)")


def worksheet_writer(options: ExportOptions) -> ClassWriter:
    """What fills in the worksheet that the user named. Raises ExportError when it is not named or cannot be read."""
    sheet = needed_sheet(options, "the grading worksheet that was downloaded from Moodle")
    return lambda graded, _: moodle_worksheet(graded, sheet)


def moodle_worksheet(graded: ClassResult, sheet: GradebookFile) -> ExportedFiles:
    """The downloaded worksheet with the grades of `graded` and a line of feedback; all else is as it was.

    A comment that was written on Moodle is kept. An excused student has no grade, and the comment says so.

    Raises ExportError when it is no such worksheet, or its maximum grade is not the full mark.
    """
    grade = _needed(sheet, "Grade")
    comments = sheet.column("Feedback comments")
    listed = persons_in_worksheet(sheet)
    maximum = _maximum(graded, sheet)
    matches = match_students(
        [(row.student, person_of_submission(row.graded.submission)) for row in graded.rows], listed
    )
    left_out = list(matches.problems)
    cells: dict[tuple[int, int], str] = {}
    told: list[StudentResult] = []
    for row in graded.rows:
        if row.student not in matches.found:
            continue
        record = matches.found[row.student] + 1
        if row.mark is None and not row.granted.excused:
            left_out.append(f"{row.student}: {why_open(row)}")
            continue
        # For an excused student Moodle knows only a missing grade.
        cells[record, grade] = written_like(row.mark.adjusted, maximum) if row.mark else ""
        told.append(row)
        if comments is not None and _is_ours(sheet.cell(record, comments)):
            cells[record, comments] = mark_summary(graded.assignment, row)
    return ExportedFiles(
        {"moodle.csv": sheet.filled(cells).to_bytes()},
        tuple(left_out),
        (*excused_note(told), *_untouched(sheet, set(matches.found.values()))),
        frozenset(row.student for row in told),
    )


def _is_ours(comment: str) -> bool:
    """Whether a comment may be replaced: there is none, or it comes from an earlier export."""
    return not comment or comment.startswith(SUMMARY_BEGINS)


def persons_in_worksheet(sheet: GradebookFile) -> list[StudentPerson]:
    """The persons of a worksheet, one per record after the first.

    Raises ExportError when it is no worksheet of Moodle's.
    """
    _needed(sheet, "Identifier")
    return [
        comparable_person(
            moodle=[participant_number(sheet, record)],
            ids=[sheet.cell(record, sheet.column(name)) for name in ("ID number", "Username")],
            emails=[sheet.cell(record, sheet.column("Email address"))],
            names=[sheet.cell(record, sheet.column("Full name"))],
        )
        for record in range(1, len(sheet.records))
    ]


def participant_number(sheet: GradebookFile, record: int) -> str:
    """The number in `Participant 123`; empty when there is none."""
    found = _PARTICIPANT.fullmatch(sheet.cell(record, sheet.column("Identifier")))
    return found[1] if found else ""


def _needed(sheet: GradebookFile, name: str) -> int:
    column = sheet.column(name)
    if column is None:
        raise ExportError(
            f"The sheet has no column `{name}`; found: {', '.join(sheet.columns)}. Expected the file that Moodle gives "
            "under `Download grading worksheet`, with Moodle set to English."
        )
    return column


def _maximum(graded: ClassResult, sheet: GradebookFile) -> str:
    """What the sheet says of the maximum grade. Raises ExportError when that is not the full mark."""
    column = sheet.column("Maximum Grade")
    found = {said for record in range(1, len(sheet.records)) if (said := sheet.cell(record, column))}
    for said in found:
        if number_in(said) != graded.assignment.marks:
            raise ExportError(
                f"The maximum grade in Moodle is {said}, the marks of {graded.assignment.id} are "
                f"{format_decimal(graded.assignment.marks)}. "
                "Set the maximum grade in Moodle to that, and download again."
            )
    return next(iter(found), "")


def _untouched(sheet: GradebookFile, found: set[int]) -> tuple[str, ...]:
    names = [
        sheet.cell(record, sheet.column("Full name")) or sheet.cell(record, sheet.column("Identifier"))
        for record in range(1, len(sheet.records))
        if record - 1 not in found and any(sheet.records[record].cells)
    ]
    return left_alone(names)
