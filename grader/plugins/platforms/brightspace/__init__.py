"""Brightspace (D2L): its download of all submissions of an assignment, and the file that its grade book imports."""

from grader.class_files.roster import RosterForm
from grader.intake.download_format import DownloadFormat
from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, Platform
from grader.plugins.platforms.brightspace.download import NAMES, read
from grader.plugins.platforms.brightspace.roster import columns, mend

ROSTER = RosterForm(columns=columns, mend=mend)
PLATFORM = Platform(
    download=DownloadFormat(
        name="brightspace", title="a Brightspace download", fits=NAMES.fits, read=read, entry_is_student=True
    ),
    exports=(
        ClassExport(
            name="brightspace",
            about=(
                "`brightspace.csv`: only the marks, for students in the exported grades or for all "
                "students, for Grades, Import"
            ),
            writer=LateFunction("grader.plugins.platforms.brightspace.grades:grades_writer"),
            options=("sheet", "encoding", "column"),
        ),
    ),
)
