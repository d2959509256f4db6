"""Causes visible in a student's own tests: they reject a good program, accept a bad one, or are not run."""

from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.plugins.own_tests.trial_result import TrialEnd, TrialResult
from grader.text.escape import quote
from grader.text.sentence import Sentence, say, say_plural

GOOD_REFUSED = Cause("good-refused", CauseSubject.PROGRAM)
"""A test of yours fails with a program that does what the handout asks.

> The tests refuse a program that is right, `right.py`: test_two fails in line 5 (`assert double(2) == 5`) with
> AssertionError.

Read the handout again, and correct the assertion in this line. Until then, your tests are not credited with
catching any program.
"""
BAD_ACCEPTED = Cause("bad-accepted", CauseSubject.PROGRAM)
"""All your tests pass with a program that has a mistake.

> The tests do not catch a program that is wrong: the only test passes. It is this one: numbers are squared.

Add a test in which a program with this mistake gives a different result from a right one.
"""
TESTS_NOT_RUN = Cause("tests-not-run", CauseSubject.PROGRAM)
"""The tests cannot be imported, do not exist, or do not run to the end.

> There are no tests in test_double.py: expected functions whose names begin with `test_`, or classes of unittest.

Run them yourself with `python3 -m pytest` or `python3 -m unittest`, beside your own program.
"""


def good_refused(name: str, result: TrialResult) -> Diagnosis:
    """Diagnose tests that fail with a correct program."""
    sentence = say(
        "The tests refuse a program that is right, {name}: {test} fails{where}{error}.",
        name=quote(name),
        test=result.test or say("a test"),
        where=_where(result),
        error=say(" with {error}", error=result.error) if result.error else "",
    )
    return Diagnosis(GOOD_REFUSED, sentence)


def bad_accepted(title: str, result: TrialResult) -> Diagnosis:
    """Diagnose tests that all pass with a wrong program."""
    if result.end is TrialEnd.NO_TESTS:
        passed = say("all tests are skipped")
    elif result.tests:
        passed = say_plural(result.tests, "the only test passes", "all {count} tests pass")
    else:
        passed = say("all tests pass")
    sentence = say(
        "The tests do not catch a program that is wrong: {passed}. It is this one: {title}.",
        passed=passed,
        title=title,
    )
    return Diagnosis(BAD_ACCEPTED, sentence)


def needs_pytest(program: str) -> Sentence:
    """Explain how to get pytest if tests need it and the assignment's Python does not have it."""
    return say(
        "{program} uses pytest, which the Python of this assignment does not have: the instructor has to add "
        "`packages: [pytest]` to assignment.yaml.",
        program=program,
    )


def cannot_be_imported(program: str, result: TrialResult) -> Diagnosis:
    """Diagnose tests that cannot be imported."""
    sentence = say(
        "Python cannot import {file}: {error}{where}.",
        file=program,
        error=result.error or say("an error"),
        where=_where(result),
    )
    return Diagnosis(TESTS_NOT_RUN, sentence)


def no_tests(program: str) -> Diagnosis:
    """Diagnose a file without tests."""
    sentence = say(
        "There are no tests in {file}: expected functions whose names begin with `test_`, or classes of unittest.",
        file=program,
    )
    return Diagnosis(TESTS_NOT_RUN, sentence)


def end_early(program: str) -> Diagnosis:
    """Diagnose tests that end the process before they finish."""
    return Diagnosis(TESTS_NOT_RUN, say("The tests in {file} end Python itself before they are over.", file=program))


def endless_with(program: str, name: str) -> Diagnosis:
    """Diagnose tests that do not end with a correct program."""
    sentence = say(
        "The tests in {file} do not end with a program that is right, {name}: is there an endless loop?",
        file=program,
        name=quote(name),
    )
    return Diagnosis(TESTS_NOT_RUN, sentence)


def do_not_end(program: str) -> Diagnosis:
    """Diagnose tests that take too long with an unknown program."""
    sentence = say("The tests in {file} do not end in time: does one of them wait for something?", file=program)
    return Diagnosis(TESTS_NOT_RUN, sentence)


def _where(result: TrialResult) -> Sentence | str:
    if result.line is None:
        return ""
    return say(" in line {line} ({code})", line=result.line, code=quote(result.code))
