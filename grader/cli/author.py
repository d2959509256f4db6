"""The commands for authors of assignments: generate, bundle, schema."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import PATH, ExitCode, assignments, course, jobs
from grader.cli.output import Messages

if TYPE_CHECKING:
    from rich.console import Console

    from grader.api.author import GeneratedTranscripts

_BUNDLE_FILE, _BUNDLE_FOLDER = Path("grader.pyz"), Path("grader-check")


@click.command()
@click.argument(
    "assignments", metavar="[ID]...", nargs=-1, shell_complete=assignments, help="Assignments; default: all."
)
@course
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a file is not fresh.")
@click.option("--python", type=PATH, metavar="FILE", help="Run the references with this Python.")
@jobs
@click.pass_obj
def generate(
    messages: Messages,
    *,
    assignments: Sequence[str],
    course: Path | None,
    check: bool,
    python: Path | None,
    jobs: int | None,
) -> ExitCode:
    """Write the expected transcripts by running the references."""
    from grader.api.author import find_stale
    from grader.api.author import generate as generate_expected
    from grader.reports.terminal.console import output_console

    console = output_console()
    work, report = (find_stale, _print_stale) if check else (generate_expected, print_written)
    done = work(
        assignments or None,
        course=course,
        python=python,
        jobs=jobs,
        progress=messages.progress("tests"),
        report=partial(report, console, messages),
    )
    wrong = sum(len(transcripts.findings) for transcripts in done) if check else 0
    if wrong:
        console.print(f"{wrong} expected files are not as they should be; `grader generate` repairs them.")
        return 1
    return 0


def print_written(console: "Console", messages: Messages, generated: "GeneratedTranscripts") -> None:
    """Print what was written of an assignment."""
    messages.notes(generated.assignment, generated.notes)
    for finding in generated.findings:
        done = "removed" if finding.new is None else "written"
        console.print(f"{done}: {finding.file}", soft_wrap=True)
    console.print(f"{generated.assignment.id}: {generated.count} expected files are up to date.", soft_wrap=True)


def _print_stale(console: "Console", messages: Messages, generated: "GeneratedTranscripts") -> None:
    from rich.text import Text

    from grader.reports.theme import TerminalStyle
    from grader.text.escape import escape_controls

    messages.notes(generated.assignment, generated.notes)
    for finding in generated.findings:
        console.print(
            Text(f"{finding.state}: {finding.file}", f"{TerminalStyle.HEADING} {TerminalStyle.FAILED}"), soft_wrap=True
        )
        for line in finding.diff().splitlines():
            console.print(Text(escape_controls(line)), soft_wrap=True)
    if not generated.findings:
        console.print(f"{generated.assignment.id}: all {generated.count} expected files are fresh.", soft_wrap=True)


@click.command()
@click.argument("assignment", metavar="ID", shell_complete=assignments, help="Assignment.")
@course
@click.option("--output", type=PATH, metavar="PATH", help="Default: grader.pyz; of a folder, grader-check.")
@click.option("--folder", is_flag=True, help="Make a folder, which pip can install.")
@click.option("--checkers", is_flag=True, help="Hand out checkers too, and tests with them.")
@click.option("--interactors", is_flag=True, help="Hand out interactors too, and tests with them.")
def bundle(
    *,
    assignment: str,
    course: Path | None,
    output: Path | None,
    folder: bool,
    checkers: bool,
    interactors: bool,
) -> None:
    """Make a self-check to hand out. It has the public tests and what runs them, no reference and no hidden test."""
    from grader.api.author import bundle_file, bundle_folder
    from grader.reports.terminal.console import output_console
    from grader.text.words import pluralize

    make, path = (bundle_folder, _BUNDLE_FOLDER) if folder else (bundle_file, _BUNDLE_FILE)
    settled, bundled = make(assignment, output or path, course=course, checkers=checkers, interactors=interactors)
    sealed = sum(test.sealed for test in bundled.tests)
    console = output_console()
    words = f"{pluralize(len(bundled.tests), 'public test')}{f', {sealed} of them sealed' if sealed else ''}."
    console.print(f"{bundled.path}: {words}", soft_wrap=True)
    if bundled.left_out:
        console.print(
            f"{bundled.left_out} more are left out: they need a checker or an interactor, which may know the answers "
            "(--checkers, --interactors), or programs on which `own_tests` are tried.",
            soft_wrap=True,
        )
    console.print(f"Students run: python3 {bundled.path.name} check {settled.programs[0].file}", soft_wrap=True)


@click.command()
@click.argument("kind", required=False, help="assignment, tests, audit, extensions, marks, overrides and so on.")
@click.option(
    "--output",
    type=PATH,
    metavar="FOLDER",
    default=Path("schemas"),
    help="Without KIND: the folder to write all schemas to.",
)
def schema(*, kind: str | None, output: Path) -> None:
    """Print the JSON Schema of a kind of YAML file. Without a kind, all are written, for editors."""
    from grader.api.author import schema as schema_text
    from grader.api.author import schema_file, write_schemas

    if kind is not None:
        sys.stdout.write(schema_text(kind))
        return
    written = write_schemas(output)
    print(f"{len(written)} schemas are in {output}. The first line of a tests file, for editors:")
    print(f"# yaml-language-server: $schema=../../../{output.name}/{schema_file('tests')}")
