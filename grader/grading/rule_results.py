"""Checks the rules for a submission with the Python that runs its programs.

Each version of Python can parse everything that earlier versions can, so another interpreter is only started if it is
newer.
"""

import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SessionError, plain_reason
from grader.model.assignment import Assignment
from grader.model.results import TestResult
from grader.model.rule import RuleResult
from grader.model.submission import Submission
from grader.run.find_python import StudentPython

if TYPE_CHECKING:
    from grader.rules.code_rule import JudgedTest

_SECONDS_TO_ANSWER = 60


def rule_results(
    assignment: Assignment, submission: Submission, results: Sequence[TestResult], python: StudentPython
) -> tuple[RuleResult, ...]:
    """Return the results of the rules for the tested programs; if the grader fails, they are undecided."""
    if not assignment.rules:
        return ()
    # The module that parses source code is not needed without rules, and a short check should start quickly.
    from grader.rules.check import check_rules, rules_about, undecided
    from grader.rules.code_rule import JudgedTest

    programs = {result.test.program for result in results}
    files = {file.name: file.path for file in submission.files}
    judged = [JudgedTest(result.test, result.verdict, result.expected) for result in results]
    try:
        if _version_pair(python) <= _version_pair(StudentPython()):
            return check_rules(assignment, programs, files, judged)
        return _results_by_child(assignment, programs, files, judged, python)
    except Exception as error:
        return tuple(undecided(rule, error) for rule in rules_about(assignment, programs, judged))


def _results_by_child(
    assignment: Assignment,
    programs: Collection[str],
    files: Mapping[str, Path],
    judged: "Sequence[JudgedTest]",
    python: StudentPython,
) -> tuple[RuleResult, ...]:
    """Check the rules in a child process with `python`. Raises SessionError if it does not answer."""
    from grader.rules import child

    asked = replace(assignment, late=None, notes=())
    request = child.rules_request(asked, sorted(programs), files, judged)
    try:
        done = subprocess.run(
            [str(python.executable), "-I", "-B", child.__file__, *child.import_folders(assignment)],
            input=request,
            capture_output=True,
            check=True,
            timeout=_SECONDS_TO_ANSWER,
        )
        return child.results_in(done.stdout.decode(), assignment)
    except subprocess.CalledProcessError as error:
        last_line = error.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise SessionError(f"Python {python.version} cannot check the rules: {''.join(last_line)}") from error
    except (OSError, subprocess.TimeoutExpired, ValueError, LookupError, TypeError) as error:
        raise SessionError(f"Python {python.version} cannot check the rules: {plain_reason(error)}") from error


def _version_pair(python: StudentPython) -> tuple[int, ...]:
    """Return the first two numbers of the version."""
    return tuple(int(number) for number in python.version.split(".")[:2])
