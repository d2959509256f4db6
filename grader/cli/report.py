"""`grader report`: web pages about graded classes."""

from pathlib import Path

from grader.cli import INTERRUPTED
from grader.cli.grading import known_classes
from grader.cli.request import GradeRequest
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import REPORTS, new_run, record
from grader.reports.html.site import write_site
from grader.reports.write import sole_writer
from grader.run.core_slots import cores
from grader.spec.course_folder import course_folder_for
from grader.store.provenance import origin_of


def run_report(request: GradeRequest, *, jobs: int | None, store_file: Path | None) -> int:
    """Write a site per class to REPORTS/html/ASSIGNMENT and say where; returns the exit code: 130 after Ctrl-C."""
    reports = request.reports or course_folder_for(request.course, request.folder) / "reports"
    run = new_run(REPORTS)
    with known_classes(request, jobs=jobs, store_file=store_file) as classes:
        for graded in classes:
            folder = reports / "html" / graded.assignment.id
            record(reports / AUDIT_LOG, graded, origin_of(graded.assignment), run)
            with sole_writer(folder):
                print(f"Web pages: {write_site(graded, folder, jobs or cores())}")
            if graded.not_graded:
                return INTERRUPTED
    return 0
