"""The entries about marks in an audit log."""

from pathlib import Path

from grader.reports.audit_log import LogEntry, entries_in, log_content


def read_entries(file: Path) -> list[LogEntry]:
    """Return all entries, oldest first; empty if the file does not exist."""
    return list(entries_in(log_content(file).splitlines()))
