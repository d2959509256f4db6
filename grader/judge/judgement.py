"""What the judge says of one session."""

from dataclasses import dataclass
from decimal import Decimal

from grader.judge.diagnosis import Cause, Diagnosis
from grader.judge.divergence import Divergence
from grader.judge.note import Note
from grader.judge.verdict import Verdict
from grader.run.outcome import Typed


@dataclass(frozen=True)
class Judgement:
    """A verdict, where the transcripts part (None when they are equal), and the cause (None when passed).

    `notes` say what was let pass. `mended` is the transcript that was compared, when it is not the one that was seen:
    without doubled echo, and with the expected text where a difference was let pass; `mended_typed` is what was typed
    in it. `differences` are those between the values of a function test. `score` is the share of the points that a
    checker gave; None leaves it to the verdict. `wrong_line` is the first wrong line, where what was expected is
    sealed.
    """

    verdict: Verdict
    divergence: Divergence | None
    diagnosis: Diagnosis | None
    notes: tuple[Note, ...] = ()
    mended: str | None = None
    mended_typed: tuple[Typed, ...] = ()
    differences: tuple[str, ...] = ()
    score: Decimal | None = None
    wrong_line: int | None = None

    @property
    def is_undecided(self) -> bool:
        """Whether a checker could not tell, so that a person has to."""
        return self.diagnosis is not None and self.diagnosis.cause == Cause.UNDECIDED
