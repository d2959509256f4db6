"""The command `grader report`: web pages about a class."""

from pathlib import Path

import click

from grader.api.request import GradeRequest
from grader.cli.options import (
    CommandWithNames,
    ExitCode,
    class_request,
    class_steps,
    hide_names,
    instructor_files,
    reports,
    submission_steps,
    submissions,
)
from grader.cli.output import INTERRUPTED, Messages, graded_classes


@click.command(cls=CommandWithNames)
@submissions
@class_request
@instructor_files
@submission_steps
@hide_names
@reports
@click.option("--shortest", is_flag=True, help="For each shared mistake, show the shortest session that reveals it.")
@class_steps
@click.pass_obj
def report(
    messages: Messages,
    *,
    request: GradeRequest,
    reports: Path | None,
    shortest: bool,
) -> ExitCode:
    """Write web pages about a class. They include an overview, and a page per student and test. Only new tests run."""
    from grader.api.course import reports_folder
    from grader.api.report import report as write_pages
    from grader.api.report import reports_run
    from grader.cli.shortest import shortest_search

    where = reports_folder(reports, request.course, request.folder)
    run = reports_run()
    for graded in graded_classes(request, messages):
        shorter = shortest_search().of_class(graded, request, messages.progress("groups")) if shortest else {}
        with messages.stage(f"Writing the web pages of {graded.assignment.id}"):
            first = write_pages(graded, where, run, jobs=request.options.jobs, shorter=shorter)
        print(f"Web pages: {first}")
        if graded.not_graded:
            return INTERRUPTED
    return 0
