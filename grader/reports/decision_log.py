"""Entries in audit.jsonl about decisions made while marking, in addition to the entries about the resulting marks."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from grader.reports.audit_log import LogEntry, append_lines, entries_in, line_fields, log_content
from grader.text.words import some_of

FORMAT = "grader-decision/1"
_MAX_NAMED = 3
Said: TypeAlias = str | Mapping[str, str] | None
"""The text of a file about a subject, or None."""


@dataclass(frozen=True, kw_only=True)
class LoggedDecision:
    """A change in a file about a class: its subject, the text in `file` before and after, the author and the time.

    The time is in ISO 8601. `what` is points, rule, mark, verdict, comment, remark or request, and `key` identifies the
    item, rule, test, group, subject or request. A comment on a group concerns all `students` in the group at that time,
    and a remark concerns only one student.
    """

    assignment: str
    students: tuple[str, ...]
    what: str
    key: str
    before: Said
    after: Said
    by: str
    at: str
    file: str

    @property
    def words(self) -> str:
        """The decision as a line of text."""
        change = f"{_words(self.before)} → {_words(self.after)}"
        about = f"{self.what} {self.key}".rstrip()
        others = "" if len(self.students) == 1 else f" of {some_of(self.students, _MAX_NAMED)}"
        return f"{self.at}  {self.assignment}: {about}{others}: {change}; decided by {self.by}, {self.file}"


AuditEntry: TypeAlias = LogEntry | LoggedDecision


def now() -> str:
    """Return the current time in the format of the log."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def record_decision(file: Path, decision: LoggedDecision) -> None:
    """Add a decision to the audit log `file`. Raises ReportError if it cannot be written."""
    append_lines(file, lambda _: [{"format": FORMAT, **asdict(decision)}])


def read_audit_log(file: Path) -> list[AuditEntry]:
    """Return all entries of the log, oldest first. Raises ReportError if it cannot be read."""
    log_entries: list[AuditEntry] = []
    for line in log_content(file).splitlines():
        log_entries += entries_in([line])
        log_entries += _decisions([line])
    return log_entries


def _decisions(lines: Iterable[bytes]) -> Iterator[LoggedDecision]:
    names = {"format", *(field.name for field in fields(LoggedDecision))}
    for content in map(line_fields, lines):
        if content.keys() == names and content.pop("format") == FORMAT:
            yield LoggedDecision(**{**content, "students": tuple(content["students"])})


def _words(value_or_values: Said) -> str:
    if value_or_values is None:
        return "nothing"
    if isinstance(value_or_values, str):
        return " / ".join(value_or_values.splitlines())
    return ", ".join(f"{key} {' / '.join(value.splitlines())}" for key, value in value_or_values.items())
