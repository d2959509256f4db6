"""Who grades the submissions of a class: this process, or a cluster."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from grader.expected.transcripts import Transcripts
from grader.intake.submission import Submission
from grader.pipeline.batch import grade_batch
from grader.pipeline.outcomes import Outcomes
from grader.pipeline.results import GradedSubmission
from grader.spec.assignment import Assignment


class Pool(Protocol):
    """Grades submissions, many at a time."""

    def grade(
        self,
        assignment: Assignment,
        transcripts: Transcripts,
        submissions: Sequence[Submission],
        tick: Callable[[], None],
    ) -> Iterator[GradedSubmission]:
        """Grade `submissions` with all tests; yields each as it is done and calls `tick` for each test.

        A fault of ours in one submission leaves that one without verdicts (internal-error) and the others alone.
        When the caller stops early (Ctrl-C), the sessions under way are ended and nothing more is started.
        """


@dataclass(frozen=True)
class LocalPool:
    """Grades in threads of this process, `jobs` submissions at a time."""

    outcomes: Outcomes
    jobs: int

    def grade(
        self,
        assignment: Assignment,
        transcripts: Transcripts,
        submissions: Sequence[Submission],
        tick: Callable[[], None],
    ) -> Iterator[GradedSubmission]:
        """See `Pool`."""
        tests = assignment.tests
        return grade_batch(assignment, tests, transcripts, submissions, self.outcomes, jobs=self.jobs, tick=tick)
