"""The column of a gradebook that belongs to an assignment, and the points that the platform gives for it."""

from collections.abc import Mapping

from grader.model.assignment import Assignment
from grader.platforms.platform import ExportError
from grader.platforms.shared.gradebook_file import GradebookFile, number_in
from grader.text.words import format_decimal


def assignment_column(
    sheet: GradebookFile, titles: Mapping[int, str], assignment: Assignment, column: str | None, like: str
) -> int:
    """The place of the column called `column`, by default of the one that has the title of the assignment.

    `titles` says which columns are of assignments, and how these are called. `like` is the full name of a column as the
    platform writes it, with TITLE for the title. Raises ExportError unless exactly one column fits.
    """
    wanted = column or like.replace("TITLE", assignment.title)
    title = column or assignment.title
    fitting = [place for place, name in enumerate(sheet.columns) if name == column or titles.get(place) == title]
    if len(fitting) == 1:
        return fitting[0]
    there = "; ".join(sheet.columns[place] for place in titles) or "none"
    raise ExportError(
        f"{len(fitting)} columns of the gradebook are called `{wanted}`; expected one. Name it with --column: {there}"
    )


def check_points_possible(said: str, assignment: Assignment, platform: str) -> None:
    """Raise ExportError unless `said`, the points that are possible on the platform, are the full mark."""
    if number_in(said) != assignment.marks:
        raise ExportError(
            f"The points possible on {platform} are {said or 'missing'}, the marks of {assignment.id} are "
            f"{format_decimal(assignment.marks)}. Set the points on {platform} to that, and export again."
        )
