"""A class is graded to the end, even if one submission fails."""

from threading import Lock

from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.grading.backend import grade_batch
from grader.grading.result_cache import OutcomeSource
from grader.intake.match_files import submission_requirements
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.run.environment import open_environment
from grader.spec.course import find_course
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
    course: SmallCourse, transcripts: ExpectedTranscripts | None = None
) -> tuple[dict[str, GradedSubmission], int]:
    assignment = find_course(course.folder).assignment("doubles")
    intake = take_in(course.students, submission_requirements(assignment))
    ticks = Ticks()
    with open_environment() as environment:
        graded = grade_batch(
            assignment,
            assignment.tests,
            transcripts or load_transcripts(assignment, assignment.tests),
            intake.submissions,
            OutcomeSource(environment),
            jobs=3,
            tick=ticks,
        )
        return {one.submission.student: one for one in graded}, ticks.count


def test_every_submission_is_graded_and_every_test_counted(small_course: SmallCourse) -> None:
    for number in range(7):
        small_course.hand_in(f"student-{number}", RIGHT)
    graded, ticks = grade_all(small_course)
    assert sorted(graded) == [f"student-{number}" for number in range(7)]
    assert {str(one.raw) for one in graded.values()} == {"12"}
    assert ticks == 7 * 4


def test_a_fault_of_ours_leaves_the_submission_without_verdicts(small_course: SmallCourse) -> None:
    small_course.hand_in("a", RIGHT)
    small_course.hand_in("b", RIGHT)
    graded, _ = grade_all(small_course, ExpectedTranscripts({("small", "canonical"): "", ("small", "wordy"): ""}))
    assert sorted(graded) == ["a", "b"]
    for one in graded.values():
        assert {result.verdict for result in one.results} == {Verdict.INTERNAL_ERROR}
        assert one.needs_rerun
