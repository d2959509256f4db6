"""A repair counts only if all tests of the submission prove it."""

from collections.abc import Iterator

import pytest

from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.results import GradedSubmission
from grader.plugins.locating.repairing.failing import failing_programs
from grader.plugins.locating.repairing.finding import SearchResult
from grader.plugins.locating.repairing.repairer import Repairer, read_accepted
from grader.run.environment import open_environment
from grader.selfcheck.check import submission_at
from grader.spec.course import Course
from tests.conftest import RIGHT, WRONG, SmallCourse

BROKEN = RIGHT.replace('"Number: "))', '"Number: ")')


@pytest.fixture
def repairer(small_course: SmallCourse) -> Iterator[Repairer]:
    assignment = Course(small_course.folder).assignment("doubles")
    with open_environment() as environment:
        transcripts = load_transcripts(assignment, assignment.tests)
        yield Repairer(assignment=assignment, transcripts=transcripts, outcomes=OutcomeSource(environment))


def graded(repairer: Repairer, course: SmallCourse, text: str) -> GradedSubmission:
    assignment = repairer.assignment
    submission = submission_at(assignment, course.hand_in("ann", text))
    return grade_submission(
        assignment, assignment.tests, repairer.transcripts, submission, repairer.outcomes, tick=lambda: None
    )


def repaired(repairer: Repairer, course: SmallCourse, text: str, *accepted: str) -> SearchResult:
    [program] = failing_programs(repairer.assignment, graded(repairer, course, text))
    return repairer.repair(program, read_accepted(accepted))


@pytest.mark.slow
def test_a_repair_is_proved_by_all_tests(repairer: Repairer, small_course: SmallCourse) -> None:
    result = repaired(repairer, small_course, WRONG)
    assert result.repair is not None
    assert result.repair.changes == ("`2` for `3` outside functions",)
    assert result.repair.repaired_tests == ("small", "hidden-11", "hidden-12")
    assert (result.repair.tokens, result.repair.failing, result.out_of_time) == (1, 0, False)


@pytest.mark.slow
def test_a_syntax_error_is_repaired(repairer: Repairer, small_course: SmallCourse) -> None:
    repair = repaired(repairer, small_course, BROKEN).repair
    assert repair is not None
    assert (repair.changes, repair.failing) == (("`)` added",), 0)
    assert f"+{RIGHT}".strip() in repair.diff


@pytest.mark.parametrize("text", ["print(17)\n", "print('\n(((\n"])
def test_another_program_has_no_repair(repairer: Repairer, small_course: SmallCourse, text: str) -> None:
    assert repaired(repairer, small_course, text) == SearchResult(None)


def test_the_nearest_accepted_program_gives_the_names_of_the_student(
    repairer: Repairer, small_course: SmallCourse
) -> None:
    wrong = 'count = int(input("Number: "))\nanswer = count + 5 - count\nprint("Double:", answer)\n'
    accepted = 'n = int(input("Number: "))\nr = n * 2\nprint("Double:", r)\n'
    repair = repaired(repairer, small_course, wrong, accepted, "print('").repair
    assert repair is not None
    assert "count" in repair.diff
    assert repair.failing == 0


def test_time_and_cancellation_end_a_search(repairer: Repairer, small_course: SmallCourse) -> None:
    [program] = failing_programs(repairer.assignment, graded(repairer, small_course, WRONG))
    times = iter([0.0, *[1000.0] * 1000])
    slow = Repairer(
        assignment=repairer.assignment,
        transcripts=repairer.transcripts,
        outcomes=repairer.outcomes,
        clock=lambda: next(times),
    )
    assert slow.repair(program, read_accepted([])) == SearchResult(None, out_of_time=True)
    repairer.outcomes.cancel()
    assert repairer.repair(program, read_accepted([])) == SearchResult(None, out_of_time=True)
