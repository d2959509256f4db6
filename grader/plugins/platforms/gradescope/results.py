"""Gradescope's results.json of one submission ("Autograder Specifications", Output Format)."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.model.counting import GroupResult
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.rule import RuleResult
from grader.model.test import Visibility
from grader.platforms.platform import ExportError, ExportOptions, StudentRenderer
from grader.plugins.platforms.shared.known_scores import known_score
from grader.plugins.platforms.shared.output_text import (
    group_name,
    group_output,
    json_number,
    mark_summary,
    result_name,
    result_text,
    rule_output,
    visible_text,
)
from grader.store.origin import Provenance

_AFTER_PUBLISHED = "after_published"
_HIDDEN_TESTS = ("hidden", _AFTER_PUBLISHED)


def results_renderer(options: ExportOptions) -> StudentRenderer:
    """Return the function that writes the results. Raises ExportError if `hidden_tests` is unknown."""
    hidden = options.hidden_tests or _AFTER_PUBLISHED
    if hidden not in _HIDDEN_TESTS:
        raise ExportError(f"--hidden-tests cannot be `{hidden}`; expected one of: {', '.join(_HIDDEN_TESTS)}.")
    return partial(gradescope_results, hidden=hidden)


def gradescope_results(
    assignment: Assignment, row: StudentView, origin: Provenance, hidden: str = _AFTER_PUBLISHED
) -> str:
    """Write the results of a `row` that has a score, as students may see them.

    Public tests have the visibility `visible`, and hidden tests the visibility given as `hidden`. `score` is the mark,
    including lateness; it replaces the sum of the tests. Items that a person marks are left to Gradescope.
    `extra_data`, which students do not see, gives the origin of the score.
    """
    score = known_score(assignment, row)
    results = row.graded.results
    content = {
        "score": json_number(score),
        "output": mark_summary(assignment, row),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "assignment": assignment.id,
            "points": json_number(row.points),
            "submission": row.graded.digest,
            **asdict(origin),
        },
        "tests": [
            *(_test_entry(result, row, place, hidden) for place, result in enumerate(results, start=1)),
            *(_rule_entry(result, place) for place, result in enumerate(row.told_rules, start=len(results) + 1)),
            *(_group_entry(group, results, hidden) for group in row.graded.groups),
        ],
    }
    return json.dumps(content, indent=1) + "\n"


def _test_entry(result: TestResult, row: StudentView, place: int, hidden: str) -> dict[str, Any]:
    cause = result.judgement.diagnosis
    return {
        "score": json_number(result.points),
        "max_score": json_number(result.test.points),
        "status": "passed" if result.verdict is Verdict.PASSED and not result.barred_by else "failed",
        "name": result_name(result),
        "number": str(place),
        "output": result_text(result, row.graded.results),
        "tags": [result.test.part, result.test.visibility],
        "visibility": "visible" if result.test.visibility is Visibility.PUBLIC else hidden,
        "extra_data": {"verdict": result.verdict, "cause": cause.cause.id if cause else None},
    }


def _group_entry(result: GroupResult, results: Sequence[TestResult], hidden: str) -> dict[str, Any]:
    """Return the entry of a group, whose tests have no points. It is visible if all of its tests are visible."""
    visibilities = [test_result.test.visibility for test_result in results if test_result.test.id in result.tests]
    return {
        "score": json_number(result.points),
        "max_score": json_number(result.group.points),
        "status": "passed" if result.share == 1 else "failed",
        "name": group_name(result),
        "output": group_output(result),
        "tags": [result.group.part, "group"],
        "visibility": hidden if Visibility.HIDDEN in visibilities else "visible",
    }


def _rule_entry(result: RuleResult, place: int) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "status": "passed" if result.kept else "failed",
        "name": visible_text(f"{result.rule.id}: {result.rule.title}"),
        "number": str(place),
        "output": rule_output(result),
        "tags": [*([result.rule.part] if result.rule.part else []), "rule"],
        "visibility": "visible",
        "extra_data": {"rule": result.rule.check.name},
    }
    if result.rule.points:
        entry |= {"score": json_number(result.points), "max_score": json_number(result.rule.points)}
    return entry
