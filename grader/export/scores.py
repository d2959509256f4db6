"""What a platform is told of a student's mark."""

from collections.abc import Iterable
from decimal import Decimal

from grader.report.graded_class import Row


def score_so_far(row: Row) -> Decimal | None:
    """The mark; without lateness as long as something is to be marked by hand; None while nothing can be told."""
    if row.mark is not None or row.granted.excused:
        return row.mark.adjusted if row.mark else None
    return row.points if row.not_yet_marked and not row.graded.needs_rerun else None


def has_score(row: Row) -> bool:
    """Whether a platform can be told a score."""
    return score_so_far(row) is not None


def has_score_or_none_counts(row: Row) -> bool:
    """Whether a platform that knows results without a score can be told them."""
    return has_score(row) or row.granted.excused


def excused_note(rows: Iterable[Row]) -> tuple[str, ...]:
    """Who is told to be excused instead of a mark."""
    names = [row.student for row in rows if row.granted.excused]
    return (f"excused: {', '.join(names)}",) if names else ()


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
