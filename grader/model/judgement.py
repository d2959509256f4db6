"""The judgement on a session: a verdict, the cause, and the ignored differences."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from types import NoneType
from typing import TYPE_CHECKING

from grader.model.amount import Amount
from grader.model.cause import Cause
from grader.model.general_causes import NEEDS_REVIEW, REQUIRED_TEST
from grader.model.outcome import TypedLine
from grader.text.difference import FirstDifference
from grader.text.sentence import say


class Verdict(StrEnum):
    """The result of a test, most serious first.

    `internal-error` is a fault of the grader. The student loses no marks, and the test must be run again. Results
    contain the plain string, and reports translate it.
    """

    INTERNAL_ERROR = say("internal-error")
    TIMEOUT = say("timeout")
    CPU_LIMIT = say("cpu-limit")
    MEMORY_LIMIT = say("memory-limit")
    PROCESS_LIMIT = say("process-limit")
    FILE_LIMIT = say("file-limit")
    OPEN_FILES_LIMIT = say("open-files-limit")
    OUTPUT_LIMIT = say("output-limit")
    CRASH = say("crash")
    RUNTIME_ERROR = say("runtime-error")
    EXIT_STATUS = say("exit-status")
    WRONG_OUTPUT = say("wrong-output")
    BUILD_ERROR = say("build-error")
    MISSING_FILE = say("missing-file")
    NOT_RUN = say("not-run")
    PASSED = say("passed")

    @property
    def has_run(self) -> bool:
        """Return whether the verdict reflects the program's behaviour."""
        return self not in (Verdict.MISSING_FILE, Verdict.NOT_RUN, Verdict.INTERNAL_ERROR)


class NoteKind(StrEnum):
    """A difference that was ignored, an oddity, or a decision of the staff; docs/reference/causes.md explains each."""

    ECHOED_INPUT = "echoed-input"
    """Your program prints each line again after reading it, so the terminal shows it twice. The copies are ignored."""
    TRAILING_WHITESPACE = "trailing-whitespace"
    """Missing or extra spaces and tabs at the end of lines."""
    SPACE_CHANGE = "space-change"
    """Too few or too many consecutive spaces or tabs."""
    TAB_EXPANSION = "tab-expansion"
    """Tabs instead of spaces, or the other way round, that look the same on the screen."""
    BLANK_LINES = "blank-lines"
    """Missing or extra blank lines, or a missing or extra newline after the last line."""
    CASE = "case"
    """Capital letters instead of small ones, or the other way round."""
    LINE_ORDER = "line-order"
    """The right lines in a different order."""
    CHARACTERS = "characters"
    """Characters that this course ignores, such as the invisible ones after an emoji."""
    NUMBERS = "numbers"
    """Numbers that are close enough to the expected ones."""
    WILDCARD_LINES = "wildcard-lines"
    """Your own text where the handout leaves the wording open."""
    READ_AHEAD = "read-ahead"
    """Your program reads lines before it prints the output that should precede them, so a user would have to type them
    without being asked. If the terminal does not show typed text, or the program switches this off, only the output is
    judged, and a note informs the course staff.
    """
    PARTIAL_CREDIT = "partial-credit"
    """The share of the points that your program earns although the test failed, with the reason."""
    OVERRIDE = "override"
    """The course staff decided that the test counts as passed."""


@dataclass(frozen=True)
class Note:
    """A kind, and a plain sentence without control characters."""

    kind: NoteKind
    sentence: str


@dataclass(frozen=True)
class Diagnosis:
    """The reason why a test did not pass: a cause, and a plain sentence without control characters.

    `telling` is the difference described by the sentence, if it is not the first one.
    """

    cause: Cause
    sentence: str
    # A plain default would be an attribute of the class, which hides that a deferred diagnosis does not have it yet.
    telling: FirstDifference | None = field(default_factory=NoneType)

    @classmethod
    def deferred(cls, find: Callable[[], "Diagnosis"]) -> "Diagnosis":
        """Return a diagnosis equal to the one that `find` returns, which is called when an attribute is first read.

        Finding a cause takes as long as the rest of judging, and often only the verdict is needed.
        """
        diagnosis = cls.__new__(cls)
        vars(diagnosis)["_find"] = find
        return diagnosis

    # Type checkers should still reject unknown attributes.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Find a deferred diagnosis; Python only calls this for an attribute that is missing."""
            find = vars(self).get("_find")
            if find is not None:
                vars(self).update(find().__getstate__())
                vars(self).pop("_find", None)
            return object.__getattribute__(self, name)

    def __getstate__(self) -> dict[str, object]:
        """Return the content to pickle, which has no functions."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def followed_by(self, what: str) -> "Diagnosis":
        """Return a diagnosis with the same cause whose sentence also describes what happened later."""
        return replace(self, sentence=say("{said:clause}; later {what}.", said=self.sentence, what=what))


@dataclass(frozen=True)
class MendedTranscripts:
    """The transcripts without ignored differences, and the input typed in the actual transcript.

    The actual transcript does not contain echoed input, and shows the expected text where a difference was ignored.
    Where a difference in letter case or within a tolerance was ignored, both show the printed text. Where any text is
    allowed, both show the student's text, and `open_texts` pairs lines of the expected transcript, from 1, with the
    number of lines that replace each.
    """

    expected: str
    actual: str
    typed: tuple[TypedLine, ...]
    open_texts: tuple[tuple[int, int], ...] = ()

    def expected_line(self, line: int) -> int:
        """Convert a line number of `expected` (outside open texts) to the original expected transcript."""
        for number, count in self.open_texts:
            if line >= number + count:
                line -= count - 1
        return line


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict, the first difference between the transcripts (None if equal), and the reason (None if passed).

    `notes` describe ignored differences; `mended` holds the compared transcripts if they differ from the original ones.
    `differences` has a sentence for each difference between the values of a function test. `score` is the share of the
    points, from 0 to 1, from a checker or partial credit; None leaves it to the verdict. `wrong_line` is the number of
    the first wrong line, from 1, if the expected output is sealed.
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
        """Return a judgement without a verdict on the program for this cause, which does not cost any marks."""
        return cls(verdict=Verdict.INTERNAL_ERROR, diagnosis=Diagnosis(cause, sentence))

    @property
    def telling(self) -> FirstDifference | None:
        """Return the difference described by the diagnosis."""
        return self.diagnosis.telling or self.divergence if self.diagnosis else self.divergence

    @property
    def needs_review(self) -> bool:
        """Return whether a checker was undecided, so that the staff must decide."""
        return self.diagnosis is not None and self.diagnosis.cause == NEEDS_REVIEW

    @property
    def waits_for_another(self) -> bool:
        """Return whether the verdict is only missing because a required test does not have a verdict."""
        return self.diagnosis is not None and self.diagnosis.cause == REQUIRED_TEST
