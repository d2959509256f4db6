"""Groups the failing submissions of a class by the mistakes that they share.

A mistake shows in several tests, and a second one may hide it in some of them. So signs are put together when mostly
the same students show them, and a student with two mistakes is in two groups.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.insight.sign import Sign, sign_of
from grader.judge.verdict import Verdict
from grader.pipeline.results import GradedSubmission, TestResult

_IN_COMMON = 0.5


@dataclass(frozen=True)
class Showing:
    """A sign, and the students who show it, in alphabetical order."""

    sign: Sign
    students: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Students who seem to have made the same mistake. The first of `showings`, shown by most, stands for all."""

    showings: tuple[Showing, ...]

    @property
    def id(self) -> str:
        """The name of the group: that of its first sign."""
        return self.showings[0].sign.digest

    @property
    def students(self) -> tuple[str, ...]:
        """All who show any of the signs, in alphabetical order."""
        return tuple(sorted({student for showing in self.showings for student in showing.students}))

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests in which it shows, those that most students fail first."""
        return tuple(dict.fromkeys(showing.sign.test for showing in self.showings))

    def has(self, sign_digest: str) -> bool:
        """Whether one of the signs has this name."""
        return any(showing.sign.digest == sign_digest for showing in self.showings)


def groups_of(submissions: Iterable[GradedSubmission]) -> tuple[Group, ...]:
    """The groups of a class, the largest first. Failures of ours belong to none."""
    shown: dict[Sign, set[str]] = {}
    for submission in submissions:
        for result in submission.results:
            if result.verdict not in (Verdict.PASSED, Verdict.INTERNAL_ERROR):
                shown.setdefault(sign_of(result), set()).add(submission.submission.student)
    showings = [Showing(sign, tuple(sorted(students))) for sign, students in shown.items()]
    showings.sort(key=lambda showing: (-len(showing.students), showing.sign.test, showing.sign.digest))
    groups = [Group(tuple(members)) for members in _put_together(showings)]
    return tuple(sorted(groups, key=lambda group: (-len(group.students), -len(group.showings), group.id)))


def shared_groups(groups: Iterable[Group]) -> list[Group]:
    """The groups of several students."""
    return [group for group in groups if len(group.students) > 1]


def students_alone(groups: Sequence[Group]) -> list[str]:
    """Who fails a test but shares no mistake with anybody."""
    together = {student for group in shared_groups(groups) for student in group.students}
    return sorted({student for group in groups for student in group.students} - together)


def example_of(group: Group, by_student: Mapping[str, GradedSubmission]) -> TestResult:
    """The result that stands for a group: the first student's in the test that most of them fail."""
    showing = group.showings[0]
    results = by_student[showing.students[0]].results
    return next(result for result in results if result.test.id == showing.sign.test)


def _put_together(showings: Iterable[Showing]) -> list[list[Showing]]:
    """Each showing joins the group that its students have most in common with, or begins one.

    A group is known by the students of its first sign, so that groups do not run into each other. A student shows one
    sign in a test, so two signs of the same test never have a student in common.
    """
    leaders: list[frozenset[str]] = []
    groups: list[list[Showing]] = []
    led_by: dict[str, list[int]] = {}
    for showing in showings:
        own = frozenset(showing.students)
        near = {index for student in own for index in led_by.get(student, ())}
        best = max(near, key=lambda index: (_in_common(own, leaders[index]), -index), default=None)
        if best is not None and _in_common(own, leaders[best]) > _IN_COMMON:
            groups[best].append(showing)
            continue
        for student in own:
            led_by.setdefault(student, []).append(len(groups))
        leaders.append(own)
        groups.append([showing])
    return groups


def _in_common(first: frozenset[str], second: frozenset[str]) -> float:
    """The share of the students of either that both have (Jaccard index), from 0 to 1."""
    return len(first & second) / len(first | second)
