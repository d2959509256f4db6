"""What a person decided in place of the grader."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from grader.judge.verdict import Verdict


@dataclass(frozen=True)
class Decision:
    """Why, and by whom. With `submission` it is about the submission whose digest begins so, and no other."""

    reason: str
    by: str
    submission: str | None = None

    @property
    def sentence(self) -> str:
        """The decision as every report words it."""
        return f"Decided by {self.by}: {self.reason}"

    def fits(self, digest: str) -> bool:
        """Whether it is about the submission with this digest."""
        return self.submission is None or digest.startswith(self.submission)


@dataclass(frozen=True)
class MarkOverride:
    """The mark, whatever the points and the lateness."""

    mark: Decimal
    decision: Decision


@dataclass(frozen=True)
class VerdictOverride:
    """The verdict on one test. `score` is the share of its points; None leaves it to the verdict."""

    test: str
    verdict: Verdict
    score: Decimal | None
    decision: Decision


Override: TypeAlias = MarkOverride | VerdictOverride
