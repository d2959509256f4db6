"""Canvas: its download of all submissions, and its gradebook."""

from grader.model.option import LateFunction
from grader.platforms.canvas.download import DOWNLOAD_FORMAT
from grader.platforms.platform import ClassExport, Platform

PLATFORM = Platform(
    download=DOWNLOAD_FORMAT,
    exports=(
        ClassExport(
            name="canvas",
            about="`canvas.csv`: the gradebook exported from Canvas, filled in, or a new one; for Gradebook, Import",
            writer=LateFunction("grader.platforms.canvas.gradebook:gradebook_writer"),
            options=("sheet", "encoding", "column"),
        ),
    ),
)
