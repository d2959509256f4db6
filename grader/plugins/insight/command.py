"""The command `grader insight`."""

import click

from grader.api.request import GradeRequest
from grader.cli.options import CommandWithNames, WholeNumber, class_request, class_steps, submissions
from grader.cli.output import Messages, graded_classes


@click.command(cls=CommandWithNames)
@submissions
@class_request
@click.option(
    "--show", type=WholeNumber(min=0), metavar="N", default=0, help="The number of groups to show with a complete diff."
)
@class_steps
@click.pass_obj
def insight(messages: Messages, *, request: GradeRequest, show: int) -> None:
    """Group a class by the mistakes that students share. It also shows how well each test works."""
    from rich.console import Console

    from grader.plugins.insight.terminal import print_insight

    console = Console(highlight=False)
    for graded in graded_classes(request, messages):
        print_insight(console, graded, show=show)
