"""The command `grader fuzz`."""

from pathlib import Path
from typing import Any

import click

from grader.cli.options import PATH, ExitCode, Number, WholeNumber, assignments, course, jobs, reports, sandbox
from grader.cli.output import Messages


@click.command()
@click.argument("assignment", metavar="ID", shell_complete=assignments, help="The assignment, with a fuzz.yaml.")
@click.argument("submissions", type=PATH, required=False, help="The class, as for `grade`; default: submissions/ID.")
@course
@click.option(
    "--sessions", type=WholeNumber(min=1), metavar="N", default=300, help="The number of sessions for each entry."
)
@click.option(
    "--seconds", type=Number(min=1), metavar="S", default=300.0, help="Start no session after this many seconds."
)
@click.option("--seed", type=click.INT, metavar="N", default=1, help="The seed for the sessions.")
@click.option("--add", is_flag=True, help="Add a test for each session that shows a difference.")
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
