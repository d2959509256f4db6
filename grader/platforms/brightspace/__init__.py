"""Brightspace (D2L): its download of all submissions of an assignment, and the file that its grade book imports."""

from grader.model.option import LateFunction
from grader.platforms.brightspace.download import DOWNLOAD_FORMAT
from grader.platforms.platform import ClassExport, Platform

PLATFORM = Platform(
    download=DOWNLOAD_FORMAT,
    exports=(
        ClassExport(
            name="brightspace",
            about="`brightspace.csv`: the marks alone, for those in the exported grades or for all; for Grades, Import",
            writer=LateFunction("grader.platforms.brightspace.grades:grades_writer"),
            options=("sheet", "encoding", "column"),
        ),
    ),
)
