"""Blackboard Learn: its download of all submissions of an assignment, and its gradebook for work offline."""

from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, Platform
from grader.plugins.platforms.blackboard.download import DOWNLOAD_FORMAT

PLATFORM = Platform(
    download=DOWNLOAD_FORMAT,
    exports=(
        ClassExport(
            name="blackboard",
            about="`blackboard.xls` or `.csv`: the gradebook downloaded from Blackboard, filled in; for Upload Grades",
            writer=LateFunction("grader.plugins.platforms.blackboard.gradebook:gradebook_writer"),
            options=("sheet", "encoding", "column"),
        ),
    ),
)
