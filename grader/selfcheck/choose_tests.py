"""Chooses which tests a self-check runs, and when it stops."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from grader.errors import nearest, quoted
from grader.grading.grade_submission import timeouts
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.test import Test
from grader.selfcheck.check import CheckError, FinishedTest, SelfCheck
from grader.selfcheck.remembered import last_signs, remember_signs
from grader.text.sentence import say

_MAX_TIMEOUTS = 2


def after_two_timeouts(test: Test, finished: Sequence[FinishedTest]) -> str | None:
    """Return a reason to skip a test if its program has timed out twice, because it would probably do so again."""
    if timeouts(test.program, (finished_test.session for finished_test in finished)) < _MAX_TIMEOUTS:
        return None
    return say("{file} ran into its time limit twice. To run them all the same: --run-all", file=test.program)


def after_a_failure(_test: Test, finished: Sequence[FinishedTest]) -> str | None:
    """Return a reason to skip all tests after the first failure."""
    failed = any(finished_test.verdict not in (None, Verdict.PASSED) for finished_test in finished)
    return say("another test failed before (--fail-fast)") if failed else None


def only_named(check: SelfCheck, patterns: Sequence[str]) -> SelfCheck:
    """Restrict the check to the tests whose ids match one of `patterns`, with `*`, `?` and `[…]` as in a shell.

    Without patterns, all tests are kept. Raises CheckError for a pattern that does not match any test.
    """
    ids = [test.id for test in check.tests]
    for pattern in patterns:
        if not any(fnmatchcase(test_id, pattern) for test_id in ids):
            raise CheckError(f"No test is called {quoted(pattern)}{_longer(pattern, ids) or nearest(pattern, ids)}")
    named = {test_id for test_id in ids if any(fnmatchcase(test_id, pattern) for pattern in patterns or "*")}
    return _only(check, named)


def _longer(beginning: str, ids: Sequence[str]) -> str:
    """Suggest a pattern for the tests whose ids have this beginning."""
    longer = [test_id for test_id in ids if test_id.startswith(beginning)]
    end = "-*" if all(test_id.startswith(f"{beginning}-") for test_id in longer) else "*"
    return f"; did you mean {quoted(beginning + end)}?" if longer else ""


def only_failed(check: SelfCheck) -> SelfCheck:
    """Return the tests that failed when this program was last checked, or all tests if none is remembered."""
    failed = {test_id for test_id, sign in last_results(check).items() if sign}
    if failed & {test.id for test in check.tests}:
        return _only(check, failed)
    return replace(check, remarks=(say("no test failed last time, so all of them are run"),))


def last_results(check: SelfCheck) -> Mapping[str, str]:
    """Return the signs of the results when this program was last checked, by test; see `failure_sign`."""
    return last_signs(_program(check))


def remember_run(check: SelfCheck, results: Iterable[TestResult]) -> None:
    """Remember the results for `last_results`."""
    remember_signs(_program(check), results)


def chosen_tests(
    check: SelfCheck, *, names: Sequence[str], last_failed: bool, fail_fast: bool, run_all: bool
) -> SelfCheck:
    """Return the check with the tests and stop rules requested on the command line. Raises CheckError."""
    check = only_named(check, names)
    if last_failed:
        check = only_failed(check)
    rules = (*((after_a_failure,) if fail_fast else ()), *(() if run_all else (after_two_timeouts,)))
    return replace(check, stop_rules=rules)


def _only(check: SelfCheck, ids: Collection[str]) -> SelfCheck:
    return replace(check, tests=tuple(test for test in check.tests if test.id in ids))


def _program(check: SelfCheck) -> str:
    path = Path(os.path.abspath(check.path))
    return f"{check.assignment.id} {path.parent if path.name in check.assignment.program_named else path}"
