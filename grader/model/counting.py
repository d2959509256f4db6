"""How tests count: alone or in a group, after required tests, as a bonus, or in part."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from grader.model.amount import as_decimal


@dataclass(frozen=True, kw_only=True)
class Counting:
    """How a test counts; by default alone, and towards the full mark.

    With `group`, it has `weight` in that group, and the group earns the points. The points of a `bonus` test do not
    count towards the full mark. It earns nothing if a test that it `requires` fails.
    """

    group: str | None = None
    weight: Decimal = Decimal(1)
    bonus: bool = False
    requires: tuple[str, ...] = ()


class GroupCount(StrEnum):
    """How a group's share of the points is calculated.

    ALL: everything if all its tests earn full points, otherwise nothing. SUM: the weighted shares of its tests.
    LEAST, BEST: the smallest and the largest share of its tests.
    """

    ALL = "all"
    SUM = "sum"
    LEAST = "least"
    BEST = "best"


@dataclass(frozen=True, kw_only=True)
class TestGroup:
    """Tests that together earn `points`. A `bonus` group does not count towards the full mark."""

    __test__ = False

    id: str
    title: str
    part: str
    points: Decimal
    count: GroupCount
    bonus: bool = False


@dataclass(frozen=True)
class GroupResult:
    """A group, the ids of its tests, how many of them passed and count, and the share of the points earned."""

    group: TestGroup
    tests: tuple[str, ...]
    passed: int
    share: Fraction

    @property
    def earned(self) -> Fraction:
        """The exact points earned."""
        return Fraction(self.group.points) * self.share

    @property
    def points(self) -> Decimal:
        """The points earned."""
        return as_decimal(self.earned)
