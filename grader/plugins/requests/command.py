"""The command `grader requests`."""

import sys
from pathlib import Path

import click

from grader.cli.options import PATH, ExitCode, assignment, course, submissions


@click.command()
@submissions
@click.argument(
    "files",
    type=PATH,
    metavar="FILES...",
    nargs=-1,
    required=True,
    help="Mails (.eml, .mbox), issues (.json), .csv, .txt.",
)
@assignment
@course
def requests(*, folder: Path, files: tuple[Path, ...], assignment: str | None, course: Path | None) -> ExitCode:
    """Collect students' regrade requests in requests.yaml. The exit code is 1 if you should check something."""
    from grader.plugins.requests.api import import_requests
    from grader.text.escape import escape_controls
    from grader.text.words import pluralize

    imported = import_requests(folder, files, course=course, assignment=assignment)
    matched = imported.matched
    already = f"; {matched.already} there already" if matched.already else ""
    print(escape_controls(f"{imported.file}: {pluralize(len(matched.new), 'new request')}{already}"))
    for problem in matched.problems:
        print(escape_controls(str(problem)), file=sys.stderr)
    return 1 if matched.problems else 0
