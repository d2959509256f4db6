"""GitHub Classroom: the result for its reporter, and the workflow that grades a repository.

Clones of its repositories are read like any other Git repositories.
"""

from grader.class_files.roster import RosterForm
from grader.model.option import LateFunction
from grader.platforms.platform import AutograderExport, Platform, StudentExport, without_options
from grader.plugins.platforms.classroom.roster import columns

ROSTER = RosterForm(columns=columns)
PLATFORM = Platform(
    exports=(
        StudentExport(
            name="classroom",
            about="`classroom/STUDENT.base64`: a result for GitHub Classroom's autograding-grading-reporter",
            suffix=".base64",
            holds_origin=False,
            renderer=without_options(LateFunction("grader.plugins.platforms.classroom.autograder:classroom_result")),
        ),
        AutograderExport(
            name="classroom-autograder",
            about="`classroom.zip`: a workflow to unpack in the template repository",
            build=LateFunction("grader.plugins.platforms.classroom.autograder:classroom_autograder"),
        ),
    ),
)
