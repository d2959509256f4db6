"""How a mark comes about, line by line."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from grader.marks.exact import exact
from grader.marks.late import Mark
from grader.report.graded_class import Row, lateness_words
from grader.spec.assignment import Assignment, FallingCap, PointsPerHour

_TIME = "%Y-%m-%d %H:%M:%S %Z"


@dataclass(frozen=True)
class MarkStep:
    """A line of the calculation: what is told, how it is worked out (perhaps empty), and the value."""

    label: str
    sum: str
    value: str


def mark_steps(assignment: Assignment, row: Row) -> Iterator[MarkStep]:
    """From points and times to the mark; what cannot be told yet says so."""
    submission = row.graded.submission
    yield from _point_steps(assignment, row)
    extended = " (extended)" if row.due != assignment.due else ""
    yield MarkStep(f"Due{extended}", "", f"{row.due:{_TIME}}")
    if submission.submitted is not None:
        yield MarkStep("Handed in", f"from {submission.time_source}", f"{submission.submitted:{_TIME}}")
    mark = row.mark
    if mark is None:
        waiting = ", ".join(item.title for item in row.not_yet_marked)
        yield MarkStep("Mark", f"not yet marked: {waiting}" if waiting else "not known yet", "?")
        return
    yield MarkStep("Late by", "", lateness_words(mark.late))
    if mark.late:
        yield from _late_steps(assignment, mark)
    yield _last_step(assignment, mark)


def _point_steps(assignment: Assignment, row: Row) -> Iterator[MarkStep]:
    full = exact(assignment.marks)
    earned = sum((row.part_points(part) for part in assignment.parts), Decimal(0))
    costs = [rule for rule in assignment.rules if rule.id in row.manual.confirmed]
    if not costs:
        yield MarkStep("Points", f"tests, rules and marks by hand, of {full}", exact(row.points))
        return
    yield MarkStep("Earned", f"tests, rules and marks by hand, of {full}", exact(earned))
    for rule in costs:
        yield MarkStep(
            "Rule broken", f"{rule.id}: {rule.title}", "costs everything" if rule.zero else f"−{exact(rule.deduct)}"
        )
    yield MarkStep("Points", "never below 0", exact(row.points))


def _late_steps(assignment: Assignment, mark: Mark) -> Iterator[MarkStep]:
    full = exact(assignment.marks)
    match assignment.late:
        case FallingCap(percent, days):
            yield MarkStep("Counted as", "every started day is a day", _count(mark.late_days, "day"))
            if mark.late_days > days:
                yield MarkStep("Highest mark left", f"nothing after {_count(days, 'day')}", exact(mark.cap))
            else:
                said = f"{full} − {mark.late_days} × {exact(percent)} % of {full}"
                yield MarkStep("Highest mark left", said, exact(mark.cap))
        case PointsPerHour(points):
            yield MarkStep("Counted as", "every started hour is an hour", _count(mark.late_hours, "hour"))
            yield MarkStep("Taken off", f"{mark.late_hours} × {exact(points)}", exact(mark.deduction))
        case None:
            yield MarkStep("Taken off", "lateness costs nothing", "0")


def _last_step(assignment: Assignment, mark: Mark) -> MarkStep:
    if isinstance(assignment.late, PointsPerHour):
        said = f"{exact(mark.raw)} − {exact(mark.deduction)}, never below 0"
    else:
        said = f"the smaller of {exact(mark.raw)} and {exact(mark.cap)}"
    return MarkStep("Mark", said, exact(mark.adjusted))


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"
