"""The verdicts, most serious first.

What a student should know about a judgement beside the verdict.

What the judge says of one session.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from grader.judge.causes.cause import Cause
from grader.model.outcome import TypedLine
from grader.text.difference import FirstDifference


class Verdict(StrEnum):
    """What came of a test. `internal-error` is ours: it costs no mark and the test must be rerun."""

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


class NoteKind(StrEnum):
    """What was let pass, or decided by a person; docs/diagnoses.md explains each."""

    DOUBLED_ECHO = "doubled-echo"
    TRAILING_BLANKS = "trailing-blanks"
    BLANK_RUNS = "blank-runs"
    EMPTY_LINES = "empty-lines"
    CASE = "case"
    LINE_ORDER = "line-order"
    CHARACTERS = "characters"
    NUMBERS = "numbers"
    ANY_TEXT = "any-text"
    OVERRIDE = "override"


@dataclass(frozen=True)
class Note:
    """A kind, and one plain sentence without control characters."""

    kind: NoteKind
    sentence: str


@dataclass(frozen=True)
class Diagnosis:
    """Why a test did not pass: a `Cause`, and one plain sentence without control characters."""

    cause: str
    sentence: str

    def followed_by(self, what: str) -> "Diagnosis":
        """The same cause, and in the same sentence what came of it later."""
        return replace(self, sentence=f"{self.sentence.removesuffix('.')}; later {what}.")


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict, where the transcripts part (None when they are equal), and the cause (None when passed).

    `notes` say what was let pass. `mended` is the transcript that was compared, when it is not the one that was seen:
    without doubled echo, and with the expected text where a difference was let pass; `mended_typed` is what was typed
    in it. `differences` are those between the values of a function test. `score` is the share of the points that a
    checker gave; None leaves it to the verdict. `wrong_line` is the first wrong line, where what was expected is
    sealed.
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

    @property
    def is_undecided(self) -> bool:
        """Whether a checker could not tell, so that a person has to."""
        return self.diagnosis is not None and self.diagnosis.cause == Cause.UNDECIDED
