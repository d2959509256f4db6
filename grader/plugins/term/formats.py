"""The table of a term as CSV and JSON; docs/reference/commands/term.md documents both."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from statistics import median
from typing import Any

from grader.plugins.term.table import TermCell, TermRow, TermTable, percent
from grader.plugins.term.weighing import mean
from grader.text.csv_cells import csv_text, readable_cell
from grader.text.words import format_decimal

FORMAT = "grader-term/1"


def term_csv(table: TermTable) -> str:
    """Return a row per student.

    Cells are escaped so that spreadsheets never treat them as formulas; undecided cells are empty.
    """
    rows = ([readable_cell(cell) for cell in _cells(table, row)] for row in table.rows)
    return csv_text([list(_header(table)), *rows])


def _header(table: TermTable) -> Iterator[str]:
    yield from ("student", "id", "name")
    for graded in table.classes:
        name = graded.assignment
        yield from (f"{name}_state", f"{name}_mark", f"{name}_full", f"{name}_percent", f"{name}_counted")
        if table.term.late_days:
            yield f"{name}_late_days"
    yield from (f"{group.id}_percent" for group in table.term.groups)
    if table.term.late_days:
        yield from ("late_days_used", "late_days_left")
    yield from ("total", "open", "to_look_at")


def _cells(table: TermTable, row: TermRow) -> Iterator[str]:
    student = row.student
    yield from (student.student, student.school_id or "", student.name or "")
    for graded in table.classes:
        cell = row.cells[graded.assignment]
        mark = "" if cell.mark is None else format_decimal(cell.mark)
        yield from (cell.state, mark, format_decimal(graded.full), _percent(cell.share) or "")
        yield "yes" if cell.is_counted else ""
        if table.term.late_days:
            yield str(cell.late_days)
    yield from (_percent(row.groups.get(group.id)) or "" for group in table.term.groups)
    if table.term.late_days:
        yield from (str(row.days_used), str(row.pool - row.days_used))
    yield "" if row.total is None else format_decimal(row.total)
    yield from ("; ".join(row.open_because), "; ".join(row.doubts))


def term_json(table: TermTable) -> str:
    """Return the table as JSON. Marks are strings, so that they stay exact."""
    term, late_days = table.term, table.term.late_days
    full = {graded.assignment: format_decimal(graded.full) for graded in table.classes}
    content = {
        "format": FORMAT,
        "title": term.title,
        "missing": term.missing,
        **({"late_days": {"total": late_days.total, "hand_out": late_days.hand_out}} if late_days else {}),
        "assignments": [
            {
                "id": entry.id,
                "marks": full.get(entry.id),
                **({"group": entry.group} if entry.weight is None else {"weight": format_decimal(entry.weight)}),
            }
            for entry in term.assignments
        ],
        "groups": [{"id": each.id, "weight": format_decimal(each.weight), "best": each.best} for each in term.groups],
        "students": [_student(table, row) for row in table.rows],
        **{name: {key: _percent(value) for key, value in of.items()} for name, of in summary(table).items()},
        "notes": list(table.notes),
    }
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def _student(table: TermTable, row: TermRow) -> dict[str, Any]:
    used = {"late_days_used": row.days_used, "late_days_left": row.pool - row.days_used}
    return {
        "student": row.student.student,
        "id": row.student.school_id,
        "name": row.student.name,
        "assignments": {name: _cell(cell) for name, cell in row.cells.items()},
        "groups": {name: _percent(share) for name, share in row.groups.items()},
        **(used if table.term.late_days else {}),
        "total": None if row.total is None else format_decimal(row.total),
        "open": list(row.open_because),
        "to_look_at": list(row.doubts),
    }


def _cell(cell: TermCell) -> dict[str, Any]:
    return {
        "state": cell.state,
        "mark": None if cell.mark is None else format_decimal(cell.mark),
        "reported": None if cell.reported is None else format_decimal(cell.reported),
        "percent": _percent(cell.share),
        "late_days": cell.late_days,
        "counted": cell.is_counted,
    }


def _percent(share: Fraction | None) -> str | None:
    return None if share is None else format_decimal(percent(share))


def summary(table: TermTable) -> dict[str, Mapping[str, Fraction | None]]:
    """Return the mean and median of each assignment, each group and the total, over the students who have one.

    The values are shares, or None if no student has one.
    """
    columns = {
        **{name.assignment: [row.cells[name.assignment].share for row in table.rows] for name in table.classes},
        **{group.id: [row.groups.get(group.id) for row in table.rows] for group in table.term.groups},
        "total": [None if row.total is None else Fraction(row.total) / 100 for row in table.rows],
    }
    known_shares = {name: [share for share in shares if share is not None] for name, shares in columns.items()}
    return {
        "mean": {name: mean(shares) if shares else None for name, shares in known_shares.items()},
        "median": {name: median(shares) if shares else None for name, shares in known_shares.items()},
    }
