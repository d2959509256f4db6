"""Steps after grading: a fault in one costs its finding alone, and one that is not installed is an error."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from grader.expected.transcripts import load_transcripts
from grader.extensions import ExtensionError
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.grading.submission_step import Steps, SubmissionStep, grade_with_steps, submission_steps
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.finding import Finding, FindingView
from grader.model.results import GradedSubmission
from grader.model.submission import Submission
from grader.run.environment import RunEnvironment
from grader.spec.course import Course
from grader.store.stored_rows import StoreError
from tests.conftest import RIGHT, SmallCourse
from tests.intake.taking import take_in


@dataclass(frozen=True)
class Count(Finding):
    """How many tests were passed."""

    tests: int

    def results(self) -> Mapping[str, int]:
        return {"count": self.tests}

    def view(self, _: Submission) -> FindingView:
        return FindingView()


def count(_: Assignment, graded: GradedSubmission, _outcomes: OutcomeSource) -> Count:
    return Count(len(graded.results))


def fail(*_: object) -> None:
    raise RuntimeError


def fail_in_store(*_: object) -> None:
    raise StoreError("full")


COUNT, FAIL, FAIL_IN_STORE = (SubmissionStep(about="", find=find) for find in (count, fail, fail_in_store))


def graded_with(steps: Steps, course: SmallCourse, environment: RunEnvironment) -> tuple[GradedSubmission, ...]:
    """Grade a submission with the steps, and without."""
    course.hand_in("ann", RIGHT)
    assignment = Course(course.folder).assignment("doubles")
    (submission,) = take_in(course.students, submission_requirements(assignment)).submissions
    transcripts = load_transcripts(assignment, assignment.tests)
    outcomes = OutcomeSource(environment)
    plain = grade_submission(assignment, assignment.tests, transcripts, submission, outcomes, tick=lambda: None)
    after = grade_with_steps(assignment, transcripts, submission, outcomes, steps=steps, tick=lambda: None)
    return after, plain


def test_a_fault_in_a_step_costs_its_finding_alone(small_course: SmallCourse, environment: RunEnvironment) -> None:
    graded, plain = graded_with((FAIL, COUNT), small_course, environment)
    assert graded.findings == (Count(4),)
    assert graded.raw == plain.raw == 12


def test_a_store_that_cannot_be_used_ends_the_work(small_course: SmallCourse, environment: RunEnvironment) -> None:
    with pytest.raises(StoreError):
        graded_with((FAIL_IN_STORE,), small_course, environment)


def test_a_step_that_is_not_installed() -> None:
    with pytest.raises(ExtensionError, match="No plugin for --repare is installed"):
        submission_steps(["repare"])
