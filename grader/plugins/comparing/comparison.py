"""The differences between two runs: which students, by how much, and why; as text, JSON and CSV.

docs/reference/results.md documents JSON and CSV.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from io import StringIO
from typing import Any

from grader.plugins.comparing.results_reader import KnownMark, KnownRun, MarkFactor, ResultsError
from grader.text.csv_cells import readable_cell
from grader.text.escape import escape_controls
from grader.text.words import format_decimal

_NOT_THERE = KnownMark(mark=None, words="not there", facts={})
# The older format has no digests, and without a mark the lateness is unknown. Neither counts as a difference.
_TOLD_IF_KNOWN_IN_BOTH = ("submission", "lateness")
FORMAT = "grader-comparison/1"
_COLUMNS = ("student", "mark_before", "mark_after", "change", "kind", "what", "before", "after", "points")


@dataclass(frozen=True, kw_only=True)
class ChangeReason:
    """A fact that changed: its kind and name, its old and new value (None if missing), and the points."""

    kind: str
    what: str
    before: str | None
    after: str | None
    points: Decimal | None


@dataclass(frozen=True)
class MarkChange:
    """A student whose result differs between the two runs."""

    student: str
    before: KnownMark
    after: KnownMark
    reasons: tuple[ChangeReason, ...]

    @property
    def difference(self) -> Decimal | None:
        """Return how much the mark has risen, or None if either run gives no mark."""
        if self.before.mark is None or self.after.mark is None:
            return None
        return self.after.mark - self.before.mark


@dataclass(frozen=True)
class RunComparison:
    """A comparison of two runs on one assignment: the number of students in each, and the students who differ."""

    assignment: str
    students: int
    changes: tuple[MarkChange, ...]


def compare(first: KnownRun, second: KnownRun) -> RunComparison:
    """Compare two runs. Raises ResultsError if they belong to different assignments."""
    if first.assignment != second.assignment:
        raise ResultsError(f"The runs are on different assignments: {first.assignment} and {second.assignment}.")
    names = sorted({*first.students, *second.students})
    changes = (_mark_change(name, first.students, second.students) for name in names)
    differing = tuple(change for change in changes if change.reasons or change.before.words != change.after.words)
    return RunComparison(first.assignment, len(names), differing)


def _mark_change(student: str, first: Mapping[str, KnownMark], second: Mapping[str, KnownMark]) -> MarkChange:
    before, after = first.get(student, _NOT_THERE), second.get(student, _NOT_THERE)
    both = student in first and student in second
    return MarkChange(student, before, after, tuple(_reasons(before, after)) if both else ())


def _reasons(before: KnownMark, after: KnownMark) -> Iterator[ChangeReason]:
    for key in {**before.facts, **after.facts}:
        old, new = before.facts.get(key), after.facts.get(key)
        if old == new or (key[0] in _TOLD_IF_KNOWN_IN_BOTH and not (old and new)):
            continue
        kind, what = key
        yield ChangeReason(
            kind=kind,
            what=what,
            before=old.words if old else None,
            after=new.words if new else None,
            points=_difference(old, new),
        )


def _difference(old: MarkFactor | None, new: MarkFactor | None) -> Decimal | None:
    points = [fact.points for fact in (old, new) if fact]
    if None in points:
        return None
    was, now = (fact.points if fact and fact.points is not None else Decimal(0) for fact in (old, new))
    return now - was


def comparison_text(comparison: RunComparison) -> str:
    """Describe a comparison in words."""
    return "".join(f"{escape_controls(line)}\n" for line in _text_lines(comparison))


def _text_lines(comparison: RunComparison) -> Iterator[str]:
    differences = [change.difference for change in comparison.changes]
    up, down = (sum(sign * (difference or 0) > 0 for difference in differences) for sign in (1, -1))
    counts = f"{len(comparison.changes)} of {comparison.students} students differ"
    yield f"{comparison.assignment}: {counts}; marks: {up} higher, {down} lower."
    for change in comparison.changes:
        by = "" if change.difference is None else f" ({_signed(change.difference)})"
        yield f"{change.student}: {change.before.words} → {change.after.words}{by}"
        for reason in change.reasons:
            points = f" ({_signed(reason.points)})" if reason.points else ""
            yield f"  {reason.kind}, {reason.what}: {reason.before or 'none'} → {reason.after or 'none'}{points}"


def _signed(value: Decimal) -> str:
    return f"{'+' if value > 0 else ''}{format_decimal(value)}"


def comparison_json(comparison: RunComparison) -> str:
    """Return the comparison as JSON; marks and points are strings, so that they stay exact."""
    content = {
        "format": FORMAT,
        "assignment": comparison.assignment,
        "students": comparison.students,
        "changes": [_json_change(change) for change in comparison.changes],
    }
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def _json_change(change: MarkChange) -> dict[str, Any]:
    return {
        "student": change.student,
        "mark_before": _number(change.before.mark),
        "mark_after": _number(change.after.mark),
        "change": _number(change.difference),
        "reasons": [
            {
                "kind": reason.kind,
                "what": reason.what,
                "before": reason.before,
                "after": reason.after,
                "points": _number(reason.points),
            }
            for reason in change.reasons
        ],
    }


def comparison_csv(comparison: RunComparison) -> str:
    """Return a row per reason, or a single row for a student whose mark differs without a known reason."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    none = ChangeReason(kind="", what="", before=None, after=None, points=None)
    for change in comparison.changes:
        for reason in change.reasons or (none,):
            numbers = (_number(value) or "" for value in (change.before.mark, change.after.mark, change.difference))
            words = (reason.kind, reason.what, reason.before or "", reason.after or "")
            points = _number(reason.points) or ""
            writer.writerow([readable_cell(change.student), *numbers, *map(readable_cell, words), points])
    return out.getvalue()


def _number(value: Decimal | None) -> str | None:
    return None if value is None else format_decimal(value)
