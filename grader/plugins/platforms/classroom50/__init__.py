"""Classroom 50: the score and tests of its result.json, and the autograder of an assignment.

Clones of its repositories are read like any other Git repositories.
"""

from grader.model.option import LateFunction
from grader.platforms.platform import AutograderExport, Platform, StudentExport, without_options

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="classroom50",
            about="`classroom50/STUDENT.json`: score and tests of a result.json for Classroom 50",
            suffix=".json",
            holds_origin=False,
            renderer=without_options(
                LateFunction("grader.plugins.platforms.classroom50.autograder:classroom50_result")
            ),
        ),
        AutograderExport(
            name="classroom50-autograder",
            about="`classroom50.zip`: autograder.py for an assignment, with everything it runs",
            build=LateFunction("grader.plugins.platforms.classroom50.autograder:classroom50_autograder"),
        ),
    ),
)
