"""What the rules find in a submission, read by the Python that its programs are run with.

Each version of Python reads all that the versions before it read, so another one is started only if it is newer.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import replace

from grader.errors import SessionError
from grader.model.assignment import Assignment
from grader.model.results import TestResult
from grader.model.rule import RuleResult
from grader.model.submission import Submission
from grader.run.find_python import OWN_PYTHON, StudentPython

_SECONDS_TO_ANSWER = 60


def rule_results(
    assignment: Assignment, submission: Submission, results: Sequence[TestResult], python: StudentPython
) -> tuple[RuleResult, ...]:
    """What the rules about the programs that were tested find. Raises SessionError when `python` does not answer."""
    if not assignment.rules:
        return ()
    # What reads source code is not needed without rules, and a short check should begin at once.
    from grader.rules.check import check_rules
    from grader.rules.source import JudgedTest

    programs = {result.test.program for result in results}
    files = {file.name: file.path for file in submission.files}
    judged = [JudgedTest(result.test, result.verdict, result.expected) for result in results]
    if _numbers(python) <= _numbers(OWN_PYTHON):
        return check_rules(assignment, programs, files, judged)
    from grader.rules import child

    asked = replace(assignment, late=None, notes=())
    request = child.rules_request(asked, sorted(programs), files, judged)
    try:
        done = subprocess.run(
            [str(python.executable), "-I", "-B", child.__file__],
            input=request,
            capture_output=True,
            check=True,
            timeout=_SECONDS_TO_ANSWER,
        )
        return child.results_in(done.stdout.decode(), assignment)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise SessionError(f"Python {python.version} cannot check the rules: {''.join(said)}") from error
    except (OSError, subprocess.TimeoutExpired, ValueError, LookupError, TypeError) as error:
        raise SessionError(f"Python {python.version} cannot check the rules: {error}") from error


def _numbers(python: StudentPython) -> tuple[int, ...]:
    """The first two numbers of the version."""
    return tuple(int(number) for number in python.version.split(".")[:2])
