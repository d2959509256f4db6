"""Each cause of failure is told once, and a crash is never compared with what was not printed."""

from dataclasses import replace

from grader.judge.judge import judge
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission, TimeSource
from grader.model.test import Hints
from grader.reports.failures import MAX_IN_DETAIL, failures, in_detail, names_of_tests, same_failures
from grader.reports.shown_output import crash_text, shown_difference
from grader.reports.terminal.test_result import failure_text
from tests.reports.graded_example import GAME

NOTHING = Submission(student="a", files=(), submitted=None, time_source=TimeSource.NONE, notes=())

TRACEBACK = """Traceback (most recent call last):
  File "double.py", line 2, in <module>
    print(1 / number)
ZeroDivisionError: division by zero
"""


def failed(name: str, typed: str, expected: str, transcript: str, exit_code: int = 0) -> TestResult:
    """The result of a program that printed `transcript` after its prompt."""
    test = replace(GAME, id=name, interaction=Dialogue((typed,)))
    outcome = Outcome(
        transcript=transcript,
        typed=(TypedLine(transcript.find(" ") + 1, typed),),
        ending=Termination.EXITED,
        exit_code=exit_code,
        signal=None,
        wall_seconds=0.1,
        cpu_seconds=0.1,
        unsent=0,
    )
    return TestResult(test=test, judgement=judge(test, expected, outcome), outcome=outcome, expected=expected)


def wrong_prompt(name: str, typed: str) -> TestResult:
    """A test in which only the prompt is wrong."""
    return failed(name, typed, f"Number: {typed}\nDouble: {typed}0\n", f"Enter: {typed}\nDouble: {typed}0\n")


def test_failures_with_the_same_first_difference_are_one() -> None:
    results = [wrong_prompt("small", "4"), wrong_prompt("large", "400"), wrong_prompt("none", "0")]
    (failure,) = same_failures(results)
    assert failure.result is results[0]
    assert failure.words == "The same in 2 more tests: large, none"


def test_hints_of_tests_keep_no_failures_apart() -> None:
    first, second = wrong_prompt("small", "4"), wrong_prompt("large", "400")
    hinted = replace(second, test=replace(second.test, hints=Hints("Read the handout.")))
    assert len(same_failures([first, hinted])) == 1


def test_a_hint_of_some_tests_is_not_about_the_cause_that_all_share() -> None:
    results = [wrong_prompt("small", "4"), wrong_prompt("large", "400")]
    hinted = [replace(result, test=replace(result.test, hints=Hints("Read the handout."))) for result in results]
    assert same_failures([hinted[0], results[1]])[0].result.hints == ()
    assert same_failures(hinted)[0].result.hints == ("Read the handout.",)
    assert same_failures(hinted[:1])[0].result is hinted[0]


def test_failures_with_other_differences_are_apart() -> None:
    other = failed("other", "4", "Number: 4\nDouble: 8\n", "Number: 4\nDouble: 9\n")
    third = failed("third", "5", "Number: 5\nDouble: 10\n", "Number: 5\nDouble: 11\n")
    assert [failure.result.test.id for failure in same_failures([wrong_prompt("small", "4"), other, third])] == [
        "small",
        "other",
        "third",
    ]


def test_a_traceback_in_the_same_line_is_told_once_whatever_was_printed_before() -> None:
    first = failed("first", "4", "Number: 4\nDouble: 8\n", f"Number: 4\n{TRACEBACK}", exit_code=1)
    second = failed("second", "5", "Number: 5\nHalf: 2\n", f"Number: 5\n{TRACEBACK}", exit_code=1)
    elsewhere = TRACEBACK.replace("line 2", "line 3")
    third = failed("third", "5", "Number: 5\nHalf: 2\n", f"Number: 5\n{elsewhere}", exit_code=1)
    assert [len(failure.alike) for failure in same_failures([first, second, third])] == [1, 0]


def test_a_crash_is_one_block_beside_no_expected_line() -> None:
    result = failed("first", "4", "Number: 4\nDouble: 8\n", f"Number: 4\n{TRACEBACK}", exit_code=1)
    assert shown_difference(result) is None
    assert crash_text(result) == f"Number: 4\n{TRACEBACK}"
    lines = [line.plain for line in failure_text(result)]
    assert not any(line.startswith(("-", "+")) for line in lines)
    assert [line for line in lines if line.startswith("  | ")][-1] == "  | ZeroDivisionError: division by zero"


def test_what_was_wrong_before_a_crash_is_a_difference() -> None:
    result = failed("first", "4", "Number: 4\nDouble: 8\nThe end\n", f"Nummer: 4\n{TRACEBACK}", exit_code=1)
    compared = shown_difference(result)
    assert compared is not None
    assert (compared.expected, compared.actual) == ("Number: 4\n", "Nummer: 4\n")
    assert crash_text(result) == TRACEBACK


def test_the_first_of_each_cause_is_told_in_detail() -> None:
    prompt, other = wrong_prompt("small", "4"), failed("other", "4", "Number: 4\n8\n", "Number: 4\n9\n")
    third = failed("third", "5", "Number: 5\n10\n", "Number: 5\n11\n")
    graded = GradedSubmission(submission=NOTHING, results=(prompt, other, third), variants={})
    described = failures(graded).described
    assert [failure.result.test.id for failure in in_detail(described, MAX_IN_DETAIL)] == ["small", "other"]
    assert not in_detail(described, 0)


def test_numbered_names_are_told_together() -> None:
    names = ["quit", "hidden test 1", "hidden test 2", "hidden test 3", "hidden test 7", "hidden group 8"]
    results = [wrong_prompt(name, "4") for name in names]
    assert names_of_tests(results) == "quit, hidden test 1–3, hidden test 7, hidden group 8"
