"""Moodle: its download of all submissions, its grading worksheet, and feedback files."""

from grader.class_files.roster import RosterForm
from grader.intake.download_format import DownloadFormat
from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, Platform
from grader.plugins.platforms.moodle.download import NAMES, read
from grader.plugins.platforms.moodle.roster import columns, mend

ROSTER = RosterForm(columns=columns, mend=mend)
PLATFORM = Platform(
    download=DownloadFormat(
        name="moodle", title="a Moodle download", fits=NAMES.fits, read=read, entry_is_student=True
    ),
    exports=(
        ClassExport(
            name="moodle",
            about=(
                "`moodle.csv`: the downloaded grading worksheet with marks filled in, for Moodle's "
                "Upload grading worksheet"
            ),
            writer=LateFunction("grader.plugins.platforms.moodle.exports:worksheet_writer"),
            options=("sheet", "encoding"),
        ),
        ClassExport(
            name="feedback",
            about="`feedback.zip`: `feedback.html` and `feedback.txt` for each student, "
            "for Upload multiple feedback files in a zip",
            writer=LateFunction("grader.plugins.platforms.moodle.exports:feedback_writer"),
            options=("sheet", "encoding"),
        ),
    ),
)
