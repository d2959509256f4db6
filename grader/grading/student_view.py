"""The part of a student's results that the student may see. Everything written for students takes a `StudentView`.

It is built field by field, so it only contains the parts of a result that are listed here. A hidden test shows its
points, verdict, kind of cause and hints under a number, because test names often reveal their input. Sealed tests keep
their seal. docs/reference/platforms.md explains this to instructors.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NewType

from grader.model.assignment import Assignment
from grader.model.cause import CauseSubject
from grader.model.counting import Counting, GroupResult, TestGroup
from grader.model.ending import SUCCESS
from grader.model.general_causes import NOT_RUN, OVERRIDE, SEALED
from grader.model.interaction import Dialogue
from grader.model.judgement import Diagnosis, Judgement, NoteKind, Verdict
from grader.model.mark import StudentExtension
from grader.model.results import GradedSubmission, StudentResult, TestResult
from grader.model.rule import RuleFinding, RuleResult
from grader.model.test import Hints, Test, Visibility
from grader.text.language import told
from grader.text.sentence import say

StudentView = NewType("StudentView", StudentResult)
"""Results as the student may see them."""


NOT_SHOWN = say("What a hidden test types and expects is not shown.")
_NOT_RUN = say("Not run: the program ran into the time limit in other tests.")
_TWINS = say("a public test passes, but no hidden test of the same kind does")
_CITE_NOTHING = (CauseSubject.GRADER, CauseSubject.PROGRAM, CauseSubject.LIMIT)
"""Causes whose messages do not quote expected output."""


def student_views(assignment: Assignment) -> Callable[[StudentResult], StudentView]:
    """Return a function that reduces a row to the part its student may see; marks do not change.

    Hidden tests are numbered in the order of the assignment, so a number refers to the same test for every student.
    """
    names = _Names.of(assignment)
    return lambda row: _view(row, names)


def hidden_numbers(assignment: Assignment) -> Mapping[str, int]:
    """Return the number that students see for each hidden test."""
    hidden = (test.id for test in assignment.tests if test.visibility is Visibility.HIDDEN)
    return {test: count for count, test in enumerate(hidden, start=1)}


def _view(row: StudentResult, names: "_Names") -> StudentView:
    return StudentView(
        StudentResult(
            graded=_graded(row.graded, names),
            due=row.due,
            manual=row.manual,
            points=row.points,
            not_yet_marked=row.not_yet_marked,
            to_confirm=(),
            mark=row.mark,
            granted=_without_reason(row.granted),
            comments=row.comments,
            remarks=tuple(replace(remark, about=names.of_subject(remark.about)) for remark in row.remarks),
            requests=tuple(replace(request, about=names.of_subject(request.about)) for request in row.requests),
        )
    )


def _without_reason(granted: StudentExtension) -> StudentExtension:
    return StudentExtension(
        due=granted.due,
        late_days=granted.late_days,
        extra_late_days=granted.extra_late_days,
        waived=granted.waived,
        excused=granted.excused,
    )


def _graded(graded: GradedSubmission, names: "_Names") -> GradedSubmission:
    failed = {result.test.id for result in graded.results if result.verdict is not Verdict.PASSED}
    return GradedSubmission(
        submission=graded.submission,
        results=tuple(_without_needless_hints(result, failed, names) for result in graded.results),
        variants=graded.variants,
        rules=tuple(_without_twins(result) for result in graded.rules),
        groups=tuple(names.in_group(result) for result in graded.groups),
        digest=graded.digest,
        python=graded.python,
        findings=tuple(finding for each in graded.findings if (finding := each.for_student()) is not None),
    )


@dataclass(frozen=True)
class _Names:
    """The names that students see for hidden tests, and for groups that only contain hidden tests.

    They differ from the names of real tests and groups, which cannot contain spaces.
    """

    tests: Mapping[str, str]
    groups: Mapping[str, str]

    @classmethod
    def of(cls, assignment: Assignment) -> "_Names":
        seen = {test.counting.group for test in assignment.tests if test.visibility is Visibility.PUBLIC}
        groups = [group.id for group in assignment.groups if group.id not in seen]
        return cls(
            {test: told("hidden test {number}", number=count) for test, count in hidden_numbers(assignment).items()},
            {group: told("hidden group {number}", number=count) for count, group in enumerate(groups, start=1)},
        )

    def in_counting(self, counting: Counting) -> Counting:
        """Return how a test counts, using these names."""
        group = None if counting.group is None else self.groups.get(counting.group, counting.group)
        return Counting(
            group=group, weight=counting.weight, bonus=counting.bonus, requires=self.shown(counting.requires)
        )

    def in_group(self, result: GroupResult) -> GroupResult:
        """Return the group, using these names."""
        group = result.group
        if group.id in self.groups:
            group = TestGroup(
                id=self.groups[group.id],
                title="",
                part=group.part,
                points=group.points,
                count=group.count,
                bonus=group.bonus,
            )
        return GroupResult(group, self.shown(result.tests), result.passed, result.share)

    def of_subject(self, about: str | None) -> str | None:
        """Return the subject of a request or comment, using these names."""
        return about if about is None else self.tests.get(about, about)

    def shown(self, tests: Iterable[str]) -> tuple[str, ...]:
        """Return the names that students see for `tests`."""
        return tuple(self.tests.get(test, test) for test in tests)


def _without_needless_hints(result: TestResult, failed: Container[str], names: _Names) -> TestResult:
    """Remove hints that only matter if the program passes the public test paired with this hidden test."""
    shown = _result(result, names)
    if result.test.hidden_twin_of not in failed:
        return shown
    return replace(shown, test=replace(shown.test, hints=Hints()))


def _result(result: TestResult, names: _Names) -> TestResult:
    if result.test.id in names.tests:
        return _hidden(result, names)
    test = replace(result.test, counting=names.in_counting(result.test.counting))
    barred_by = names.shown(result.barred_by)
    if result.test.sealed:
        judgement = _sealed(result.judgement)
        return TestResult(test=test, judgement=judgement, outcome=result.outcome, expected="", barred_by=barred_by)
    return TestResult(
        test=test,
        judgement=result.judgement,
        outcome=result.outcome,
        expected=result.expected,
        because=result.because,
        barred_by=barred_by,
    )


def _hidden(result: TestResult, names: _Names) -> TestResult:
    """Return the part of a hidden test that students may see."""
    hidden = result.test
    test = Test(
        id=names.tests[hidden.id],
        title="",
        program=hidden.program,
        part=hidden.part,
        visibility=hidden.visibility,
        points=hidden.points,
        interaction=Dialogue(()),
        ending=SUCCESS,
        counting=names.in_counting(hidden.counting),
        hints=result.fitting_hints,
    )
    diagnosis = result.judgement.diagnosis
    # A person's reason for a decision is meant for the student.
    if diagnosis is not None and diagnosis.cause != OVERRIDE:
        diagnosis = Diagnosis(diagnosis.cause, _NOT_RUN if diagnosis.cause == NOT_RUN else NOT_SHOWN)
    judgement = Judgement(
        verdict=result.verdict,
        diagnosis=diagnosis,
        notes=tuple(note for note in result.judgement.notes if note.kind is NoteKind.OVERRIDE),
        score=result.judgement.score,
    )
    barred_by = names.shown(result.barred_by)
    return TestResult(test=test, judgement=judgement, outcome=None, expected="", barred_by=barred_by)


def _sealed(judgement: Judgement) -> Judgement:
    """Return the judgement on a sealed test with its first wrong line, but without the expected line."""
    if judgement.divergence is None:
        return judgement
    diagnosis, line = judgement.diagnosis, judgement.divergence.line
    if diagnosis is None or judgement.verdict is Verdict.WRONG_OUTPUT or diagnosis.cause.about not in _CITE_NOTHING:
        sentence = say("Line {line} is the first wrong one; what is expected is sealed.", line=line)
        diagnosis = Diagnosis(SEALED, sentence)
    return Judgement(
        verdict=judgement.verdict,
        diagnosis=diagnosis,
        notes=tuple(note for note in judgement.notes if note.kind is NoteKind.PARTIAL_CREDIT),
        score=judgement.score,
        wrong_line=line,
    )


def _without_twins(result: RuleResult) -> RuleResult:
    """Return the result of a rule without names of hidden tests in its findings."""
    if not result.rule.check.reveals_hidden_tests or not result.findings:
        return result
    return RuleResult(result.rule, (RuleFinding(message=_TWINS),) if result.judged else (), result.judged)
