"""A comparison of two runs as text, JSON and CSV; docs/results-format.md documents the last two."""

import csv
import json
from collections.abc import Iterator
from decimal import Decimal
from io import StringIO
from typing import Any

from grader.intake.csv_cells import safe_cell
from grader.judge.characters import harmless
from grader.marks.exact import exact
from grader.report.comparison import Change, Comparison, Reason

FORMAT = "grader-comparison/1"

_COLUMNS = ("student", "mark_before", "mark_after", "change", "kind", "what", "before", "after", "points")
_NO_REASON = Reason("", "", None, None, None)


def comparison_text(comparison: Comparison) -> str:
    """Who differs and why, for people."""
    return "".join(f"{harmless(line)}\n" for line in _lines(comparison))


def _lines(comparison: Comparison) -> Iterator[str]:
    differences = [change.difference for change in comparison.changes]
    up, down = (sum(sign * (one or 0) > 0 for one in differences) for sign in (1, -1))
    counts = f"{len(comparison.changes)} of {comparison.students} students differ"
    yield f"{comparison.assignment}: {counts}; marks: {up} higher, {down} lower."
    for change in comparison.changes:
        by = "" if change.difference is None else f" ({_signed(change.difference)})"
        yield f"{change.student}: {change.before.words} → {change.after.words}{by}"
        for reason in change.reasons:
            points = f" ({_signed(reason.points)})" if reason.points else ""
            yield f"  {reason.kind}, {reason.what}: {reason.before or 'none'} → {reason.after or 'none'}{points}"


def _signed(value: Decimal) -> str:
    return f"{'+' if value > 0 else ''}{exact(value)}"


def comparison_json(comparison: Comparison) -> str:
    """The comparison as JSON; marks and points are texts, so that they stay exact."""
    content = {
        "format": FORMAT,
        "assignment": comparison.assignment,
        "students": comparison.students,
        "changes": [_json_change(change) for change in comparison.changes],
    }
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def _json_change(change: Change) -> dict[str, Any]:
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


def comparison_csv(comparison: Comparison) -> str:
    """A row per reason, and one for a student who differs without any."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for change in comparison.changes:
        for reason in change.reasons or (_NO_REASON,):
            numbers = (_number(one) or "" for one in (change.before.mark, change.after.mark, change.difference))
            words = (reason.kind, reason.what, reason.before or "", reason.after or "")
            points = _number(reason.points) or ""
            writer.writerow([safe_cell(change.student), *numbers, *map(safe_cell, words), points])
    return out.getvalue()


def _number(value: Decimal | None) -> str | None:
    return None if value is None else exact(value)
