"""The grades that Brightspace imports (D2L, "Importing grades").

A row has `OrgDefinedId`, `Username` or both, and `Item Points Grade`; the last column, `End-of-Line Indicator`, holds
`#`. Exported grades have more columns, `#` before both ids, and `<Numeric MaxPoints:10 …>` after the name of an item.
D2L advises against importing names and unchanged values, so the file holds the ids, this item, and only students who
have a mark.
"""

import re

from grader.model.results import ClassResult, StudentResult
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportError, ExportOptions
from grader.platforms.scores import why_open
from grader.plugins.platforms.shared.gradebook_file import (
    GradebookFile,
    assignment_column,
    check_points_possible,
    given_sheet,
)
from grader.plugins.platforms.shared.student_matching import (
    listed_persons,
    match_class,
    matched_rows,
    unmatched_rows_note,
)
from grader.text.csv_cells import csv_text, safe_cell
from grader.text.words import format_decimal

_KEYS = ("OrgDefinedId", "Username")
_LAST = "End-of-Line Indicator"
_ITEM = re.compile(r"(?P<item>.+) Points Grade(?: <(?:\w+ )?MaxPoints:(?P<most>[\d.,]+).*>)?", re.DOTALL)


def grades_writer(options: ExportOptions) -> ClassWriter:
    """Return the function that writes grades, for the students in the exported grades if given. Raises ExportError."""
    sheet = given_sheet(options)
    if sheet is None:
        return lambda graded, _: new_brightspace_grades(graded, options.column)
    return lambda graded, _: brightspace_grades(graded, sheet, options.column)


def new_brightspace_grades(graded: ClassResult, item: str | None) -> ExportedFiles:
    """Write the marks of all students with an id or username; `item` is the grade item, by default the title."""
    header = [*_KEYS, f"{safe_cell(item or graded.assignment.title)} Points Grade", _LAST]
    rows, left_out, exported = [header], [], []
    for row in graded.rows:
        keys = _known_keys(row)
        if row.mark is None or not any(keys):
            left_out.append(f"{row.student}: {_reason_left_out(row)}")
            continue
        rows.append([*keys, format_decimal(row.mark.adjusted), "#"])
        exported.append(row)
    return _exported(graded, rows, left_out, exported)


def _known_keys(row: StudentResult) -> tuple[str, str]:
    """Return the school's id and the username. Without any identity, the username is the name in the reports."""
    who = row.graded.submission.identity
    is_known = any((who.id, who.login, who.email, who.name))
    return who.id or "", who.login or ("" if is_known else safe_cell(row.student))


def _reason_left_out(row: StudentResult) -> str:
    return why_open(row) if row.mark is None else "no OrgDefinedId or Username is known; use a roster or --sheet"


def brightspace_grades(graded: ClassResult, sheet: GradebookFile, column: str | None) -> ExportedFiles:
    """Write the marks of the students in the exported grades, with their ids as Brightspace writes them.

    Raises ExportError if `sheet` is not such a file, no single item fits, or its maximum is not the full mark.
    """
    keys = [place for name in _KEYS if (place := sheet.column(name)) is not None]
    if not keys:
        raise ExportError(
            f"The sheet has no column `OrgDefinedId` or `Username`; found: {', '.join(sheet.columns)}. Expected the "
            "grades that Brightspace exports, with key field `Both` and `Points grade`."
        )
    place = _item_column(graded, sheet, column)
    matches = match_class(graded, listed_persons(sheet, _KEYS, "Email"))
    rows = [[*(sheet.columns[key] for key in keys), sheet.columns[place], _LAST]]
    left_out, exported = list(matches.problems), []
    for row, record in matched_rows(graded, matches):
        if row.mark is None:
            left_out.append(f"{row.student}: {why_open(row)}")
            continue
        rows.append([*(sheet.cell(record, key) for key in keys), format_decimal(row.mark.adjusted), "#"])
        exported.append(row)
    notes = unmatched_rows_note(sheet, matches, lambda row: sheet.cell(row, 0).removeprefix("#"))
    return _exported(graded, rows, left_out, exported, notes)


def _item_column(graded: ClassResult, sheet: GradebookFile, column: str | None) -> int:
    place = assignment_column(sheet, _ITEM, graded.assignment, column, "TITLE Points Grade")
    match = _ITEM.fullmatch(sheet.columns[place])
    if match and match["most"] is not None:
        check_points_possible(match["most"], graded.assignment, "Brightspace")
    return place


def _exported(
    graded: ClassResult,
    rows: list[list[str]],
    left_out: list[str],
    exported: list[StudentResult],
    notes: tuple[str, ...] = (),
) -> ExportedFiles:
    beyond = [
        f"{row.student} ({row.mark})" for row in exported if row.mark and row.mark.adjusted > graded.assignment.marks
    ]
    if beyond:
        most = format_decimal(graded.assignment.marks)
        notes = (f"Brightspace takes more than {most} only where the item says Can Exceed: {', '.join(beyond)}", *notes)
    content = csv_text(rows).encode("utf-8", "backslashreplace")
    return ExportedFiles(
        {"brightspace.csv": content}, tuple(left_out), notes, frozenset(row.student for row in exported)
    )
