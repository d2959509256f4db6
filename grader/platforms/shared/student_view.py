"""What students may see of a graded class, and the exports that give it to each student in a file.

A hidden test keeps its points, verdict and kind of cause, under a number: names of tests often tell their input.
Of a course's hints, those for a kind of cause are
shown. Sealed tests keep their seal. The reason of a special consideration stays with the instructor, as do the lines
that are likely at fault.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from grader.model.assignment import Assignment
from grader.model.cause import OVERRIDE, SEALED
from grader.model.counting import GroupResult
from grader.model.interaction import Dialogue
from grader.model.judgement import Diagnosis, Judgement, NoteKind, Verdict
from grader.model.program import ProvidedSettings
from grader.model.results import ClassResult, StudentResult, TestResult
from grader.model.rule import RuleFinding, RuleResult
from grader.model.test import Visibility
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportOptions, StudentExport, StudentRenderer
from grader.platforms.shared.output_text import excused_note, score_so_far, unmarked_note, why_open
from grader.store.provenance import Provenance
from grader.text.sentence import say

NOT_SHOWN = say("What a hidden test types and expects is not shown.")


_TWINS = "a public test passes, but no hidden test of the same kind does"


def rows_for_students(graded: ClassResult) -> Iterator[StudentResult]:
    """The rows without what would reveal a hidden test, each made when it is asked for; marks stay the same."""
    names = _Names.of(graded.assignment)
    return (_row_for_student(row, names) for row in graded.rows)


def row_for_students(assignment: Assignment, row: StudentResult) -> StudentResult:
    """One student's row without what would reveal a hidden test.

    Hidden tests are numbered in the order of the assignment, so a number means the same test for every student.
    """
    return _row_for_student(row, _Names.of(assignment))


def _row_for_student(row: StudentResult, names: "_Names") -> StudentResult:
    results = tuple(
        _concealed(result, names) if result.test.id in names.tests else names.in_result(_still_sealed(result))
        for result in row.graded.results
    )
    rules = tuple(_without_twins(result) for result in row.graded.rules)
    groups = tuple(map(names.in_group, row.graded.groups))
    granted = replace(row.granted, reason="")
    graded = replace(row.graded, results=results, rules=rules, groups=groups, suspects=())
    requests = tuple(replace(one, about=names.of_subject(one.about)) for one in row.requests)
    return replace(row, graded=graded, granted=granted, requests=requests)


@dataclass(frozen=True)
class _Names:
    """What stands for the names of hidden tests, and of groups that have no others.

    No real test or group is called so: their names have no spaces.
    """

    tests: Mapping[str, str]
    groups: Mapping[str, str]

    @classmethod
    def of(cls, assignment: Assignment) -> "_Names":
        hidden = [test.id for test in assignment.tests if test.visibility is Visibility.HIDDEN]
        seen = {test.counting.group for test in assignment.tests if test.visibility is Visibility.PUBLIC}
        groups = [group.id for group in assignment.groups if group.id not in seen]
        return cls(
            {test: f"hidden test {count}" for count, test in enumerate(hidden, start=1)},
            {group: f"hidden group {count}" for count, group in enumerate(groups, start=1)},
        )

    def in_result(self, result: TestResult) -> TestResult:
        """The result, with these names in what it says of other tests."""
        counting = result.test.counting
        group = None if counting.group is None else self.groups.get(counting.group, counting.group)
        counting = replace(counting, group=group, requires=self._shown(counting.requires))
        return replace(result, test=replace(result.test, counting=counting), barred_by=self._shown(result.barred_by))

    def in_group(self, result: GroupResult) -> GroupResult:
        """The group with these names."""
        group, tests = result.group, self._shown(result.tests)
        if group.id in self.groups:
            group = replace(group, id=self.groups[group.id], title="")
        return replace(result, group=group, tests=tests)

    def of_subject(self, about: str | None) -> str | None:
        """What a request is about, with these names."""
        return about if about is None else self.tests.get(about, about)

    def _shown(self, tests: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.tests.get(test, test) for test in tests)


def _concealed(result: TestResult, names: _Names) -> TestResult:
    test = replace(
        result.test,
        id=names.tests[result.test.id],
        title="",
        hints=result.test.hints.for_hidden_test,
        partial=None,
        interaction=Dialogue(()),
        hidden_twin_of=None,
        provision=ProvidedSettings(),
        checker=None,
    )
    found = result.judgement.diagnosis
    # What a person wrote of a decision is meant for the student.
    diagnosis = found if found is None or found.cause == OVERRIDE else Diagnosis(found.cause, NOT_SHOWN)
    notes = tuple(note for note in result.judgement.notes if note.kind is NoteKind.OVERRIDE)
    judgement = Judgement(
        verdict=result.verdict, divergence=None, diagnosis=diagnosis, notes=notes, score=result.judgement.score
    )
    concealed = TestResult(test=test, judgement=judgement, outcome=None, expected="", barred_by=result.barred_by)
    return names.in_result(concealed)


def _still_sealed(result: TestResult) -> TestResult:
    """Of a sealed test that failed, the first wrong line, and not what it should be, as in a self-check."""
    found = result.judgement
    if not result.test.sealed or found.divergence is None:
        return result
    diagnosis = found.diagnosis
    if result.verdict is Verdict.WRONG_OUTPUT:
        sentence = say("Line {line} is the first wrong one; what is expected is sealed.", line=found.divergence.line)
        diagnosis = Diagnosis(SEALED, sentence)
    notes = tuple(note for note in found.notes if note.kind is NoteKind.PARTIAL_CREDIT)
    judgement = Judgement(
        verdict=result.verdict,
        divergence=None,
        diagnosis=diagnosis,
        notes=notes,
        score=found.score,
        wrong_line=found.divergence.line,
    )
    return replace(result, judgement=judgement, expected="", because=None)


def _without_twins(result: RuleResult) -> RuleResult:
    """What a rule about hidden tests finds names them."""
    if not result.rule.check.reveals_hidden_tests or not result.findings:
        return result
    return replace(result, findings=(RuleFinding(message=_TWINS),))


def student_file_writer(export: StudentExport, options: ExportOptions) -> ClassWriter:
    """What writes a class in the form of `export`. Raises ExportError when an option is wrong."""
    render = export.renderer(options)
    return lambda graded, origin: file_per_student(export, graded, render, origin)


class _LateFiles(Mapping[str, bytes]):
    """Files by name, written from rows when they are asked for: all those of a large class would fill the memory."""

    def __init__(self, rows: Mapping[str, StudentResult], write: Callable[[StudentResult], bytes]) -> None:
        self._rows = rows
        self._write = write

    def __getitem__(self, name: str) -> bytes:
        return self._write(self._rows[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def file_per_student(
    export: StudentExport, graded: ClassResult, render: StudentRenderer, origin: Provenance
) -> ExportedFiles:
    """The results of each student in a file; a student without a score that the platform can be told is left out."""
    names = _Names.of(graded.assignment)

    def write(row: StudentResult) -> bytes:
        text = render(graded.assignment, _row_for_student(row, names), origin)
        return text.encode("utf-8", "backslashreplace")

    told = [row for row in graded.rows if _can_be_told(export, graded.assignment, row)]
    files = _LateFiles({f"{row.student.replace('/', '-')}{export.suffix}": row for row in told}, write)
    names_told = frozenset(row.student for row in told)
    left_out = tuple(f"{row.student}: {why_open(row)}" for row in graded.rows if row.student not in names_told)
    return ExportedFiles(files, left_out, (*excused_note(told), *unmarked_note(told)), names_told)


def _can_be_told(export: StudentExport, assignment: Assignment, row: StudentResult) -> bool:
    if row.granted.excused:
        return export.takes_excused
    return score_so_far(assignment, row) is not None
