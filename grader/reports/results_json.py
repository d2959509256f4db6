"""results.json: everything about a graded class; docs/reference/results.md documents the format."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.counting import GroupResult
from grader.model.mark import Mark, MarkOverride, Override
from grader.model.results import ClassResult, StudentResult, TestResult
from grader.model.rule import RuleResult
from grader.text.words import format_decimal

FORMAT = "grader-results/1"


def results_json(graded: ClassResult) -> str:
    """Return the class as JSON. Marks are strings so that they stay exact."""
    return "".join(results_json_pieces(graded))


def results_json_pieces(graded: ClassResult) -> Iterator[str]:
    """Yield the class as JSON in pieces, one per submission, because a large class produces a long text."""
    about = ",\n".join(f' "{name}": {_indented(value, " ")}' for name, value in _about_class(graded).items())
    yield f'{{\n{about},\n "submissions": ['
    before = "\n  "
    for row in graded.rows:
        yield before + _indented(_submission(graded.assignment, row), "  ")
        before = ",\n  "
    yield "\n ]\n}\n" if graded.rows else "]\n}\n"


def _indented(value: object, margin: str) -> str:
    return json.dumps(value, indent=1).replace("\n", f"\n{margin}")


def results_line(graded: ClassResult) -> str:
    """Return the class as a single line of JSON."""
    rows = [_submission(graded.assignment, row) for row in graded.rows]
    return json.dumps({**_about_class(graded), "submissions": rows}, ensure_ascii=True) + "\n"


def _about_class(graded: ClassResult) -> dict[str, Any]:
    """Return everything except the submissions."""
    assignment = graded.assignment
    return {
        "format": FORMAT,
        "assignment": {
            "id": assignment.id,
            "title": assignment.title,
            "marks": format_decimal(assignment.marks),
            "parts": {part.id: format_decimal(part.marks) for part in assignment.parts},
            **_bonus_fields(assignment),
        },
        **({"python": asdict(graded.python)} if graded.python else {}),
        "complete": not graded.not_graded,
        "not_graded": list(graded.not_graded),
        "notes": list(graded.notes),
    }


def _bonus_fields(assignment: Assignment) -> dict[str, Any]:
    """Return the additional fields of an assignment with bonus points."""
    bonus = [part.id for part in assignment.parts if part.bonus]
    highest = {"max_mark": format_decimal(assignment.highest_mark)} if assignment.max_mark is not None else {}
    return {**({"bonus_parts": bonus} if bonus else {}), **highest}


def _submission(assignment: Assignment, row: StudentResult) -> dict[str, Any]:
    submission = row.graded.submission
    return {
        "student": row.student,
        "identity": asdict(submission.identity),
        **({"roster": dict(submission.roster)} if submission.roster else {}),
        "source": submission.source or None,
        "shape": submission.shape,
        "attempt": submission.attempt if submission.source else None,
        "submitted": submission.submitted.isoformat() if submission.submitted else None,
        "time_source": submission.time_source,
        "due": row.due.isoformat(),
        "digest": row.graded.digest,
        "variants": dict(row.graded.variants),
        "notes": list(submission.notes),
        "points": format_decimal(row.points),
        "excused": row.granted.excused,
        "waived": row.granted.waived,
        "reason": row.granted.reason,
        "mark": _mark(row.mark) if row.mark else None,
        "overrides": [_override(override) for override in row.overrides],
        "unfit_overrides": [_override(override) for override in row.unfit],
        "comments": list(row.comments),
        **({"remarks": [asdict(remark) for remark in row.remarks]} if row.remarks else {}),
        **({"requests": [asdict(request) for request in row.requests]} if row.requests else {}),
        "tests": [_test(result) for result in row.graded.results],
        **({"groups": [_group(result) for result in row.graded.groups]} if assignment.groups else {}),
        "rules": [_rule(result, row) for result in row.graded.rules],
        "manual": [_manual(item, part, row) for part in assignment.parts for item in part.manual],
        **{name: value for finding in row.graded.findings for name, value in finding.results().items()},
    }


def _mark(mark: Mark) -> dict[str, Any]:
    return {
        "late_seconds": int(mark.late.total_seconds()),
        "late_days": mark.late_days,
        "late_hours": mark.late_hours,
        "cap": format_decimal(mark.cap),
        "late_deduction": format_decimal(mark.deduction),
        "bank_used": mark.bank_used,
        "bank_left": mark.bank_left,
        "unrounded": format_decimal(mark.unrounded),
        "adjusted": format_decimal(mark.adjusted),
        "steps": list(mark.steps),
    }


def _override(override: Override) -> dict[str, Any]:
    decision = override.decision
    if isinstance(override, MarkOverride):
        decided: dict[str, Any] = {"mark": format_decimal(override.mark)}
    else:
        decided = {"test": override.test, "verdict": override.verdict}
    return {**decided, "reason": decision.reason, "by": decision.by, "submission": decision.submission}


def _rule(result: RuleResult, row: StudentResult) -> dict[str, Any]:
    rule = result.rule
    decided = {**dict.fromkeys(row.manual.waived, "waived"), **dict.fromkeys(row.manual.confirmed, "confirmed")}
    return {
        "id": rule.id,
        "rule": rule.check.name,
        "part": rule.part,
        "judged": result.judged,
        "kept": result.kept,
        "points": format_decimal(result.points),
        "possible": format_decimal(rule.points),
        "deduct": format_decimal(rule.deduct),
        "zero_mark": rule.zero_mark,
        "decision": decided.get(rule.id) if rule.asks else None,
        "findings": [
            {"file": finding.file, "line": finding.line, "code": finding.code, "message": finding.message}
            for finding in result.findings
        ],
    }


def _manual(item: ManualItem, part: Part, row: StudentResult) -> dict[str, Any]:
    points = row.manual.points.get(item.id)
    return {
        "id": item.id,
        "part": part.id,
        "points": format_decimal(points) if points is not None else None,
        "possible": format_decimal(item.marks),
    }


def _test(result: TestResult) -> dict[str, Any]:
    judgement, outcome = result.judgement, result.outcome
    return {
        "id": result.test.id,
        "part": result.test.part,
        "visibility": result.test.visibility,
        "verdict": result.verdict,
        "points": format_decimal(result.points),
        "possible": format_decimal(result.test.points),
        **_how_it_counts(result),
        "verdict_before": result.overruled.judgement.verdict if result.overruled else None,
        "cause": judgement.diagnosis.cause.id if judgement.diagnosis else None,
        "diagnosis": judgement.diagnosis.sentence if judgement.diagnosis else None,
        "because": result.because,
        "notes": [{"kind": note.kind, "sentence": note.sentence} for note in judgement.notes],
        "differences": list(judgement.differences),
        "line": judgement.divergence.line if judgement.divergence else None,
        "exit_code": outcome.exit_code if outcome else None,
        "wall_seconds": round(outcome.wall_seconds, 4) if outcome else None,
        "cpu_seconds": round(outcome.cpu_seconds, 4) if outcome else None,
    }


def _how_it_counts(result: TestResult) -> dict[str, Any]:
    """Return the fields for tests that count in a special way or have hints."""
    counting = result.test.counting
    return {
        **({"group": counting.group, "weight": format_decimal(counting.weight)} if counting.group else {}),
        **({"bonus": True} if counting.bonus else {}),
        **({"requires": list(counting.requires), "barred_by": list(result.barred_by)} if counting.requires else {}),
        **({"share": format_decimal(result.share)} if result.test.partial or counting.group else {}),
        **({"hints": list(result.hints)} if result.hints else {}),
    }


def _group(result: GroupResult) -> dict[str, Any]:
    group = result.group
    return {
        "id": group.id,
        "part": group.part,
        "count": group.count,
        "bonus": group.bonus,
        "tests": list(result.tests),
        "passed": result.passed,
        "points": format_decimal(result.points),
        "possible": format_decimal(group.points),
    }
