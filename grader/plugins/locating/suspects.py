"""Lines of a student's programs that are likely at fault, for results.json and the instructor's page."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from grader.files.source_text import NoSourceError, source_text
from grader.model.finding import Finding, FindingView, LineMark, PageSection
from grader.model.outcome import CodeLine
from grader.model.submission import Submission
from grader.text.words import pluralize

_NAMED = 3


class LineUse(StrEnum):
    """The use of a line by tests: they run it, or, at a condition or loop, enter or skip its body."""

    RUN = "run"
    ENTERED = "entered"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class SmallRepair:
    """The result of the best small change to a statement: how many tests were `tried`, and how many then `passed`.

    If none pass, a failing test at least continues for longer before its first wrong output.
    """

    passed: int
    tried: int

    @property
    def share(self) -> float:
        """The share of the tried tests that pass."""
        return self.passed / self.tried


@dataclass(frozen=True, kw_only=True)
class SuspectLine:
    """A line that may be at fault, its most suspicious `use`, and how many `failed` and `passed` tests make that use.

    `raised` counts the failed tests ended by an exception from the line. `repair` is None if no small change helps.
    """

    place: CodeLine
    use: LineUse
    failed: int
    passed: int
    raised: int
    repair: SmallRepair | None = None


@dataclass(frozen=True, kw_only=True)
class ProgramSuspects:
    """The lines of `program` and its modules that may be at fault, the most suspicious first.

    `failed` and `passed` count the program's tests.
    """

    program: str
    failed: int
    passed: int
    lines: tuple[SuspectLine, ...]


@dataclass(frozen=True)
class Suspects(Finding):
    """The suspicious lines of the programs of a submission, for the instructor only."""

    programs: tuple[ProgramSuspects, ...]

    def results(self) -> Mapping[str, Any]:
        """Return the lines of each program."""
        return {"suspects": [_in_results(program) for program in self.programs]}

    def view(self, submission: Submission) -> FindingView:
        """Return a section that names the first lines, and marks for all lines."""
        section = PageSection(
            id="suspects",
            title="Lines that may be at fault",
            template=f"{__package__}:suspects.html",
            content=[_view(program, submission) for program in self.programs],
            private=True,
        )
        return FindingView(section=section, marks={place: _mark(rank) for place, rank in self._ranks().items()})

    def _ranks(self) -> dict[CodeLine, int]:
        """Rank the lines; a line that several programs share gets its best rank."""
        ranks: dict[CodeLine, int] = {}
        for program in self.programs:
            for rank, line in enumerate(program.lines, 1):
                ranks[line.place] = min(rank, ranks.get(line.place, rank))
        return ranks


def _mark(rank: int) -> LineMark:
    return LineMark("first" if rank <= _NAMED else "suspect", str(rank), "suspicious, rank")


def _in_results(program: ProgramSuspects) -> Mapping[str, Any]:
    return {
        "program": program.program,
        "failed": program.failed,
        "passed": program.passed,
        "lines": [
            {
                "file": line.place.file,
                "line": line.place.line,
                "use": line.use,
                "failed": line.failed,
                "passed": line.passed,
                "raised": line.raised,
                **({"repair": asdict(line.repair)} if line.repair else {}),
            }
            for line in program.lines
        ],
    }


@dataclass(frozen=True)
class NamedLine:
    """One of the most suspicious lines: its location, its code if known, and the tests that run it."""

    place: CodeLine
    code: str
    run_by: str


@dataclass(frozen=True)
class SuspectsView:
    """One program in the section."""

    program: str
    tests: str
    named: Sequence[NamedLine]


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
    return f"{_words(line.use)} by {tests}{raised}{_repair(line)}"


def _words(use: LineUse) -> str:
    match use:
        case LineUse.RUN:
            return "run"
        case LineUse.ENTERED:
            return "its body run"
        case LineUse.SKIPPED:
            return "its body skipped"


def _repair(line: SuspectLine) -> str:
    match line.repair:
        case None:
            return ""
        case SmallRepair(passed=0):
            return "; with a small change here a failed test goes on for longer"
        case SmallRepair(passed=passed, tried=tried):
            return f"; with a small change here {passed} of {pluralize(tried, 'test')} tried pass"
