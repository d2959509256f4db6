"""Writes the Canvas gradebook: the exported one with a column filled in, or a new one.

See "How do I import grades in the Gradebook?" in Canvas's guide for instructors. The column of an assignment is called
`Title (12345)`, and a row `    Points Possible` precedes the students.
"""

import re

from grader.model.results import ClassResult, StudentResult
from grader.model.submission import SECTION
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportError, ExportOptions
from grader.platforms.scores import excused_note, why_open
from grader.plugins.platforms.shared.gradebook_file import (
    GradebookFile,
    assignment_column,
    check_points_possible,
    given_sheet,
    written_like,
)
from grader.plugins.platforms.shared.student_matching import (
    StudentPerson,
    comparable_person,
    match_class,
    matched_rows,
    unmatched_rows_note,
)
from grader.text.csv_cells import csv_text, safe_cell
from grader.text.words import format_decimal

POINTS_POSSIBLE = "    Points Possible"
_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_NUMBERED = re.compile(r"(.+?) \(\d+\)", re.DOTALL)
_EXCUSED = "EX"
_KEPT = (_EXCUSED, "N/A")


def gradebook_writer(options: ExportOptions) -> ClassWriter:
    """Return the function that fills in the given gradebook, or writes a new one. Raises ExportError."""
    sheet = given_sheet(options)
    if sheet is None:
        return lambda graded, _: new_canvas_gradebook(graded, options.column)
    return lambda graded, _: canvas_gradebook(graded, sheet, options.column)


def new_canvas_gradebook(graded: ClassResult, column: str | None) -> ExportedFiles:
    """Write a gradebook for this assignment only; `column` is its name on Canvas, by default the title.

    Canvas finds a student by the first id that is present, or else by name.
    """
    title = column or graded.assignment.title
    rows = [
        [*_COLUMNS, safe_cell(title)],
        [POINTS_POSSIBLE, "", "", "", "", format_decimal(graded.assignment.marks)],
    ]
    exported = [row for row in graded.rows if row.mark is not None or row.granted.excused]
    rows += ([*_student_cells(row), format_decimal(row.mark.adjusted) if row.mark else _EXCUSED] for row in exported)
    students = frozenset(row.student for row in exported)
    left_out = tuple(f"{row.student}: {why_open(row)}" for row in graded.rows if row.student not in students)
    content = csv_text(rows).encode("utf-8", "backslashreplace")
    return ExportedFiles({"canvas.csv": content}, left_out, excused_note(exported), students)


def _student_cells(row: StudentResult) -> list[str]:
    """Return the first cells of a student; if no id is known, the name in the reports may be the login.

    Ids from the roster are written unchanged, because Canvas compares them.
    """
    who = row.graded.submission.identity
    login = who.login or ("" if who.canvas or who.id else who.email or safe_cell(row.student))
    return [
        safe_cell(who.name or row.student),
        who.canvas or "",
        who.id or "",
        login,
        safe_cell(row.graded.submission.roster.get(SECTION, "")),
    ]


def canvas_gradebook(graded: ClassResult, sheet: GradebookFile, column: str | None) -> ExportedFiles:
    """Fill the marks of `graded` into `column`, by default the one with the assignment's title.

    A student excused here is marked `EX`; a student excused on Canvas stays excused. Raises ExportError if `sheet` is
    not such a gradebook, no single column fits, or its points possible are not the full mark.
    """
    place = assignment_column(sheet, _NUMBERED, graded.assignment, column, "TITLE (NUMBER)")
    first = _first_student(graded, sheet, place)
    listed = [_listed(sheet, record) for record in range(first, len(sheet.records))]
    matches = match_class(graded, listed)
    left_out = list(matches.problems)
    cells: dict[tuple[int, int], str] = {}
    exported: list[StudentResult] = []
    for row, record in matched_rows(graded, matches, first):
        cell = sheet.cell(record, place)
        if row.granted.excused:
            cells[record, place] = _EXCUSED
            exported.append(row)
        elif cell in _KEPT:
            left_out.append(f"{row.student}: Canvas says {cell}, which was left so")
        elif row.mark is None:
            left_out.append(f"{row.student}: {why_open(row)}")
        else:
            cells[record, place] = written_like(row.mark.adjusted, sheet.cell(first - 1, place))
            exported.append(row)
    return ExportedFiles(
        {"canvas.csv": sheet.filled(cells).to_bytes()},
        tuple(left_out),
        (*excused_note(exported), *unmatched_rows_note(sheet, matches, lambda row: sheet.cell(row, 0), first)),
        frozenset(row.student for row in exported),
    )


def _first_student(graded: ClassResult, sheet: GradebookFile, place: int) -> int:
    """Find the record of the first student. Raises ExportError if the points possible are not the full mark."""
    for record, _ in enumerate(sheet.records):
        if sheet.cell(record, 0) == POINTS_POSSIBLE.strip():
            check_points_possible(sheet.cell(record, place), graded.assignment, "Canvas")
            return record + 1
    raise ExportError("The gradebook has no row `Points Possible`; expected the file that Canvas exports.")


def _listed(sheet: GradebookFile, record: int) -> StudentPerson:
    login = sheet.cell(record, sheet.column("SIS Login ID"))
    full = f"{sheet.cell(record, sheet.column('FirstName'))} {sheet.cell(record, sheet.column('LastName'))}"
    return comparable_person(
        canvas=[sheet.cell(record, sheet.column("ID"))],
        ids=[login, *(sheet.cell(record, sheet.column(name)) for name in ("SIS User ID", "Integration ID"))],
        emails=[login],
        names=[sheet.cell(record, sheet.column("Student")), full],
    )
