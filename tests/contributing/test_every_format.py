"""A new verdict and a new cause, used in every format that there is."""

from pathlib import Path

import pytest

from grader.platforms import exports
from tests.conftest import SmallCourse
from tests.contributing.recipes import follow
from tests.prepared_grader import PreparedGrader

SILENT = "total = 0\n"
PRINTS_NONE = "number = int(input('Number: '))\nprint(None)\n"
EXPORTS = {
    *("autolab", "brightspace", "canvas", "classroom", "classroom50", "codegrade", "csv", "ed", "gradescope"),
    *("junit", "junit-student", "pages", "prairielearn", "text"),
}
NEEDING_A_SHEET_OR_SITE = {"blackboard", "canvas-api", "feedback", "moodle"}


@pytest.mark.slow
def test_every_format_shows_a_new_verdict_and_a_new_cause(small_course: SmallCourse, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    follow(root, "To add a verdict", "To add a cause of failure")
    for student, program in {"silent": SILENT, "none": PRINTS_NONE}.items():
        small_course.hand_in(student, program)

    with PreparedGrader(root) as copy:
        use_every_format(copy, small_course)
    for file in ("students/silent.txt", "results.json"):
        assert "no-output" in (small_course.reports / file).read_text(), file
    assert "no-output" in (small_course.reports.parent / "html" / "doubles" / "students" / "silent.html").read_text()


def use_every_format(copy: PreparedGrader, course: SmallCourse) -> None:
    def succeed(*arguments: str | Path) -> str:
        run = copy.run(*arguments, folder=course.folder)
        assert run.returncode in (0, 1), (arguments, run.stdout + run.stderr)
        return run.stdout

    for name in ("text", "json", "github"):
        silent, none = (course.students / student / "double.py" for student in ("silent", "none"))
        assert "no-output" in succeed("check", silent, "--assignment", "doubles", "--format", name)
        assert "does a function" in succeed("check", none, "--assignment", "doubles", "--format", name)
        succeed("grade", course.students, "--format", name)
    for name in sorted(EXPORTS):
        succeed("export", name, course.students)
    succeed("report", course.students)
    succeed("insight", course.students)


def test_every_export_of_marks_is_used() -> None:
    forms = {name for name in exports() if name.startswith("request-")}
    marks = {name for name in exports() if not name.endswith("-autograder")} - forms
    assert marks == EXPORTS | NEEDING_A_SHEET_OR_SITE
