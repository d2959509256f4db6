"""What trials say about tests."""

from grader.authoring.audit.mutants import Mutant
from grader.authoring.audit.trial import MutantTrial, audit
from grader.spec.course import Course
from tests.conftest import SmallCourse

ORIGINAL = "a = 1\nb = 2\nc = 3\nd = 4\n"
A, B, C, D = (
    Mutant("double.py", "", ORIGINAL, ORIGINAL.replace(f"{name} =", f"{name} = -")) for name in ("a", "b", "c", "d")
)


def test_shares_and_lists(small_course: SmallCourse) -> None:
    assignment = Course(small_course.folder).assignment("doubles")
    trials = [
        MutantTrial(A, ("small", "hidden-11")),
        MutantTrial(B, ("hidden-11",)),
        MutantTrial(C, ()),
        MutantTrial(D, ()),
        MutantTrial(Mutant("double.py", "", ORIGINAL, "e = 5\n"), (), unsettled=("small",)),
    ]
    found = audit(assignment, trials, {D.id: "no difference", B.id: "thought to be none", "gone": "?"}, {B.id, D.id})
    assert [trial.mutant for trial in found.caught] == [A, B]
    assert found.survived == (C,)
    assert found.equivalent == (D,)
    assert found.share == 2 / 3
    assert found.wrongly_marked == (B.id,)
    assert found.stale_marks == ("gone",)
    assert [trial.mutant for trial in found.only_hidden] == [B]
    assert found.redundant == ("small",)
    assert found.idle == ("hidden-12",)


def test_marks_are_not_called_stale_when_only_some_mutants_were_made(small_course: SmallCourse) -> None:
    assignment = Course(small_course.folder).assignment("doubles")
    assert audit(assignment, [], {"gone": "?"}, None).stale_marks == ()
