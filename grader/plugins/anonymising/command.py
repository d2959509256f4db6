"""The command `grader anonymise`."""

from pathlib import Path
from typing import Any

import click

from grader.api.request import GradeOptions
from grader.cli.options import (
    PATH,
    CommandWithNames,
    ExitCode,
    assignment,
    course,
    download_format,
    roster,
    submissions,
)
from grader.cli.output import Messages


@click.command(cls=CommandWithNames)
@submissions
@click.argument("copy", type=PATH, metavar="COPY", help="The new folder for the copy.")
@assignment
@course
@download_format
@roster
@click.option(
    "--key", type=PATH, metavar="FILE", help="Also write each student's number to a file. Keep this file private."
)
@click.pass_obj
def anonymise(
    messages: Messages,
    /,
    *,
    folder: Path,
    copy: Path,
    download_format: str | None,
    roster: Path | None,
    key: Path | None,
    **which: Any,
) -> ExitCode:
    """Copy a class with numbers instead of names."""
    from rich.console import Console

    from grader.plugins.anonymising.api import anonymise as copy_class
    from grader.plugins.anonymising.api import save_key
    from grader.text.escape import escape_controls
    from grader.text.words import pluralize

    options = GradeOptions(download_format=download_format, roster=roster)
    progress = messages.progress("")
    copied = copy_class(folder, copy, options=options, progress=progress, **which)
    if key is not None:
        save_key(copied.numbers, key)
    console = Console(highlight=False, markup=False)

    def tell(line: str) -> None:
        console.print(escape_controls(line), soft_wrap=True)

    students, words = pluralize(len(copied.numbers), "student"), pluralize(copied.replaced, "word")
    tell(f"written: {students} to {copied.folder}; {words} replaced")
    if copied.class_files:
        tell(f"with numbers for names, and without reasons: {', '.join(copied.class_files)}")
    aside = [f"not in the copy: {name}" for name in copied.left_behind]
    for line_aside in (*aside, *(f"left out, because it is no text: {name}" for name in copied.left_out)):
        tell(line_aside)
    if copied.doubtful:
        tell("These lines may still tell who wrote them; look at them before you hand the copy on:")
    for line in copied.doubtful:
        tell(f"  {line.file}:{line.line}: {line.text}")
    return 1 if copied.doubtful or copied.left_out else 0
