"""results.json: everything about a graded class; docs/results-format.md documents it."""

import json
from typing import Any

from grader.marks.exact import exact
from grader.marks.late import Mark
from grader.pipeline.results import TestResult
from grader.report.graded_class import GradedClass, Row

FORMAT = "grader-results/2"


def results_json(graded: GradedClass) -> str:
    """The class as JSON. Numbers that are marks are texts, so that they stay exact."""
    assignment = graded.assignment
    content = {
        "format": FORMAT,
        "assignment": {
            "id": assignment.id,
            "title": assignment.title,
            "marks": exact(assignment.marks),
            "parts": {part.id: exact(part.marks) for part in assignment.parts},
        },
        "complete": not graded.not_graded,
        "not_graded": list(graded.not_graded),
        "submissions": [_submission(row) for row in graded.rows],
    }
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def _submission(row: Row) -> dict[str, Any]:
    submission = row.graded.submission
    return {
        "student": row.student,
        "submitted": submission.submitted.isoformat() if submission.submitted else None,
        "time_source": submission.time_source,
        "due": row.due.isoformat(),
        "variants": dict(row.graded.variants),
        "notes": list(submission.notes),
        "points": exact(row.graded.raw),
        "mark": _mark(row.mark) if row.mark else None,
        "tests": [_test(result) for result in row.graded.results],
    }


def _mark(mark: Mark) -> dict[str, Any]:
    return {
        "late_seconds": int(mark.late.total_seconds()),
        "late_days": mark.late_days,
        "cap": exact(mark.cap),
        "adjusted": exact(mark.adjusted),
    }


def _test(result: TestResult) -> dict[str, Any]:
    judgement, outcome = result.judgement, result.outcome
    return {
        "id": result.test.id,
        "part": result.test.part,
        "visibility": result.test.visibility,
        "verdict": result.verdict,
        "points": exact(result.points),
        "possible": exact(result.test.points),
        "cause": judgement.diagnosis.cause if judgement.diagnosis else None,
        "diagnosis": judgement.diagnosis.sentence if judgement.diagnosis else None,
        "notes": [{"kind": note.kind, "sentence": note.sentence} for note in judgement.notes],
        "line": judgement.divergence.line if judgement.divergence else None,
        "exit_code": outcome.exit_code if outcome else None,
        "wall_seconds": round(outcome.wall_seconds, 4) if outcome else None,
        "cpu_seconds": round(outcome.cpu_seconds, 4) if outcome else None,
    }
