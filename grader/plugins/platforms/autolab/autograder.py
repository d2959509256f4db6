"""Autograding on Autolab ("Guide for Lab Authors"): the files to upload, and the feedback.

Its last line gives the scores as JSON.
"""

import json
import shlex
from pathlib import Path

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.platforms.platform import ExportedFiles
from grader.platforms.scores import origin_words
from grader.plugins.platforms.shared.archives import tar_archive
from grader.plugins.platforms.shared.autograder_files import filled_script, grader_and_course
from grader.plugins.platforms.shared.output_text import json_number, visible_text
from grader.reports.student_text import student_text
from grader.store.origin import Provenance

_TEMPLATE = Path(__file__).parent / "templates" / "makefile"


def autolab_output(assignment: Assignment, row: StudentView, origin: Provenance) -> str:
    """Return the feedback that students may see, then the autoresult: a score for each part.

    The problems on Autolab are named after the parts. Lateness and items marked by hand are left to Autolab, and a part
    that only a person marks has no score. An excused student has no score at all.
    """
    feedback = visible_text(student_text(assignment, row))
    return f"{feedback}\n{origin_words(row, origin)}\n{autoresult_line(assignment, row)}\n"


def autoresult_line(assignment: Assignment, row: StudentView) -> str:
    """Return the last line, such as `{"scores": {"game": 3.5}}`."""
    if row.granted.excused:
        return json.dumps({"scores": {}})
    tested = {result.test.part for result in row.graded.results} | {rule.rule.part for rule in row.graded.rules}
    parts = [part.id for part in assignment.parts if part.id in tested]
    return json.dumps({"scores": {part: json_number(row.graded.part_points(part)) for part in parts}})


def autolab_autograder(assignment: Assignment, course: Path, sandbox: str) -> ExportedFiles:
    """Make the two files that Autolab runs.

    A single program is submitted directly. Several programs, or a program that may be in another language, are
    submitted as handin.tar.
    """
    names = [name for program in assignment.programs for name in program.names]
    handin = names[0] if len(names) == 1 else "handin.tar"
    unpack = "cp" if len(names) == 1 else "tar --no-same-owner -xf"
    where = "submission/" if len(names) == 1 else "-C submission"
    values = {
        "assignment": assignment.id,
        "sandbox": sandbox,
        "unpack": f"{unpack} {shlex.quote(handin)} {where}".replace("$", "$$"),
    }
    return ExportedFiles(
        {
            "autograde-Makefile": filled_script(_TEMPLATE, values),
            "autograde.tar": tar_archive(grader_and_course(assignment, course)),
        }
    )
