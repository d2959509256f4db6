"""Canvas: its download of all submissions, and its gradebook."""

from grader.platforms.canvas.download import DOWNLOAD_FORMAT
from grader.platforms.platform import ClassExport, ClassWriter, ExportOptions, Platform


def _gradebook(options: ExportOptions) -> ClassWriter:
    from grader.platforms.canvas.gradebook import canvas_gradebook, new_canvas_gradebook
    from grader.platforms.shared.gradebook_file import given_sheet

    sheet = given_sheet(options)
    if sheet is None:
        return lambda graded, _: new_canvas_gradebook(graded, options.column)
    return lambda graded, _: canvas_gradebook(graded, sheet, options.column)


PLATFORM = Platform(
    download=DOWNLOAD_FORMAT,
    exports=(
        ClassExport(
            name="canvas",
            about="`canvas.csv`: the gradebook exported from Canvas, filled in, or a new one; for Gradebook, Import",
            writer=_gradebook,
            options=("sheet", "encoding", "column"),
        ),
    ),
)
