"""audit.jsonl: a log of every mark with its student, submission, tests, grader, time, run and destination.

Each line is a JSON object; docs/reference/results.md documents it. Lines are only ever added, until a student is
forgotten. Writers lock the file while they read the last entries and add new ones. An incomplete line from a killed
writer stays in the file, and readers skip it.
"""

import fcntl
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from grader.errors import reported_as
from grader.model.results import ClassResult, StudentResult
from grader.reports.write import ReportError, private_folder
from grader.store.origin import Provenance
from grader.text.words import format_decimal

FILE_NAME = "audit.jsonl"
FORMAT = "grader-audit/1"
_FORMAT = re.compile(r"grader-(?:audit|decision|forgotten)/(\d{1,9})")
REPORTS = "reports"
"""The destination of marks written to the course's reports."""


@dataclass(frozen=True)
class LoggedRun:
    """The start of a run (in ISO 8601), its name, and the destination of its marks: REPORTS, or an export format."""

    at: str
    run: str
    to: str


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """A student's mark; `mark` is None if it is missing, and `overridden` means that a person changed results."""

    assignment: str
    student: str
    mark: str | None
    points: str
    excused: bool
    overridden: bool
    submission: str
    spec: str | None
    harness: str
    at: str
    run: str
    to: str = REPORTS

    def says_the_same(self, entry: "LogEntry | None") -> bool:
        """Return whether two entries only differ in time and run."""
        return entry is not None and _compared_fields(self) == _compared_fields(entry)


def new_run(to: str) -> LoggedRun:
    """Return a run that starts now."""
    return LoggedRun(datetime.now(UTC).isoformat(timespec="seconds"), uuid4().hex[:16], to)


def record(file: Path, graded: ClassResult, origin: Provenance, run: LoggedRun) -> None:
    """Add an entry for each student unless the student's last entry in `file` for this destination is the same.

    Raises ReportError if the file cannot be written.
    """

    def new(log: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
        about = graded.assignment.id, run.to
        last = {entry.student: entry for entry in entries_in(log) if (entry.assignment, entry.to) == about}
        for row in graded.rows:
            entry = _entry(graded, row, origin, run)
            if not entry.says_the_same(last.get(row.student)):
                yield {"format": FORMAT, **vars(entry)}

    append_lines(file, new)


def append_lines(file: Path, new: Callable[[Iterable[bytes]], Iterable[Mapping[str, Any]]]) -> None:
    """Append the objects returned by `new` for the lines of the log `file`, one per line. Raises ReportError."""
    with reported_as(ReportError, f"The audit log {file} cannot be written"):
        private_folder(file.parent)
        with locked_log(file) as log:
            end = log.seek(0, os.SEEK_END)
            begin = b"\n" if end and _ends_in_half_a_line(log) else b""
            log.seek(0)
            for line in new(log):
                log.write(begin + json.dumps(line).encode("ascii") + b"\n")
                begin = b""
            if log.seek(0, os.SEEK_END) > end:
                os.fsync(log.fileno())


@contextmanager
def locked_log(file: Path) -> Iterator[BinaryIO]:
    """Open the log for appending, and lock it. Raises OSError."""
    while True:
        with open(file, "a+b", opener=open_private) as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            # While this process waited for the lock, the file may have been replaced.
            if os.path.samestat(os.fstat(log.fileno()), file.stat()):
                yield log
                return


def log_content(file: Path) -> bytes:
    """Read the log; a missing log counts as empty. Raises ReportError if it cannot be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise ReportError(f"The audit log {file} cannot be read: {error.strerror}") from None


def open_private(path: str, flags: int) -> int:
    """Open a file that only its owner can read, as the opener of `open`."""
    return os.open(path, flags, 0o600)


def _ends_in_half_a_line(log: BinaryIO) -> bool:
    log.seek(-1, os.SEEK_END)
    return log.read(1) != b"\n"


def _entry(graded: ClassResult, row: StudentResult, origin: Provenance, run: LoggedRun) -> LogEntry:
    return LogEntry(
        assignment=graded.assignment.id,
        student=row.student,
        mark=format_decimal(row.mark.adjusted) if row.mark else None,
        points=format_decimal(row.points),
        excused=row.granted.excused,
        overridden=bool(row.overrides),
        submission=row.graded.digest,
        **vars(origin),
        **vars(run),
    )


def entries_in(lines: Iterable[bytes]) -> Iterator[LogEntry]:
    """Yield the entries about marks in lines of the log, skipping other lines. Raises ReportError."""
    names = {field.name for field in fields(LogEntry)}
    for content in map(line_fields, lines):
        if content.pop("format", "") == FORMAT and content.keys() == names:
            yield LogEntry(**content)


def line_fields(line: bytes) -> dict[str, Any]:
    """Return the fields of a log line; empty if a killed writer left it incomplete.

    Raises ReportError if a newer grader wrote the line.
    """
    try:
        content = json.loads(line)
    except ValueError:
        return {}
    if not isinstance(content, dict):
        return {}
    if (version := _FORMAT.fullmatch(str(content.get("format")))) and int(version[1]) > 1:
        raise ReportError(
            f"The audit log has lines of the format {version[0]}, which is newer than this grader; upgrade it"
        )
    return content


def _compared_fields(entry: LogEntry) -> dict[str, Any]:
    return {name: value for name, value in vars(entry).items() if name not in ("at", "run")}
