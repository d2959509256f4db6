"""The command `grader fuzz`."""

from pathlib import Path
from typing import Any

import click

from grader.cli.options import PATH, ExitCode, Number, WholeNumber, assignments, course, jobs, reports, sandbox
from grader.cli.output import Messages


@click.command()
@click.argument(
    "assignment", metavar="ID", shell_complete=assignments, help="The assignment; its fuzz.yaml says what to play."
)
@click.argument(
    "submissions", type=PATH, required=False, help="The class, as `grade` takes it; default: submissions/ID."
)
@course
@click.option("--sessions", type=WholeNumber(min=1), metavar="N", default=300, help="Play so many for each entry.")
@click.option(
    "--seconds", type=Number(min=1), metavar="S", default=300.0, help="Begin no session after so many seconds."
)
@click.option("--seed", type=click.INT, metavar="N", default=1, help="Chooses the sessions.")
@click.option("--add", is_flag=True, help="Write the sessions that show a difference as tests.")
@reports
@jobs
@sandbox
@click.pass_obj
def fuzz(
    messages: Messages,
    /,
    *,
    assignment: str,
    submissions: Path | None,
    course: Path | None,
    add: bool,
    reports: Path | None,
    **chosen: Any,
) -> ExitCode:
    """Find what the tests miss. Submissions that pass all tests are compared with the reference in random sessions."""
    from grader.plugins.searching.fuzzing.api import FuzzOptions, add_found_tests, save_findings
    from grader.plugins.searching.fuzzing.api import fuzz as fuzz_class
    from grader.plugins.searching.fuzzing.terminal import fuzz_lines, fuzz_summary
    from grader.reports.terminal.console import output_console

    console = output_console()
    options = FuzzOptions(**chosen)
    progress = messages.progress("sessions")
    result = fuzz_class(assignment, submissions, course=course, options=options, progress=progress)
    for line in fuzz_lines(result.findings):
        console.print(line, soft_wrap=True)
    for added in add_found_tests(result, course=course, options=options, progress=progress) if add else ():
        console.print(f"written: {added.file}: {', '.join(added.ids)}", soft_wrap=True)
    save_findings(result, reports, course=course)
    console.print(fuzz_summary(len(result.accepted), result.played, len(result.differing)), soft_wrap=True)
    return 1 if result.differing else 0
