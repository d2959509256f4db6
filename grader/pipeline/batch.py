"""Grades many submissions at once, as many as there are cores."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

from grader.expected.transcripts import Transcripts
from grader.intake.submission import Submission
from grader.pipeline.grade_submission import grade_submission, ungraded
from grader.pipeline.outcomes import Outcomes
from grader.pipeline.results import GradedSubmission
from grader.spec.assignment import Assignment, Test


def grade_batch(
    assignment: Assignment,
    tests: Sequence[Test],
    transcripts: Transcripts,
    submissions: Sequence[Submission],
    outcomes: Outcomes,
    *,
    jobs: int,
    tick: Callable[[], None],
) -> Iterator[GradedSubmission]:
    """Grade `submissions`, `jobs` at a time; yields each as it is done and calls `tick` after each test.

    A fault of ours in one submission leaves that one without verdicts (internal-error) and the others alone.
    When the caller stops early (Ctrl-C), the sessions under way are ended and nothing more is started.
    """

    def grade(submission: Submission) -> GradedSubmission:
        try:
            return grade_submission(assignment, tests, transcripts, submission, outcomes, tick)
        except Exception as error:
            return ungraded(submission, tests, error)

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        futures: list[Future[GradedSubmission]] = [pool.submit(grade, submission) for submission in submissions]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            outcomes.cancel()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
