"""The result model that marks are computed from and reports are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from grader.model.judgement import Judgement, Verdict
from grader.model.mark import VerdictOverride
from grader.model.outcome import Outcome, TypedLine
from grader.model.rule import RuleResult
from grader.model.submission import Submission
from grader.model.test import Test
from grader.text.difference import FirstDifference


@dataclass(frozen=True)
class Overridden:
    """A person's decision on a test, and the judgement in whose place it stands."""

    override: VerdictOverride
    judgement: Judgement


@dataclass(frozen=True)
class ComparedTranscript:
    """Two transcripts that differ, what was typed in the actual one, and where they part."""

    expected: str
    actual: str
    typed: tuple[TypedLine, ...]
    divergence: FirstDifference


@dataclass(frozen=True, kw_only=True)
class TestResult:
    """One test of one submission.

    `outcome` is None when nothing was run. `expected` is the transcript that it was judged against. When a person has
    decided, `judgement` says so, and `overruled` what it was before. `because` is the rule that the reference followed
    where the transcripts part, None when it names none there.
    """

    test: Test
    judgement: Judgement
    outcome: Outcome | None
    expected: str
    overruled: Overridden | None = None
    because: str | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict of the judgement."""
        return self.judgement.verdict

    @property
    def compared(self) -> ComparedTranscript | None:
        """What the divergence is of; None when there is none."""
        judgement, outcome = self.judgement, self.outcome
        if judgement.divergence is None or outcome is None:
            return None
        if judgement.mended is None:
            return ComparedTranscript(self.expected, outcome.transcript, outcome.typed, judgement.divergence)
        return ComparedTranscript(self.expected, judgement.mended, judgement.mended_typed, judgement.divergence)

    @property
    def points(self) -> Decimal:
        """The points earned."""
        if self.judgement.score is not None:
            return self.test.points * self.judgement.score
        return self.test.points if self.verdict is Verdict.PASSED else Decimal(0)


@dataclass(frozen=True, kw_only=True)
class GradedSubmission:
    """All results of one submission, the variant of each program that it was read as, and what the rules found.

    `digest` identifies the content that was graded.
    """

    submission: Submission
    results: tuple[TestResult, ...]
    variants: Mapping[str, str]
    rules: tuple[RuleResult, ...] = ()
    digest: str = ""

    @property
    def raw(self) -> Decimal:
        """The points of all tests and rules together."""
        tests = (result.points for result in self.results)
        rules = (result.points for result in self.rules)
        return sum((*tests, *rules), Decimal(0))

    def part_points(self, part: str) -> Decimal:
        """The points earned in one part by tests and rules."""
        tests = (result.points for result in self.results if result.test.part == part)
        rules = (result.points for result in self.rules if result.rule.part == part)
        return sum((*tests, *rules), Decimal(0))

    @property
    def needs_rerun(self) -> bool:
        """Whether a failure of the grader kept a test from being judged."""
        return any(result.verdict is Verdict.INTERNAL_ERROR for result in self.results)
