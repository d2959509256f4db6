"""Which lines of a student's programs are likely at fault, and why. It is for the instructor."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.outcome import CodeLine
from grader.model.results import LineUse, ProgramSuspects, StudentResult, SuspectLine
from grader.text.words import pluralize

_NAMED = 3


@dataclass(frozen=True)
class NamedLine:
    """One of the most suspicious lines: where it stands, and which tests run it."""

    place: CodeLine
    run_by: str


@dataclass(frozen=True)
class SuspectsView:
    """What is said of one program."""

    program: str
    tests: str
    named: Sequence[NamedLine]


def suspects_views(row: StudentResult) -> list[SuspectsView]:
    """The programs of a student in which lines are suspicious."""
    return [_view(found) for found in row.graded.suspects]


def _view(found: ProgramSuspects) -> SuspectsView:
    tests = f"{pluralize(found.failed, 'test')} failed, {found.passed} passed"
    named = [NamedLine(line.place, _run_by(line, found)) for line in found.lines[:_NAMED]]
    return SuspectsView(found.program, tests, named)


_USES = {LineUse.RUN: "run", LineUse.ENTERED: "its body run", LineUse.SKIPPED: "its body skipped"}


def _run_by(line: SuspectLine, found: ProgramSuspects) -> str:
    tests = f"{line.failed} of {pluralize(found.failed, 'failed test')} and {line.passed} of {found.passed} passed"
    raised = f"; {line.raised} ended by an exception from here" if line.raised else ""
    return f"{_USES[line.use]} by {tests}{raised}"
