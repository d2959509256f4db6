"""The commands that look into classes: insight, similar."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.api.request import GradeRequest
from grader.cli.options import (
    PATH,
    CommandWithNames,
    Number,
    WholeNumber,
    assignment,
    class_request,
    course,
    submissions,
)
from grader.cli.output import Messages, graded_classes

if TYPE_CHECKING:
    from rich.console import Console

    from grader.api.analyse import SimilarPrograms


@click.command(cls=CommandWithNames)
@submissions
@class_request
@click.option(
    "--show", type=WholeNumber(min=0), metavar="N", default=0, help="Groups to show with one failure in full."
)
@click.pass_obj
def insight(messages: Messages, *, request: GradeRequest, show: int) -> None:
    """Group a class by the mistakes that students share. It also says how well each test works."""
    from rich.console import Console

    from grader.reports.terminal.findings import print_insight

    console = Console(highlight=False)
    for graded in graded_classes(request, messages):
        print_insight(console, graded, show=show)


@click.command()
@submissions
@assignment
@course
@click.option(
    "--earlier", type=PATH, metavar="FOLDER", multiple=True, help="Submissions of an earlier class; may be repeated."
)
@click.option("--base", type=PATH, metavar="FILE", multiple=True, help="A file that all students got; may be repeated.")
@click.option(
    "--min-percent",
    type=Number(min=0, max=100),
    metavar="N",
    default=60,
    help="Percent of one program to be found in another.",
)
@click.option(
    "--max-programs",
    type=WholeNumber(min=1),
    metavar="N",
    default=10,
    help="What stands in more programs than this does not count.",
)
@click.option(
    "--show",
    type=WholeNumber(min=0),
    metavar="N",
    default=0,
    help="Pairs whose passages are shown side by side.",
)
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON.")
@click.option("--html", type=PATH, metavar="FOLDER", help="Folder for web pages that show the pairs side by side.")
@click.pass_obj
def similar(
    messages: Messages,
    *,
    folder: Path,
    assignment: str | None,
    course: Path | None,
    earlier: Sequence[Path],
    base: Sequence[Path],
    min_percent: float,
    max_programs: int,
    show: int,
    as_json: bool,
    html: Path | None,
) -> None:
    """List programs of a class that have much in common. It shows similarity, not guilt."""
    from rich.console import Console

    from grader.api.analyse import SimilarityOptions, write_similar_pages
    from grader.api.analyse import similar as similar_programs
    from grader.reports.results_json import similar_json

    options = SimilarityOptions(earlier=earlier, base=base, min_percent=min_percent, max_programs=max_programs)
    console = Console(highlight=False)
    progress = messages.progress("")
    for found in similar_programs(folder, course=course, assignment=assignment, options=options, progress=progress):
        first = write_similar_pages(found, html) if html is not None else None
        if as_json:
            sys.stdout.write(similar_json(found.assignment.id, found.pairs))
            continue
        _print_pairs(console, found, show)
        if first is not None:
            print(f"Web pages, for instructors only: {first}")


def _print_pairs(console: "Console", found: "SimilarPrograms", show: int) -> None:
    from grader.reports.terminal.findings import similar_lines

    least = found.search.least
    console.print(f"{found.assignment.id}: {len(found.pairs)} pairs share at least {least:g} % of one of them.")
    for line in similar_lines(found.pairs, show=show):
        console.print(line, soft_wrap=True)
