"""Moodle: its download of all submissions, its grading worksheet, and feedback files."""

from grader.platforms.moodle.download import DOWNLOAD_FORMAT
from grader.platforms.platform import ClassExport, ClassWriter, ExportOptions, Platform


def _worksheet(options: ExportOptions) -> ClassWriter:
    from grader.platforms.moodle.worksheet import moodle_worksheet
    from grader.platforms.shared.gradebook_file import needed_sheet

    sheet = needed_sheet(options, "the grading worksheet that was downloaded from Moodle")
    return lambda graded, _: moodle_worksheet(graded, sheet)


def _feedback(options: ExportOptions) -> ClassWriter:
    from grader.platforms.moodle.feedback import moodle_feedback
    from grader.platforms.shared.gradebook_file import given_sheet

    sheet = given_sheet(options)
    return lambda graded, _: moodle_feedback(graded, sheet)


PLATFORM = Platform(
    download=DOWNLOAD_FORMAT,
    exports=(
        ClassExport(
            name="moodle",
            about="`moodle.csv`: the downloaded grading worksheet, filled in; for Moodle's Upload grading worksheet",
            writer=_worksheet,
            options=("sheet", "encoding"),
        ),
        ClassExport(
            name="feedback",
            about="`feedback.zip`: `feedback.txt` for each student; for Upload multiple feedback files in a zip",
            writer=_feedback,
            options=("sheet", "encoding"),
        ),
    ),
)
