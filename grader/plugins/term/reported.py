"""Reads the marks of an assignment from its results.json."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from grader.errors import GraderError
from grader.model.judgement import Verdict
from grader.reports.results_json import FORMAT
from grader.text.words import some_of

_FILE_NAME = "results.json"
_MAX_NAMED = 4


class TermError(GraderError):
    """The marks of an assignment cannot be read, or do not match the other assignments."""


class NoReportsError(TermError):
    """An assignment has not been graded yet."""


@dataclass(frozen=True, kw_only=True)
class ReportedRow:
    """A student under the name in an assignment's reports; `school_id` is the school's id of the student, if known.

    `mark` is None for an excused student, and while it is undecided for the reason `open_because`. `bank` is the
    student's number of late days. If `is_computed`, the mark follows from points and lateness and no person decided it.
    """

    student: str
    school_id: str | None = None
    name: str | None = None
    points: Decimal = Decimal(0)
    mark: Decimal | None = None
    excused: bool = False
    waived: bool = False
    submitted: datetime | None = None
    due: datetime | None = None
    bank: int = 0
    is_computed: bool = True
    open_because: str = ""
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReportedClass:
    """The rows of an assignment; `full` is its full mark, and `highest` exceeds it if there is a bonus."""

    assignment: str
    full: Decimal
    highest: Decimal
    rows: tuple[ReportedRow, ...]


def read_reported(folder: Path) -> ReportedClass:
    """Return the class with reports in `folder`. Raises NoReportsError, TermError."""
    file = folder / _FILE_NAME
    try:
        content = json.loads(file.read_bytes())
    except FileNotFoundError:
        raise NoReportsError(f"there is no {file}") from None
    except OSError as error:
        raise TermError(f"{file} cannot be read: {error.strerror}") from None
    except ValueError:
        raise TermError(f"{file} is no JSON; expected results.json as `grader grade` writes it") from None
    format_there = content.get("format") if isinstance(content, dict) else None
    if format_there != FORMAT:
        raise TermError(f"{file} has the format {format_there}; expected {FORMAT}: grade again with this grader")
    try:
        return _class_of(content)
    except (KeyError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise TermError(f"{file} is damaged ({error!r}); grade again to have it written anew") from None


def _class_of(content: Mapping[str, Any]) -> ReportedClass:
    assignment = content["assignment"]
    full = Decimal(assignment["marks"])
    cut = (ReportedRow(student=name, open_because="grading was interrupted") for name in content["not_graded"])
    rows = (*map(_reported_row, content["submissions"]), *cut)
    return ReportedClass(assignment["id"], full, Decimal(assignment.get("max_mark", full)), rows)


def _reported_row(entry: Mapping[str, Any]) -> ReportedRow:
    mark, identity = entry["mark"], entry["identity"]
    is_open = mark is None and not entry["excused"]
    return ReportedRow(
        student=entry["student"],
        school_id=identity["id"],
        name=identity["name"],
        points=Decimal(entry["points"]),
        mark=Decimal(mark["adjusted"]) if mark else None,
        excused=entry["excused"],
        waived=entry["waived"],
        submitted=datetime.fromisoformat(entry["submitted"]) if entry["submitted"] else None,
        due=datetime.fromisoformat(entry["due"]),
        bank=mark["bank_used"] + mark["bank_left"] if mark else 0,
        is_computed=not any("mark" in override for override in entry["overrides"]),
        open_because=_why_open(entry) if is_open else "",
        doubts=tuple(_undecided_rules(entry)),
    )


def _why_open(entry: Mapping[str, Any]) -> str:
    unmarked = [item["id"] for item in entry["manual"] if item["points"] is None]
    undecided = [test["id"] for test in entry["tests"] if test["verdict"] == Verdict.INTERNAL_ERROR]
    reasons = [f"not yet marked: {some_of(unmarked, _MAX_NAMED)}"] if unmarked else []
    reasons += [f"tests to decide or run again: {some_of(undecided, _MAX_NAMED)}"] if undecided else []
    reasons += ["when it was handed in is not known"] if entry["source"] and not entry["submitted"] else []
    return "; ".join(reasons) or "no mark yet; its notes say why"


def _undecided_rules(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the broken rules whose cost is neither confirmed nor waived, so that the mark ignores it."""
    for rule in entry["rules"]:
        has_cost = rule["zero_mark"] or Decimal(rule["deduct"])
        if has_cost and rule["findings"] and rule["decision"] is None:
            yield f"rule {rule['id']} is to be confirmed or waived"
