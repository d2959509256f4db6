"""The way through a class for marking one item: from student to student, skipping students who are already marked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode

from grader.model.assignment import ManualItem
from grader.model.results import StudentResult


@dataclass(frozen=True, kw_only=True)
class ItemLine:
    """A student in the list: the page with the item, and the points; `is_here` marks the current student."""

    student: str
    url: str
    points: Decimal | None
    is_here: bool


@dataclass(frozen=True, kw_only=True)
class ItemWalk:
    """The way through `rows` for an item; `names` are the names of pages, and `chosen` the filters of a URL."""

    item: ManualItem
    rows: Sequence[StudentResult]
    names: Mapping[str, str]
    chosen: str

    @property
    def marked(self) -> int:
        """The number of students who already have points for the item."""
        return sum(self.item not in row.not_yet_marked for row in self.rows)

    def row(self, asked: Mapping[str, str]) -> StudentResult | None:
        """Return the student that a query asks for with `at`, or else the first unmarked student `after` another one.

        Return None if all students are marked.
        """
        names = [self.names[row.student] for row in self.rows]
        if asked.get("at") in names:
            return self.rows[names.index(asked["at"])]
        start = names.index(asked["after"]) + 1 if asked.get("after") in names else 0
        waiting = (row for row in (*self.rows[start:], *self.rows[:start]) if self.item in row.not_yet_marked)
        return next(waiting, None)

    def url(self, way: str, row: StudentResult) -> str:
        """Return the URL of the page with the item `at` a student, or `after` a student."""
        query = urlencode({way: self.names[row.student]})
        return f"/items/{self.item.id}.html?{self.chosen}{'&' if self.chosen else ''}{query}"

    def neighbours(self, row: StudentResult) -> dict[str, str | None]:
        """Return the pages with the item for the previous and the next student."""
        place = self.rows.index(row)
        before, after = self.rows[max(place - 1, 0) : place], self.rows[place + 1 : place + 2]
        return {
            "before": self.url("at", before[0]) if before else None,
            "after": self.url("at", after[0]) if after else None,
        }

    def lines(self, here: StudentResult | None) -> Iterator[ItemLine]:
        """Yield all students with their points."""
        for row in self.rows:
            points = row.manual.points.get(self.item.id)
            yield ItemLine(student=row.student, url=self.url("at", row), points=points, is_here=row is here)
