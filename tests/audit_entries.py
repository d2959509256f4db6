"""The entries of an audit log."""

from pathlib import Path

from grader.reports.audit_log import LogEntry, entries_in, log_content


def read_entries(file: Path) -> list[LogEntry]:
    """Return all entries, oldest first. Raises ReportError if the file cannot be read."""
    return list(entries_in(log_content(file).splitlines()))
