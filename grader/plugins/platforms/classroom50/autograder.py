"""Autograding on Classroom 50 (its wiki, "Advanced Autograding"; its schema classroom50/result/v1).

The runner starts autograder.py in the student's checkout and takes the result.json that it writes. All scores in it are
whole numbers.
"""

import json
from decimal import Decimal
from pathlib import Path

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.model.counting import GroupCount
from grader.model.interaction import PluginInteraction
from grader.model.test import Test
from grader.platforms.platform import ExportedFiles
from grader.plugins.platforms.shared.archives import zip_archive
from grader.plugins.platforms.shared.autograder_files import check_no_hidden_tests, filled_script, grader_and_course
from grader.plugins.platforms.shared.scored_items import scored_items
from grader.store.origin import Provenance

_AUTOGRADER = Path(__file__).parent / "templates" / "autograder.py.txt"


def classroom50_result(assignment: Assignment, row: StudentView, _: Provenance) -> str:
    """Write the score and tests that students may see; autograder.py adds the students' names.

    Lateness and items marked by hand are left out, and bonus points count only up to the full mark. If a test may earn
    a fraction of a point, all points are given in hundredths.
    """
    scale = 1 if _has_whole_points(assignment) else 100
    by_hand = sum((item.marks for part in assignment.parts if not part.bonus for item in part.manual), Decimal(0))
    max_score = round((assignment.marks - by_hand) * scale)
    tests = [
        {
            "test-name": item.name,
            "passed": item.passed,
            "score": round(item.earned * scale),
            "max-score": round(item.most * scale),
            "output": item.text,
        }
        for item in scored_items(row)
    ]
    content = {"score": min(round(row.graded.raw * scale), max_score), "max-score": max_score, "tests": tests}
    return json.dumps(content, indent=1) + "\n"


def _has_whole_points(assignment: Assignment) -> bool:
    """Return whether no item can earn a fraction of a point."""
    tests = (test.points for test in assignment.tests)
    groups = (group.points for group in assignment.groups)
    rules = (rule.points for rule in assignment.rules)
    return (
        all(points == int(points) for points in (*tests, *groups, *rules))
        and not any(map(_may_earn_fraction, assignment.tests))
        and not any(group.count is GroupCount.SUM for group in assignment.groups)
    )


def _may_earn_fraction(test: Test) -> bool:
    judged_by_course = test.checker is not None or isinstance(test.interaction, PluginInteraction)
    return test.partial is not None or judged_by_course


def classroom50_autograder(assignment: Assignment, course: Path, _: str) -> ExportedFiles:
    """Make a zip to unpack in the assignment's folder among the autograders of a classroom.

    Raises ExportError if the assignment has hidden tests, because files unpacked there are published.
    """
    check_no_hidden_tests(assignment, "of the autograders of Classroom 50")
    files = grader_and_course(assignment, course)
    files["autograder.py"] = filled_script(_AUTOGRADER, {"assignment": assignment.id})
    return ExportedFiles({"classroom50.zip": zip_archive(files)})
