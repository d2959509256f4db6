"""audit.jsonl: who got which mark, from which submission, tests and grader, when, by which run, and where it went.

A JSON object per line, and lines are only ever added; docs/results-format.md documents it. A writer holds a lock on the
file while it reads the last entries and adds new ones. A line that a killed writer left
incomplete stays, and readers pass it over.
"""

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from grader.model.results import ClassResult, StudentResult
from grader.reports.write import ReportError, private_folder
from grader.store.provenance import Provenance
from grader.text.words import format_decimal

FILE_NAME = "audit.jsonl"


FORMAT = "grader-audit/2"


REPORTS = "reports"
"""Where marks go that are written to the reports of the course."""


_FORMAT_1 = "grader-audit/1"


@dataclass(frozen=True)
class LoggedRun:
    """When a run began (ISO 8601), its name, and where marks go: to the REPORTS, or in an export of this format."""

    at: str
    run: str
    to: str


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """One mark of one student; `mark` is None when there is none, `overridden` says that a person decided in it."""

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

    @property
    def about(self) -> tuple[str, str, str]:
        """Whose mark went where."""
        return self.assignment, self.student, self.to

    def says_the_same(self, other: "LogEntry | None") -> bool:
        """Whether the two differ in nothing but the run."""
        return other is not None and _said(self) == _said(other)


def new_run(to: str) -> LoggedRun:
    """A run that begins now."""
    return LoggedRun(datetime.now(UTC).isoformat(timespec="seconds"), uuid4().hex[:16], to)


def record(file: Path, graded: ClassResult, origin: Provenance, run: LoggedRun) -> None:
    """Add an entry for each student about whom the last entry in `file` on the same target says something else.

    Raises ReportError when the file cannot be written.
    """
    entries = [_entry(graded, row, origin, run) for row in graded.rows]

    def new(content: bytes) -> list[Mapping[str, Any]]:
        last = {entry.about: entry for entry in entries_in(content.splitlines())}
        changed = [entry for entry in entries if not entry.says_the_same(last.get(entry.about))]
        return [{"format": FORMAT, **asdict(entry)} for entry in changed]

    append_lines(file, new)


def append_lines(file: Path, new: Callable[[bytes], Iterable[Mapping[str, Any]]]) -> None:
    """Add what `new` makes of the content of the log `file`, a line each. Raises ReportError."""
    try:
        private_folder(file.parent)
        with open(file, "a+b", buffering=0, opener=_private) as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            log.seek(0)
            content = log.read()
            lines = "".join(f"{json.dumps(line)}\n" for line in new(content)).encode("ascii")
            if lines:
                _add(log, lines, ends_in_half_a_line=bool(content) and not content.endswith(b"\n"))
    except OSError as error:
        raise ReportError(f"The audit log {file} cannot be written: {error.strerror}") from None


def read_entries(file: Path) -> list[LogEntry]:
    """All entries, oldest first; none when there is no file. Raises ReportError when it cannot be read."""
    return list(entries_in(log_content(file).splitlines()))


def log_content(file: Path) -> bytes:
    """What is in the log, nothing when there is none. Raises ReportError when it cannot be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise ReportError(f"The audit log {file} cannot be read: {error.strerror}") from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _add(log: BinaryIO, lines: bytes, *, ends_in_half_a_line: bool) -> None:
    left = (b"\n" if ends_in_half_a_line else b"") + lines
    while left:
        left = left[log.write(left) :]
    os.fsync(log.fileno())


def _entry(graded: ClassResult, row: StudentResult, origin: Provenance, run: LoggedRun) -> LogEntry:
    return LogEntry(
        assignment=graded.assignment.id,
        student=row.student,
        mark=format_decimal(row.mark.adjusted) if row.mark else None,
        points=format_decimal(row.points),
        excused=row.granted.excused,
        overridden=bool(row.overrides),
        submission=row.graded.digest,
        **asdict(origin),
        **asdict(run),
    )


def entries_in(lines: Iterable[bytes]) -> Iterator[LogEntry]:
    """The entries on marks in lines of the log; all other lines are passed over."""
    names = {field.name for field in fields(LogEntry)}
    known = {FORMAT: names, _FORMAT_1: names - {"to"}}
    for line in lines:
        try:
            content = json.loads(line)
        except ValueError:
            continue
        if isinstance(content, dict) and content.keys() == known.get(str(content.pop("format", ""))):
            yield LogEntry(**content)


def _said(entry: LogEntry) -> dict[str, Any]:
    return {name: value for name, value in asdict(entry).items() if name not in ("at", "run")}
