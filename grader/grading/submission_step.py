"""Plugin steps that run after a submission is graded, and find out more about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.expected.transcripts import ExpectedTranscripts
from grader.extensions import CREDIT, SUBMISSION_STEPS, extension
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.finding import Finding
from grader.model.partial_credit import PartialRepair
from grader.model.results import GradedSubmission
from grader.model.submission import Submission
from grader.model.test import Test
from grader.store.stored_rows import StoreError


def no_tests(_assignment: Assignment, _submission: Submission) -> Sequence[Test]:
    """Return no tests."""
    return ()


@dataclass(frozen=True, kw_only=True)
class GradingStep:
    """A step that runs when a command is given the option `--NAME`; `about` is the option's help text."""

    about: str


@dataclass(frozen=True, kw_only=True)
class SubmissionStep(GradingStep):
    """A step that runs after each submission is graded.

    `find` returns a finding or None. It can only ask for the outcomes of the tests that `tests` returns.
    """

    find: Callable[[Assignment, GradedSubmission, OutcomeSource], Finding | None]
    tests: Callable[[Assignment, Submission], Sequence[Test]] = no_tests


@dataclass(frozen=True, kw_only=True)
class CreditStep:
    """A step that gives partial credit to the tests that ask for it, before the steps above."""

    credit: Callable[[Assignment, ExpectedTranscripts, GradedSubmission, OutcomeSource], GradedSubmission]


Steps: TypeAlias = tuple[SubmissionStep, ...]
"""The steps in the order in which they run."""


def submission_steps(names: Sequence[str]) -> Steps:
    """Return the steps with these names. Raises ExtensionError if a step is not installed or its plugin is broken."""
    return tuple(extension(SUBMISSION_STEPS, name, f"--{name}").load(SubmissionStep) for name in names)


def grade_with_steps(
    assignment: Assignment,
    transcripts: ExpectedTranscripts,
    submission: Submission,
    outcomes: OutcomeSource,
    *,
    steps: Steps,
    tick: Callable[[], None],
) -> GradedSubmission:
    """Grade a submission with all tests, then run the steps; `tick` is called after each test. Raises StoreError.

    A step that fails has no findings, because the marks are already known and do not depend on it.
    """
    graded = grade_submission(assignment, assignment.tests, transcripts, submission, outcomes, tick=tick)
    if any(test.partial and isinstance(test.partial.way, PartialRepair) for test in assignment.tests):
        step = extension(CREDIT, "repair", "`partial: repair`").load(CreditStep)
        graded = step.credit(assignment, transcripts, graded, outcomes)
    findings = [_finding(step, assignment, graded, outcomes) for step in steps]
    return replace(graded, findings=tuple(finding for finding in findings if finding is not None))


def _finding(
    step: SubmissionStep, assignment: Assignment, graded: GradedSubmission, outcomes: OutcomeSource
) -> Finding | None:
    try:
        return step.find(assignment, graded, outcomes)
    except StoreError:
        raise
    except Exception:
        return None
