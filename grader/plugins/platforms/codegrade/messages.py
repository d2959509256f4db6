"""The two messages that a Custom Test of CodeGrade writes to file 3: the tests, and the share of the points.

See CodeGrade's help, "JSON object for displaying unit test output", and "How to use custom test blocks".
"""

import json
from fractions import Fraction
from typing import Any

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.plugins.platforms.shared.known_scores import known_score
from grader.plugins.platforms.shared.output_text import json_number, visible_text
from grader.plugins.platforms.shared.scored_items import ScoredItem, scored_items
from grader.store.origin import Provenance

# CodeGrade drops messages of more than 250 kB.
_MAX_BYTES = 240_000
_MAX_CHARACTERS = 40_000


def codegrade_messages(assignment: Assignment, row: StudentView, _: Provenance) -> str:
    """Write the messages on a `row` that has a score, as students may see them, each on a line of JSON.

    CodeGrade multiplies the share by the points of the rubric, so bonus points count only up to all of its points.
    """
    count = len(row.graded.results) + len(row.graded.rules)
    cases = [_case(item) for item in scored_items(row, _MAX_CHARACTERS // max(count, 1))]
    message = _tests_message(assignment, cases)
    if len(message.encode()) > _MAX_BYTES:
        bare = [{key: value for key, value in case.items() if key not in ("reason", "stdout")} for case in cases]
        message = _tests_message(assignment, bare)
    share = min(Fraction(known_score(assignment, row)) / Fraction(assignment.marks or 1), Fraction(1))
    return message + _line({"tag": "points", "points": f"{share.numerator}/{share.denominator}"})


def _tests_message(assignment: Assignment, cases: list[dict[str, Any]]) -> str:
    suite = {"id": assignment.id, "name": visible_text(assignment.title), "testCases": cases}
    return _line({"tag": "unit-test", "results": [suite]})


def _line(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False) + "\n"


def _case(item: ScoredItem) -> dict[str, Any]:
    status = "success" if item.passed else "failure"
    case: dict[str, Any] = {"name": item.name, "weight": json_number(item.most), "status": status}
    return {**case, ("stdout" if item.passed else "reason"): item.text} if item.text else case
