"""The files that Moodle imports: its offline grading worksheet and a zip of feedback files ("Using Assignment").

In the worksheet, which is in the language of the teacher, Moodle finds the student by `Identifier` and takes `Grade`
and the columns of the feedback types. It refuses a grade above the maximum, and a grade that was changed on Moodle
after `Last modified (grade)`, so that cell stays unchanged. The zip is for `Upload multiple feedback files in a zip`,
where Moodle finds the student by the number in the name of the folder, `Full Name_123_assignsubmission_file_`.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from grader.grading.student_view import student_views
from grader.model.results import ClassResult, StudentResult
from grader.model.submission import Submission
from grader.platforms import student_exports
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportError, ExportOptions, StudentRenderer
from grader.platforms.scores import excused_note, why_open
from grader.plugins.platforms.moodle.worksheet_words import WorksheetWords, languages, typed, worksheet_words
from grader.plugins.platforms.shared.archives import zip_archive
from grader.plugins.platforms.shared.gradebook_file import (
    GradebookFile,
    given_sheet,
    needed_sheet,
    number_in,
    written_like,
)
from grader.plugins.platforms.shared.output_text import is_own_comment, mark_summary
from grader.plugins.platforms.shared.student_matching import (
    StudentPerson,
    comparable_person,
    match_class,
    matched_rows,
    unmatched_rows_note,
)
from grader.reports.student_text import student_text
from grader.store.origin import origin_of
from grader.text.words import format_decimal

_PARTICIPANT = re.compile(r"\D*(\d+)")
_OWN_FOLDER = re.compile(r"[^_]+_\d+_assignsubmission_file_?")
# Moodle splits the name at `_`, and file systems do not accept the others.
_NOT_IN_NAMES = re.compile(r'[_/\\:*?"<>|\x00-\x1f]+')


def worksheet_writer(options: ExportOptions) -> ClassWriter:
    """Return the function that fills in the worksheet given by the user. Raises ExportError if it cannot be read."""
    sheet = needed_sheet(options, "the grading worksheet that was downloaded from Moodle")
    return lambda graded, _: moodle_worksheet(graded, sheet)


def moodle_worksheet(graded: ClassResult, sheet: GradebookFile) -> ExportedFiles:
    """Fill in the grades of `graded` and a line of feedback each; all other cells stay the same.

    A comment written on Moodle is kept. An excused student has no grade, and the comment says so.

    Raises ExportError if `sheet` is not such a worksheet, or its maximum grade is not the full mark.
    """
    words = known_words(sheet)
    grade, comments = _place(sheet, words.grade), _place(sheet, words.comments)
    maximum = _maximum_grade(graded, sheet, words)
    matches = match_class(graded, persons_in_worksheet(sheet, words))

    def name_in(record: int) -> str:
        return _cell(sheet, record, words.name) or _cell(sheet, record, words.identifier)

    left_out = list(matches.problems)
    cells: dict[tuple[int, int], str] = {}
    exported: list[StudentResult] = []
    view_of = student_views(graded.assignment)
    for row, record in matched_rows(graded, matches):
        if row.mark is None and not row.granted.excused:
            left_out.append(f"{row.student}: {why_open(row)}")
            continue
        # In Moodle, the only sign of an excused student is a missing grade.
        if grade is not None:
            cells[record, grade] = _grade(graded, row.mark.adjusted, maximum) if row.mark else ""
        exported.append(row)
        if comments is not None and is_own_comment(sheet.cell(record, comments)):
            cells[record, comments] = mark_summary(graded.assignment, view_of(row))
    return ExportedFiles(
        {"moodle.csv": sheet.filled(cells).to_bytes()},
        tuple(left_out),
        (
            *excused_note(exported),
            *_cut_note(graded, exported, maximum),
            *unmatched_rows_note(sheet, matches, name_in),
        ),
        frozenset(row.student for row in exported),
    )


def known_words(sheet: GradebookFile) -> WorksheetWords:
    """Return the words of the language of a worksheet. Raises ExportError if the sheet is not in a known language."""
    words = worksheet_words(sheet.columns)
    if words is None:
        raise ExportError(
            f"The sheet has no columns `Identifier` and `Grade`; found: {', '.join(sheet.columns)}. Expected the file "
            "that Moodle gives under `Download grading worksheet`, with Moodle set to one of these languages: "
            f"{', '.join(languages())}."
        )
    return words


def _place(sheet: GradebookFile, name: str) -> int | None:
    return sheet.column(name, typed(name))


def _cell(sheet: GradebookFile, record: int, name: str) -> str:
    return sheet.cell(record, _place(sheet, name))


def persons_in_worksheet(sheet: GradebookFile, words: WorksheetWords) -> list[StudentPerson]:
    """Return the persons of a worksheet, one per record after the first."""
    return [
        comparable_person(
            moodle=[participant_number(sheet, words, record)],
            ids=[_cell(sheet, record, name) for name in (words.number, words.username)],
            emails=[_cell(sheet, record, words.email)],
            names=[_cell(sheet, record, words.name)],
        )
        for record in range(1, len(sheet.records))
    ]


def participant_number(sheet: GradebookFile, words: WorksheetWords, record: int) -> str:
    """Return the number in `Participant 123`, or an empty string."""
    match = _PARTICIPANT.fullmatch(_cell(sheet, record, words.identifier))
    return match[1] if match else ""


def _maximum_grade(graded: ClassResult, sheet: GradebookFile, words: WorksheetWords) -> str:
    """Return the maximum grade in the sheet.

    Raises ExportError if that is neither the full mark nor the highest mark with bonus points.
    """
    texts = {text for record in range(1, len(sheet.records)) if (text := _cell(sheet, record, words.maximum))}
    for text in texts:
        if number_in(text) not in (graded.assignment.marks, graded.assignment.highest_mark):
            raise ExportError(
                f"The maximum grade in Moodle is {text}, the marks of {graded.assignment.id} are "
                f"{format_decimal(graded.assignment.marks)}. "
                "Set the maximum grade in Moodle to that, and download again."
            )
    return next(iter(texts), "")


def _highest_grade(graded: ClassResult, maximum: str) -> Decimal:
    """Return the highest grade that Moodle accepts."""
    return number_in(maximum) or graded.assignment.highest_mark


def _grade(graded: ClassResult, mark: Decimal, maximum: str) -> str:
    return written_like(min(mark, _highest_grade(graded, maximum)), maximum)


def _cut_note(graded: ClassResult, exported: Sequence[StudentResult], maximum: str) -> Iterator[str]:
    """Note that bonus points do not reach Moodle, which refuses a grade above its maximum."""
    most = _highest_grade(graded, maximum)
    beyond = [f"{row.student} ({row.mark})" for row in exported if row.mark and row.mark.adjusted > most]
    if beyond:
        yield (
            f"{format_decimal(most)} is written for those with a higher mark, because it is the maximum grade in "
            f"Moodle: {', '.join(beyond)}"
        )


def feedback_writer(options: ExportOptions) -> ClassWriter:
    """Return the function that writes the feedback, for the worksheet if one is given. Raises ExportError."""
    sheet = given_sheet(options)
    return lambda graded, _: moodle_feedback(graded, sheet)


def moodle_feedback(graded: ClassResult, sheet: GradebookFile | None) -> ExportedFiles:
    """Write a zip with the text for each student, and the page if a plugin makes it.

    The folders are named after the grading worksheet. Without one, only students from a Moodle download, or with their
    number in the roster, can be identified.
    """
    folders, problems = _feedback_folders(graded, sheet)
    writers: dict[str, StudentRenderer] = {"feedback.txt": lambda assignment, row, _: student_text(assignment, row)}
    if page := student_exports().get("pages"):
        writers["feedback.html"] = page.renderer(ExportOptions())
    origin = origin_of(graded.assignment)
    files = {
        f"{folders[row.student]}/{file}": write(graded.assignment, row, origin).encode("utf-8", "backslashreplace")
        for row in map(student_views(graded.assignment), graded.rows)
        if row.student in folders
        for file, write in writers.items()
    }
    notes = () if page else ("no feedback.html is written, because no plugin makes the pages of students",)
    return ExportedFiles({"feedback.zip": zip_archive(files)}, problems, notes, frozenset(folders))


def _feedback_folders(graded: ClassResult, sheet: GradebookFile | None) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return each student's folder in the zip, and the reasons why some students have none."""
    if sheet is None:
        own_folders = {row.student: folder for row in graded.rows if (folder := _own_folder(row.graded.submission))}
        others = [row.student for row in graded.rows if row.student not in own_folders]
        return own_folders, tuple(
            f"{student}: no number of Moodle's is known; give the worksheet" for student in others
        )
    words = known_words(sheet)
    matches = match_class(graded, persons_in_worksheet(sheet, words))
    folders, problems = {}, list(matches.problems)
    for student, place in matches.places.items():
        number = participant_number(sheet, words, place + 1)
        if number:
            folders[student] = _folder(_cell(sheet, place + 1, words.name), number)
        else:
            problems.append(f"{student}: the sheet has no number in the column `{words.identifier}`")
    return folders, tuple(problems)


def _own_folder(submission: Submission) -> str | None:
    """Return the folder according to the download from Moodle or the roster."""
    student, identity = submission.student, submission.identity
    if identity.moodle:
        return _folder(identity.name or "", identity.moodle)
    if _OWN_FOLDER.fullmatch(student):
        return student if student.endswith("_") else f"{student}_"
    return None


def _folder(name: str, number: str) -> str:
    clean = _NOT_IN_NAMES.sub("-", name).strip(" .") or "Participant"
    return f"{clean}_{number}_assignsubmission_file_"
