"""Sends marks and comments to Canvas through its API ("Grade or comment on multiple submissions").

Nothing that Canvas already has is sent, because a comment would appear twice. The rest goes into one request, which
Canvas processes in the background; then the marks on Canvas are compared again.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from time import sleep
from typing import TYPE_CHECKING, Any

from grader.grading.student_view import student_views
from grader.installation import install_command
from grader.model.results import ClassResult, StudentResult
from grader.platforms.platform import Delivery, DeliveryPlanner, ExportError, ExportOptions
from grader.platforms.scores import excused_note, why_open
from grader.plugins.platforms.shared.gradebook_file import check_points_possible, number_in
from grader.plugins.platforms.shared.output_text import mark_summary, visible_text
from grader.plugins.platforms.shared.student_matching import StudentPerson, comparable_person, match_class, matched_rows
from grader.text.words import format_decimal

if TYPE_CHECKING:
    from grader.plugins.platforms.canvas.client import CanvasClient

# The environment variable that holds the token.
_VARIABLE = "CANVAS_TOKEN"
# About ten minutes in all, after which Canvas is assumed to be stuck.
_PAUSES = (0.5, 1.0, 2.0, 4.0, *(5.0 for _ in range(120)))
# Canvas calculates in binary fractions and shows hundredths.
_SAME = Decimal("0.005")


def delivery_planner(options: ExportOptions) -> DeliveryPlanner:
    """Return the function that plans a delivery to the assignment given by the user. Raises ExportError."""
    try:
        from grader.plugins.platforms.canvas.client import CanvasClient
    except ImportError:
        raise ExportError(f"canvas-api needs httpx; install it with: {install_command('canvas')}") from None
    url, course, assignment = options.canvas_url, options.canvas_course, options.canvas_assignment
    if not url or not course or not assignment:
        raise ExportError(
            "Say where to: --canvas-url, --canvas-course and --canvas-assignment (the numbers in its URL)."
        )
    token = os.environ.get(_VARIABLE, "").strip()
    if not token:
        raise ExportError(
            f"Put your token (Canvas: Account, Settings, New Access Token) into the variable {_VARIABLE}."
        )
    place = CanvasPlace(CanvasClient(url, token), course, assignment)
    return lambda graded: plan_delivery(graded, place)


@dataclass(frozen=True)
class CanvasPlace:
    """An assignment of a course on Canvas; `wait` sleeps for a number of seconds."""

    client: "CanvasClient"
    course: str
    assignment: str
    wait: Callable[[float], None] = sleep

    @property
    def path(self) -> tuple[str, ...]:
        """Return the path of the assignment."""
        return ("courses", self.course, "assignments", self.assignment)


@dataclass(frozen=True)
class _Change:
    """The values to send for the user with this number, by the last part of the parameter's name."""

    user: str
    line: str
    parameters: Mapping[str, str]


def plan_delivery(graded: ClassResult, place: CanvasPlace) -> Delivery:
    """Compare the class with Canvas. Raises ExportError if the assignment there does not match."""
    _check_assignment(place.client.get(*place.path), graded)
    users = list(
        place.client.get_all("courses", place.course, "users", **{"enrollment_type[]": "student", "include[]": "email"})
    )
    submissions = _submissions_on_canvas(place)
    matches = match_class(graded, [_canvas_person(user) for user in users], "the list of students on Canvas")
    left_out = list(matches.problems)
    changes: dict[str, _Change] = {}
    on_canvas: list[StudentResult] = []
    for row, place_in_list in matched_rows(graded, matches, first=0):
        user = users[place_in_list]
        submission = submissions.get(str(user["id"]), {})
        if row.mark is None and not row.granted.excused:
            left_out.append(f"{row.student}: {why_open(row)}")
        elif submission.get("excused") and not row.granted.excused:
            left_out.append(f"{row.student}: excused on Canvas, which was left so")
        elif change := _change_of(graded, row, user, submission):
            changes[row.student] = change
        else:
            on_canvas.append(row)
    notes = (f"Canvas knows this already: {', '.join(row.student for row in on_canvas)}",) if on_canvas else ()
    return Delivery(
        lines=tuple(change.line for change in changes.values()),
        send=lambda: _send(graded, place, changes),
        students=frozenset(changes),
        left_out=tuple(left_out),
        notes=(*excused_note(row for row in graded.rows if row.student in changes), *notes),
    )


