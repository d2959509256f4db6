"""Writes the reports on a class to the reports folder.

reports/ID/results.json, results.csv
reports/ID/students/STUDENT.txt            feedback, which can be given to the student
reports/ID/transcripts/STUDENT/TEST.txt    a program's output in a failed test, for the instructor

Interrupted grading is reported in reports/ID.partial until it is complete, so that earlier complete reports are kept.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from grader.errors import GraderError, reported_as
from grader.expected.transcripts import write_transcript
from grader.files.replace_file import put_in_place
from grader.grading.student_view import student_views
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, StudentResult
from grader.reports.results_csv import write_results_csv
from grader.reports.results_json import results_json_pieces
from grader.reports.student_text import student_text

_FOLDERS = ("students", "transcripts")
_NEW = ".new"


class ReportError(GraderError):
    """A report cannot be written."""


def report_folder(reports: Path, graded: ClassResult) -> Path:
    """Return the folder in `reports` for a class; partial results have a separate folder."""
    complete = reports / graded.assignment.id
    return _partial(complete) if graded.not_graded else complete


def _partial(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.partial")


def remove_partial(folder: Path) -> None:
    """Remove the partial reports, because the reports in `folder` are now complete."""
    shutil.rmtree(_partial(folder), ignore_errors=True)


def private_folder(folder: Path) -> None:
    """Create a folder about students, and its parents.

    Only the owner can read new folders; existing folders keep their permissions. Raises OSError.
    """
    if folder.is_dir():
        return
    private_folder(folder.parent)
    # A umask can only remove further permissions.
    folder.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Create `folder` and wait until no other grader is using it. Others then wait for this grader.

    Raises ReportError if the folder cannot be created.
    """
    with reported_as(ReportError, "The reports cannot be written"):
        private_folder(folder)
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def prepare_reports(graded: ClassResult, folder: Path) -> None:
    """Write all reports on `graded` to a hidden place in `folder`, from which `place_reports` takes them.

    Raises ReportError.
    """
    with reported_as(ReportError, "The reports cannot be written"):
        new = folder / _NEW
        shutil.rmtree(new, ignore_errors=True)
        for name in _FOLDERS:
            (new / name).mkdir(parents=True)
        view_of = student_views(graded.assignment)
        for row in graded.rows:
            _write(new / "students" / f"{row.student}.txt", student_text(graded.assignment, view_of(row)))
            _write_transcripts(new / "transcripts" / row.student, row)
        with _opened(new / "results.csv") as file:
            write_results_csv(graded, file)
        with _opened(new / "results.json") as file:
            file.writelines(results_json_pieces(graded))


def place_reports(folder: Path) -> None:
    """Replace earlier reports with the prepared ones. Raises ReportError."""
    with reported_as(ReportError, "The reports cannot be written"):
        new = folder / _NEW
        # The folders are exchanged rather than removed first, so that a kill at this point never leaves a report
        # without its files.
        for name in (*_FOLDERS, "results.csv", "results.json"):
            put_in_place(new / name, folder / name)
        shutil.rmtree(new)


def _write_transcripts(folder: Path, row: StudentResult) -> None:
    for result in row.graded.results:
        if result.outcome and result.verdict is not Verdict.PASSED:
            write_transcript(folder / f"{result.test.id}.txt", result.outcome.transcript)


def _opened(file: Path) -> TextIO:
    return file.open("w", encoding="utf-8", errors="surrogateescape", newline="")


def _write(file: Path, text: str) -> None:
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
