"""Which lines of a student's programs are likely at fault, and why. It is for the instructor."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from grader.files.source_text import NoSourceError, source_text
from grader.model.outcome import CodeLine
from grader.model.results import LineUse, ProgramSuspects, SmallRepair, StudentResult, SuspectLine
from grader.model.submission import Submission
from grader.text.words import pluralize

_NAMED = 3
_USES = {LineUse.RUN: "run", LineUse.ENTERED: "its body run", LineUse.SKIPPED: "its body skipped"}


@dataclass(frozen=True)
class NamedLine:
    """One of the most suspicious lines: where it stands, its code as far as it is known, and which tests run it."""

    place: CodeLine
    code: str
    run_by: str


@dataclass(frozen=True)
class SuspectsView:
    """What is said of one program."""

    program: str
    tests: str
    named: Sequence[NamedLine]


def suspects_views(row: StudentResult) -> list[SuspectsView]:
    """Return the programs of a student in which lines are suspicious."""
    return [_view(suspects, row.graded.submission) for suspects in row.graded.suspects]


def _view(suspects: ProgramSuspects, submission: Submission) -> SuspectsView:
    tests = f"{pluralize(suspects.failed, 'test')} failed, {suspects.passed} passed"
    named = [
        NamedLine(line.place, _code(line.place, submission), _run_by(line, suspects))
        for line in suspects.lines[:_NAMED]
    ]
    return SuspectsView(suspects.program, tests, named)


def _code(place: CodeLine, submission: Submission) -> str:
    file = submission.file(place.file)
    with suppress(NoSourceError):
        lines = source_text(file.path).splitlines() if file else []
        return lines[place.line - 1].strip() if place.line <= len(lines) else ""
    return ""


def _run_by(line: SuspectLine, suspects: ProgramSuspects) -> str:
    tests = (
        f"{line.failed} of {pluralize(suspects.failed, 'failed test')} and {line.passed} of {suspects.passed} passed"
    )
    raised = f"; {line.raised} ended by an exception from here" if line.raised else ""
    return f"{_USES[line.use]} by {tests}{raised}{_repair(line)}"


def _repair(line: SuspectLine) -> str:
    match line.repair:
        case None:
            return ""
        case SmallRepair(passed=0):
            return "; with a small change here a failed test goes on for longer"
        case SmallRepair(passed=passed, tried=tried):
            return f"; with a small change here {passed} of {pluralize(tried, 'test')} tried pass"
