"""Groups the failing submissions of a class by the mistakes that they share.

Students who show the very same signs are the first to make a group: these signs are what the mistake shows. Another
student is in a group when they show at least half of its signs, as far as no other group explains them already. So a
student with two mistakes is in two groups, and a text misspelt besides, or a sign that two mistakes have in common,
puts nobody with the wrong ones.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.insight.sign import Sign, signs_of
from grader.judge.verdict import Verdict
from grader.pipeline.results import GradedSubmission, TestResult

_IN_COMMON = 0.5


@dataclass(frozen=True)
class Showing:
    """A sign, and the students of a group who show it, in alphabetical order."""

    sign: Sign
    students: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Students who seem to have made the same mistake, in alphabetical order, and the signs of it.

    The first of `showings` stands for all: a sign of this mistake alone if there is one, shown by most.
    """

    students: tuple[str, ...]
    showings: tuple[Showing, ...]

    @property
    def id(self) -> str:
        """The name of the group: that of its first sign."""
        return self.showings[0].sign.digest

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests in which it shows, those that most students fail first."""
        return tuple(dict.fromkeys(showing.sign.test for showing in self.showings))

    def has(self, sign_digest: str) -> bool:
        """Whether one of the signs has this name."""
        return any(showing.sign.digest == sign_digest for showing in self.showings)


def groups_of(submissions: Iterable[GradedSubmission]) -> tuple[Group, ...]:
    """The groups of a class, the largest first. Failures of ours belong to none; everybody else who fails is in one."""
    profiles: dict[str, frozenset[Sign]] = {}
    for submission in submissions:
        signs = frozenset(
            sign
            for result in submission.results
            if result.verdict not in (Verdict.PASSED, Verdict.INTERNAL_ERROR)
            for sign in signs_of(result)
        )
        if signs:
            profiles[submission.submission.student] = signs
    mistakes = _mistakes(profiles.values())
    members: dict[int, list[str]] = {}
    for student in sorted(profiles):
        for index in _explained_by(profiles[student], mistakes):
            members.setdefault(index, []).append(student)
    in_how_many = Counter(sign for index in members for sign in mistakes[index])
    groups = [_group(mistakes[index], students, profiles, in_how_many) for index, students in members.items()]
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


def _mistakes(profiles: Iterable[frozenset[Sign]]) -> list[frozenset[Sign]]:
    """The signs of each mistake: of what most students show alike, then of what is left of the others."""
    alike = Counter(profiles)
    order = {
        profile: (-count, len(profile), sorted(sign.digest for sign in profile)) for profile, count in alike.items()
    }
    found: list[frozenset[Sign]] = []
    for profile in sorted(alike, key=order.__getitem__):
        explained = frozenset[Sign]().union(*(found[index] for index in _explained_by(profile, found)))
        left = profile - explained
        if len(left) > _IN_COMMON * len(profile):
            found.append(profile if alike[profile] > 1 else left)
    return found


def _explained_by(profile: frozenset[Sign], mistakes: Sequence[frozenset[Sign]]) -> list[int]:
    """The mistakes of which a student shows at least half, not counting what those before them explain."""
    shown = {index: len(profile & signs) for index, signs in enumerate(mistakes)}
    explained: set[Sign] = set()
    chosen = []
    for index in sorted(shown, key=lambda index: (-shown[index], len(mistakes[index]))):
        own = (mistakes[index] & profile) - explained
        if own and len(own) >= _IN_COMMON * len(mistakes[index]):
            chosen.append(index)
            explained |= own
    return chosen


def _group(
    signs: frozenset[Sign], students: Sequence[str], profiles: dict[str, frozenset[Sign]], in_how_many: Counter[Sign]
) -> Group:
    shown = {sign: tuple(name for name in students if sign in profiles[name]) for sign in signs}
    showings = [Showing(sign, names) for sign, names in shown.items() if names]
    showings.sort(
        key=lambda showing: (
            in_how_many[showing.sign],
            -len(showing.students),
            showing.sign.test,
            showing.sign.digest,
        )
    )
    return Group(tuple(students), tuple(showings))
