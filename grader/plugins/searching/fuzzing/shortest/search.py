"""The shortest session in which a program still fails a test, with the reference's answers as the expected output."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic

from grader.errors import GraderError
from grader.model.assignment import Assignment
from grader.model.expectation import FromReference
from grader.model.results import ShorterSession, TestResult
from grader.model.submission import Submission
from grader.model.test import Test
from grader.plugins.searching.fuzzing.fewest_lines import fewest_lines
from grader.plugins.searching.fuzzing.playing.field import PlayingField
from grader.plugins.searching.fuzzing.playing.reference import AnsweredTest
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession, SessionPlan, own_lines
from grader.plugins.searching.test_templates import TestTemplate
from grader.run.environment import RunEnvironment

_MIN_LINES = 3
"""The minimum number of lines of a test that is worth shortening."""
_MAX_ENDS = 5
_MAX_RUNS = 300
_MAX_SECONDS = 60.0


def can_be_shortened(assignment: Assignment, result: TestResult) -> bool:
    """Return whether there are lines to leave out, and a reference that can answer without them."""
    test = result.test
    lines = own_lines(test)
    answered = isinstance(test.expectation, FromReference) and assignment.program_of[test.program].reference.is_file()
    return answered and lines is not None and len(lines) >= _MIN_LINES


def shorter_session(
    assignment: Assignment,
    result: TestResult,
    submission: Submission,
    environment: RunEnvironment,
    *,
    variant: str,
    clock: Callable[[], float] = monotonic,
) -> ShorterSession | None:
    """Find the shortest session in which the program, read as `variant`, fails in the same way, or None.

    The allowed seconds and runs suffice for a test that fails in its last line; for a slow program, the session found
    may be longer than the shortest. Raises SessionError.
    """
    lines = own_lines(result.test)
    if lines is None:
        return None
    place = PlayingField(assignment, _plan(assignment, result.test), environment)
    with place.player(submission) as player, place.reference() as reference:

        def failure(lines: tuple[str, ...]) -> TestResult | None:
            session = RandomSession(lines)
            answered = reference.answer(session)
            if not isinstance(answered, AnsweredTest) or answered.played.sessions != (session,):
                return None
            failure = player.failures(answered).get(variant)
            return None if failure is None else failure()

        search = _Search(failure, result, clock)
        start = next(filter(search.fails_alike, _cut_short(assignment, result, lines)), lines)
        fewest = fewest_lines(start, search.fails_alike)
        shortest = search.found.get(fewest)
    return None if shortest is None else ShorterSession(result.test, lines, fewest, shortest)


def _plan(assignment: Assignment, test: Test) -> SessionPlan:
    """Return a plan with only the sessions of one test."""
    program = assignment.program_of[test.program]
    return SessionPlan(id=test.id, program=program, templates=(TestTemplate(test, {}),))


def _cut_short(assignment: Assignment, result: TestResult, lines: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the lines typed before the first wrong line of output, followed by the end of some test of the program.

    A program without further input may not end as the test requires, so removing only lines at the end seldom works.
    """
    if not result.compared or not result.compared.typed:
        return
    compared = result.compared
    before = compared.actual.split("\n")[: compared.divergence.line - 1]
    shown = sum(len(line) + 1 for line in before)
    count = sum(typed.offset < shown for typed in compared.typed)
    others = (own_lines(test) for test in assignment.tests if test.program == result.test.program)
    ends = Counter(ending_lines[-1:] for ending_lines in others if ending_lines)
    for length in (count, count + 1):
        yield from (fewer for end, _ in ends.most_common(_MAX_ENDS) if len(fewer := lines[:length] + end) < len(lines))


class _Search:
    """A search for sessions that fail like `result`; `failure` plays a session."""

    def __init__(
        self,
        failure: Callable[[tuple[str, ...]], TestResult | None],
        result: TestResult,
        clock: Callable[[], float],
    ) -> None:
        self.found: dict[tuple[str, ...], TestResult] = {}
        self._failure = failure
        self._sought = result
        self._clock = clock
        self._end = clock() + _MAX_SECONDS
        self._runs_left = _MAX_RUNS

    def fails_alike(self, lines: tuple[str, ...]) -> bool:
        """Return whether the reference reads all of these lines, and the program fails in the same way."""
        if lines in self.found:
            return True
        if self._runs_left == 0 or self._clock() > self._end:
            return False
        self._runs_left -= 1
        # A session that the grader cannot run does not say anything about the program.
        with suppress(GraderError, OSError):
            result = self._failure(lines)
            if result is not None and _are_alike(result, self._sought):
                self.found[lines] = result
        return lines in self.found


def _are_alike(first: TestResult, second: TestResult) -> bool:
    """Return whether the failures are of one kind, or begin with the same wrong line and then diverge."""
    return _kind(first) == _kind(second) or None is not _wrong_line(first) == _wrong_line(second)


def _wrong_line(result: TestResult) -> tuple[str, str] | None:
    first = result.judgement.divergence
    return None if first is None or not first.expected or not first.actual else (first.expected, first.actual)


def _kind(result: TestResult) -> object:
    diagnosis = result.judgement.diagnosis
    return result.verdict, diagnosis and diagnosis.cause.id
