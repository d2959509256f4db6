"""How a mark comes about, line by line."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from grader.marks.exact import exact
from grader.report.graded_class import Row
from grader.spec.assignment import Assignment

_TIME = "%Y-%m-%d %H:%M:%S %Z"


@dataclass(frozen=True)
class MarkStep:
    """A line of the calculation: what is told, the value, and how it is worked out. Either of these may be empty."""

    label: str
    value: str
    sum: str = ""


def mark_steps(assignment: Assignment, row: Row) -> Iterator[MarkStep]:
    """From points and times to the mark; what cannot be told yet says so."""
    submission = row.graded.submission
    yield from _point_steps(assignment, row)
    extended = " (extended)" if row.due != assignment.due else ""
    yield MarkStep(f"Due{extended}", f"{row.due:{_TIME}}")
    if submission.submitted is not None:
        yield MarkStep("Handed in", f"{submission.submitted:{_TIME}}", f"from {submission.time_source}")
    if row.granted.excused:
        yield MarkStep("Mark", "excused", "no mark counts")
    elif row.mark is None:
        waiting = ", ".join(item.title for item in row.not_yet_marked)
        yield MarkStep("Mark", "?", f"not yet marked: {waiting}" if waiting else "not known yet")
    else:
        for number, step in enumerate(row.mark.steps, 1):
            yield MarkStep(f"Step {number}", "", step)
        yield MarkStep("Mark", exact(row.mark.adjusted))


def _point_steps(assignment: Assignment, row: Row) -> Iterator[MarkStep]:
    full = exact(assignment.marks)
    earned = sum((row.part_points(part) for part in assignment.parts), Decimal(0))
    costs = [rule for rule in assignment.rules if rule.id in row.manual.confirmed]
    if not costs:
        yield MarkStep("Points", exact(row.points), f"tests, rules and marks by hand, of {full}")
        return
    yield MarkStep("Earned", exact(earned), f"tests, rules and marks by hand, of {full}")
    for rule in costs:
        cost = "costs everything" if rule.zero else f"−{exact(rule.deduct)}"
        yield MarkStep("Rule broken", cost, f"{rule.id}: {rule.title}")
    yield MarkStep("Points", exact(row.points), "never below 0")
