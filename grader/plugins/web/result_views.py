"""Results for a notebook: a table of a class or of a student's tests, and the same data as rows."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from grader.model.results import ClassResult, GradedSubmission, StudentResult, TestResult
from grader.reports.html.text import visible_in_page

_SHOWN_ROWS = 50


def records(result: ClassResult | StudentResult | GradedSubmission) -> list[dict[str, Any]]:
    """Return a dict per student of a class, or per test of a student. Numbers are floats, or None if unknown."""
    if isinstance(result, ClassResult):
        return [_student_record(result, row) for row in result.rows]
    graded = result.graded if isinstance(result, StudentResult) else result
    return [_test_record(test_result) for test_result in graded.results]


def result_html(result: ClassResult | StudentResult | GradedSubmission) -> str:
    """Return a heading and a table; for a long class, the first rows, with the rest in a table that can be unfolded."""
    rows = records(result)
    parts = [Markup("<p><b>{}</b></p>").format(visible_in_page(repr(result))), _table(rows[:_SHOWN_ROWS])]
    if len(rows) > _SHOWN_ROWS:
        rest = rows[_SHOWN_ROWS:]
        parts.append(Markup("<details><summary>{} more</summary>{}</details>").format(len(rest), _table(rest)))
    return str(Markup("").join(parts))


def _student_record(graded: ClassResult, row: StudentResult) -> dict[str, Any]:
    submission = row.graded.submission
    results = row.graded.results
    return {
        "student": row.student,
        "name": row.full_name,
        **{part.id: float(row.part_points(part)) for part in graded.assignment.parts},
        "points": float(row.points),
        "mark": float(row.mark.adjusted) if row.mark else None,
        "passed": sum(result.verdict == "passed" for result in results),
        "tests": len(results),
        "submitted": submission.submitted,
        "late_hours": row.mark.late.total_seconds() / 3600 if row.mark else None,
        **{f"roster_{column}": submission.roster.get(column, "") for column in graded.roster_columns},
    }


def _test_record(result: TestResult) -> dict[str, Any]:
    diagnosis = result.judgement.diagnosis
    return {
        "test": result.test.id,
        "title": result.test.title,
        "part": result.test.part,
        "verdict": str(result.verdict),
        "points": float(result.points),
        "of": float(result.test.points),
        "seconds": result.outcome.wall_seconds if result.outcome else None,
        "sentence": str(diagnosis.sentence) if diagnosis else "",
    }


def _table(rows: Sequence[dict[str, Any]]) -> Markup:
    if not rows:
        return Markup("<p>nothing</p>")
    head = Markup("").join(Markup("<th>{}</th>").format(name) for name in rows[0])
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(
            Markup("").join(Markup("<td>{}</td>").format(_cell(cell)) for cell in row.values())
        )
        for row in rows
    )
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(head, body)


def _cell(value: object) -> Markup:
    text = "?" if value is None else format(value, ".4g") if isinstance(value, float) else str(value)
    return Markup("<td>{}</td>").format(visible_in_page(text))
