"""The test cases, as JSON, that a custom mark script of a challenge prints; Ed adds up their scores.

Ed does not publish a description of the format. The fields, their types and their meanings follow mark scripts
published by courses, which say that they follow Ed's help for instructors: `score` is the number of points earned, and
`ok` says whether a test could be marked, without which Ed would show no total. Everything that students may not see is
left out, so nothing is `hidden` or `private`.
"""

import json

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.plugins.platforms.shared.output_text import json_number
from grader.plugins.platforms.shared.scored_items import scored_items
from grader.store.origin import Provenance


def ed_testcases(_: Assignment, row: StudentView, __: Provenance) -> str:
    """Write the test cases that students may see, without lateness and without items marked by hand."""
    cases = [
        {
            "name": item.name,
            "score": json_number(item.earned),
            "ok": True,
            "passed": item.passed,
            "feedback": item.text,
            "hidden": False,
            "private": False,
        }
        for item in scored_items(row)
    ]
    return json.dumps({"testcases": cases}, indent=1) + "\n"
