"""Backends that grade a class: the interface shared by this machine and clusters, and grading in local threads."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Protocol, TypeAlias

from grader.errors import GraderError
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import ungraded
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.grading.submission_step import Steps, grade_with_steps
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.outcome import Termination
from grader.model.program import SandboxKind
from grader.model.results import GradedSubmission
from grader.model.submission import Submission
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.run.find_python import StudentPython
from grader.run.protection import sandbox_fault
from grader.run.run_slots import thread_pool
from grader.store.stored_rows import StoreError

_NEEDS_NO_RUN = Verdict.MISSING_FILE, Verdict.NOT_RUN
_SUBMITTED_PER_JOB = 4
"""The number of submissions to queue ahead per thread, because queuing all of a large class would take too much memory.
"""


def grade_batch(
    assignment: Assignment,
    transcripts: ExpectedTranscripts,
    submissions: Sequence[Submission],
    tick: Callable[[], None],
    outcomes: OutcomeSource,
    *,
    jobs: int,
    steps: Steps = (),
) -> Iterator[GradedSubmission]:
    """Grade `submissions`, `jobs` at a time; yield each as soon as it is done, and call `tick` after each test.

    If the grader fails on a submission, only that submission has no verdicts (internal-error). If the store fails,
    grading stops and raises StoreError. On cancellation, running sessions are ended and no more are started, but
    submissions that are already complete are still yielded. If the caller stops early, no more submissions are yielded.
    """

    def grade(submission: Submission) -> GradedSubmission | None:
        if outcomes.cancelled.is_set():
            return None
        try:
            graded = grade_with_steps(assignment, transcripts, submission, outcomes, steps=steps, tick=tick)
        except StoreError:
            # The error affects all submissions, and the results so far are better than nothing.
            raise
        except Exception as error:
            graded = ungraded(submission, assignment.tests, error)
        return None if outcomes.cancelled.is_set() and not _is_complete(graded) else graded

    with thread_pool(jobs, outcomes.cancel) as pool:
        waiting = iter(submissions)
        running = {pool.submit(grade, submission) for submission in islice(waiting, _SUBMITTED_PER_JOB * jobs)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(grade, submission) for submission in islice(waiting, len(done))}
            for future in done:
                graded_submission = future.result()
                if graded_submission is not None:
                    yield graded_submission


def _is_complete(graded: GradedSubmission) -> bool:
    """Return whether all tests ended before the work was cancelled."""
    outcomes = [result.outcome for result in graded.results if result.verdict not in _NEEDS_NO_RUN]
    return all(outcome is not None and outcome.ending is not Termination.CANCELLED for outcome in outcomes)


GradeAll: TypeAlias = Callable[
    [Assignment, ExpectedTranscripts, Sequence[Submission], Callable[[], None]], Iterator[GradedSubmission]
]
"""A function that grades submissions with all tests, like `grade_batch`, and calls its last argument after each test.
"""


class UnprotectedError(GraderError):
    """A sandbox is not available, and the user did not choose to run without one."""


class Backend(Protocol):
    """A place where classes are graded: this machine or a cluster."""

    def pool(
        self, archive: ResultCache, cancelled: Event, python: StudentPython, steps: Steps
    ) -> AbstractContextManager[GradeAll]:
        """Open a grader for a class that reuses outcomes from the archive and stores new outcomes there.

        Programs run with `python`, and the `steps` are applied to each graded submission. Setting `cancelled` ends the
        work.
        """


@dataclass(frozen=True)
class ClusterKind:
    """A kind of cluster for `--cluster`, registered under the word before the colon in its addresses.

    `open` takes the address, the sandbox, and the folders that programs must not see.
    """

    open: Callable[[str, SandboxKind, tuple[Path, ...]], AbstractContextManager[Backend]]


@dataclass(frozen=True)
class LocalBackend:
    """The backend on this machine; `hidden` lists the folders that programs must not see."""

    sandbox: SandboxKind
    tests_at_a_time: int
    hidden: tuple[Path, ...]

    @property
    def submissions_at_a_time(self) -> int:
        """Return one more than the number of parallel tests, to prepare or judge one while the others run."""
        return self.tests_at_a_time + (self.tests_at_a_time > 1)

    @contextmanager
    def open_environment(
        self, python: StudentPython = StudentPython(), cancelled: Event | None = None
    ) -> Iterator[RunEnvironment]:
        """Open the environment in which tests run; setting `cancelled` ends the runs.

        Raises UnprotectedError if the sandbox is not available.
        """
        if self.sandbox is SandboxKind.NONE:
            with open_environment(python, tests_at_a_time=self.tests_at_a_time, cancelled=cancelled) as environment:
                yield environment
            return
        with sandboxed_environment(
            self.hidden, python, tests_at_a_time=self.tests_at_a_time, cancelled=cancelled
        ) as environment:
            fault = sandbox_fault(environment, next(iter(self.hidden), environment.scratch))
            if fault is not None and not environment.cancelled.is_set():
                raise UnprotectedError(
                    f"Submissions cannot be kept in a sandbox here: {fault}.\n"
                    "`grader doctor` says more. To run them with limits only, on programs that you trust: "
                    "--sandbox none (more: `grader docs install`)"
                )
            yield environment

    @contextmanager
    def pool(self, archive: ResultCache, cancelled: Event, python: StudentPython, steps: Steps) -> Iterator[GradeAll]:
        """Open a grader for a class that reuses outcomes from the archive and stores new outcomes there."""
        with self.open_environment(python, cancelled) as environment:
            outcomes = OutcomeSource(environment, archive)
            yield partial(grade_batch, outcomes=outcomes, jobs=self.submissions_at_a_time, steps=steps)
