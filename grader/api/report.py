"""Writes the results and feedback for a class, as files or web pages. Each mark is first recorded in the audit log."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.api.request import FilePath
from grader.errors import reported_as
from grader.extensions import PAGES, extension
from grader.files.digest import UntraceableError, folder_digest
from grader.model.results import ClassResult, ShorterSession
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import REPORTS, LoggedRun, new_run, record
from grader.reports.html.writer import FurtherFindings, PageWriter
from grader.reports.probing import probing_file, read_probing
from grader.reports.write import (
    ReportError,
    place_reports,
    prepare_reports,
    private_folder,
    remove_partial,
    report_folder,
    sole_writer,
)
from grader.run.run_slots import cores
from grader.store.origin import origin_of


@dataclass(frozen=True)
class SavedReports:
    """The folder with the reports on a class, and its digest, or None if the folder contains links."""

    folder: Path
    digest: str | None


def reports_run() -> LoggedRun:
    """Return an audit log entry for a run that starts now and writes to the reports."""
    return new_run(REPORTS)


def replaced_class(reports: Path, assignment: str, folder: Path) -> str | None:
    """Note that the next reports are about the class in `folder`, and return the folder of a class that they replace.

    Return None if the present reports are about the same folder, or if that is unknown. Raises ReportError.
    """
    note, now = reports / f".{assignment}.folder", os.path.realpath(folder)
    with reported_as(ReportError, "The reports cannot be written"):
        before = os.fsdecode(note.read_bytes()) if note.exists() else now
        private_folder(reports)
        note.write_bytes(os.fsencode(now))
    return None if before == now else before


def save_results(graded: ClassResult, reports: FilePath, run: LoggedRun | None = None) -> SavedReports:
    """Write results.json, results.csv, feedback and transcripts of a class to its folder in `reports`.

    They replace earlier ones, but partial results have a separate folder. The audit log of `reports` records the marks
    under `run`, by default a run that starts now. Raises ReportError if a file cannot be written.
    """
    folder = report_folder(Path(reports), graded)
    with sole_writer(folder):
        prepare_reports(graded, folder)
        # Log first, so that even a report that fails contains only logged marks.
        record(folder.parent / AUDIT_LOG, graded, origin_of(graded.assignment), run or reports_run())
        place_reports(folder)
        digest = None
        with suppress(UntraceableError):
            digest = folder_digest(folder)
    if not graded.not_graded:
        remove_partial(folder)
    return SavedReports(folder, digest)


def report(
    graded: ClassResult,
    reports: FilePath,
    run: LoggedRun | None = None,
    *,
    jobs: int | None = 1,
    shorter: Mapping[str, ShorterSession] | None = None,
) -> Path:
    """Write web pages about a class to html/ in `reports`, and return the first page.

    `shorter` maps groups of failures to sessions that show the typical failure. `jobs` processes write the pages; None
    means one per core. See `save_results` for the audit log and errors. Raises ExtensionError if no plugin makes web
    pages.
    """
    pages = extension(PAGES, "html", "web pages").load(PageWriter)
    folder = report_folder(Path(reports) / "html", graded)
    probed = read_probing(probing_file(Path(reports), graded.assignment.id))
    beside_marks = FurtherFindings(probed, shorter or {})
    with sole_writer(folder):
        # Log first, so that pages contain only logged marks.
        record(Path(reports) / AUDIT_LOG, graded, origin_of(graded.assignment), run or reports_run())
        first = pages.write(graded, folder, jobs or cores(), beside_marks)
    if not graded.not_graded:
        remove_partial(folder)
    return first
