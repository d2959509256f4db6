"""The failing programs of a class, the tests that a search runs, and the accepted programs."""

from collections.abc import Sequence

import pytest

from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.grading.student_result import self_check_result
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission
from grader.plugins.locating.repairing.failing import (
    accepted_programs,
    cause_of,
    failing_programs,
    usual_seconds,
    wrong_line,
)
from grader.plugins.locating.repairing.texts import PrintedLine
from grader.run.environment import open_environment
from grader.selfcheck.check import submission_at
from grader.spec.course import Course
from tests.conftest import REFERENCE, RIGHT, SmallCourse

ONE_CAUSE = 'n = int(input("Number: "))\nprint("Double:", 2 * n + (n == 12))\n'
TWO_CAUSES = 'n = int(input("Number: "))\nprint("Double:", 2 * n + (n < 11))\nif n > 10:\n    print("Bye")\n'


@pytest.fixture
def assignment(small_course: SmallCourse) -> Assignment:
    return Course(small_course.folder).assignment("doubles")


def graded(assignment: Assignment, course: SmallCourse, text: str | None) -> GradedSubmission:
    submission = submission_at(assignment, course.hand_in("ann", text))
    transcripts = load_transcripts(assignment, assignment.tests)
    with open_environment() as environment:
        return grade_submission(
            assignment,
            assignment.tests,
            transcripts,
            submission,
            OutcomeSource(environment),
            tick=lambda: None,
        )


def ids(results: Sequence[object]) -> list[str]:
    return [result.test.id for result in results]  # type: ignore[attr-defined]


def test_a_failing_program_has_its_tests(assignment: Assignment, small_course: SmallCourse) -> None:
    submission = graded(assignment, small_course, ONE_CAUSE)
    [program] = failing_programs(assignment, submission)
    assert (program.name, program.text) == ("double.py", ONE_CAUSE)
    assert ids(program.failed) == ["hidden-12"]
    failed, passed = program.sample()
    assert (ids(failed), ids(passed)) == (["hidden-12"], ["small", "hidden-11"])
    assert wrong_line(failed[0]) == PrintedLine("Double: 25", "Double: 24")
    assert wrong_line(passed[0]) is None
    assert usual_seconds(passed) > 0
    assert usual_seconds([]) == 0


def test_one_test_of_each_cause_comes_first(assignment: Assignment, small_course: SmallCourse) -> None:
    [program] = failing_programs(assignment, graded(assignment, small_course, TWO_CAUSES))
    assert program.causes == 2
    assert ids(program.failed) == ["small", "hidden-11", "hidden-12"]
    first, second, third = map(cause_of, program.failed)
    assert first != second == third


@pytest.mark.parametrize("text", [RIGHT, None])
def test_a_right_or_missing_program_does_not_fail(
    assignment: Assignment, small_course: SmallCourse, text: str | None
) -> None:
    assert list(failing_programs(assignment, graded(assignment, small_course, text))) == []


@pytest.mark.parametrize(("text", "accepted"), [(RIGHT, (REFERENCE, RIGHT)), (ONE_CAUSE, (REFERENCE,))])
def test_accepted_programs_pass_all_their_tests(
    assignment: Assignment, small_course: SmallCourse, text: str, accepted: tuple[str, ...]
) -> None:
    of_class = self_check_result(assignment, graded(assignment, small_course, text))
    assert accepted_programs(assignment, of_class)["double.py"] == accepted
