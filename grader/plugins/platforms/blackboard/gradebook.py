"""Fills in Blackboard's gradebook for offline work ("Work Offline With Grade Data").

Blackboard finds a student by `Username`, and an item by the number that ends its column: `Title [Total Pts: 10 Score]
|12345`. Without the number it would create a new text column. A download with tabs between the cells is UTF-16 and has
the suffix .xls; with commas, the suffix is .csv. A download of a single item may also contain its feedback.
"""

import re

from grader.grading.student_view import student_views
from grader.model.results import ClassResult, StudentResult
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportError, ExportOptions
from grader.platforms.scores import why_open
from grader.plugins.platforms.shared.gradebook_file import (
    GradebookFile,
    assignment_column,
    check_points_possible,
    needed_sheet,
    written_like,
)
from grader.plugins.platforms.shared.output_text import is_own_comment, mark_summary
from grader.plugins.platforms.shared.student_matching import (
    listed_persons,
    match_class,
    matched_rows,
    unmatched_rows_note,
)

_ITEM = re.compile(r"(?P<title>.+) \[Total Pts: (?P<most>[\d.,]+)(?: \w+)?\] \|\d+", re.DOTALL)
_FEEDBACK = "Feedback to Learner"


def gradebook_writer(options: ExportOptions) -> ClassWriter:
    """Return the function that fills in the gradebook given by the user. Raises ExportError if it cannot be read."""
    sheet = needed_sheet(options, "the gradebook that was downloaded from Blackboard")
    return lambda graded, _: blackboard_gradebook(graded, sheet, options.column)


def blackboard_gradebook(graded: ClassResult, sheet: GradebookFile, column: str | None) -> ExportedFiles:
    """Fill the marks of `graded` into `column`, by default the one with the assignment's title.

    Feedback written on Blackboard is kept. Excused students are left out, because the file cannot represent them.

    Raises ExportError if `sheet` is not such a file, no single column fits, or its points are not the full mark.
    """
    if sheet.column("Username") is None:
        raise ExportError(
            f"The sheet has no column `Username`; found: {', '.join(sheet.columns)}. Expected the file that Blackboard "
            "gives for work offline, with Blackboard set to English."
        )
    place, most = _item_column(graded, sheet, column)
    feedback = sheet.column(_FEEDBACK)
    matches = match_class(graded, listed_persons(sheet, ("Username", "Student ID"), "Username"))
    left_out = list(matches.problems)
    cells: dict[tuple[int, int], str] = {}
    graded_rows: list[StudentResult] = []
    view_of = student_views(graded.assignment)
    for row, record in matched_rows(graded, matches):
        if row.mark is None:
            left_out.append(f"{row.student}: {why_open(row)}")
            continue
        cells[record, place] = written_like(row.mark.adjusted, most)
        if feedback is not None and is_own_comment(sheet.cell(record, feedback)):
            cells[record, feedback] = mark_summary(graded.assignment, view_of(row))
        graded_rows.append(row)
    name = "blackboard.xls" if sheet.separator == "\t" else "blackboard.csv"
    return ExportedFiles(
        {name: sheet.filled(cells).to_bytes()},
        tuple(left_out),
        unmatched_rows_note(sheet, matches, lambda row: sheet.cell(row, sheet.column("Username"))),
        frozenset(row.student for row in graded_rows),
    )


def _item_column(graded: ClassResult, sheet: GradebookFile, column: str | None) -> tuple[int, str]:
    """Find the column of the assignment, and the points possible in its name."""
    place = assignment_column(sheet, _ITEM, graded.assignment, column, "TITLE [Total Pts: … Score] |NUMBER")
    match = _ITEM.fullmatch(sheet.columns[place])
    most = match["most"] if match else ""
    check_points_possible(most, graded.assignment, "Blackboard")
    return place, most
