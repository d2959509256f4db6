"""Writes the reports on a class to the reports folder.

reports/ID/results.json, results.csv
reports/ID/students/STUDENT.txt                feedback
reports/ID/transcripts/STUDENT/TEST.txt        what a program printed in a test that it did not pass
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import GraderError
from grader.expected.transcripts import write_transcript
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, StudentResult
from grader.reports.results_csv import results_csv
from grader.reports.results_json import results_json
from grader.reports.student_text import student_text


class ReportError(GraderError):
    """A report cannot be written."""


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Make `folder` and wait until no other grader writes to it; the others then wait for this one.

    Raises ReportError when the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise ReportError(f"The reports cannot be written: {error}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_reports(graded: ClassResult, folder: Path) -> None:
    """Write all reports on `graded` to `folder`, replacing earlier ones.

    Raises ReportError when the folder cannot be written.
    """
    try:
        for name in ("students", "transcripts"):
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).mkdir(parents=True)
        for row in graded.rows:
            _replace(folder / "students" / f"{row.student}.txt", student_text(graded.assignment, row))
            _write_transcripts(folder / "transcripts" / row.student, row)
        _replace(folder / "results.csv", results_csv(graded))
        _replace(folder / "results.json", results_json(graded))
    except OSError as error:
        raise ReportError(f"The reports cannot be written: {error}") from None


def _write_transcripts(folder: Path, row: StudentResult) -> None:
    for result in row.graded.results:
        if result.outcome and result.verdict is not Verdict.PASSED:
            write_transcript(folder / f"{result.test.id}.txt", result.outcome.transcript)


def _replace(file: Path, text: str) -> None:
    """Write `file` so that it is either the old or the new one at any moment."""
    new = file.with_name(f"{file.name}.new")
    new.write_bytes(text.encode("utf-8", "surrogateescape"))
    new.replace(file)
