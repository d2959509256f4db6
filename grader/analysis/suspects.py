"""Finds the lines of a program that are likely at fault by the tests that run them: spectrum-based fault localisation.

A line is suspicious that failing tests run and passing tests do not. How suspicious, a formula says (Naish, Lee,
Ramamohanarao: A Model for Spectra-based Software Diagnosis, TOSEM 2011). A condition is as suspicious as the way that
it sends them. Many lines of a short program are run by the same tests: of those the ones come first that ran last
before the first wrong output. Lines that raise exceptions which end tests move up. What is ranked are statements, by
the line that they begin in.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from statistics import mean
from typing import TypeAlias

from grader.analysis.statements import Branches, Statements, read_statements
from grader.model.outcome import CodeLine, TraceStep
from grader.model.results import LineUse, ProgramSuspects, SuspectLine
from grader.text.difference import FirstDifference

_MOST_NAMED = 10

_WEIGHT_OF_EXCEPTIONS = 0.5

_WEIGHT_OF_MISSING_TEXT = 0.5

_WEIGHT_OF_COMPUTING = 0.3

_WEIGHT_OF_NEARNESS = 0.3

_LINES_AT_HALF_WEIGHT = 5
"""Where so many other lines ran since, nearness counts half."""


@dataclass(frozen=True)
class TracedTest:
    """A test: whether it passed, and the lines that it ran, each once, those that ran last at the end.

    Of a test that failed they are those up to the first wrong output, and `raised_at` is where the exception came from
    that ended it. `difference` is in the first wrong line.
    """

    passed: bool
    lines: tuple[CodeLine, ...]
    raised_at: CodeLine | None = None
    difference: FirstDifference | None = None

    @cached_property
    def executed(self) -> frozenset[CodeLine]:
        """The lines in no order."""
        return frozenset(self.lines)


@dataclass(frozen=True)
class TracedProgram:
    """A program with the text of its files by name, and its tests; some passed and some failed."""

    program: str
    sources: Mapping[str, str]
    tests: Sequence[TracedTest]


@dataclass(frozen=True, kw_only=True)
class Spectrum:
    """How many failing tests use a line so, how many passing ones, and how many there are of each."""

    failed: int
    passed: int
    all_failed: int
    all_passed: int


Formula: TypeAlias = Callable[[Spectrum], float]
"""How suspicious a use of a line is; more is worse."""


def ochiai(seen: Spectrum) -> float:
    """The cosine of the angle between the tests that do so and those that fail, from 0 to 1."""
    return seen.failed / sqrt(seen.all_failed * (seen.failed + seen.passed)) if seen.failed else 0.0


def tarantula(seen: Spectrum) -> float:
    """The share of the failing tests that do so, out of that and the share of the passing ones, from 0 to 1."""
    failed = seen.failed / seen.all_failed
    return failed / (failed + seen.passed / seen.all_passed) if failed else 0.0


def dstar(seen: Spectrum) -> float:
    """D* with the exponent 2, from 0 to infinity."""
    others = seen.passed + seen.all_failed - seen.failed
    return seen.failed**2 / others if others else inf


FORMULAS: Mapping[str, Formula] = {"ochiai": ochiai, "tarantula": tarantula, "dstar": dstar}


def last_runs(steps: Iterable[TraceStep]) -> tuple[CodeLine, ...]:
    """The lines of these steps, each once, those that ran last at the end."""
    return _last_ones(line for step in steps for line in step.lines)


def _last_ones(lines: Iterable[CodeLine]) -> tuple[CodeLine, ...]:
    found: dict[CodeLine, None] = {}
    for line in lines:
        found.pop(line, None)
        found[line] = None
    return tuple(found)


def suspects_in(traced: TracedProgram, formula: Formula = ochiai) -> ProgramSuspects:
    """The lines of a program that are likely at fault, at most ten; only failing tests make a line suspicious."""
    statements = {name: read_statements(text) for name, text in traced.sources.items()}
    tests = [_by_statements(test, statements) for test in traced.tests]
    failed, passed = ([test for test in tests if test.passed is kind] for kind in (False, True))
    nearness = _nearness(failed)
    besides = _besides(nearness, failed, statements)

    def weight(line: SuspectLine) -> float:
        seen = Spectrum(failed=line.failed, passed=line.passed, all_failed=len(failed), all_passed=len(passed))
        return formula(seen) + besides[line.place] + _WEIGHT_OF_EXCEPTIONS * line.raised / len(failed)

    lines = [max(_uses(place, failed, passed, statements), key=weight) for place in nearness]
    lines.sort(key=lambda line: (-weight(line), nearness[line.place], -line.place.line, line.place.file))
    return ProgramSuspects(
        program=traced.program,
        failed=len(failed),
        passed=len(passed),
        lines=tuple(lines[:_MOST_NAMED]),
    )


def _by_statements(test: TracedTest, statements: Mapping[str, Statements]) -> TracedTest:
    """The test with the statements of its lines; a record may hold lines that there are not."""

    def start(line: CodeLine) -> Iterator[CodeLine]:
        own = statements.get(line.file)
        if own is not None and line.line in own.starts:
            yield CodeLine(line.file, own.starts[line.line])

    raised_at = None if test.raised_at is None else next(start(test.raised_at), None)
    return replace(test, lines=_last_ones(found for line in test.lines for found in start(line)), raised_at=raised_at)


def _nearness(failed: Sequence[TracedTest]) -> dict[CodeLine, float]:
    """How many other lines ran between each one and the first wrong output, on average; all, where it did not run."""
    places = {place for test in failed for place in test.lines}
    found = [{place: count for count, place in enumerate(reversed(test.lines))} for test in failed]
    return {place: mean(counts.get(place, len(places)) for counts in found) for place in places}


def _besides(
    nearness: Mapping[CodeLine, float], failed: Sequence[TracedTest], statements: Mapping[str, Statements]
) -> dict[CodeLine, float]:
    """What counts of each line beside the tests that run it."""
    deciding = [_deciding_over_missing_text(test, statements) for test in failed]
    return {
        place: _WEIGHT_OF_MISSING_TEXT * mean(place in places for places in deciding)
        + _WEIGHT_OF_COMPUTING * (place.line in statements[place.file].computing)
        + _WEIGHT_OF_NEARNESS / (1 + others / _LINES_AT_HALF_WEIGHT)
        for place, others in nearness.items()
    }


def _deciding_over_missing_text(test: TracedTest, statements: Mapping[str, Statements]) -> Set[CodeLine]:
    """The conditions that the test ran of statements with a text that it should have printed and did not."""
    if test.difference is None:
        return frozenset()
    expected, printed = test.difference.expected or "", test.difference.actual or ""
    return test.executed & {
        CodeLine(file, own.conditions[line])
        for file, own in statements.items()
        for line, texts in own.texts.items()
        if line in own.conditions and any(text in expected and text not in printed for text in texts)
    }


def _uses(
    place: CodeLine, failed: Sequence[TracedTest], passed: Sequence[TracedTest], statements: Mapping[str, Statements]
) -> Iterator[SuspectLine]:
    """The line with each use that tests may make of it."""
    raised = sum(test.raised_at == place for test in failed)
    for use, is_made in _uses_of(place, statements[place.file].branches.get(place.line)).items():
        counts = [sum(is_made(test.executed) for test in tests) for tests in (failed, passed)]
        yield SuspectLine(place=place, use=use, failed=counts[0], passed=counts[1], raised=raised)


def _uses_of(place: CodeLine, branches: Branches | None) -> dict[LineUse, Callable[[Set[CodeLine]], bool]]:
    """What lines a test executes that uses a line so."""
    uses: dict[LineUse, Callable[[Set[CodeLine]], bool]] = {LineUse.RUN: lambda lines: place in lines}
    if branches is not None:
        body = CodeLine(place.file, branches.body)
        uses[LineUse.ENTERED] = lambda lines: body in lines
        uses[LineUse.SKIPPED] = lambda lines: place in lines and body not in lines
        if branches.otherwise is not None:
            otherwise = CodeLine(place.file, branches.otherwise)
            uses[LineUse.SKIPPED] = lambda lines: otherwise in lines
    return uses
