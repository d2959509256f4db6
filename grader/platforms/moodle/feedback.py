"""Feedback files in the zip that Moodle takes under `Upload multiple feedback files in a zip`.

Moodle finds the student by the number in the name of the folder, `Full Name_123_assignsubmission_file_`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from grader.files.archive_reader import zip_archive
from grader.model.assignment import Assignment
from grader.model.results import ClassResult, StudentResult
from grader.model.submission import Submission
from grader.platforms.moodle.worksheet import participant_number, persons_in_worksheet
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportOptions
from grader.platforms.shared.gradebook_file import GradebookFile, given_sheet
from grader.platforms.shared.student_matching import match_students, person_of_submission
from grader.platforms.shared.student_view import for_students
from grader.reports.student_text import student_text

_OWN_FOLDER = re.compile(r"[^_]+_\d+_assignsubmission_file_?")


# Moodle splits the name at `_`; the others no file system takes.
_NOT_IN_NAMES = re.compile(r'[_/\\:*?"<>|\x00-\x1f]+')


@dataclass(frozen=True)
class FeedbackPage:
    """One kind of feedback: the name of the file, and what writes it from what the student may see."""

    file: str
    render: Callable[[Assignment, StudentResult], str]


TEXT = FeedbackPage("feedback.txt", student_text)


def feedback_writer(options: ExportOptions) -> ClassWriter:
    """What writes the feedback, for the worksheet that the user may have named. Raises ExportError."""
    sheet = given_sheet(options)
    return lambda graded, _: moodle_feedback(graded, sheet)


def moodle_feedback(
    graded: ClassResult, sheet: GradebookFile | None, pages: tuple[FeedbackPage, ...] = (TEXT,)
) -> ExportedFiles:
    """A zip with the `pages` of each student.

    The folders are named after the grading worksheet; without one, only students who came in a download from Moodle,
    or whose number is in the roster, can be told.
    """
    shown = for_students(graded)
    folders, problems = _folders(shown, sheet)
    files = {
        f"{folders[row.student]}/{page.file}": page.render(shown.assignment, row).encode("utf-8", "backslashreplace")
        for row in shown.rows
        if row.student in folders
        for page in pages
    }
    return ExportedFiles({"feedback.zip": zip_archive(files)}, problems, students=frozenset(folders))


def _folders(graded: ClassResult, sheet: GradebookFile | None) -> tuple[dict[str, str], tuple[str, ...]]:
    """The folder of each student in the zip, and why some have none."""
    if sheet is None:
        own = {row.student: folder for row in graded.rows if (folder := _own_folder(row.graded.submission))}
        others = [row.student for row in graded.rows if row.student not in own]
        return own, tuple(f"{student}: no number of Moodle's is known; give the worksheet" for student in others)
    matches = match_students(
        [(row.student, person_of_submission(row.graded.submission)) for row in graded.rows], persons_in_worksheet(sheet)
    )
    folders, problems = {}, list(matches.problems)
    for student, place in matches.found.items():
        number = participant_number(sheet, place + 1)
        if number:
            folders[student] = _folder(sheet.cell(place + 1, sheet.column("Full name")), number)
        else:
            problems.append(f"{student}: the sheet has no number in the column `Identifier`")
    return folders, tuple(problems)


def _own_folder(submission: Submission) -> str | None:
    """The folder as the download from Moodle or the roster tells it."""
    student, identity = submission.student, submission.identity
    if identity.moodle:
        return _folder(identity.name or "", identity.moodle)
    if _OWN_FOLDER.fullmatch(student):
        return student if student.endswith("_") else f"{student}_"
    return None


def _folder(name: str, number: str) -> str:
    clean = _NOT_IN_NAMES.sub("-", name).strip(" .") or "Participant"
    return f"{clean}_{number}_assignsubmission_file_"
