"""Looks up the plugin that judges function calls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from grader.extensions import CALL_JUDGES, extension
from grader.judge.judge import AskChecker
from grader.model.expected_call import ExpectedCall
from grader.model.interaction import FunctionCall
from grader.model.judgement import Judgement
from grader.model.outcome import CallResult, Outcome
from grader.model.results import TestResult
from grader.model.submission import Submission
from grader.model.test import Test


@dataclass(frozen=True, kw_only=True)
class CallJudge:
    """A judge of a test's calls: `compare` uses the expected results, and `ask` uses the test's checker.

    `expected` turns a reference's calls into the results expected of students, and `fault` explains why that is
    impossible. `in_order` puts failed tests of a submission in the order in which a student should look at them.
    """

    compare: Callable[[Test, FunctionCall, ExpectedCall, Outcome], Judgement]
    ask: Callable[[Test, FunctionCall, ExpectedCall, Outcome, AskChecker], Judgement]
    expected: Callable[[Outcome, CallResult], ExpectedCall]
    fault: Callable[[Test, FunctionCall, Outcome], str | None]
    in_order: Callable[[Sequence[TestResult], Submission], Sequence[TestResult]] = lambda failed, _: failed


@cache
def call_judge() -> CallJudge:
    """Return the judge of function calls. Raises ExtensionError if no such plugin is installed."""
    return extension(CALL_JUDGES, "calls", "tests with `call` or `calls`").load(CallJudge)
