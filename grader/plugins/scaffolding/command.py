"""The commands `grader init` and `grader new`."""

from datetime import datetime
from functools import partial
from pathlib import Path

import click

from grader.cli.options import PATH, WholeNumber, course
from grader.cli.output import Messages
from grader.errors import GraderError


@click.command()
@click.argument("folder", type=PATH, default=Path(), help="The new course folder; default: the current folder.")
def init(*, folder: Path) -> None:
    """Make a course folder: test_specs/, reference/, submissions/."""
    from grader.plugins.scaffolding.api import new_course
    from grader.reports.terminal.console import output_console

    console = output_console()
    for path in new_course(folder):
        console.print(f"made: {path}", soft_wrap=True)
    place = "" if folder.resolve() == Path.cwd() else f"cd {folder}; "
    console.print(f"Next, the first assignment: {place}grader new assignment ID", soft_wrap=True)


@click.group(no_args_is_help=True)
def new() -> None:
    """Add something new to a course."""


@new.command("assignment")
@click.argument("assignment", metavar="ID", help="The name of the assignment, such as a1-nim.")
@click.option(
    "--program",
    multiple=True,
    metavar="FILE",
    help="A file to hand in, such as lab.c or Main.java; may be repeated; default: ID.py.",
)
@course
@click.pass_obj
def new_assignment(messages: Messages, *, assignment: str, program: tuple[str, ...], course: Path | None) -> None:
    """Make a sample assignment, with a small program and tests for you to replace."""
    from grader.plugins.scaffolding.api import new_assignment as make
    from grader.plugins.scaffolding.author import generate as generate_expected
    from grader.plugins.scaffolding.generate_command import print_written
    from grader.reports.terminal.console import output_console

    console = output_console()
    scaffold = make(assignment, program=program, course=course)
    for path in scaffold:
        console.print(f"made: {path}", soft_wrap=True)
    generate_expected(
        [assignment],
        course=course,
        progress=messages.progress("tests"),
        report=partial(print_written, console, messages),
    )
    solution, tests = (path.name for path in scaffold[:2])
    others = " (and so on)" if len(program) > 1 else ""
    places = f"your own solution into {solution} and your tests into {tests}{others}"
    console.print(f"Next: put {places}; then", soft_wrap=True)
    console.print(f"  grader generate {assignment}", soft_wrap=True)
    console.print(f"A class: a folder for each student, submissions/{assignment}/NAME/, with the program in it; then")
    console.print(f"  grader grade submissions/{assignment}", soft_wrap=True)


@new.command("term")
@click.argument("folder", type=PATH, help="The folder to create for the new course.")
@click.option(
    "--weeks", type=WholeNumber(min=1, max=1000), metavar="N", help="Move all dates by this many weeks; default: 52."
)
@click.option(
    "--starts",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Move all dates so that the first due date is on this day or within six days after it.",
)
@course
def new_term(*, folder: Path, weeks: int | None, starts: datetime | None, course: Path | None) -> None:
    """Copy the course for another term, with later dates and without student data."""
    from grader.plugins.scaffolding.api import new_term as make
    from grader.reports.terminal.console import output_console
    from grader.text.escape import escape_controls

    if weeks is not None and starts is not None:
        raise GraderError("Found --weeks and --starts; expected one of them.")
    copied = make(folder, weeks=weeks, starts=starts.date() if starts else None, course=course)
    console = output_console()
    console.print(f"made: {copied.folder}", soft_wrap=True)
    for old, local in copied.dates:
        line = f"{old.file.parent.name}: {old.key} {old.local:%a %Y-%m-%d %H:%M} → {local:%a %Y-%m-%d %H:%M}"
        console.print(escape_controls(line), soft_wrap=True)
    console.print("To look at:")
    for item in copied.to_look_at:
        console.print(escape_controls(f"  {item}"), soft_wrap=True)
