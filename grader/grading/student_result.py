"""Builds a student's result from graded tests, overridden verdicts, extensions and manual marks."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from grader.marks.counting import counted
from grader.marks.submission_mark import not_yet_marked, points_so_far, submission_mark, to_confirm
from grader.model.assignment import Assignment
from grader.model.general_causes import INTERNAL_ERROR, OVERRIDE
from grader.model.judgement import Diagnosis, Judgement, Note, NoteKind, Verdict
from grader.model.mark import ManualMarks, MarkOverride, Override, StudentExtension, VerdictOverride
from grader.model.results import AttemptPoints, ClassResult, GradedSubmission, Overridden, StudentResult, TestResult
from grader.model.test import Test
from grader.text.sentence import say
from grader.text.words import format_decimal, pluralize, some_of

_MAX_NAMED = 4


def never_passed(assignment: Assignment, done: Sequence[GradedSubmission]) -> list[Test]:
    """Return the tests that ran but that no submission of the class passed."""
    verdicts = [(result.test.id, result.verdict) for graded in done for result in graded.results]
    passed = {test for test, verdict in verdicts if verdict is Verdict.PASSED}
    failed = {test for test, verdict in verdicts if verdict.has_run} - passed
    return [test for test in assignment.tests if test.id in failed]


def without_faulty_tests(graded: GradedSubmission, faulty: Container[str]) -> GradedSubmission:
    """Return the graded submission without verdicts for the tests in `faulty`, whose failures prove nothing."""
    sentence = say(
        "No submission passes this test, and the reference does not either: the test itself must be looked at."
    )
    judgement = Judgement.without_verdict(INTERNAL_ERROR, sentence)

    def without(results: Sequence[TestResult]) -> Sequence[TestResult]:
        return [
            replace(result, judgement=judgement, because=None)
            if result.test.id in faulty and result.verdict.has_run
            else result
            for result in results
        ]

    return graded.with_results(without)


def failed_by_reference(reference: GradedSubmission) -> list[TestResult]:
    """Return the reference's failed tests, except tests that await a person's review."""
    return [
        result
        for result in reference.results
        if result.verdict is not Verdict.PASSED and not result.judgement.needs_review
    ]


def reference_warnings(failed: Sequence[TestResult]) -> tuple[str, ...]:
    """Return a warning for each program whose reference fails tests."""
    by_program: dict[str, list[str]] = {}
    for result in failed:
        if result.verdict is not Verdict.INTERNAL_ERROR:
            by_program.setdefault(result.test.program, []).append(result.test.id)
    return tuple(_reference_warning(program, tests) for program, tests in by_program.items())


def _reference_warning(program: str, tests: Sequence[str]) -> str:
    named = some_of(tests, _MAX_NAMED)
    return (
        f"the reference of {program} does not pass {pluralize(len(tests), 'test')} ({named}): "
        "what is expected of students is not what it does. If it is right, `grader generate` renews what is expected"
    )


def faulty_test_note(result: TestResult) -> str:
    """Describe a test that the reference fails, for the instructor."""
    reason = result.judgement.diagnosis.sentence if result.judgement.diagnosis else str(result.verdict)
    return (
        f"the test {result.test.id} is passed by no submission, and not by the reference of {result.test.program} "
        f"either, so nothing is charged for it; of the reference it says: {reason}"
    )


def with_verdicts(graded: GradedSubmission, overrides: Iterable[Override]) -> GradedSubmission:
    """Apply `overrides` to the verdicts of `graded`, including verdicts left open by a checker or the grader."""
    decided = {override.test: override for override in overrides if isinstance(override, VerdictOverride)}
    if not decided:
        return graded

    def with_decisions(results: Sequence[TestResult]) -> Sequence[TestResult]:
        return [
            _decided(result, decided[result.test.id]) if result.test.id in decided else result for result in results
        ]

    return graded.with_results(with_decisions)


def _decided(result: TestResult, override: VerdictOverride) -> TestResult:
    sentence = override.decision.sentence
    before = result.judgement
    if override.verdict is Verdict.PASSED:
        notes = (*_without_partial_credit(before.notes), Note(NoteKind.OVERRIDE, sentence))
        judgement = Judgement(verdict=Verdict.PASSED, notes=notes, score=override.score)
    else:
        diagnosis = Diagnosis(OVERRIDE, sentence)
        notes = _without_partial_credit(before.notes)
        judgement = replace(before, verdict=override.verdict, diagnosis=diagnosis, score=override.score, notes=notes)
    return replace(result, judgement=judgement, overruled=Overridden(override, before))


def _without_partial_credit(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Remove notes about partial credit, because a person's decision replaces the share computed by the grader."""
    return tuple(note for note in notes if note.kind is not NoteKind.PARTIAL_CREDIT)


