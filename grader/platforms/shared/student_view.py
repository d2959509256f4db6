"""A graded class as its students may see it: hidden tests do not tell what they type or expect.

Of a hidden test remain its points, verdict and kind of cause, under a number: names of tests often tell their input.
Sealed tests keep their seal. The reason of a special consideration is the instructor's.
"""

from dataclasses import replace

from grader.judge.causes.cause import Cause
from grader.model.assignment import Assignment
from grader.model.interaction import Dialogue
from grader.model.judgement import Diagnosis, Judgement, NoteKind, Verdict
from grader.model.program import ProvidedSettings
from grader.model.results import TestResult
from grader.model.rule import RuleFinding, RuleKind, RuleResult
from grader.model.student_result import ClassResult, StudentResult
from grader.model.test import Visibility

NOT_SHOWN = "What a hidden test types and expects is not shown."


_TWINS = "a public test passes, but no hidden test of the same kind does"


def for_students(graded: ClassResult) -> ClassResult:
    """The class without what would reveal a hidden test; marks and points are the same."""
    return replace(graded, rows=tuple(row_for_students(graded.assignment, row) for row in graded.rows))


def row_for_students(assignment: Assignment, row: StudentResult) -> StudentResult:
    """One student's row without what would reveal a hidden test.

    Hidden tests are numbered in the order of the assignment, so a number means the same test for every student.
    """
    hidden = (test.id for test in assignment.tests if test.visibility is Visibility.HIDDEN)
    number = {test: count for count, test in enumerate(hidden, start=1)}
    results = tuple(
        _concealed(result, number[result.test.id]) if result.test.id in number else _still_sealed(result)
        for result in row.graded.results
    )
    rules = tuple(_without_twins(result) for result in row.graded.rules)
    granted = replace(row.granted, reason="")
    return replace(row, graded=replace(row.graded, results=results, rules=rules), granted=granted)


def _concealed(result: TestResult, number: int) -> TestResult:
    # No real test is called so: names of tests have no blanks.
    test = replace(
        result.test,
        id=f"hidden test {number}",
        title="",
        interaction=Dialogue(()),
        hidden_twin_of=None,
        provision=ProvidedSettings(),
        checker=None,
    )
    found = result.judgement.diagnosis
    # What a person wrote of a decision is meant for the student.
    diagnosis = found if found is None or found.cause == Cause.OVERRIDE else Diagnosis(found.cause, NOT_SHOWN)
    notes = tuple(note for note in result.judgement.notes if note.kind is NoteKind.OVERRIDE)
    judgement = Judgement(
        verdict=result.verdict, divergence=None, diagnosis=diagnosis, notes=notes, score=result.judgement.score
    )
    return TestResult(test=test, judgement=judgement, outcome=None, expected="")


def _still_sealed(result: TestResult) -> TestResult:
    """Of a sealed test that failed, the first wrong line, and not what it should be, as in a self-check."""
    found = result.judgement
    if not result.test.sealed or found.divergence is None:
        return result
    diagnosis = found.diagnosis
    if result.verdict is Verdict.WRONG_OUTPUT:
        sentence = f"Line {found.divergence.line} is the first wrong one; what is expected is sealed."
        diagnosis = Diagnosis(Cause.SEALED, sentence)
    judgement = Judgement(
        verdict=result.verdict, divergence=None, diagnosis=diagnosis, wrong_line=found.divergence.line
    )
    return replace(result, judgement=judgement, expected="", because=None)


def _without_twins(result: RuleResult) -> RuleResult:
    """The rule about hard-coding names the hidden twins of a test."""
    if result.rule.kind is not RuleKind.HARD_CODING or not result.findings:
        return result
    return replace(result, findings=(RuleFinding("", None, "", _TWINS),))
