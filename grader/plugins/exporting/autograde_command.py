"""The command `grader autograde`, which runs on a learning platform."""

import sys
from pathlib import Path

import click

from grader.cli.options import PATH, CommandWithNames, ExitCode, assignments, autograders, sandbox
from grader.model.program import SandboxKind


@click.command(cls=CommandWithNames)
@click.argument(
    "platform",
    metavar="PLATFORM",
    shell_complete=autograders,
    help="The platform that runs this command: {autograders}.",
)
@click.argument("folder", type=PATH, metavar="FOLDER", help="The submission.")
@click.option("--assignment", metavar="ID", required=True, shell_complete=assignments, help="The assignment.")
@click.option("--course", type=PATH, metavar="FOLDER", required=True, help="The course folder.")
@click.option("--metadata", type=PATH, metavar="FILE", help="Gradescope's submission_metadata.json.")
@sandbox
@click.option("--output", type=PATH, metavar="FILE", help="The file that the platform reads; default: standard output.")
def autograde(
    *,
    platform: str,
    folder: Path,
    assignment: str,
    course: Path,
    metadata: Path | None,
    sandbox: SandboxKind,
    output: Path | None,
) -> ExitCode:
    """Grade one submission inside a platform's autograder. It writes the output that the platform reads."""
    from grader.plugins.exporting.api import NoMarkError, save_result
    from grader.plugins.exporting.api import autograde as grade_submission

    try:
        result = grade_submission(platform, folder, assignment, course, sandbox=sandbox, metadata=metadata)
    except NoMarkError as error:
        # Nothing is written, so that the platform reports a failed autograder and the student gets no wrong mark.
        print(error, file=sys.stderr)
        return 1
    for line in result.log:
        print(line, file=sys.stderr)
    if output is None:
        sys.stdout.write(result.text)
    else:
        save_result(result.text, output)
    return 0
