"""PrairieLearn's results.json of one submission ("External grading", Grading results)."""

import json
from typing import Any

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.model.counting import GroupResult
from grader.model.results import TestResult
from grader.model.rule import RuleResult
from grader.platforms.scores import known_score, origin_words
from grader.plugins.platforms.shared.output_text import (
    group_name,
    group_output,
    json_number,
    mark_summary,
    result_name,
    result_text,
    rule_output,
    shorten_text,
    visible_text,
)
from grader.store.origin import Provenance

# The whole file may have 1 MB. A character takes up to 12 bytes in JSON, though hardly any does.
_MOST_CHARACTERS = 300_000


def prairielearn_results(assignment: Assignment, row: StudentView, origin: Provenance) -> str:
    """Write the results that students may see of a `row` with a score; `score` is the share of the full mark.

    PrairieLearn accepts a share of at most 1, so bonus points count only up to the full mark there.

    A submission without any file, or of an excused student, is not gradable, which costs no attempt.
    """
    if row.granted.excused:
        return _not_gradable(visible_text(mark_summary(assignment, row)))
    if not row.graded.submission.files:
        return _not_gradable(*map(visible_text, row.graded.submission.notes or ["Nothing was handed in."]))
    score = known_score(assignment, row)
    results = row.graded.results
    most = _MOST_CHARACTERS // max(len(results), 1)
    scored = [result for result in row.told_rules if result.rule.points]
    content = {
        "gradable": True,
        "score": min(float(score / assignment.marks), 1.0) if assignment.marks else 0.0,
        "message": visible_text(mark_summary(assignment, row)),
        "output": origin_words(row, origin),
        "tests": [
            *(_test(result, row, most) for result in results),
            *map(_group, row.graded.groups),
            *(_rule(result, most) for result in scored),
        ],
    }
    return json.dumps(content, indent=1) + "\n"


def _not_gradable(*why: str) -> str:
    return json.dumps({"gradable": False, "format_errors": why}, indent=1) + "\n"


def _test(result: TestResult, row: StudentView, most: int) -> dict[str, Any]:
    return {
        "name": result_name(result),
        "description": result.test.part,
        "points": json_number(result.points),
        "max_points": json_number(result.test.points),
        "message": str(result.verdict),
        "output": result_text(result, row.graded.results, most),
    }


def _group(result: GroupResult) -> dict[str, Any]:
    """Return the entry of a group of tests, which have no points of their own."""
    return {
        "name": group_name(result),
        "description": result.group.part,
        "points": json_number(result.points),
        "max_points": json_number(result.group.points),
        "message": f"{result.passed} of {len(result.tests)} passed",
        "output": group_output(result),
    }


def _rule(result: RuleResult, most: int) -> dict[str, Any]:
    return {
        "name": visible_text(f"{result.rule.id}: {result.rule.title}"),
        "description": result.rule.part or "",
        "points": json_number(result.points),
        "max_points": json_number(result.rule.points),
        "message": "kept" if result.kept else "broken" if result.judged else "not judged",
        "output": shorten_text(rule_output(result), most),
    }
