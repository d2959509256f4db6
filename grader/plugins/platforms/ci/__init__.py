"""Continuous integration on GitLab and Forgejo: the recipes that grade each push, and the report that they write."""

from grader.model.option import LateFunction
from grader.platforms.platform import AutograderExport, Platform, StudentExport, without_options

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="junit-student",
            about=(
                "`junit-student/STUDENT.xml`: JUnit XML for one student, also written by the "
                "autograders for GitLab and Forgejo"
            ),
            suffix=".xml",
            takes_excused=True,
            renderer=without_options(LateFunction("grader.plugins.platforms.ci.recipes:junit_report")),
        ),
        AutograderExport(
            name="gitlab-autograder",
            about="`gitlab.zip`: a `.gitlab-ci.yml` to unpack in the template repository",
            build=LateFunction("grader.plugins.platforms.ci.recipes:gitlab_autograder"),
        ),
        AutograderExport(
            name="forgejo-autograder",
            about="`forgejo.zip`: a workflow for Forgejo or Gitea to unpack in the template repository",
            build=LateFunction("grader.plugins.platforms.ci.recipes:forgejo_autograder"),
        ),
    ),
)
