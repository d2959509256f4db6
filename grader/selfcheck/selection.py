"""Chooses which tests of a self-check are run: by name, or those that failed the last time."""

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from grader.errors import nearest, quoted
from grader.model.results import TestResult
from grader.selfcheck.check import CheckError, SelfCheck
from grader.selfcheck.remembered import failed_tests, remember_failed
from grader.selfcheck.running import after_a_failure, after_two_timeouts


def only_named(check: SelfCheck, patterns: Sequence[str]) -> SelfCheck:
    """The tests whose ids match one of `patterns`, in which `*`, `?` and `[…]` stand for characters as in a shell.

    Raises CheckError for a pattern that no test matches.
    """
    ids = [test.id for test in check.tests]
    for pattern in patterns:
        if not any(fnmatchcase(one, pattern) for one in ids):
            raise CheckError(f"No test is called {quoted(pattern)}{nearest(pattern, ids)}")
    return _only(check, {one for one in ids if any(fnmatchcase(one, pattern) for pattern in patterns)})


def only_failed(check: SelfCheck) -> SelfCheck:
    """The tests that failed when this program was last checked; all of them when none is remembered."""
    failed = set(failed_tests(_program(check)))
    return _only(check, failed) if failed & {test.id for test in check.tests} else check


def remember_run(check: SelfCheck, results: Iterable[TestResult]) -> None:
    """Remember for `only_failed` which of the tests that were run failed."""
    remember_failed(_program(check), results)


def chosen_tests(
    check: SelfCheck, *, names: Sequence[str], last_failed: bool, fail_fast: bool, run_all: bool
) -> SelfCheck:
    """The check with the tests that a command line asks for, and the rules for when to stop. Raises CheckError."""
    if names:
        check = only_named(check, names)
    if last_failed:
        check = only_failed(check)
    rules = (*((after_a_failure,) if fail_fast else ()), *(() if run_all else (after_two_timeouts,)))
    return replace(check, stop_rules=rules)


def _only(check: SelfCheck, ids: Collection[str]) -> SelfCheck:
    return replace(check, tests=tuple(test for test in check.tests if test.id in ids))


def _program(check: SelfCheck) -> str:
    return f"{check.assignment.id} {Path(os.path.abspath(check.path))}"
