"""The result that GitHub Classroom's reporter (autograding-grading-reporter) takes."""

import base64
import json
from typing import Any

from grader.export.output_text import clean, result_name, result_text, rule_output, shown_rules
from grader.export.scores import number
from grader.judge.verdict import Verdict
from grader.pipeline.results import TestResult
from grader.report.graded_class import Row
from grader.rules.finding import RuleResult
from grader.spec.assignment import Assignment
from grader.store.version import Origin

_VERSION = 1


def classroom_result(assignment: Assignment, row: Row, _: Origin) -> str:
    """The result of a `row` as students may see it, JSON in base64, one line.

    The JSON is ASCII, so no decoder on the way stumbles over card symbols. The reporter adds up the tests, so lateness
    and items marked by hand are not in it, nor has the format a place for what it comes from.
    """
    scored = [result for result in shown_rules(row) if result.rule.points]
    passed = all(result.verdict is Verdict.PASSED for result in row.graded.results) and all(one.kept for one in scored)
    content = {
        "version": _VERSION,
        "status": "pass" if passed else "fail",
        "max_score": number(assignment.marks - sum(item.marks for part in assignment.parts for item in part.manual)),
        "tests": [*(_test(result, row) for result in row.graded.results), *map(_rule, scored)],
    }
    return base64.b64encode(json.dumps(content).encode("ascii")).decode("ascii") + "\n"


def _test(result: TestResult, row: Row) -> dict[str, Any]:
    passed = result.verdict is Verdict.PASSED
    return {
        "name": result_name(result),
        "status": "pass" if passed else "fail",
        "message": None if passed else result_text(result, row.graded.results),
        "test_code": result.test.id,
        "filename": result.test.program,
        "line_no": 0,
        "execution_time": f"{result.outcome.wall_seconds:.3f}s" if result.outcome else "0s",
        "score": number(result.points),
        "max_score": number(result.test.points),
    }


def _rule(result: RuleResult) -> dict[str, Any]:
    return {
        "name": clean(f"{result.rule.id}: {result.rule.title}"),
        "status": "pass" if result.kept else "fail",
        "message": None if result.kept else rule_output(result),
        "test_code": result.rule.id,
        "filename": "",
        "line_no": 0,
        "execution_time": "0s",
        "score": number(result.points),
        "max_score": number(result.rule.points),
    }
