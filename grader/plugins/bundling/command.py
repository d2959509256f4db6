"""The command `grader bundle`."""

from pathlib import Path
from typing import Any

import click

from grader.cli.options import PATH, assignments, course

_BUNDLE_FILE, _BUNDLE_FOLDER = Path("grader.pyz"), Path("grader-check")


@click.command()
@click.argument("assignment", metavar="ID", shell_complete=assignments, help="The assignment.")
@course
@click.option("--output", type=PATH, metavar="PATH", help="Default: grader.pyz, or grader-check for a folder.")
@click.option("--folder", is_flag=True, help="Make a folder that pip can install.")
@click.option("--checkers", is_flag=True, help="Include checkers and the tests that use them.")
@click.option("--interactors", is_flag=True, help="Include interactors and the tests that use them.")
def bundle(
    *,
    assignment: str,
    output: Path | None,
    folder: bool,
    **chosen: Any,
) -> None:
    """Make a self-check to hand out. It runs the public tests, and contains neither the reference nor hidden tests."""
    from grader.plugins.bundling.api import bundle_file, bundle_folder
    from grader.reports.terminal.console import output_console
    from grader.text.words import pluralize

    make, path = (bundle_folder, _BUNDLE_FOLDER) if folder else (bundle_file, _BUNDLE_FILE)
    settled, bundled = make(assignment, output or path, **chosen)
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
