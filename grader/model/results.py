"""The results from which marks are calculated and reports are written."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, overload

from grader.errors import SourceLocation
from grader.model.amount import as_decimal, total
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.counting import GroupResult
from grader.model.finding import Finding
from grader.model.judgement import Judgement, MendedTranscripts, Verdict
from grader.model.mark import ManualMarks, Mark, Override, StudentExtension, VerdictOverride
from grader.model.outcome import Outcome, TypedLine
from grader.model.python_request import PythonInUse
from grader.model.regrade import RegradeRequest
from grader.model.result_view import ViewedResult
from grader.model.rule import RuleResult
from grader.model.submission import SECTION, Submission
from grader.model.test import Hints, Test
from grader.text.difference import FirstDifference
from grader.text.sentence import say_plural

_BEFORE_RUNNING = ("missing-file", "source-format", "syntax-error", "build-error")
_FAILED_IMPORT = re.compile(r"^(?:ImportError|ModuleNotFoundError)\b", re.M)


@dataclass(frozen=True)
class Overridden:
    """A person's decision on a test, and the judgement it replaces."""

    override: VerdictOverride
    judgement: Judgement


@dataclass(frozen=True, kw_only=True)
class ComparedTranscript:
    """Two transcripts that differ, the input typed in the actual one, and their first difference.

    `shown` is the difference to show: the first one, or a more informative one.
    """

    expected: str
    actual: str
    typed: tuple[TypedLine, ...]
    divergence: FirstDifference
    shown: FirstDifference


@dataclass(frozen=True, kw_only=True)
class TestResult:
    """A test of a submission.

    `outcome` is None if nothing was run. `expected` is the transcript it was compared with. If a person has decided,
    `judgement` holds the decision and `overruled` the judgement before it. `because` is the rule that the reference
    followed at the first difference, or None if it does not give one there. `barred_by` lists the required tests that
    did not pass, because of which this test earns nothing.
    """

    test: Test
    judgement: Judgement
    outcome: Outcome | None
    expected: str
    overruled: Overridden | None = None
    because: str | None = None
    barred_by: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of the judgement."""
        return self.judgement.verdict

    @property
    def compared(self) -> ComparedTranscript | None:
        """The transcripts if they differ, or None."""
        judgement, outcome = self.judgement, self.outcome
        first, shown = judgement.divergence, judgement.telling
        if first is None or shown is None or outcome is None:
            return None
        compared = judgement.mended or MendedTranscripts(self.expected, outcome.transcript, outcome.typed)
        return ComparedTranscript(
            expected=compared.expected, actual=compared.actual, typed=compared.typed, divergence=first, shown=shown
        )

    @property
    def share(self) -> Fraction:
        """The share of the test's points that it earns, from 0 to 1."""
        if self.barred_by:
            return Fraction(0)
        if self.judgement.score is not None:
            return Fraction(self.judgement.score)
        return Fraction(self.verdict is Verdict.PASSED)

    @property
    def earned(self) -> Fraction:
        """The exact points earned; a group of tests earns its points separately."""
        return Fraction(self.test.points) * self.share

    @property
    def points(self) -> Decimal:
        """The points earned."""
        return as_decimal(self.earned)

    @property
    def why_not_counted(self) -> str | None:
        """The reason why the test cannot earn anything, or None."""
        if not self.barred_by:
            return None
        return say_plural(
            len(self.barred_by),
            "Does not count: the test {tests} did not pass.",
            "Does not count: the tests {tests} did not pass.",
            tests=", ".join(self.barred_by),
        )

    @property
    def hints(self) -> tuple[str, ...]:
        """The course's hints for this failure."""
        if self.verdict in (Verdict.PASSED, Verdict.INTERNAL_ERROR, Verdict.NOT_RUN):
            return ()
        diagnosis = self.judgement.diagnosis
        return self.fitting_hints.after(diagnosis.cause.id if diagnosis else None)

    @property
    def fitting_hints(self) -> Hints:
        """The test's hints, without the general one if the program is missing or did not get past its imports."""
        outcome, diagnosis, hints = self.outcome, self.judgement.diagnosis, self.test.hints
        stopped = diagnosis is not None and diagnosis.cause.id in _BEFORE_RUNNING
        if outcome and self.verdict is Verdict.CRASH:
            printed = outcome.errors or outcome.transcript
            stopped |= bool(_FAILED_IMPORT.search(printed)) if outcome.call is None else not outcome.call.reached
        return replace(hints, always="") if stopped else hints


EarnedByPart: TypeAlias = tuple[tuple[str | None, Fraction], ...]
"""Exact points by part."""


@lru_cache
def _shared(earned: EarnedByPart) -> EarnedByPart:
    """Return an equal value that is shared by all submissions with the same points."""
    return earned


ResultChange: TypeAlias = Callable[[Sequence[TestResult]], Sequence[TestResult]]
"""A function that converts results to other results of the same tests."""