def _submissions_on_canvas(place: CanvasPlace) -> dict[str, dict[str, Any]]:
    """Return the submission of each user on Canvas."""
    submissions = list(place.client.get_all(*place.path, "submissions", **{"include[]": "submission_comments"}))
    if any(submission.get("user_id") is None for submission in submissions):
        raise ExportError("Canvas hides whose the submissions are (anonymous grading); show that first.")
    return {str(submission["user_id"]): submission for submission in submissions}


def _check_assignment(assignment: Mapping[str, Any], graded: ClassResult) -> None:
    name = visible_text(str(assignment.get("name")))
    points = assignment.get("points_possible")
    check_points_possible("" if points is None else str(points), graded.assignment, "Canvas")
    if not assignment.get("published"):
        raise ExportError(f"{name} is not published: Canvas takes no marks for it before.")
    if assignment.get("grading_type") in ("pass_fail", "not_graded"):
        raise ExportError(
            f"{name} is not graded in points on Canvas ({assignment['grading_type']}); change that there."
        )
    if assignment.get("group_category_id") and not assignment.get("grade_group_students_individually"):
        raise ExportError(
            f"{name} gives all of a group one mark; on Canvas, assign grades to each student individually."
        )


def _canvas_person(user: Mapping[str, Any]) -> StudentPerson:
    """Identify a person by accounts alone, because names may not be unique, and students see marks immediately."""
    number, sis, login, email = (str(user.get(key) or "") for key in ("id", "sis_user_id", "login_id", "email"))
    return comparable_person(canvas=[number], ids=[sis, login], emails=[email, login])


def _change_of(
    graded: ClassResult, row: StudentResult, user: Mapping[str, Any], submission: Mapping[str, Any]
) -> _Change | None:
    """Return the change to send, or None if Canvas already has everything."""
    comment = mark_summary(graded.assignment, student_views(graded.assignment)(row))
    comments = [str(given.get("comment")).split() for given in submission.get("submission_comments") or ()]
    parameters = {} if comment.split() in comments else {"text_comment": comment}
    if row.granted.excused:
        parameters |= {} if submission.get("excused") else {"excuse": "true"}
    elif row.mark is not None and not _is_same(row.mark.adjusted, _score(submission)):
        parameters["posted_grade"] = format_decimal(row.mark.adjusted)
    if not parameters:
        return None
    mark = "excused" if row.granted.excused else format_decimal(row.mark.adjusted) if row.mark else ""
    line = (
        f"{row.student} ({visible_text(str(user.get('name')))}, {user['id']}): {_mark_on_canvas(submission)} → {mark}"
    )
    return _Change(str(user["id"]), line + (", with a comment" if "text_comment" in parameters else ""), parameters)


def _is_same(mark: Decimal, score: Decimal | None) -> bool:
    return score is not None and abs(mark - score) < _SAME


def _score(submission: Mapping[str, Any]) -> Decimal | None:
    """Return the score as entered, before Canvas deducts for lateness."""
    score = submission.get("entered_score", submission.get("score"))
    return None if score is None else number_in(str(score))


def _mark_on_canvas(submission: Mapping[str, Any]) -> str:
    score = _score(submission)
    return "excused" if submission.get("excused") else "no mark" if score is None else format_decimal(score)


def _send(graded: ClassResult, place: CanvasPlace, changes: Mapping[str, _Change]) -> tuple[str, ...]:
    """Send, wait until Canvas is done, and compare again."""
    form = {
        f"grade_data[{change.user}][{name}]": value
        for change in changes.values()
        for name, value in change.parameters.items()
    }
    progress = place.client.post(*place.path, "submissions", "update_grades", form=form)
    try:
        _wait_until_done(place, progress)
        missing = plan_delivery(graded, place)
    except ExportError as error:
        raise ExportError(
            f"{error} The marks had been sent: run the command again without --send, and it says what is missing."
        ) from error
    return tuple(f"{line}: Canvas did not take it" for line in missing.lines)


def _wait_until_done(place: CanvasPlace, progress: Mapping[str, Any]) -> None:
    for pause in _PAUSES:
        match progress.get("workflow_state"):
            case "completed":
                return
            case "failed":
                why = visible_text(str(progress.get("message") or "no reason given"))
                raise ExportError(f"Canvas could not enter all marks: {why}.")
        place.wait(pause)
        progress = place.client.get("progress", str(progress.get("id")))
    raise ExportError("Canvas is still entering the marks after ten minutes.")
