"""The command `grader import`: makes a course from the files of another system."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.cli.options import PATH

if TYPE_CHECKING:
    from grader.plugins.importing.api import ImportedAssignment

_Command = TypeVar("_Command", bound=Callable[..., object])


@click.group("import", no_args_is_help=True)
def import_() -> None:
    """Make a course from another system's files."""


def _common_options(command: _Command) -> _Command:
    """Add the options that all kinds of import share."""
    into = click.option("--into", type=PATH, metavar="FOLDER", help="The course folder; default: ID-course.")
    id_ = click.option("--id", "name", metavar="ID", help="The name of the assignment; default: the folder's name.")
    return into(id_(command))


_solution = click.option(
    "--solution", type=PATH, metavar="PATH", help="A file or folder with correct programs for the references."
)


@import_.command("check50")
@click.argument("problem", type=PATH, metavar="FOLDER", help="The folder of the problem, with __init__.py.")
@_solution
@_common_options
def check50(*, problem: Path, solution: Path | None, into: Path | None, name: str | None) -> None:
    """Import the checks of a check50 problem."""
    from grader.plugins.importing.api import import_check50

    _print_made(import_check50(problem, solution=solution, into=into, name=name))


@import_.command("classroom")
@click.argument("repository", type=PATH, metavar="FOLDER", help="The repository, with .github/.")
@_solution
@click.option("--program", metavar="FILE", help="The file to hand in; default: the files that the commands start.")
@_common_options
def classroom(
    *, repository: Path, solution: Path | None, program: str | None, into: Path | None, name: str | None
) -> None:
    """Import a GitHub Classroom assignment."""
    from grader.plugins.importing.api import import_classroom

    _print_made(import_classroom(repository, solution=solution, program=program, into=into, name=name))


@import_.command("gradescope")
@click.argument("autograder", type=PATH, metavar="FOLDER", help="The folder with run_autograder and tests/.")
@_solution
@click.option("--program", metavar="FILE", help="The file to hand in; default: the file that the tests import.")
@_common_options
def gradescope(
    *, autograder: Path, solution: Path | None, program: str | None, into: Path | None, name: str | None
) -> None:
    """Import the unit tests of a Gradescope autograder."""
    from grader.plugins.importing.api import import_gradescope

    _print_made(import_gradescope(autograder, solution=solution, program=program, into=into, name=name))


@import_.command("kattis")
@click.argument("package", type=PATH, metavar="PACKAGE", help="The folder with problem.yaml.")
@_common_options
def kattis(*, package: Path, **asked: Any) -> None:
    """Import a Kattis problem package."""
    from grader.plugins.importing.api import import_kattis

    _print_made(import_kattis(package, **asked))


@import_.command("session")
@click.argument("file", type=PATH, metavar="FILE", help="The handout, or a file with only the sample.")
@click.option("--solution", type=PATH, metavar="FILE", required=True, help="The program that prints the sample.")
@click.option(
    "--lines", multiple=True, metavar="FIRST-LAST", help="The lines of a sample; may be repeated; default: all blocks."
)
@_common_options
def session(*, file: Path, solution: Path, lines: tuple[str, ...], into: Path | None, name: str | None) -> None:
    """Import sample sessions that are printed in a handout."""
    from grader.plugins.importing.api import import_session

    _print_made(import_session(file, solution=solution, lines=lines, into=into, name=name))


@import_.command("tested")
@click.argument("exercise", type=PATH, metavar="FOLDER", help="The folder of the exercise, with evaluation/.")
@click.option("--suite", metavar="FILE", help="The suite in evaluation/; default: the suite in config.json.")
@click.option("--solution", metavar="FILE", help="The reference in solution/; default: correct.*.")
@click.option(
    "--language",
    type=click.Choice(("python", "c", "cpp", "java")),
    help="The language of the function calls; default: the one in config.json, or Python.",
)
@_common_options
def tested(*, exercise: Path, **asked: Any) -> None:
    """Import a TESTed exercise."""
    from grader.plugins.importing.api import import_tested

    _print_made(import_tested(exercise, **asked))


@import_.command("transcripts")
@click.argument("folder", type=PATH, metavar="FOLDER", help="The folder with NAME.in and NAME.out.")
@click.option("--solution", type=PATH, metavar="FILE", help="A correct program for the reference.")
@click.option("--inputs", metavar="PATTERN", help="The names of inputs, with * for the name of a run: */input.")
@click.option("--outputs", metavar="PATTERN", help="The names of outputs, with * for the same name: */output.")
@_common_options
def transcripts(
    *, folder: Path, solution: Path | None, inputs: str | None, outputs: str | None, into: Path | None, name: str | None
) -> None:
    """Import recorded runs: files NAME.in with NAME.out, NAME.ans or NAME.expected, or given by patterns."""
    from grader.plugins.importing.api import import_transcripts

    if (inputs is None) != (outputs is None):
        raise click.UsageError("--inputs and --outputs are given together.")
    patterns = (inputs, outputs) if inputs is not None and outputs is not None else None
    _print_made(import_transcripts(folder, solution=solution, patterns=patterns, into=into, name=name))


def _print_made(imported: "ImportedAssignment") -> None:
    from grader.reports.terminal.console import output_console
    from grader.text.escape import escape_controls
    from grader.text.words import pluralize

    console = output_console()
    console.print(
        f"made: {imported.course}: {imported.id}, {pluralize(imported.tests, 'test')}", soft_wrap=True, markup=False
    )
    if imported.labelled:
        programs = pluralize(len(imported.labelled), "program")
        console.print(f"submissions/{imported.id}: {programs} whose result is known", soft_wrap=True, markup=False)
    if imported.notes:
        console.print("Not imported, or understood so:")
        for note in imported.notes:
            console.print(f"  - {escape_controls(note)}", soft_wrap=True, markup=False)
    console.print(f"Next: cd {imported.course}; grader generate {imported.id}", soft_wrap=True, markup=False)
