"""GitHub Classroom: the result that its reporter takes, and the workflow that grades a repository.

Clones of its repositories are read as any other Git repositories.
"""

from grader.platforms.platform import (
    AutograderBuilder,
    AutograderExport,
    ExportOptions,
    Platform,
    StudentExport,
    StudentRenderer,
)


def _result(_: ExportOptions) -> StudentRenderer:
    from grader.platforms.classroom.autograder import classroom_result

    return classroom_result


def _autograder() -> AutograderBuilder:
    from grader.platforms.classroom.autograder import classroom_autograder

    return classroom_autograder


PLATFORM = Platform(
    exports=(
        StudentExport(
            name="classroom",
            about="`classroom/STUDENT.base64`: a result for GitHub Classroom's autograding-grading-reporter",
            suffix=".base64",
            renderer=_result,
            holds_origin=False,
        ),
        AutograderExport(
            name="classroom-autograder",
            about="`classroom.zip`: a workflow to unpack in the template repository",
            builder=_autograder,
        ),
    ),
)
