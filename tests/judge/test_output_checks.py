"""Checks of `expect` on odd output."""

import sys

from grader.judge.output_checks import judge_by_checks
from grader.model.expectation import HasJson, OutputCheck
from grader.model.judgement import Verdict
from tests.building import TEST
from tests.judge.sessions import exited


def test_json_of_any_depth_is_judged() -> None:
    checks = (OutputCheck(kind=HasJson("[1]")),)
    for depth in range(1, sys.getrecursionlimit() + 10):
        outcome = exited(TEST, "[" * depth + "]" * depth + "\n")
        assert judge_by_checks(TEST, checks, "", outcome).verdict is Verdict.WRONG_OUTPUT, depth
