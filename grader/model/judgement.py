"""What the judge says of one session: a verdict, the cause, and what it ignored."""

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from grader.model.cause import NEEDS_REVIEW, Cause
from grader.model.outcome import TypedLine
from grader.text.difference import FirstDifference


class Verdict(StrEnum):
    """What came of a test, most serious first.

    `internal-error` is a fault of the grader: it costs no mark, and the test must be run again.
    """

    INTERNAL_ERROR = "internal-error"
    TIMEOUT = "timeout"
    CPU_LIMIT = "cpu-limit"
    MEMORY_LIMIT = "memory-limit"
    PROCESS_LIMIT = "process-limit"
    FILE_LIMIT = "file-limit"
    OPEN_FILES_LIMIT = "open-files-limit"
    OUTPUT_LIMIT = "output-limit"
    CRASH = "crash"
    EXIT_STATUS = "exit-status"
    WRONG_OUTPUT = "wrong-output"
    BUILD_ERROR = "build-error"
    MISSING_FILE = "missing-file"
    PASSED = "passed"


NOT_RUN = (Verdict.MISSING_FILE, Verdict.INTERNAL_ERROR)
"""The verdicts that say nothing of what the program does."""


class NoteKind(StrEnum):
    """A difference that was ignored, or a decision of the staff; docs/diagnoses.md explains each."""

    ECHOED_INPUT = "echoed-input"
    TRAILING_WHITESPACE = "trailing-whitespace"
    SPACE_CHANGE = "space-change"
    BLANK_LINES = "blank-lines"
    CASE = "case"
    LINE_ORDER = "line-order"
    CHARACTERS = "characters"
    NUMBERS = "numbers"
    WILDCARD_LINES = "wildcard-lines"
    OVERRIDE = "override"


@dataclass(frozen=True)
class Note:
    """A kind, and one plain sentence without control characters."""

    kind: NoteKind
    sentence: str


@dataclass(frozen=True)
class Diagnosis:
    """Why a test did not pass: a cause, and one plain sentence without control characters."""

    cause: Cause
    sentence: str

    def followed_by(self, what: str) -> "Diagnosis":
        """The same cause, and in the same sentence what came of it later."""
        return replace(self, sentence=f"{self.sentence.removesuffix('.')}; later {what}.")


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict, where the transcripts first differ (None: nowhere), and the reason (None when passed).

    `notes` say what was ignored. `mended` is the transcript that was compared, where it is not the one that was seen:
    without echoed input, and with the expected text where a difference was ignored; `mended_typed` is what was typed
    in it. `differences` are those between the values of a function test, a sentence each. `score` is the share of the
    points that a checker gave, from 0 to 1; None leaves it to the verdict. `wrong_line` is the first wrong line, from
    1, where what was expected is sealed.
    """

    verdict: Verdict
    divergence: FirstDifference | None
    diagnosis: Diagnosis | None
    notes: tuple[Note, ...] = ()
    mended: str | None = None
    mended_typed: tuple[TypedLine, ...] = ()
    differences: tuple[str, ...] = ()
    score: Decimal | None = None
    wrong_line: int | None = None

    @classmethod
    def without_verdict(cls, cause: Cause, sentence: str) -> "Judgement":
        """That the program could not be judged, which costs no mark, and why."""
        return cls(verdict=Verdict.INTERNAL_ERROR, divergence=None, diagnosis=Diagnosis(cause, sentence))

    @property
    def needs_review(self) -> bool:
        """Whether a checker could not tell, so that the staff must decide."""
        return self.diagnosis is not None and self.diagnosis.cause == NEEDS_REVIEW
