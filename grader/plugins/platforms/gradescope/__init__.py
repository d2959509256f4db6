"""Gradescope: its export of all submissions, its results.json, and its autograder."""

from grader.intake.download_format import DownloadFormat
from grader.model.option import LateFunction
from grader.platforms.platform import AutograderExport, Platform, StudentExport
from grader.plugins.platforms.gradescope.download import METADATA, fits, read

PLATFORM = Platform(
    download=DownloadFormat(name="gradescope", title="a Gradescope export", fits=fits, read=read, index=METADATA),
    exports=(
        StudentExport(
            name="gradescope",
            about="`gradescope/STUDENT.json`: results.json for Gradescope",
            suffix=".json",
            needs_mark=True,
            renderer=LateFunction("grader.plugins.platforms.gradescope.results:results_renderer"),
            options=("hidden_tests",),
            read_metadata=LateFunction("grader.plugins.platforms.gradescope.autograder:read_metadata"),
        ),
        AutograderExport(
            name="gradescope-autograder",
            about="`autograder.zip`: the autograder for a programming assignment",
            build=LateFunction("grader.plugins.platforms.gradescope.autograder:gradescope_autograder"),
        ),
    ),
)
