"""The command `grader record`."""

import sys
from typing import Any

import click

from grader.cli.options import PATH, ExitCode, assignment, course, programs
from grader.cli.output import INTERRUPTED


@click.command()
@click.argument(
    "program",
    type=PATH,
    metavar="PROGRAM",
    shell_complete=programs,
    help="The program whose reference to run, such as nim.py.",
)
@assignment
@course
@click.option("--id", metavar="NAME", help="The name of the test; default: recorded-1 and so on.")
@click.option("--title", metavar="TEXT", default="", show_default=False, help="The title that students see.")
@click.option("--points", metavar="N", default="0", help="The points of the test.")
@click.option("--public", is_flag=True, help="Make the test public; default: as in the file.")
@click.option("--screen", is_flag=True, help="For a program that draws: record keys, in the size of this terminal.")
@click.option("--output", type=PATH, metavar="FILE", help="Default: the file with the program's tests.")
def record(**asked: Any) -> ExitCode:
    """Run a reference and turn the session into a test. The expected transcript is written too."""
    from grader.plugins.recording.api import RecordRequest
    from grader.plugins.recording.api import record as record_test
    from grader.reports.terminal.console import output_console
    from grader.reports.theme import TerminalStyle

    console = output_console()

    def announce(program_file: str, new_id: str) -> None:
        console.print(f"Play {program_file}; what you type becomes the test {new_id}.", style=TerminalStyle.MUTED)
        ways = "End the test while the program waits: Ctrl-\\." if asked["screen"] else "End of input: Ctrl-D."
        console.print(f"{ways} To give up: Ctrl-C.", style=TerminalStyle.MUTED)
        sys.stdout.flush()

    recorded = record_test(RecordRequest(**asked), announce)
    if recorded is None:
        console.print("\nIt was interrupted; nothing is recorded.", style=TerminalStyle.HEADING)
        return INTERRUPTED
    console.print(f"added: {recorded.id} in {recorded.file}", soft_wrap=True)
    for file in recorded.expected:
        console.print(f"written: {file}", soft_wrap=True)
    return 0
