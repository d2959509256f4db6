"""Canvas: its download of all submissions, its gradebook, and its API."""

from grader.class_files.roster import RosterForm
from grader.intake.download_format import DownloadFormat, Evidence
from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, DeliveryExport, Platform
from grader.plugins.platforms.canvas.download import NAMES, read
from grader.plugins.platforms.canvas.roster import columns, mend

ROSTER = RosterForm(columns=columns, mend=mend)
PLATFORM = Platform(
    download=DownloadFormat(
        name="canvas", title="a Canvas download", fits=NAMES.fits, read=read, evidence=Evidence.LOOSE_NAME
    ),
    exports=(
        ClassExport(
            name="canvas",
            about=(
                "`canvas.csv`: the gradebook exported from Canvas with marks filled in, or a new one, "
                "for Gradebook, Import"
            ),
            writer=LateFunction("grader.plugins.platforms.canvas.gradebook:gradebook_writer"),
            options=("sheet", "encoding", "column"),
        ),
        DeliveryExport(
            name="canvas-api",
            about=(
                "no file: with `--send`, marks and comments are sent to Canvas; without it, the command only shows them"
            ),
            planner=LateFunction("grader.plugins.platforms.canvas.delivery:delivery_planner"),
            options=("canvas_url", "canvas_course", "canvas_assignment"),
        ),
    ),
)
