"""The command `grader seeds`."""

from pathlib import Path

import click

from grader.cli.options import ExitCode, assignments, course, jobs
from grader.cli.output import Messages


@click.command()
@click.argument("assignment", metavar="ID", shell_complete=assignments, help="The assignment, with a seeds.yaml.")
@course
@click.option("--dry-run", is_flag=True, help="Print the tests without writing them.")
@jobs
@click.pass_obj
def seeds(messages: Messages, *, assignment: str, course: Path | None, dry_run: bool, jobs: int | None) -> ExitCode:
    """Find a few seeds or decks that cover what a game can do. It writes them as tests."""
    from rich.console import Console
    from rich.text import Text

    from grader.plugins.searching.seeds.api import search_seeds
    from grader.plugins.searching.seeds.terminal import missed_goals, seeds_lines
    from grader.text.escape import escape_controls

    console = Console(highlight=False)
    all_reached = True
    progress = messages.progress("values")
    for result in search_seeds(assignment, course=course, jobs=jobs, progress=progress):
        for line in seeds_lines(result.explored, result.chosen):
            console.print(line, soft_wrap=True)
        if dry_run:
            for text in result.added.splitlines():
                console.print(Text(escape_controls(text)), soft_wrap=True)
        elif result.added:
            result.write()
            console.print(f"  written: {result.file}; now run `grader generate {assignment}`", soft_wrap=True)
        else:
            console.print("  Every test is there already.", soft_wrap=True)
        all_reached = all_reached and not missed_goals(result.explored, result.chosen)
    return 0 if all_reached else 1
