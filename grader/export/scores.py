"""What a platform is told of a student's mark."""

from decimal import Decimal

from grader.report.graded_class import Row


def score_so_far(row: Row) -> Decimal | None:
    """The mark; without lateness as long as something is to be marked by hand; None while nothing can be told."""
    if row.mark is not None or row.granted.excused:
        return row.mark.adjusted if row.mark else None
    return row.points if row.not_yet_marked and not row.graded.needs_rerun else None


def why_open(row: Row) -> str:
    """Why the row has no mark."""
    if row.granted.excused:
        return "excused"
    if row.graded.needs_rerun:
        return "a test has to be run again (internal error)"
    if row.not_yet_marked:
        return f"not yet marked: {', '.join(item.title for item in row.not_yet_marked)}"
    return "the submission cannot be read, or its time is not known"


def number(value: Decimal) -> int | float:
    """A JSON number; the platforms take no text."""
    return int(value) if value == value.to_integral_value() else float(value)
