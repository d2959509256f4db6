"""The command `grader term`."""

from collections.abc import Mapping
from pathlib import Path

import click

from grader.cli.options import PATH, ExitCode, course
from grader.errors import GraderError, known_name, reported_as
from grader.model.option import LateFunction

_FORMATS: Mapping[str, LateFunction] = {
    name: LateFunction(f"grader.plugins.term.formats:term_{name}") for name in ("csv", "json")
}


@click.command()
@click.argument("file", type=PATH, required=False, metavar="[FILE]", help="Default: term.yaml in the course folder.")
@click.option(
    "--output",
    "outputs",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Also write the table to a file: .csv or .json.",
)
@click.option("--so-far", is_flag=True, help="Leave out assignments that have no reports yet.")
@course
def term(*, file: Path | None, outputs: tuple[Path, ...], so_far: bool, course: Path | None) -> ExitCode:
    """Combine the marks of a term. Weights, groups and late days come from term.yaml.

    The exit code is 1 while a total is open.
    """
    from grader.plugins.term.api import term as table_of_term
    from grader.plugins.term.terminal import print_term
    from grader.reports.terminal.console import output_console

    writers = {output: known_name(output.suffix[1:], _FORMATS, "format of terms") for output in outputs}
    table = table_of_term(file, course=course, so_far=so_far)
    print_term(output_console(), table)
    for output, write in writers.items():
        _write(output, write(table))
    return 1 if any(row.open_because for row in table.rows) else 0


def _write(file: Path, text: str) -> None:
    with reported_as(GraderError, f"{file} cannot be written"):
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
