"""What trials say about tests."""

from dataclasses import replace

from grader.plugins.auditing.base_program import Accepted, BaseProgram
from grader.plugins.auditing.mutants import MistakeSource, Mutant
from grader.plugins.auditing.report import CatchCounts, FirstKills, SurvivingShare, TestTable, sum_up
from grader.plugins.auditing.trial import MutantTrial, TrialDepth
from grader.spec.course import Course
from tests.conftest import SmallCourse

ORIGINAL = BaseProgram("double.py", "a = 1\nb = 2\nc = 3\nd = 4\n")
A, B, C, D = (
    Mutant(ORIGINAL, "", ORIGINAL.source.replace(f"{name} =", f"{name} = -")) for name in ("a", "b", "c", "d")
)


def test_shares_and_lists(small_course: SmallCourse) -> None:
    assignment = Course(small_course.folder).assignment("doubles")
    trials = [
        MutantTrial(A, ("small", "hidden-11")),
        MutantTrial(B, ("hidden-11",)),
        MutantTrial(C, ()),
        MutantTrial(D, ()),
        MutantTrial(Mutant(ORIGINAL, "", "e = 5\n"), (), unsettled=("small",)),
    ]
    marks = {D.id: "no difference", B.id: "thought to be none", "gone": "?", "s-12345678": "of another class"}
    found = sum_up(assignment, trials, marks, {B.id, D.id}, TrialDepth.EVERY_TEST)
    assert [trial.mutant for trial in found.caught] == [A, B]
    assert [trial.mutant for trial in found.survived] == [C]
    assert found.equivalent == (D,)
    assert found.share == 2 / 3
    assert found.wrongly_marked == (B.id,)
    assert found.stale_marks == ("gone",)
    assert found.tests == TestTable(
        only_hidden=(trials[1],),
        redundant=("small",),
        idle=("hidden-12",),
        catches=CatchCounts(public=1, hidden=2, both=1),
    )


def test_the_share_that_survives_is_told_for_each_kind(small_course: SmallCourse) -> None:
    assignment = Course(small_course.folder).assignment("doubles")
    handed_in = replace(ORIGINAL, origin=Accepted(("ann",)))
    trials = [
        MutantTrial(A, ("small",)),
        MutantTrial(B, ()),
        MutantTrial(replace(C, mistake=MistakeSource.CATALOGUE), ("small",)),
        MutantTrial(replace(D, base=handed_in), ()),
    ]
    found = sum_up(assignment, trials, {}, None, TrialDepth.UNTIL_CAUGHT)
    assert found.by_kind == (
        SurvivingShare("mistakes by operators in programs of students", 1, 1),
        SurvivingShare("mistakes by operators in references", 1, 2),
        SurvivingShare("mistakes of audit.yaml in references", 0, 1),
    )


def test_marks_are_not_called_stale_when_only_some_mutants_were_made(small_course: SmallCourse) -> None:
    assignment = Course(small_course.folder).assignment("doubles")
    assert sum_up(assignment, [], {"gone": "?"}, None, TrialDepth.UNTIL_CAUGHT).stale_marks == ()


def test_of_first_kills_nothing_is_said_about_single_tests(small_course: SmallCourse) -> None:
    assignment = Course(small_course.folder).assignment("doubles")
    found = sum_up(assignment, [MutantTrial(A, ("small",))], {}, None, TrialDepth.UNTIL_CAUGHT)
    assert found.tests == FirstKills()
