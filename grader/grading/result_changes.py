"""Compares a program's results with the results of its last run."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.judgement import Verdict
from grader.model.results import TestResult


@dataclass(frozen=True)
class ResultChanges:
    """The newer results of tests whose results changed.

    Tests in `otherwise` failed before and still fail, but for a different reason: another verdict, message or
    difference in values.
    """

    newly_passing: tuple[TestResult, ...]
    newly_failing: tuple[TestResult, ...]
    otherwise: tuple[TestResult, ...]

    def __bool__(self) -> bool:
        return bool(self.newly_passing or self.newly_failing or self.otherwise)


def changes(before: Sequence[TestResult], after: Sequence[TestResult]) -> ResultChanges:
    """Return the changes from `before` to `after`, which hold results of the same tests."""
    old = {result.test.id: result for result in before}
    different = [(old[result.test.id], result) for result in after if _reason(old[result.test.id]) != _reason(result)]
    return ResultChanges(
        newly_passing=tuple(new for was, new in different if not _passed(was) and _passed(new)),
        newly_failing=tuple(new for was, new in different if _passed(was) and not _passed(new)),
        otherwise=tuple(new for was, new in different if not _passed(was) and not _passed(new)),
    )


def _passed(result: TestResult) -> bool:
    return result.verdict is Verdict.PASSED


def _reason(result: TestResult) -> object:
    """Return the reason for a verdict; ignored differences are not a reason."""
    judgement = result.judgement
    return result.verdict, judgement.diagnosis if not _passed(result) else None, judgement.differences