class LazyResults(Sequence[TestResult]):
    """Results that are read again on every access, because a large class's results would fill the memory."""

    __slots__ = ("_change", "_read")

    def __init__(self, read: Callable[[], Sequence[TestResult]], change: ResultChange | None = None) -> None:
        self._read = read
        self._change = change

    def __len__(self) -> int:
        return len(self._read())

    def __iter__(self) -> Iterator[TestResult]:
        return iter(self._results())

    @overload
    def __getitem__(self, index: int) -> TestResult: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[TestResult]: ...

    def __getitem__(self, index: int | slice) -> TestResult | Sequence[TestResult]:
        return self._results()[index]

    def _results(self) -> Sequence[TestResult]:
        return self._read() if self._change is None else self._change(self._read())

    def changed(self, change: ResultChange) -> "LazyResults":
        """Return results to which `change` is applied each time they are read."""
        if self._change is None:
            return LazyResults(self._read, change)
        return LazyResults(self._results, change)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class GradedSubmission(ViewedResult):
    """All results of a submission, the variant chosen for each program, and the results of the rules.

    `groups` holds the results of test groups. `digest` identifies the graded content, and `python` is the Python that
    ran the programs (None if nothing could be run). `findings` come from the steps after grading.
    """

    submission: Submission
    results: Sequence[TestResult]
    variants: Mapping[str, str]
    rules: tuple[RuleResult, ...] = ()
    groups: tuple[GroupResult, ...] = ()
    digest: str = ""
    python: PythonInUse | None = None
    findings: tuple[Finding, ...] = ()
    _earned: EarnedByPart | None = field(default=None, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        passed = sum(result.verdict is Verdict.PASSED for result in self.results)
        return f"<GradedSubmission {self.submission.student!r}: {passed} of {len(self.results)} tests passed>"

    def with_results(self, change: ResultChange) -> "GradedSubmission":
        """Return a copy with `change` applied to the results, at once or, for lazy results, each time they are read."""
        now = self.results
        return replace(self, results=now.changed(change) if isinstance(now, LazyResults) else tuple(change(now)))

    @property
    def raw(self) -> Decimal:
        """The total points of all tests, groups and rules."""
        return total(earned for _, earned in self._earned_by_part)

    def part_points(self, part: str) -> Decimal:
        """Return the points earned in a part by tests, groups and rules."""
        return as_decimal(sum((earned for name, earned in self._earned_by_part if name == part), Fraction(0)))

    @property
    def _earned_by_part(self) -> EarnedByPart:
        """The points of tests, groups and rules, computed once; None is the key for rules outside any part."""
        if self._earned is None:
            earned: dict[str | None, Fraction] = defaultdict(Fraction)
            for result in self.results:
                earned[result.test.part] += result.earned
            for group in self.groups:
                earned[group.group.part] += group.earned
            for rule in self.rules:
                earned[rule.rule.part] += Fraction(rule.points)
            object.__setattr__(self, "_earned", _shared(tuple(earned.items())))
        return self._earned or ()

    @property
    def passes_all_tests(self) -> bool:
        """Return whether every test passed, and no verdict was overruled by a person."""
        return all(result.verdict is Verdict.PASSED and result.overruled is None for result in self.results)

    @property
    def needs_rerun(self) -> bool:
        """Return whether a failure of the grader prevented the judgement of a test, or of a rule with points."""
        failed = any(result.verdict is Verdict.INTERNAL_ERROR for result in self.results)
        return failed or any(result.rule.points for result in self.undecided_rules)

    @property
    def undecided_rules(self) -> tuple[RuleResult, ...]:
        """The rules that were not judged because of a failure of the grader."""
        return tuple(result for result in self.rules if not result.judged)


@dataclass(frozen=True)
class SkippedTests:
    """Tests that a self-check did not run, and a reason for the student."""

    tests: tuple[Test, ...]
    reason: str


@dataclass(frozen=True)
class GroupComment:
    """A comment on a group of failures under the name from `grader insight`, and the comment's location."""

    group: str
    text: str
    place: SourceLocation


@dataclass(frozen=True, kw_only=True)
class StudentComment:
    """A comment for a student, `by` a person: on a line of a file, `about` a test, item or rule, or on the whole."""

    text: str
    file: str | None = None
    line: int | None = None
    about: str | None = None
    by: str = ""

    @property
    def words(self) -> str:
        """The comment with its subject, such as `main.py:3: A clear name`."""
        subject = self.about if self.file is None else f"{self.file}:{self.line}"
        return self.text if subject is None else f"{subject}: {self.text}"


@dataclass(frozen=True)
class AttemptPoints:
    """The number of an attempt, from 1, and the points it earned."""

    number: int
    points: Decimal


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class StudentResult(ViewedResult):
    """A student: the results, the due date that applies, the manual marks, and the mark.

    The mark is None while undecided, and for an excused student. `points` is the total so far. `not_yet_marked` lists
    the items that a person still has to mark, and `to_confirm` the broken rules whose penalty a person still has to
    confirm. `granted` holds special arrangements, and `overrides` a person's decisions in place of the grader's. The
    overrides in `unfit` concern a different submission and have no effect. `comments` are about mistakes shared with
    other students, and `remarks` about this student alone; `requests` are the student's regrade requests. `attempts`
    lists all graded attempts if the best one counts.
    """

    graded: GradedSubmission
    due: datetime
    manual: ManualMarks
    points: Decimal
    not_yet_marked: tuple[ManualItem, ...]
    to_confirm: tuple[RuleResult, ...]
    mark: Mark | None
    granted: StudentExtension = StudentExtension()
    overrides: tuple[Override, ...] = ()
    unfit: tuple[Override, ...] = ()
    comments: tuple[str, ...] = ()
    remarks: tuple[StudentComment, ...] = ()
    attempts: tuple[AttemptPoints, ...] = ()
    requests: tuple[RegradeRequest, ...] = ()

    def __repr__(self) -> str:
        return f"<StudentResult {self.student!r}: mark {self.mark.adjusted if self.mark else '?'}>"

    @property
    def student(self) -> str:
        """The student's name."""
        return self.graded.submission.student

    @property
    def name(self) -> str:
        """The student's name."""
        return self.student

    @property
    def full_name(self) -> str:
        """The student's full name; empty if it is unknown or equals the name used here."""
        name = self.graded.submission.identity.name or ""
        return "" if name == self.student else name

    @property
    def label(self) -> str:
        """The student's name in reports, followed by the full name if known."""
        return f"{self.student} ({self.full_name})" if self.full_name else self.student

    @property
    def tests(self) -> Sequence[TestResult]:
        """The result of each test, in the order of the assignment."""
        return self.graded.results

    @property
    def mark_is_lost(self) -> bool:
        """Return whether the mark is missing although all manual items are marked and the student is not excused."""
        return self.mark is None and not self.not_yet_marked and not self.granted.excused

    @property
    def waits_for_decision(self) -> bool:
        """Return whether a person still has to decide a test, a rule or an item's points."""
        undecided = any(result.judgement.needs_review for result in self.graded.results)
        return bool(undecided or self.not_yet_marked or self.to_confirm)

    @property
    def told_rules(self) -> tuple[RuleResult, ...]:
        """The rules shown to the student; a rule with a penalty is only shown once the instructor has confirmed it."""
        return tuple(
            result for result in self.graded.rules if not result.rule.asks or result.rule.id in self.manual.confirmed
        )

    def part_points(self, part: Part) -> Decimal:
        """Return the points so far in a part, from tests, groups, rules and manual marks."""
        by_hand = (self.manual.points.get(item.id, Decimal(0)) for item in part.manual)
        return sum(by_hand, self.graded.part_points(part.id))

    def waits(self, part: Part) -> bool:
        """Return whether an item of the part has not been marked yet."""
        return any(item in self.not_yet_marked for item in part.manual)


@dataclass(frozen=True)
class ShorterSession:
    """A session with fewer lines than the `all_lines` of `test`, in which the program fails the same way (`result`)."""

    test: Test
    all_lines: tuple[str, ...]
    lines: tuple[str, ...]
    result: TestResult


@dataclass(frozen=True, kw_only=True, repr=False)
class ClassResult(ViewedResult):
    """A class with marks. `not_graded` lists the students left out because grading was interrupted.

    `comments` are about students' mistakes, and also appear in the students' rows. `warnings` explain why the marks as
    a whole may be wrong, and `without_effect` lists the entries in the instructor's files that have no effect. Both are
    also included in `notes`.
    """

    assignment: Assignment
    rows: tuple[StudentResult, ...]
    not_graded: tuple[str, ...]
    notes: tuple[str, ...]
    comments: tuple[GroupComment, ...] = ()
    warnings: tuple[str, ...] = ()
    without_effect: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<ClassResult {self.assignment.id!r}: {len(self.rows)} students>"

    @property
    def python(self) -> PythonInUse | None:
        """The Python that ran the programs, or None."""
        return next((row.graded.python for row in self.rows if row.graded.python), None)

    @property
    def accepted(self) -> list[tuple[GradedSubmission, tuple[str, ...]]]:
        """The submissions that pass all tests without overrides, without duplicates, each with its students."""
        students: dict[str, list[GradedSubmission]] = {}
        for row in self.rows:
            if row.graded.passes_all_tests:
                students.setdefault(row.graded.digest, []).append(row.graded)
        return [(same[0], tuple(graded.submission.student for graded in same)) for same in students.values()]

    @property
    def students(self) -> tuple[StudentResult, ...]:
        """The students who were graded."""
        return self.rows

    @property
    def roster_columns(self) -> tuple[str, ...]:
        """The roster columns beyond the identity, starting with the section."""
        names = {name: None for row in self.rows for name in row.graded.submission.roster}
        return tuple(sorted(names, key=lambda name: name != SECTION))
