"""Reads overrides.yaml or overrides.csv: marks and verdicts decided by a person, each with a reason."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from grader.class_files.student_entries import by_student, notes_on_unknown
from grader.config.csv_table import read_table
from grader.config.scalars import ASCII_DIGITS, DigestStart, FormatOne, Name, Points, Sentence, StudentName
from grader.config.validation import SpecModel, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import Problem, SpecError, nearest, quoted
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.mark import InstructorDecision, MarkOverride, Override, VerdictOverride

FILE_NAMES = ("overrides.yaml", "overrides.csv")


@dataclass(frozen=True)
class Overrides:
    """Overrides by student, and notes about students without a submission."""

    of: Mapping[str, tuple[Override, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class _Override(SpecModel):
    """A decision: a `mark`, or the `verdict` on a `test`."""

    student: StudentName
    """The name of the student, as in extensions.yaml."""
    mark: Points | None = None
    """The final mark. It replaces the mark calculated from points and lateness, and is not rounded."""
    test: Name | None = None
    """The id of a test, if the decision is about a test instead of the `mark`."""
    verdict: Verdict | None = None
    """The verdict on this test. Use it also for a test that a checker left undecided, or that the grader could not
    run (`internal-error`).
    """
    score: Annotated[Decimal, Field(ge=0, le=1, decimal_places=4, allow_inf_nan=False), ASCII_DIGITS] | None = None
    """The share of the test's points, from 0 to 1. Default: 1 if `passed`, else 0."""
    reason: Sentence
    """The reason, in one sentence."""
    by: Sentence
    """The person who decided."""
    submission: DigestStart | None = None
    """The beginning of the submission's `digest` in results.json, with at least 8 digits. If the student submits
    something else, the override no longer applies, and the report says so. Without this key, the override
    applies to every submission.
    """

    @model_validator(mode="after")
    def _mark_or_verdict(self) -> "_Override":
        self.override()
        if self.score is not None and self.test is None:
            raise ValueError("found `score` without `test`, whose points it shares out")
        if self.verdict is Verdict.INTERNAL_ERROR:
            raise ValueError("found `internal-error`; expected a verdict on the program")
        return self

    def override(self) -> Override:
        """Return the decision as an override. Raises ValueError unless it is either a mark or a verdict on a test."""
        decision = InstructorDecision(self.reason, self.by, self.submission)
        match self.mark, self.test, self.verdict:
            case Decimal() as mark, None, None:
                return MarkOverride(mark, decision)
            case None, str() as test, Verdict() as verdict:
                return VerdictOverride(test, verdict, self.score, decision)
        raise ValueError("expected either `mark`, or `test` and `verdict`")


class OverridesFile(SpecModel):
    """Marks and verdicts decided by a person.

    They apply to every later run until you remove them. Every report shows them with the reason and the person who
    decided, including the reports for the student. The file can also be a table, overrides.csv, with a column for
    each key.
    """

    format: FormatOne
    """Version of this format: `1`."""
    overrides: tuple[_Override, ...]
    """The decisions. The list can be empty."""


def read_overrides(file: Path, assignment: Assignment, students: Iterable[str]) -> Overrides:
    """Return the overrides in `file`, which is YAML or CSV according to its name.

    Raises SpecError if the file is faulty, mentions an unknown test, gives more than the full mark, or decides
    something twice. A name that is not among `students` becomes a note.
    """
    document = read_table(file, "overrides") if file.suffix == ".csv" else read_document(file)
    return overrides_in(document, assignment, students)


def overrides_in(document: YamlDocument, assignment: Assignment, students: Iterable[str]) -> Overrides:
    """Return the overrides in a document. Raises SpecError as `read_overrides` does."""
    content = validate(document, OverridesFile).content
    problems = [*_problems(document, content, assignment), *_repeated(document, content)]
    if problems:
        raise SpecError(problems)
    entries = [
        (document.place(("overrides", index, "student")), entry.student, entry.override())
        for index, entry in enumerate(content.overrides)
    ]
    return Overrides(by_student(entries), notes_on_unknown(entries, students))


def _problems(document: YamlDocument, content: OverridesFile, assignment: Assignment) -> Iterator[Problem]:
    tests = {test.id for test in assignment.tests}
    for index, entry in enumerate(content.overrides):
        if entry.test is not None and entry.test not in tests:
            message = f"there is no test {quoted(entry.test)} in {assignment.id}{nearest(entry.test, tests)}"
            yield Problem(document.place(("overrides", index, "test")), message)
        if entry.mark is not None and entry.mark > assignment.highest_mark:
            most = "highest" if assignment.highest_mark > assignment.marks else "full"
            message = f"found {entry.mark}; expected at most the {most} mark, {assignment.highest_mark}"
            yield Problem(document.place(("overrides", index, "mark")), message)


def _repeated(document: YamlDocument, content: OverridesFile) -> Iterator[Problem]:
    seen: set[tuple[str, str | None]] = set()
    for index, entry in enumerate(content.overrides):
        if (entry.student, entry.test) in seen:
            what = f"the test {quoted(entry.test)}" if entry.test else "the mark"
            place = document.place(("overrides", index, "test" if entry.test else "mark"))
            yield Problem(place, f"{what} of {quoted(entry.student)} is decided twice")
        seen.add((entry.student, entry.test))
