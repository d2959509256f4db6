"""The command `grader similar`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import PATH, Number, WholeNumber, assignment, course, submissions
from grader.cli.output import Messages

if TYPE_CHECKING:
    from rich.console import Console

    from grader.plugins.similarity.api import SimilarPrograms


@click.command()
@submissions
@assignment
@course
@click.option(
    "--earlier", type=PATH, metavar="FOLDER", multiple=True, help="Submissions of an earlier class; may be repeated."
)
@click.option("--base", type=PATH, metavar="FILE", multiple=True, help="A file that was given to all; may be repeated.")
@click.option(
    "--min-percent",
    type=Number(min=0, max=100),
    metavar="N",
    default=60,
    help="The minimum percentage of one program that is also in another.",
)
@click.option(
    "--max-programs",
    type=WholeNumber(min=1),
    metavar="N",
    default=10,
    help="Ignore code that the programs of more students than this share.",
)
@click.option(
    "--show",
    type=WholeNumber(min=0),
    metavar="N",
    default=0,
    help="The number of pairs to show side by side.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--html", type=PATH, metavar="FOLDER", help="Folder for web pages that show the pairs side by side.")
@click.pass_obj
def similar(
    messages: Messages,
    /,
    *,
    folder: Path,
    assignment: str | None,
    course: Path | None,
    show: int,
    as_json: bool,
    html: Path | None,
    **chosen: Any,
) -> None:
    """List programs in a class that are unusually similar. It shows similarity, not guilt."""
    from rich.console import Console

    from grader.plugins.similarity.api import SimilarityOptions, write_similar_pages
    from grader.plugins.similarity.api import similar as similar_programs
    from grader.plugins.similarity.results import similar_json

    options = SimilarityOptions(**chosen)
    console = Console(highlight=False)
    progress = messages.progress("")
    for programs in similar_programs(folder, course=course, assignment=assignment, options=options, progress=progress):
        messages.notes(programs.assignment, programs.notes)
        first = write_similar_pages(programs, html) if html is not None else None
        if as_json:
            sys.stdout.write(similar_json(programs.assignment.id, programs.pairs))
            continue
        _print_pairs(console, programs, show)
        if first is not None:
            print(f"Web pages, for instructors only: {first}")


def _print_pairs(console: "Console", programs: "SimilarPrograms", show: int) -> None:
    from grader.plugins.similarity.terminal import similar_lines

    least = programs.search.least
    console.print(f"{programs.assignment.id}: {len(programs.pairs)} pairs share at least {least:g} % of one of them.")
    for line in similar_lines(programs.pairs, show=show):
        console.print(line, soft_wrap=True)
