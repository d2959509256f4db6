"""Causes that show in the tests that a student wrote: they refuse a good program, accept a bad one, or are not run."""

from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.model.outcome import TrialResult
from grader.text.escape import escape_controls, quote

GOOD_REFUSED = Cause("good-refused", CauseSubject.PROGRAM)
BAD_ACCEPTED = Cause("bad-accepted", CauseSubject.PROGRAM)
TESTS_NOT_RUN = Cause("tests-not-run", CauseSubject.PROGRAM)


def good_refused(name: str, result: TrialResult) -> Diagnosis:
    """A test fails with a program that is right."""
    where = f" in line {result.line} ({quote(result.code)})" if result.line and result.code else ""
    test = escape_controls(result.test) or "a test"
    said = f"The tests refuse a program that is right, {quote(name)}: {test} fails{where} with {_error(result)}."
    return Diagnosis(GOOD_REFUSED, said)


def bad_accepted(title: str, tests: int) -> Diagnosis:
    """No test fails with a program that is wrong."""
    passed = {0: "all tests are skipped", 1: "the only test passes"}.get(tests, f"all {tests} tests pass")
    return Diagnosis(
        BAD_ACCEPTED, f"The tests do not catch a program that is wrong: {passed}. It is this one: {title}."
    )


def needs_pytest(program: str) -> str:
    """What to do where tests are written for pytest, and the Python of the assignment has none."""
    return (
        f"{program} imports pytest, which the Python of this assignment does not have: the instructor has to add "
        "`packages: [pytest]` to assignment.yaml."
    )


def cannot_be_imported(program: str, result: TrialResult) -> Diagnosis:
    """There are no tests, because importing them fails."""
    where = f" in line {result.line}" if result.line else ""
    return Diagnosis(TESTS_NOT_RUN, f"Python cannot import {program}: {_error(result)}{where}.")


def no_tests(program: str) -> Diagnosis:
    """The file has no tests."""
    said = "functions whose names begin with `test_`, or classes of unittest"
    return Diagnosis(TESTS_NOT_RUN, f"There are no tests in {program}: expected {said}.")


def end_early(program: str) -> Diagnosis:
    """The process ended before the tests were over."""
    return Diagnosis(TESTS_NOT_RUN, f"The tests in {program} end Python itself before they are over.")


def endless_with(program: str, name: str) -> Diagnosis:
    """The tests do not come to an end with a program that is right."""
    said = f"The tests in {program} do not end with a program that is right, {quote(name)}: is there an endless loop?"
    return Diagnosis(TESTS_NOT_RUN, said)


def do_not_end(program: str) -> Diagnosis:
    """The tests take too long; with which program is not known."""
    return Diagnosis(TESTS_NOT_RUN, f"The tests in {program} do not end in time: does one of them wait for something?")


def _error(result: TrialResult) -> str:
    return escape_controls(result.error)
