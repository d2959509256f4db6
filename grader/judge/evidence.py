"""The evidence for a diagnosis: the session, the expected output, and the first difference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeAlias

from grader.extensions import CAUSES, load_group
from grader.judge.as_printed import without_ignored_end
from grader.judge.stack_trace import may_end_by_error
from grader.judge.traceback import Traceback
from grader.model.cause import Cause
from grader.model.ending import EndsBySignal
from grader.model.interaction import is_repl
from grader.model.judgement import Diagnosis
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.text.difference import FirstDifference, lines_of, start_of_differing_line
from grader.text.sentence import Sentence


@dataclass(frozen=True)
class LinePair:
    """The first differing line, if it exists in both transcripts and differs in more than the newline."""

    number: int
    column: int
    expected: str
    actual: str


@dataclass(frozen=True, kw_only=True)
class FailureEvidence:
    """A session that did not pass, and its expected result.

    If something else judges the output, `expected` is the transcript itself and `is_compared` is false.
    """

    test: Test
    expected: str
    outcome: Outcome
    divergence: FirstDifference | None
    traceback: Traceback | None
    is_compared: bool = True

    @property
    def actual(self) -> str:
        """Return the student's transcript."""
        return self.outcome.transcript

    @cached_property
    def expected_lines(self) -> list[str]:
        """Split the expected transcript into lines."""
        return lines_of(self.expected)

    @cached_property
    def actual_lines(self) -> list[str]:
        """Split the student's transcript into lines, reusing the lines before the first difference."""
        same = self.divergence.line - 1 if self.divergence else 0
        return self.expected_lines[:same] + lines_of(self.actual[self.start :]) if same else lines_of(self.actual)

    @cached_property
    def start(self) -> int:
        """Return the offset of the first differing line in both transcripts."""
        return start_of_differing_line(self.expected, self.actual)

    @property
    def pair(self) -> LinePair | None:
        """Return the first differing line on both sides."""
        difference = self.divergence
        if (
            difference is None
            or difference.expected is None
            or difference.actual is None
            or difference.expected == difference.actual
        ):
            return None
        both = difference.expected, difference.actual
        ended = without_ignored_end(both[0], self.test.comparison), without_ignored_end(both[1], self.test.comparison)
        return LinePair(difference.line, difference.column, *(ended if ended[0] != ended[1] else both))

    @property
    def went_on_with_input(self) -> bool:
        """Return whether the program read more input after the first differing line."""
        end = self.actual.find("\n", self.start)
        return self.divergence is not None and any(typed.offset > end >= 0 for typed in self.outcome.typed)

    @property
    def uncaught(self) -> Traceback | None:
        """Return the traceback of the exception that ended the program, or the statement typed at Python's prompt.

        Return None if the program ended with the signal required by the test, such as a failed assertion in C.
        """
        outcome, ending = self.outcome, self.test.ending
        if isinstance(ending, EndsBySignal) and ending.fits(outcome):
            return None
        return self.traceback if may_end_by_error(self.test, outcome) or is_repl(self.test.interaction) else None


Find: TypeAlias = Callable[[FailureEvidence], Diagnosis | None]
"""A function that returns the diagnosis of a failure, or None if its causes do not apply."""
FindInLine: TypeAlias = Callable[[FailureEvidence, LinePair], Diagnosis | None]


@dataclass(frozen=True)
class CauseFinder:
    """A callable that looks for `causes` of a failure with the function that it wraps."""

    causes: tuple[Cause, ...]
    find: Find

    def __call__(self, evidence: FailureEvidence) -> Diagnosis | None:
        """Diagnose a failure; return None if none of `causes` applies."""
        return self.find(evidence)


@dataclass(frozen=True)
class CauseFamily:
    """Additional causes, and additional text for existing ones.

    `finders` are tried in order, before the finders that only look at the first differing line. The finders in `before`
    are tried just before a finder of the core. `complete` can extend a diagnosis, and `difference` describes how two
    lines differ.
    """

    finders: tuple[CauseFinder, ...]
    before: Mapping[CauseFinder, tuple[CauseFinder, ...]] = field(default_factory=dict)
    complete: Callable[[Diagnosis, FailureEvidence], Diagnosis] = lambda diagnosis, _: diagnosis
    difference: Callable[[str, str], Sentence | None] = lambda _expected, _actual: None


@cache
def cause_families() -> tuple[CauseFamily, ...]:
    """Return the cause families of all plugins that can be loaded."""
    return tuple(load_group(CAUSES, CauseFamily).objects.values())


def finds(*causes: Cause) -> Callable[[Find], CauseFinder]:
    """Declare the causes that the decorated function can return."""
    return lambda find: CauseFinder(causes, find)


def finds_in_line(*causes: Cause) -> Callable[[FindInLine], CauseFinder]:
    """Declare the causes that the decorated function can find in the first differing line, if both sides have one."""
    return lambda find: CauseFinder(causes, lambda evidence: _in_line(find, evidence, evidence.pair))


def _in_line(find: FindInLine, evidence: FailureEvidence, pair: LinePair | None) -> Diagnosis | None:
    return None if pair is None else find(evidence, pair)
