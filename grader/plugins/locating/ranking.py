"""Finds the lines of a program that are likely at fault, from the tests that run them (spectrum-based localisation).

A line is suspicious if failing tests run it and passing tests do not. A formula says how suspicious (Naish, Lee,
Ramamohanarao: A Model for Spectra-based Software Diagnosis, TOSEM 2011). A condition is as suspicious as the branch to
which it sends the tests. In a short program, many lines are run by the same tests; of these, the lines that ran last
before the first wrong output come first. Lines move up if they raise exceptions that end tests, or if a small change to
them helps. Statements are ranked, each identified by its first line.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt
from statistics import mean
from typing import TypeAlias

from grader.model.outcome import CodeLine, TraceStep
from grader.plugins.locating.suspects import LineUse, ProgramSuspects, SmallRepair, SuspectLine
from grader.text.combining import has_many_marks
from grader.text.syntax import parse

# Python 3.11 parses nested f-strings in quadratic time; this many characters take five seconds at worst.
_MAX_CHARACTERS = 200_000
_MAX_NAMED = 10
_WEIGHT_OF_EXCEPTIONS = 0.5
_WEIGHT_OF_REPAIRS, _WEIGHT_OF_DELAYS = 1.0, 0.3
"""The weights of a small change that makes all tests pass, and of a change that at least makes a failing test fail
later.
"""


@dataclass(frozen=True)
class Branches:
    """The lines where the branches of a condition begin; `otherwise` is None if there is no `else`."""

    body: int
    otherwise: int | None


@dataclass(frozen=True)
class Statements:
    """The first line of the statement that each line belongs to, and the branches of conditions and loops by line."""

    starts: Mapping[int, int]
    branches: Mapping[int, Branches]


def read_statements(text: str) -> Statements:
    """Return the statements of a program; if it cannot be parsed, each line is a separate statement."""
    starts = {number: number for number in range(1, text.count("\n") + 2)}
    branches: dict[int, Branches] = {}
    tree = parsed(text)
    if tree is None:
        return Statements(starts, branches)
    # From the outside in, so that a line belongs to the innermost statement.
    for node in ast.walk(tree):
        span = _span(node)
        if span is None:
            continue
        start, end = span
        starts.update((line, start) for line in range(start, end + 1))
        match node:
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                # The way in which a test starts a program is not the program's fault.
                continue
            case ast.If(body=[body, *_], orelse=[otherwise, *_]):
                branches[start] = Branches(body=body.lineno, otherwise=otherwise.lineno)
            case ast.If() | ast.While() | ast.For() | ast.AsyncFor() | ast.match_case():
                branches[start] = Branches(body=node.body[0].lineno, otherwise=None)
    return Statements(starts, branches)


def parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of a program, or None if it cannot be parsed, or parsing would take too long."""
    try:
        return parse(text) if len(text) <= _MAX_CHARACTERS and not has_many_marks(text) else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _span(node: ast.AST) -> tuple[int, int] | None:
    """Return the first and the last line of a statement, without its body, or None for anything else."""
    match node:
        case ast.match_case(pattern=pattern, body=[first, *_]):
            return pattern.lineno, max(pattern.lineno, _first_line(first) - 1)
        case ast.Match(lineno=start, cases=[first, *_]):
            return start, max(start, first.pattern.lineno - 1)
        case ast.stmt() | ast.ExceptHandler():
            inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            end = _first_line(inner[0]) - 1 if inner else node.end_lineno or 0
            return node.lineno, max(node.lineno, end)
    return None


