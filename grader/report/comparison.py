"""What differs between two runs: who, by how much, and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from grader.report.results_file import Fact, KnownMark, KnownRun, ResultsError

_NOBODY = KnownMark(None, "not there", {})
# The older format has no digests, and without a mark nothing is known of the lateness: that is no difference.
_TOLD_IF_KNOWN_IN_BOTH = ("submission", "lateness")


@dataclass(frozen=True)
class Reason:
    """A fact that is another one: its kind and name, what it was and is (None: it was or is not), and the points."""

    kind: str
    what: str
    before: str | None
    after: str | None
    points: Decimal | None


@dataclass(frozen=True)
class Change:
    """A student about whom the runs do not say the same."""

    student: str
    before: KnownMark
    after: KnownMark
    reasons: tuple[Reason, ...]

    @property
    def difference(self) -> Decimal | None:
        """How much the mark has risen; None when one of the runs gives none."""
        if self.before.mark is None or self.after.mark is None:
            return None
        return self.after.mark - self.before.mark


@dataclass(frozen=True)
class Comparison:
    """The students of two runs on one assignment: how many there are in either, and those that differ."""

    assignment: str
    students: int
    changes: tuple[Change, ...]


def compare(first: KnownRun, second: KnownRun) -> Comparison:
    """What differs from `first` to `second`. Raises ResultsError when they are runs on different assignments."""
    if first.assignment != second.assignment:
        raise ResultsError(f"The runs are on different assignments: {first.assignment} and {second.assignment}.")
    names = sorted({*first.students, *second.students})
    changes = (_change(name, first.students, second.students) for name in names)
    differing = tuple(change for change in changes if change.reasons or change.before.words != change.after.words)
    return Comparison(first.assignment, len(names), differing)


def _change(student: str, first: Mapping[str, KnownMark], second: Mapping[str, KnownMark]) -> Change:
    before, after = first.get(student, _NOBODY), second.get(student, _NOBODY)
    both = student in first and student in second
    return Change(student, before, after, tuple(_reasons(before, after)) if both else ())


def _reasons(before: KnownMark, after: KnownMark) -> Iterator[Reason]:
    for key in {**before.facts, **after.facts}:
        old, new = before.facts.get(key), after.facts.get(key)
        if old == new or (key[0] in _TOLD_IF_KNOWN_IN_BOTH and not (old and new)):
            continue
        yield Reason(*key, old.words if old else None, new.words if new else None, _difference(old, new))


def _difference(old: Fact | None, new: Fact | None) -> Decimal | None:
    points = [fact.points for fact in (old, new) if fact]
    if None in points:
        return None
    was, now = (fact.points if fact and fact.points is not None else Decimal(0) for fact in (old, new))
    return now - was
