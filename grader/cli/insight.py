"""`grader insight`: what a class teaches."""

from pathlib import Path

from rich.console import Console

from grader.cli.grading import known_classes
from grader.cli.request import GradeRequest
from grader.reports.terminal.insight import print_insight


def run_insight(request: GradeRequest, *, jobs: int | None, store_file: Path | None, show: int) -> int:
    """Print the groups and the statistics of the tests of each class; returns the exit code."""
    console = Console(highlight=False)
    with known_classes(request, jobs=jobs, store_file=store_file) as classes:
        for graded in classes:
            print_insight(console, graded, show=show)
    return 0
