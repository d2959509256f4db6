"""The points of tests: shares of points, and the check that all points add up to the marks of their part.

Shares are exact: three tests that share one point get a third each, which adds up to one point.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem
from grader.model.amount import amount
from grader.model.counting import TestGroup
from grader.model.test import Test
from grader.spec.assignment_file import AssignmentFile, PartEntry
from grader.spec.counting_entries import EqualPoints
from grader.spec.cross_checks import PlacedTest
from grader.text.words import format_decimal


@dataclass(frozen=True)
class PointsPool:
    """Tests in the same place that share points.

    Without `total`, they share the remaining marks of the part `place`.
    """

    place: tuple[Path, KeyPath] | str
    total: Decimal | None = None


def _pool(item: PlacedTest) -> PointsPool | None:
    """Return the pool of points from which a test gets a share, or None if it has its own points or a group's."""
    entry, defaults = item.entry, item.defaults
    if item.test.counting.group is not None:
        return None
    if entry.shared_points is not None:
        return PointsPool((item.document.file, item.steps), entry.shared_points)
    points = defaults.points if entry.points is None else entry.points
    if points is EqualPoints.EQUAL:
        return PointsPool(item.test.part)
    if points is None and defaults.shared_points is not None:
        return PointsPool((item.document.file, ()), defaults.shared_points)
    return None


def shares_marks_of_part(item: PlacedTest) -> bool:
    """Return whether the points of a test are a share of the remaining marks of its part."""
    return _pool(item) == PointsPool(item.test.part)


def with_shared_points(
    content: AssignmentFile, groups: Sequence[TestGroup], placed: Sequence[PlacedTest]
) -> list[PlacedTest]:
    """Return the tests with their shares of points; shares of a part's remaining marks are never negative."""
    pools = [_pool(item) for item in placed]
    sizes = Counter(pools)
    tests_with_points = [
        item if pool is None or pool.total is None else _with_points(item, Fraction(pool.total) / sizes[pool])
        for item, pool in zip(placed, pools, strict=True)
    ]
    remaining = {
        part.id: _unspent(part, content, groups, [item.test for item in tests_with_points]) for part in content.parts
    }
    return [
        _with_points(item, max(remaining.get(item.test.part, Fraction(0)), Fraction(0)) / sizes[pool])
        if pool is not None and pool.total is None
        else item
        for item, pool in zip(tests_with_points, pools, strict=True)
    ]


def _with_points(item: PlacedTest, points: Fraction) -> PlacedTest:
    return replace(item, test=replace(item.test, points=amount(points)))


def _unspent(part: PartEntry, content: AssignmentFile, groups: Iterable[TestGroup], tests: Iterable[Test]) -> Fraction:
    """Return the marks of the part left over by tests with points, groups, rules and manual items."""
    given = [
        *(test.points for test in tests if test.part == part.id and not test.counting.bonus),
        *(group.points for group in groups if group.part == part.id and not group.bonus),
        *(rule.points or Decimal(0) for rule in content.rules if rule.part == part.id),
        *(item.marks for item in part.manual),
    ]
    return Fraction(part.marks) - sum((Fraction(amount_given) for amount_given in given), Fraction(0))


def points_problems(
    document: YamlDocument, content: AssignmentFile, groups: Sequence[TestGroup], placed: Sequence[PlacedTest]
) -> Iterator[Problem]:
    """Yield a problem for each part whose marks differ from the sum of its points, excluding bonus points."""
    for index, part in enumerate(content.parts):
        place = document.place(("parts", index, "marks"))
        sharing = [item.test for item in placed if item.test.part == part.id and shares_marks_of_part(item)]
        remaining = _unspent(part, content, groups, [item.test for item in placed])
        if remaining:
            given = format_decimal(Fraction(part.marks) - remaining)
            message = f"the {_point_sources(part, content, groups)} of `{part.id}` give {given} points together"
            yield Problem(place, f"{message}; expected its marks, {part.marks}")
        elif sharing and not sharing[0].points:
            message = f"nothing of the marks of `{part.id}` is left for the tests with `points: equal`"
            yield Problem(place, f"{message}; expected more marks, or fewer points for the others")


def _point_sources(part: PartEntry, content: AssignmentFile, groups: Iterable[TestGroup]) -> str:
    of_group = any(group.part == part.id for group in groups)
    of_rules = part.manual or any(rule.part == part.id for rule in content.rules)
    if of_group:
        return "tests, groups, rules and manual items" if of_rules else "tests and groups"
    return "tests, rules and manual items" if of_rules else "tests"
