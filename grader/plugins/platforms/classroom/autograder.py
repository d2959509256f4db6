"""Autograding on GitHub Classroom: the workflow to unpack, and the result that its reporter reads.

The result has the form that the action autograding-io-grader writes and autograding-grading-reporter reads.
"""

import base64
import json
from pathlib import Path
from typing import Any

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.platforms.platform import ExportedFiles
from grader.plugins.platforms.shared.archives import zip_archive
from grader.plugins.platforms.shared.autograder_files import check_no_hidden_tests, filled_script, grader_and_course
from grader.plugins.platforms.shared.output_text import json_number
from grader.plugins.platforms.shared.scored_items import ScoredItem, scored_items
from grader.store.origin import Provenance

_VERSION = 1
_TEMPLATES = Path(__file__).with_name("templates")


def classroom_result(assignment: Assignment, row: StudentView, _: Provenance) -> str:
    """Write the results that students may see: JSON in base64, one line.

    The JSON is ASCII, so that decoders do not stumble over card symbols. The reporter adds up the tests, so lateness
    and items marked by hand are left out, and the format has no place for the provenance. Bonus points may raise the
    score above the full mark, and above the highest possible score.
    """
    keeps_rules = all(rule.kept for rule in row.told_rules if rule.rule.points)
    passed = keeps_rules and all(result.verdict is Verdict.PASSED for result in row.graded.results)
    content = {
        "version": _VERSION,
        "status": "pass" if passed else "fail",
        "max_score": json_number(
            assignment.marks - sum(item.marks for part in assignment.parts if not part.bonus for item in part.manual)
        ),
        "tests": [*map(_entry, scored_items(row))],
    }
    return base64.b64encode(json.dumps(content).encode("ascii")).decode("ascii") + "\n"


def _entry(item: ScoredItem) -> dict[str, Any]:
    result = item.result
    return {
        "name": item.name,
        "status": "pass" if item.passed else "fail",
        "message": None if item.passed else item.text,
        "test_code": item.id,
        "filename": result.test.program if result else "",
        "line_no": 0,
        "execution_time": f"{result.outcome.wall_seconds:.3f}s" if result and result.outcome else "0s",
        "score": json_number(item.earned),
        "max_score": json_number(item.most),
    }


def classroom_autograder(assignment: Assignment, course: Path, _: str) -> ExportedFiles:
    """Make a zip to unpack in the template repository of a GitHub Classroom assignment.

    Raises ExportError if the assignment has hidden tests, because students can read their repository.
    """
    check_no_hidden_tests(assignment, "of a repository of GitHub Classroom")
    files = {f".github/grader/{path}": content for path, content in grader_and_course(assignment, course).items()}
    files[".github/workflows/classroom.yml"] = filled_script(
        _TEMPLATES / "classroom.yml", {"assignment": assignment.id}
    )
    return ExportedFiles({"classroom.zip": zip_archive(files)})