def student_result(
    assignment: Assignment,
    graded: GradedSubmission,
    extensions: Mapping[str, StudentExtension],
    manual: ManualMarks = ManualMarks(),
    overrides: Sequence[Override] = (),
) -> StudentResult:
    """Return the row for a submission, with its extension, manual marks and decisions applied."""
    granted = extensions.get(graded.submission.student, StudentExtension())
    fitting = tuple(override for override in overrides if override.decision.fits(graded.digest))
    graded = counted(with_verdicts(graded, fitting), assignment.groups)
    decided = next((override for override in fitting if isinstance(override, MarkOverride)), None)
    return StudentResult(
        graded=graded,
        due=granted.due or assignment.due,
        manual=manual,
        points=points_so_far(assignment, graded, manual),
        not_yet_marked=not_yet_marked(assignment, graded, manual),
        to_confirm=to_confirm(graded, manual),
        mark=submission_mark(assignment, graded, granted, manual, decided),
        granted=granted,
        overrides=fitting,
        unfit=tuple(override for override in overrides if override not in fitting),
    )


def self_check_result(assignment: Assignment, graded: GradedSubmission) -> ClassResult:
    """Return a self-check as a class with one student.

    The mark is missing, because hidden tests and manual marks are.
    """
    row = StudentResult(
        graded=graded,
        due=assignment.due,
        manual=ManualMarks(),
        points=graded.raw,
        not_yet_marked=(),
        to_confirm=(),
        mark=None,
    )
    return ClassResult(assignment=assignment, rows=(row,), not_graded=(), notes=graded.submission.notes)


def override_words(override: Override) -> str:
    """Describe a decision, its author and its reason."""
    if isinstance(override, VerdictOverride):
        share = "" if override.score is None else f" with {format_decimal(override.score * 100)} % of the points"
        what = f"test {override.test}: {override.verdict}{share}"
    else:
        what = f"mark {format_decimal(override.mark)}"
    return f"{what}. {override.decision.sentence}"


def unused_override_words(override: Override) -> str:
    """Return a description of an override that has no effect, with the reason."""
    return f"not applied, because it is about other files than those handed in now: {override_words(override)}"


def best_attempt(rows: Sequence[StudentResult]) -> StudentResult:
    """Return the attempt with the highest mark, or with the most points while marks are missing.

    In a tie, the attempt that uses the fewest banked late days counts, and then the last one.

    An attempt with an undecided mark might be the best, so it counts until a person has looked at it.
    """
    best = max(rows, key=_attempt_merit)
    if len(rows) == 1:
        return best
    submission = best.graded.submission
    name = submission.source or f"attempt {submission.attempt}"
    notes = (f"of {len(rows)} attempts, {name} counts as the best", *submission.notes)
    attempts = [AttemptPoints(row.graded.submission.attempt, row.points) for row in rows]
    graded = replace(best.graded, submission=replace(submission, notes=notes))
    return replace(best, graded=graded, attempts=tuple(sorted(attempts, key=lambda attempt: attempt.number)))


def _attempt_merit(row: StudentResult) -> tuple[bool, Decimal, int, int]:
    bank_used = row.mark.bank_used if row.mark else 0
    value = row.mark.adjusted if row.mark else row.points
    return row.mark_is_lost, value, -bank_used, row.graded.submission.attempt
