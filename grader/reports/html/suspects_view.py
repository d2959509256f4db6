"""A program on the page of a student with the lines marked that are likely at fault. It is for the instructor."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grader.model.outcome import CodeLine
from grader.model.results import LineUse, ProgramSuspects, StudentResult, SuspectLine
from grader.reports.html.text import MOST_LINES, code_line, more_lines
from grader.text.words import pluralize

_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class NamedLine:
    """One of the most suspicious lines: where it stands, the anchor of that, its code, and which tests run it."""

    place: CodeLine
    anchor: str
    code: str
    run_by: str


@dataclass(frozen=True)
class MarkedFile:
    """A file in which lines are marked."""

    name: str
    code: Markup


@dataclass(frozen=True, kw_only=True)
class SuspectsView:
    """What is shown of one program."""

    program: str
    tests: str
    named: Sequence[NamedLine]
    files: Sequence[MarkedFile]


def suspects_views(row: StudentResult) -> list[SuspectsView]:
    """The programs of a student in which lines are suspicious."""
    return [_view(found, f"suspect-{number}") for number, found in enumerate(row.graded.suspects, 1)]


def _view(found: ProgramSuspects, anchor: str) -> SuspectsView:
    anchors = {line.place: f"{anchor}-{rank}" for rank, line in enumerate(found.lines, 1)}
    texts = {name: source.split("\n") for name, source in found.sources.items()}
    named = [
        NamedLine(
            place=line.place,
            anchor=anchors[line.place],
            code=texts[line.place.file][line.place.line - 1].strip(),
            run_by=_run_by(line, found),
        )
        for line in found.lines[:_NAMED]
    ]
    ranks = {line.place: rank for rank, line in enumerate(found.lines, 1)}
    files = [
        MarkedFile(name, Markup("\n".join(_code(name, lines, ranks, anchors))))
        for name, lines in texts.items()
        if any(line.place.file == name for line in found.lines)
    ]
    tests = f"{pluralize(found.failed, 'test')} failed, {found.passed} passed"
    return SuspectsView(program=found.program, tests=tests, named=named, files=files)


_USES = {LineUse.RUN: "run", LineUse.ENTERED: "its body run", LineUse.SKIPPED: "its body skipped"}


def _run_by(line: SuspectLine, found: ProgramSuspects) -> str:
    tests = f"{line.failed} of {pluralize(found.failed, 'failed test')} and {line.passed} of {found.passed} passed"
    raised = f"; {line.raised} ended by an exception from here" if line.raised else ""
    return f"{_USES[line.use]} by {tests}{raised}"


def _code(
    name: str, lines: Sequence[str], ranks: Mapping[CodeLine, int], anchors: Mapping[CodeLine, str]
) -> Iterator[str]:
    for number, text in enumerate(lines[:MOST_LINES], 1):
        place = CodeLine(name, number)
        rank = ranks.get(place)
        if rank is None:
            yield code_line(number, text, "")
        else:
            sign = f'<b class="rank" id="{anchors[place]}"><span class="out">suspicious, rank </span>{rank}</b>'
            yield code_line(number, text, "first" if rank <= _NAMED else "suspect", sign)
    yield more_lines(len(lines))
