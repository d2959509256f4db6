"""The command `grader forget`."""

from typing import Any

import click

from grader.cli.options import PATH, ExitCode, assignments, course, reports


@click.command()
@click.argument("student", help="The student's name, as in the reports.")
@click.argument(
    "folders",
    type=PATH,
    nargs=-1,
    metavar="[FOLDER]...",
    help="Submissions; default: submissions/ in the course folder.",
)
@click.option("--assignment", metavar="ID", shell_complete=assignments, help="Assignment; default: all.")
@course
@reports
@click.option(
    "--store", type=click.Path(), metavar="FILE|ADDRESS", help="Default: .grader/store.sqlite3 in the course folder."
)
@click.option("--further", type=PATH, metavar="FOLDER", multiple=True, help="Another folder with pages or exports.")
@click.option("--submissions", is_flag=True, help="Also delete the submissions.")
@click.option("--delete", is_flag=True, help="Delete the data. Without this option, the command only lists them.")
def forget(
    *,
    submissions: bool,
    delete: bool,
    **asked: Any,
) -> ExitCode:
    """Delete the data of a student. The exit code is 1 if something is left for you to check."""
    from grader.plugins.forgetting.api import ForgetRequest, student_data
    from grader.reports.terminal.console import output_console
    from grader.text.escape import escape_controls
    from grader.text.words import pluralize

    data = student_data(ForgetRequest(submissions=submissions, **asked))
    if delete:
        data.delete()
    console = output_console()
    for removal in data.removals:
        console.print(escape_controls(f"{removal.place}: {removal.what}"), soft_wrap=True)
    for remainder in data.remainders:
        console.print(escape_controls(f"stays: {remainder.about}"), soft_wrap=True)
    places = pluralize(len(data.removals), "place")
    console.print(f"deleted in {places}" if delete else f"found in {places}; nothing is deleted without --delete")
    if not submissions:
        console.print("What was handed in stays, and a new run would grade it again; --submissions deletes it too.")
    return 1 if data.remainders else 0
