"""Compares the marks of two runs, and reads the marks that a student was given."""

from dataclasses import dataclass
from pathlib import Path

from grader.api.course import reports_folder
from grader.api.request import FilePath
from grader.errors import nearest
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
    """The entries of an audit log on one student, oldest first; `hint` suggests a name if there are no entries."""

    file: Path
    log: tuple[AuditEntry, ...]
    hint: str = ""

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
    )


def _students(entry: AuditEntry) -> tuple[str, ...]:
    return entry.students if isinstance(entry, LoggedDecision) else (entry.student,)
