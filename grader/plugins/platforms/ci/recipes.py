"""Continuous integration in a student's repository: the recipe, and the JUnit XML that it stores.

GitLab shows the report ("Unit test reports"). Forgejo and Gitea store it as an artifact.
"""

from pathlib import Path
from xml.etree import ElementTree

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.platforms.platform import ExportedFiles
from grader.plugins.platforms.shared.archives import zip_archive
from grader.plugins.platforms.shared.autograder_files import check_no_hidden_tests, filled_script, grader_and_course
from grader.plugins.platforms.shared.junit_suite import junit_suite, junit_text
from grader.plugins.platforms.shared.output_text import visible_text
from grader.store.origin import Provenance

_TEMPLATES = Path(__file__).with_name("templates")
_FOLDER = ".grader"


def junit_report(assignment: Assignment, row: StudentView, origin: Provenance) -> str:
    """Write the results that students may see as JUnit XML."""
    root = ElementTree.Element("testsuites", name=visible_text(assignment.id))
    root.append(junit_suite(assignment, row, origin))
    return junit_text(root)


def gitlab_autograder(assignment: Assignment, course: Path, _: str) -> ExportedFiles:
    """Make a zip to unpack in the template repository. Raises ExportError if the assignment has hidden tests."""
    return ExportedFiles({"gitlab.zip": _recipe(assignment, course, "gitlab-ci.yml", ".gitlab-ci.yml")})


def forgejo_autograder(assignment: Assignment, course: Path, _: str) -> ExportedFiles:
    """Make a zip to unpack in the template repository. Raises ExportError if the assignment has hidden tests."""
    return ExportedFiles({"forgejo.zip": _recipe(assignment, course, "forgejo.yml", ".forgejo/workflows/grade.yml")})


def _recipe(assignment: Assignment, course: Path, template: str, target: str) -> bytes:
    check_no_hidden_tests(assignment, "of their repository")
    files = {f"{_FOLDER}/{path}": content for path, content in grader_and_course(assignment, course).items()}
    files[f"{_FOLDER}/show_report.py"] = (_TEMPLATES / "show_report.py.txt").read_bytes()
    files[target] = filled_script(_TEMPLATES / template, {"assignment": assignment.id})
    return zip_archive(files)
