"""What the page of a student shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from grader.marks.exact import exact
from grader.report.class_text import notes_of
from grader.report.graded_class import GradedClass, Row
from grader.report.html.mark_steps import MarkStep, mark_steps
from grader.report.html.result_view import ResultView, result_view
from grader.report.test_text import note_lines
from grader.report.variant_words import variant_words
from grader.rules.finding import RuleResult
from grader.spec.assignment import ManualItem, Part


@dataclass(frozen=True)
class Section:
    """A section of the page: its anchor, its heading, and the template in templates/student/ that shows it."""

    id: str
    title: str

    @property
    def template(self) -> str:
        """The file of the template."""
        return f"student/{self.id}.html"


@dataclass(frozen=True)
class MarkedItem:
    """Something that a person marks; `points` is None while nobody has."""

    item: ManualItem
    points: Decimal | None


@dataclass(frozen=True)
class PartView:
    """A part of the assignment with all that earns points in it."""

    part: Part
    points: str
    percent: float
    waits: bool
    results: Sequence[tuple[ResultView, Sequence[str]]]
    passed: int
    rules: Sequence[RuleResult]
    manual: Sequence[MarkedItem]


@dataclass(frozen=True)
class StudentPage:
    """The whole page; `notes` are for the instructor, `rules` those that earn nothing."""

    row: Row
    sections: Sequence[Section]
    steps: Sequence[MarkStep]
    variants: Sequence[str]
    parts: Sequence[PartView]
    rules: Sequence[RuleResult]
    notes: Sequence[str]


def student_page(graded: GradedClass, row: Row) -> StudentPage:
    """The page of `row`."""
    rules = [result for result in row.graded.rules if result.rule.part is None]
    notes = notes_of(row, graded)
    sections = [
        (True, Section("mark", "Mark")),
        (bool(notes), Section("notes", "For the instructor")),
        (bool(row.comments), Section("comments", "Comments")),
        (True, Section("tests", "Tests")),
        (bool(rules), Section("rules", "Rules about the code")),
    ]
    return StudentPage(
        row=row,
        sections=[section for wanted, section in sections if wanted],
        steps=list(mark_steps(graded.assignment, row)),
        variants=list(variant_words(graded.assignment, row.graded)),
        parts=[_part(row, part) for part in graded.assignment.parts],
        rules=rules,
        notes=notes,
    )


def _part(row: Row, part: Part) -> PartView:
    points = row.part_points(part)
    own = [result for result in row.graded.results if result.test.part == part.id]
    results = [
        (result_view(result), [line.plain.strip() for line in note_lines(result, row.graded.results)]) for result in own
    ]
    return PartView(
        part=part,
        points=exact(points),
        percent=float(100 * points / part.marks) if part.marks else 0.0,
        waits=row.waits(part),
        results=results,
        passed=sum(view.passed for view, _ in results),
        rules=[rule for rule in row.graded.rules if rule.rule.part == part.id],
        manual=[MarkedItem(item, row.manual.points.get(item.id)) for item in part.manual],
    )
