"""What the judge says of one session: a verdict, the cause, and what it ignored."""

from dataclasses import dataclass, replace
from enum import StrEnum

from grader.model.amount import Amount
from grader.model.cause import Cause
from grader.model.general_causes import NEEDS_REVIEW, REQUIRED_TEST
from grader.model.outcome import TypedLine
from grader.text.difference import FirstDifference
from grader.text.sentence import say


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
    RUNTIME_ERROR = "runtime-error"
    EXIT_STATUS = "exit-status"
    WRONG_OUTPUT = "wrong-output"
    BUILD_ERROR = "build-error"
    MISSING_FILE = "missing-file"
    PASSED = "passed"

    @property
    def has_run(self) -> bool:
        """Return whether it says something of what the program does."""
        return self not in (Verdict.MISSING_FILE, Verdict.INTERNAL_ERROR)


class NoteKind(StrEnum):
    """A difference that was ignored, an oddity, or a decision of the staff; docs/diagnoses.md explains each."""

    ECHOED_INPUT = "echoed-input"
    TRAILING_WHITESPACE = "trailing-whitespace"
    SPACE_CHANGE = "space-change"
    TAB_EXPANSION = "tab-expansion"
    BLANK_LINES = "blank-lines"
    CASE = "case"
    LINE_ORDER = "line-order"
    CHARACTERS = "characters"
    NUMBERS = "numbers"
    WILDCARD_LINES = "wildcard-lines"
    READ_AHEAD = "read-ahead"
    PARTIAL_CREDIT = "partial-credit"
    OVERRIDE = "override"


@dataclass(frozen=True)
class Note:
    """A kind, and one plain sentence without control characters."""

    kind: NoteKind
    sentence: str


@dataclass(frozen=True)
class Diagnosis:
    """Why a test did not pass: a cause, and one plain sentence without control characters.

    `telling` is the difference that the sentence is about, if that is not the first one.
    """

    cause: Cause
    sentence: str
    telling: FirstDifference | None = None

    def followed_by(self, what: str) -> "Diagnosis":
        """Return the same cause, and in the same sentence what came of it later."""
        return replace(self, sentence=say("{said:clause}; later {what}.", said=self.sentence, what=what))


@dataclass(frozen=True)
class MendedTranscripts:
    """The transcripts without what is ignored, and what was typed in the actual one.

    The actual one has no echoed input, and the expected text where a difference was ignored. Where the case of letters
    or a tolerance lets the difference pass, both have what was printed. Where any text may stand, both have the
    student's own: `open_texts` are lines of the expected transcript, from 1, and how many stand for each.
    """

    expected: str
    actual: str
    typed: tuple[TypedLine, ...]
    open_texts: tuple[tuple[int, int], ...] = ()

    def expected_line(self, line: int) -> int:
        """Return the number in the expected transcript itself of a line of `expected` that is no open text."""
        for number, count in self.open_texts:
            if line >= number + count:
                line -= count - 1
        return line


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict, where the transcripts first differ (None: nowhere), and the reason (None when passed).

    `notes` say what was ignored; `mended` is what was compared, if that is not what was seen. `differences` are
    those between the values of a function test, a sentence each. `score` is the share of the points that a checker
    or the partial credit gave, from 0 to 1; None leaves it to the verdict. `wrong_line` is the first wrong line, from
    1, where what was expected is sealed.
    """

    verdict: Verdict
    divergence: FirstDifference | None = None
    diagnosis: Diagnosis | None = None
    notes: tuple[Note, ...] = ()
    mended: MendedTranscripts | None = None
    differences: tuple[str, ...] = ()
    score: Amount | None = None
    wrong_line: int | None = None

    @classmethod
    def without_verdict(cls, cause: Cause, sentence: str) -> "Judgement":
        """That the program could not be judged, which costs no mark, and why."""
        return cls(verdict=Verdict.INTERNAL_ERROR, diagnosis=Diagnosis(cause, sentence))

    @property
    def telling(self) -> FirstDifference | None:
        """Return the difference that the diagnosis is about."""
        return self.diagnosis.telling or self.divergence if self.diagnosis else self.divergence

    @property
    def needs_review(self) -> bool:
        """Return whether a checker could not tell, so that the staff must decide."""
        return self.diagnosis is not None and self.diagnosis.cause == NEEDS_REVIEW

    @property
    def waits_for_another(self) -> bool:
        """Return whether the test has no verdict only because one that it requires has none."""
        return self.diagnosis is not None and self.diagnosis.cause == REQUIRED_TEST
