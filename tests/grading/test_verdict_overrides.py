"""A person's decisions: verdicts, marks, and when they do not fit."""

from dataclasses import replace
from decimal import Decimal

from grader.grading.student_result import student_result
from grader.model.judgement import Verdict
from grader.model.mark import InstructorDecision, MarkOverride, Override, StudentExtension, VerdictOverride
from grader.model.results import GradedSubmission, StudentResult
from tests.reports.graded_example import ASSIGNMENT, CLASS

DECISION = InstructorDecision("an appeal", "the lecturer")
PASSED = VerdictOverride("small", Verdict.PASSED, None, DECISION)
WRONG, RERUN = CLASS.rows[1].graded, CLASS.rows[2].graded


def row(graded: GradedSubmission, *overrides: Override, granted: StudentExtension | None = None) -> StudentResult:
    extensions = {graded.submission.student: granted} if granted else {}
    return student_result(ASSIGNMENT, graded, extensions, overrides=overrides)


def test_a_verdict_gives_its_points_and_keeps_what_was_before() -> None:
    decided = row(WRONG, PASSED)
    (result,) = decided.graded.results
    assert (result.verdict, result.points) == (Verdict.PASSED, Decimal("1.5"))
    assert result.overruled is not None
    assert result.overruled.judgement.verdict is Verdict.WRONG_OUTPUT
    assert [note.sentence for note in result.judgement.notes] == ["Decided by the lecturer: an appeal"]
    assert decided.mark is not None
    assert decided.mark.adjusted == Decimal("1.5")


def test_a_score_shares_the_points_out() -> None:
    for verdict in (Verdict.PASSED, Verdict.WRONG_OUTPUT):
        decided = row(WRONG, replace(PASSED, verdict=verdict, score=Decimal("0.5")))
        assert decided.points == Decimal("0.75")


def test_a_verdict_may_be_taken_back() -> None:
    decided = row(CLASS.rows[0].graded, replace(PASSED, verdict=Verdict.CRASH))
    (result,) = decided.graded.results
    assert (result.verdict, decided.points) == (Verdict.CRASH, Decimal(0))
    assert result.judgement.diagnosis is not None
    assert result.judgement.diagnosis.sentence == "Decided by the lecturer: an appeal"


def test_an_internal_error_is_settled() -> None:
    assert row(RERUN).mark is None
    decided = row(RERUN, PASSED)
    assert not decided.graded.needs_rerun
    assert decided.mark is not None
    assert decided.mark.adjusted == Decimal("1.5")


def test_a_mark_counts_whatever_the_lateness_and_even_if_none_could_be_told() -> None:
    override = MarkOverride(Decimal("1.2"), DECISION)
    for graded in (CLASS.rows[0].graded, WRONG, RERUN):
        mark = row(graded, override).mark
        assert mark is not None
        assert (mark.adjusted, mark.override) == (Decimal("1.2"), override)
        assert mark.steps[-2:] == ("Decided by the lecturer: an appeal.", "Mark: 1.2.")
        assert len([step for step in mark.steps if step.startswith("Mark: ")]) == 1


def test_a_decision_about_another_submission_does_not_count() -> None:
    graded = replace(WRONG, digest="3f2a9c01" + "0" * 56)
    fits, other = (replace(PASSED, decision=replace(DECISION, submission=start)) for start in ("3f2a9c01", "00000000"))
    assert row(graded, fits).overrides == (fits,)
    decided = row(graded, other)
    assert (decided.overrides, decided.unfit, decided.points) == ((), (other,), Decimal(0))


def test_no_mark_counts_for_somebody_who_is_excused() -> None:
    excused = row(WRONG, MarkOverride(Decimal(1), DECISION), granted=StudentExtension(excused=True))
    assert excused.mark is None
    assert not excused.mark_is_lost
