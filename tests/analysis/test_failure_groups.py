"""Students with the same mistake are put together, also when they made another one as well."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from grader.analysis.failure_groups import groups_of
from grader.judge.causes.text import TEXT
from grader.model.general_causes import INTERNAL_ERROR
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission, TimeSource
from grader.text.difference import find_first_difference
from tests.reports.graded_example import GAME

TESTS = ("one", "two", "three", "four")


def submission(student: str, wrong: Mapping[str, str]) -> GradedSubmission:
    """A student whose program printed the given wrong line, or two wrong lines, in some tests."""
    return GradedSubmission(
        submission=Submission(student=student, files=(), submitted=None, time_source=TimeSource.NONE, notes=()),
        results=tuple(result(name, wrong.get(name)) for name in TESTS),
        variants={},
    )


def result(name: str, line: str | None) -> TestResult:
    test = replace(GAME, id=name)
    if line is None:
        return TestResult(
            test=test,
            judgement=Judgement(verdict=Verdict.PASSED),
            outcome=None,
            expected="",
        )
    transcript = f"{line}\n" if "\n" in line else f"title\n{line}\n"
    expected = "title\nright\n"
    diagnosis = Diagnosis(TEXT, "another line")
    judgement = Judgement(
        verdict=Verdict.WRONG_OUTPUT, divergence=find_first_difference(expected, transcript), diagnosis=diagnosis
    )
    return TestResult(
        test=test,
        judgement=judgement,
        outcome=Outcome(
            transcript=transcript,
            typed=(),
            ending=Termination.EXITED,
            exit_code=0,
            signal=None,
            unsent=0,
            wall_seconds=0.01,
            cpu_seconds=0.01,
        ),
        expected=expected,
    )


def students(*submissions: GradedSubmission) -> list[tuple[str, ...]]:
    return [group.students for group in groups_of(submissions)]


def test_one_mistake_in_several_tests_is_one_group() -> None:
    alike = {"one": "a", "two": "b"}
    assert students(submission("x", alike), submission("y", alike), submission("z", {})) == [("x", "y")]


def test_another_mistake_is_another_group() -> None:
    assert set(students(submission("x", {"one": "a"}), submission("y", {"one": "b"}))) == {("x",), ("y",)}


def test_two_mistakes_are_two_groups() -> None:
    first, second = {"one": "a", "two": "a"}, {"three": "b"}
    both = {**first, **second}
    found = students(
        *(submission(name, first) for name in "uvw"),
        *(submission(name, second) for name in "xyz"),
        submission("both", both),
    )
    assert found[:2] == [("both", "u", "v", "w"), ("both", "x", "y", "z")]


def test_a_mistake_hidden_by_another_in_some_tests_is_still_the_same() -> None:
    usual = {"one": "a", "two": "a", "three": "a"}
    hidden = {**usual, "three": "crash"}
    found = groups_of([*(submission(name, usual) for name in "uvwx"), submission("y", hidden)])
    assert [group.students for group in found] == [("u", "v", "w", "x", "y")]
    assert set(found[0].tests) == {"one", "two", "three"}


def test_a_line_misspelt_besides_hides_nothing() -> None:
    usual = {"one": "a", "two": "a", "three": "a"}
    misspelt = {"one": "wrnog\na", "two": "a", "three": "wrnog\na"}
    found = students(*(submission(name, usual) for name in "uvw"), submission("x", misspelt))
    assert found == [("u", "v", "w", "x")]


def test_a_sign_that_two_mistakes_share_brings_nobody_together() -> None:
    small, large = {"one": "a"}, {"one": "a", "two": "b", "three": "b"}
    found = students(*(submission(name, small) for name in "uvw"), *(submission(name, large) for name in "xy"))
    assert found == [("u", "v", "w"), ("x", "y")]


def test_our_own_failures_are_nobodys_mistake() -> None:
    failed = Judgement(verdict=Verdict.INTERNAL_ERROR, diagnosis=Diagnosis(INTERNAL_ERROR, "no terminal"))
    graded = GradedSubmission(
        submission=Submission(student="x", files=(), submitted=None, time_source=TimeSource.NONE, notes=()),
        results=(TestResult(test=GAME, judgement=failed, outcome=None, expected=""),),
        variants={},
    )
    assert groups_of([graded]) == ()


@given(st.lists(st.dictionaries(st.sampled_from(TESTS), st.sampled_from("abc")), max_size=8))
def test_everybody_who_fails_is_in_a_group(wrong: list[dict[str, str]]) -> None:
    submissions = [submission(str(number), lines) for number, lines in enumerate(wrong)]
    groups = groups_of(submissions)
    grouped = {student for group in groups for student in group.students}
    assert grouped == {str(number) for number, lines in enumerate(wrong) if lines}
    for group in groups:
        assert all(set(showing.students) <= set(group.students) for showing in group.showings)
        assert group.showings[0].students
    assert groups_of(reversed(submissions)) == groups


@given(st.lists(st.dictionaries(st.sampled_from(TESTS), st.sampled_from("abc"), min_size=1), max_size=8))
def test_those_who_fail_alike_are_together(wrong: list[dict[str, str]]) -> None:
    submissions = [submission(str(number), lines) for number, lines in enumerate(wrong)]
    groups = groups_of(submissions)
    for one, lines in enumerate(wrong):
        for other in range(one):
            if wrong[other] == lines:
                assert all((str(one) in group.students) == (str(other) in group.students) for group in groups)
