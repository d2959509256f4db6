"""The command `grader watch`."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from grader.cli.options import (
    CommandWithNames,
    ExitCode,
    assignment,
    course,
    program,
    screen_language,
    show,
    test_names,
)
from grader.cli.output import Messages


@click.command(cls=CommandWithNames)
@program
@assignment
@course
@show
@test_names
@screen_language
@click.pass_obj
def watch(
    messages: Messages, *, path: Path, assignment: str | None, course: Path | None, show: int, names: Sequence[str]
) -> ExitCode:
    """Run the public tests again whenever you save. It shows what has changed; Ctrl-C ends."""
    from grader.api.check import prepare_check
    from grader.plugins.watching.api import watch as watch_check
    from grader.reports.terminal.console import output_console
    from grader.selfcheck.choose_tests import only_named
    from grader.selfcheck.watch_screen import WatchScreen

    prepared = only_named(prepare_check(path, course=course, assignment=assignment), names)
    messages.notes(prepared.assignment)
    screen = WatchScreen(output_console(), prepared.settings(show))
    with suppress(KeyboardInterrupt):
        watch_check(prepared, screen.show_run)
    return screen.end()
