"""Compares the marks of two runs, and reads the marks that a student was given."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path

from grader.api.course import load, reports_folder
from grader.api.request import FilePath
from grader.errors import GraderError, nearest
from grader.plugins.comparing.comparison import RunComparison
from grader.plugins.comparing.comparison import compare as compare_runs
from grader.plugins.comparing.results_reader import read_run
from grader.reports.audit_log import FILE_NAME, LogEntry
from grader.reports.decision_log import AuditEntry, LoggedDecision, read_audit_log
from grader.text.names import composed


def compare(first: FilePath, second: FilePath) -> RunComparison:
    """Compare the marks of students in two runs, each a results.json or its folder. Raises ResultsError."""
    return compare_runs(read_run(Path(first)), read_run(Path(second)))


@dataclass(frozen=True)
class MarkHistory:
    """The entries of an audit log on one student, oldest first; `hint` suggests a name if there are no entries.

    `zones` holds the time zones of the assignments that can be loaded.
    """

    file: Path
    log: tuple[AuditEntry, ...]
    hint: str = ""
    zones: Mapping[str, tzinfo] = field(default_factory=dict)

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        """The marks."""
        return tuple(entry for entry in self.log if isinstance(entry, LogEntry))


def history(
    student: str,
    *,
    course: FilePath | None = None,
    assignment: str | None = None,
    reports: FilePath | None = None,
) -> MarkHistory:
    """Return the marks that a student was given, in one assignment or all. Raises ReportError for an unreadable log."""
    file = reports_folder(reports, course, Path.cwd()) / FILE_NAME
    entries = [entry for entry in read_audit_log(file) if assignment in (None, entry.assignment)]
    of_student = tuple(entry for entry in entries if composed(student) in map(composed, _students(entry)))
    return MarkHistory(
        file,
        of_student,
        "" if of_student else nearest(student, {name for entry in entries for name in _students(entry)}),
        _zones({entry.assignment for entry in of_student}, course),
    )


def _zones(assignments: set[str], course: FilePath | None) -> dict[str, tzinfo]:
    """Return the time zone of each assignment that is still in the course."""
    zones: dict[str, tzinfo] = {}
    for assignment in assignments:
        with suppress(GraderError):
            zones[assignment] = load(assignment, course).zone
    return zones


def _students(entry: AuditEntry) -> tuple[str, ...]:
    return entry.students if isinstance(entry, LoggedDecision) else (entry.student,)