def _first_line(statement: ast.stmt) -> int:
    """Return the line in which a statement begins, including decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


@dataclass(frozen=True)
class TracedTest:
    """A test: whether it passed, and the lines that it ran, without repeats, ordered by when they last ran.

    The lines of a failed test end at its first wrong output.
    `raised_at` is where the exception that ended it came from.
    """

    passed: bool
    lines: tuple[CodeLine, ...]
    raised_at: CodeLine | None = None

    @cached_property
    def executed(self) -> frozenset[CodeLine]:
        """The lines, unordered."""
        return frozenset(self.lines)


@dataclass(frozen=True)
class TracedProgram:
    """A program with the text of its files by name, and its tests; some passed and some failed.

    `repairs` holds the statements in which a small change helps, and how much it helps.
    """

    program: str
    sources: Mapping[str, str]
    tests: Sequence[TracedTest]
    repairs: Mapping[CodeLine, SmallRepair] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Spectrum:
    """The numbers of failing and passing tests that use a line in some way, and of all failing and passing tests."""

    failed: int
    passed: int
    all_failed: int
    all_passed: int


Formula: TypeAlias = Callable[[Spectrum], float]
"""A measure of how suspicious the use of a line is; higher is worse."""


def ochiai(seen: Spectrum) -> float:
    """Return the cosine of the angle between the tests that run a line and the failing tests, from 0 to 1."""
    return seen.failed / sqrt(seen.all_failed * (seen.failed + seen.passed)) if seen.failed else 0.0


def last_runs(steps: Iterable[TraceStep]) -> tuple[CodeLine, ...]:
    """Return the lines of these steps, without repeats, ordered by when they last ran."""
    return _last_ones(line for step in steps for line in step.lines)


def _last_ones(lines: Iterable[CodeLine]) -> tuple[CodeLine, ...]:
    ordered: dict[CodeLine, None] = {}
    for line in lines:
        ordered.pop(line, None)
        ordered[line] = None
    return tuple(ordered)


def suspects_in(traced: TracedProgram, formula: Formula = ochiai) -> ProgramSuspects:
    """Return the lines most likely at fault, at most ten; only failing tests make a line suspicious."""
    statements = {name: read_statements(text) for name, text in traced.sources.items()}
    tests = [_by_statements(test, statements) for test in traced.tests]
    failed, passed = ([test for test in tests if test.passed is kind] for kind in (False, True))
    nearness = _nearness(failed)

    def weight(line: SuspectLine) -> float:
        seen = Spectrum(failed=line.failed, passed=line.passed, all_failed=len(failed), all_passed=len(passed))
        repaired = 0.0 if line.repair is None else _WEIGHT_OF_DELAYS + _WEIGHT_OF_REPAIRS * line.repair.share
        return formula(seen) + _WEIGHT_OF_EXCEPTIONS * line.raised / len(failed) + repaired

    lines = [
        replace(max(_uses(place, failed, passed, statements), key=weight), repair=traced.repairs.get(place))
        for place in nearness
    ]
    lines.sort(key=lambda line: (-weight(line), nearness[line.place], -line.place.line, line.place.file))
    return ProgramSuspects(
        program=traced.program,
        failed=len(failed),
        passed=len(passed),
        lines=tuple(lines[:_MAX_NAMED]),
    )


def _by_statements(test: TracedTest, statements: Mapping[str, Statements]) -> TracedTest:
    """Return the test with its lines replaced by their statements; a record may contain lines that do not exist."""

    def start(line: CodeLine) -> Iterator[CodeLine]:
        statements_of_file = statements.get(line.file)
        if statements_of_file is not None and line.line in statements_of_file.starts:
            yield CodeLine(line.file, statements_of_file.starts[line.line])

    raised_at = None if test.raised_at is None else next(start(test.raised_at), None)
    return replace(test, lines=_last_ones(place for line in test.lines for place in start(line)), raised_at=raised_at)


def _nearness(failed: Sequence[TracedTest]) -> dict[CodeLine, float]:
    """Return, for each line, the mean number of lines run between it and the first wrong output, or all lines."""
    places = {place for test in failed for place in test.lines}
    distances = [{place: count for count, place in enumerate(reversed(test.lines))} for test in failed]
    return {place: mean(counts.get(place, len(places)) for counts in distances) for place in places}


def _uses(
    place: CodeLine, failed: Sequence[TracedTest], passed: Sequence[TracedTest], statements: Mapping[str, Statements]
) -> Iterator[SuspectLine]:
    """Yield the line once for each way in which tests may use the line."""
    raised = sum(test.raised_at == place for test in failed)
    for use, is_made in _uses_of(place, statements[place.file].branches.get(place.line)).items():
        counts = [sum(is_made(test.executed) for test in tests) for tests in (failed, passed)]
        yield SuspectLine(place=place, use=use, failed=counts[0], passed=counts[1], raised=raised)


def _uses_of(place: CodeLine, branches: Branches | None) -> dict[LineUse, Callable[[Set[CodeLine]], bool]]:
    """Return, for each use of a line, a predicate on the set of executed lines."""
    uses: dict[LineUse, Callable[[Set[CodeLine]], bool]] = {LineUse.RUN: lambda lines: place in lines}
    if branches is not None:
        body = CodeLine(place.file, branches.body)
        uses[LineUse.ENTERED] = lambda lines: body in lines
        uses[LineUse.SKIPPED] = lambda lines: place in lines and body not in lines
        if branches.otherwise is not None:
            otherwise = CodeLine(place.file, branches.otherwise)
            uses[LineUse.SKIPPED] = lambda lines: otherwise in lines
    return uses
