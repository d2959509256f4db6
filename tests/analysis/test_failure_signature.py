"""The same mistake in two programs shows the same, another one another."""

import pytest

from grader.analysis.failure_groups import signs_of
from grader.judge.judge import judge
from grader.model.outcome import Outcome, Termination
from grader.model.results import TestResult
from tests.reports.graded_example import EXPECTED, GAME


def result(transcript: str, *, exit_code: int = 0, ending: Termination = Termination.EXITED) -> TestResult:
    outcome = Outcome(
        transcript=transcript,
        typed=(),
        ending=ending,
        exit_code=exit_code,
        signal=None,
        unsent=0,
        wall_seconds=0.01,
        cpu_seconds=0.01,
    )
    return TestResult(test=GAME, judgement=judge(GAME, EXPECTED, outcome), outcome=outcome, expected=EXPECTED)


def crash(line: int, code: str, message: str) -> TestResult:
    trace = f'Traceback (most recent call last):\n  File "double.py", line {line}, in <module>\n    {code}\n{message}\n'
    return result(f"Number: 4\n{trace}", exit_code=1)


def test_lines_of_output_count_as_they_are() -> None:
    assert signs_of(result("Number: 4\nDouble: 9\n")) != signs_of(result("Number: 4\nDouble: 7\n"))


def test_every_line_that_differs_is_a_sign_of_its_own() -> None:
    [wrong] = signs_of(result("Number: 4\nDouble: 9\n"))
    both = signs_of(result("Nubmer: 4\nDouble: 9\n"))
    assert len(both) == 2
    assert wrong in both


def test_crashes_are_known_by_their_error() -> None:
    first = crash(3, "total = cards[place]", "IndexError: list index out of range")
    second = crash(77, "x = deck[n + 1]", "IndexError: list index out of range")
    assert signs_of(first) == signs_of(second)
    assert signs_of(first) != signs_of(crash(3, "total = cards[place]", "ValueError: list is empty"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NameError: name 'total' is not defined", "NameError: name 'summe' is not defined"),
        (
            "TypeError: deal() missing 1 required positional argument",
            "TypeError: give() missing 2 required positional argument",
        ),
    ],
)
def test_names_and_numbers_in_errors_do_not_matter(one: str, other: str) -> None:
    assert signs_of(crash(3, "a", one)) == signs_of(crash(9, "b", other))
