"""Blackboard Learn: its download of all submissions of an assignment, and its gradebook for offline work."""

from grader.intake.download_format import DownloadFormat, Evidence
from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, Platform
from grader.plugins.platforms.blackboard.download import NAMES, read

PLATFORM = Platform(
    download=DownloadFormat(
        name="blackboard", title="a Blackboard download", fits=NAMES.fits, read=read, evidence=Evidence.LOOSE_NAME
    ),
    exports=(
        ClassExport(
            name="blackboard",
            about=(
                "`blackboard.xls` or `.csv`: the gradebook downloaded from Blackboard with marks "
                "filled in, for Upload Grades"
            ),
            writer=LateFunction("grader.plugins.platforms.blackboard.gradebook:gradebook_writer"),
            options=("sheet", "encoding", "column"),
        ),
    ),
)
