"""A class is graded to the end, even if one submission fails."""

from collections.abc import Callable
from threading import Lock

import pytest

from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.grading.backend import grade_batch
from grader.grading.result_cache import OutcomeSource
from grader.intake.match_files import submission_requirements
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.run.environment import open_environment
from grader.spec.course import Course
from tests.conftest import RIGHT, SmallCourse
from tests.intake.taking import take_in


class Ticks:
    """Counts finished tests from several threads."""

    def __init__(self) -> None:
        self.count = 0
        self._lock = Lock()

    def __call__(self) -> None:
        with self._lock:
            self.count += 1


def grade_all(
    course: SmallCourse, transcripts: ExpectedTranscripts | None = None, *, taken_in: Callable[[], None] = lambda: None
) -> tuple[dict[str, GradedSubmission], int]:
    """Grade the class; `taken_in` is called when the submissions are known, but none of them was run."""
    assignment = Course(course.folder).assignment("doubles")
    intake = take_in(course.students, submission_requirements(assignment))
    taken_in()
    ticks = Ticks()
    with open_environment() as environment:
        graded = grade_batch(
            assignment,
            transcripts or load_transcripts(assignment, assignment.tests),
            intake.submissions,
            ticks,
            OutcomeSource(environment),
            jobs=3,
        )
        return {one.submission.student: one for one in graded}, ticks.count


@pytest.mark.slow
def test_every_submission_is_graded_and_every_test_counted(small_course: SmallCourse) -> None:
    for number in range(7):
        small_course.hand_in(f"student-{number}", RIGHT)
    graded, ticks = grade_all(small_course)
    assert sorted(graded) == [f"student-{number}" for number in range(7)]
    assert {str(one.raw) for one in graded.values()} == {"12"}
    assert ticks == 7 * 4


def test_a_fault_of_ours_in_judging_leaves_that_test_without_verdict(small_course: SmallCourse) -> None:
    small_course.hand_in("a", RIGHT)
    small_course.hand_in("b", RIGHT)
    graded, _ = grade_all(small_course, ExpectedTranscripts({("small", "canonical"): "", ("small", "wordy"): ""}))
    assert sorted(graded) == ["a", "b"]
    for one in graded.values():
        verdicts = {result.test.id: result.verdict for result in one.results}
        assert verdicts.pop("small") is Verdict.WRONG_OUTPUT
        assert set(verdicts.values()) == {Verdict.INTERNAL_ERROR}
        said = {result.judgement.diagnosis.sentence for result in one.results if result.judgement.diagnosis}
        assert any(sentence.startswith("The grader could not judge this test: KeyError") for sentence in said)
        assert one.needs_rerun


@pytest.mark.parametrize("name", ["double.py", "triple.py"])
def test_a_file_that_is_gone_after_the_intake_is_no_missing_file(name: str, small_course: SmallCourse) -> None:
    lost = small_course.hand_in("lost", RIGHT) / name
    small_course.hand_in("kept", RIGHT)
    small_course.hand_in("late", None)
    graded, _ = grade_all(small_course, taken_in=lost.unlink)
    results = graded["lost"].results
    assert {result.verdict for result in results} == {Verdict.INTERNAL_ERROR}
    said = {result.judgement.diagnosis.sentence for result in results if result.judgement.diagnosis}
    assert said == {f"{name} was handed in, but cannot be read any more: was it moved, removed or closed?"}
    assert str(graded["kept"].raw) == "12"
    assert {result.verdict for result in graded["late"].results} == {Verdict.MISSING_FILE, Verdict.PASSED}
