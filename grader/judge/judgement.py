"""What the judge says of one session."""

from dataclasses import dataclass

from grader.judge.diagnosis import Diagnosis
from grader.judge.divergence import Divergence
from grader.judge.verdict import Verdict


@dataclass(frozen=True)
class Judgement:
    """A verdict, where the transcripts part (None when they are equal), and the cause (None when passed)."""

    verdict: Verdict
    divergence: Divergence | None
    diagnosis: Diagnosis | None
