"""Rewrites the audit log when a student is forgotten."""

import os
from collections.abc import Callable
from pathlib import Path

from grader.errors import reported_as
from grader.reports.audit_log import locked_log, open_private
from grader.reports.write import ReportError


def rewrite_lines(file: Path, change: Callable[[bytes], bytes | None]) -> None:
    """Atomically replace each line of the log with the result of `change`, or remove it if that is None.

    Raises ReportError.
    """
    with reported_as(ReportError, f"The audit log {file} cannot be written"), locked_log(file) as log:
        log.seek(0)
        changed = map(change, log.readlines())
        new = file.with_name(f"{file.name}.new")
        with open(new, "wb", opener=open_private) as target:
            target.writelines(line for line in changed if line is not None)
            target.flush()
            os.fsync(target.fileno())
        new.replace(file)
