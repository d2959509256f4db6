"""Blackboard Learn: its download of all submissions of an assignment, and its gradebook for work offline."""

from grader.model.option import LateFunction
from grader.platforms.blackboard.download import DOWNLOAD_FORMAT
from grader.platforms.platform import ClassExport, Platform

PLATFORM = Platform(
    download=DOWNLOAD_FORMAT,
    exports=(
        ClassExport(
            name="blackboard",
            about="`blackboard.xls` or `.csv`: the gradebook downloaded from Blackboard, filled in; for Upload Grades",
            writer=LateFunction("grader.platforms.blackboard.gradebook:gradebook_writer"),
            options=("sheet", "encoding", "column"),
        ),
    ),
)
