"""The command `grader serve`: a class in the browser of its markers."""

import sys
from contextlib import suppress
from pathlib import Path
from threading import Event

import click

from grader.api.request import GradeRequest
from grader.cli.options import (
    PATH,
    CommandWithNames,
    ExitCode,
    WholeNumber,
    class_request,
    instructor_files,
    reports,
    submission_steps,
    submissions,
)
from grader.cli.output import Messages
from grader.plugins.web.serve.api import DEFAULT_PORT, ServeOptions
from grader.plugins.web.serve.api import serve as serve_class


@click.command(cls=CommandWithNames)
@submissions
@class_request
@instructor_files
@click.option(
    "--port", type=WholeNumber(min=0, max=65535), metavar="N", default=DEFAULT_PORT, help="The port; 0: any free port."
)
@click.option("--socket", type=PATH, metavar="FILE", help="Listen on a Unix socket instead of a port, for a proxy.")
@click.option("--user-header", metavar="NAME", help="The header in which the proxy passes the marker's name.")
@click.option("--anonymous", is_flag=True, help="Show students as numbers, without names and logins.")
@submission_steps
@reports
@click.pass_obj
def serve(
    messages: Messages,
    *,
    request: GradeRequest,
    port: int,
    socket: Path | None,
    user_header: str | None,
    anonymous: bool,
    reports: Path | None,
) -> ExitCode:
    """Mark a class in the browser. The class is graded meanwhile, and your decisions are saved in its files."""
    options = ServeOptions(port=port, anonymous=anonymous, reports=reports, socket=socket, user_header=user_header)
    with serve_class(request, options, progress=messages.progress("tests")) as served, suppress(KeyboardInterrupt):
        for note in served.notes:
            print(f"note: {note}", file=sys.stderr)
        where = "through a proxy" if socket else "on this machine"
        print(f"Markers {where} come in at {served.address}")
        print("Ctrl-C ends it; what was decided is in the files beside the submissions.", flush=True)
        Event().wait()
    return 0
