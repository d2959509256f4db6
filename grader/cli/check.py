"""`grader check` and `grader watch`: a student's self-check, once or after every save."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.options import AssignmentId, CommandWithNames, Course, Output, Program, Show, files
from grader.cli.output import INTERRUPTED, add_step_summary, print_notes

if TYPE_CHECKING:
    from rich.console import Console

    from grader.api.check import WatchedRun
    from grader.model.results import TestResult
    from grader.reports.terminal.diff import DiffText
    from grader.selfcheck.check import SelfCheck

app = typer.Typer()


@app.command(cls=CommandWithNames)
def check(
    path: Program,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    show: Show = 3,
    save: Annotated[
        Path | None, typer.Option(help="Write what your program printed, a .txt file per test.", autocompletion=files)
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show every difference, not a screenful per test.")] = False,
    output: Output = "text",
) -> None:
    """Run the public tests on your own program."""
    from grader.api.check import prepare_check
    from grader.reports.terminal.diff import all_differences, first_screenful

    prepared = prepare_check(path, course=course, assignment=assignment)
    print_notes(prepared.assignment)
    diff_text = all_differences if full else first_screenful
    raise typer.Exit(run_and_print(prepared, output, show=show, save=save, diff_text=diff_text))


def run_and_print(prepared: "SelfCheck", output: str, *, show: int, save: Path | None, diff_text: "DiffText") -> int:
    """Run the tests, print what came out and save what was printed; returns the exit code."""
    from grader.reports.output_formats import output_format
    from grader.reports.terminal.console import progress_bar
    from grader.selfcheck.check import checked_program, exit_code, run_check, save_outputs

    written = output_format(output)
    graded = run_check(prepared, partial(progress_bar, "tests"))
    report = written.of_check(checked_program(prepared, graded, show=show, diff_text=diff_text))
    sys.stdout.write(report.printed)
    add_step_summary(report.summary)
    if save is not None:
        save_outputs(graded, save)
    return exit_code(graded.results)


@app.command()
def watch(
    path: Program,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    show: Show = 3,
) -> None:
    """Run the public tests again whenever you save, and show what has changed. Ctrl-C ends."""
    from grader.api.check import prepare_check
    from grader.api.check import watch as watch_check
    from grader.reports.terminal.console import output_console

    prepared = prepare_check(path, course=course, assignment=assignment)
    print_notes(prepared.assignment)
    screen = _WatchScreen(output_console(), prepared, show)
    with suppress(KeyboardInterrupt):
        watch_check(prepared, screen.show_run)
    raise typer.Exit(screen.end())


class _WatchScreen:
    """Shows the first run in full, then what has changed; knows the results of the first run and the last."""

    def __init__(self, console: "Console", check: "SelfCheck", show: int) -> None:
        self._console = console
        self._check = check
        self._show = show
        self._runs = 0
        self._first: Sequence[TestResult] = ()
        self._last: Sequence[TestResult] = ()

    def show_run(self, run: "WatchedRun") -> None:
        """Show a finished run."""
        from grader.reports.terminal.self_check import check_text, print_changes
        from grader.reports.theme import TERMINAL
        from grader.selfcheck.check import checked_program

        if run.number == 1:
            checked = checked_program(self._check, run.graded, show=self._show)
            sys.stdout.write(check_text(checked).printed)
            self._console.print("Waiting for changes; Ctrl-C ends.", style=TERMINAL.muted)
            self._first = run.graded.results
        else:
            print_changes(self._console, run.number, run.previous, run.graded.results, show=self._show)
        self._runs, self._last = run.number, run.graded.results

    def end(self) -> int:
        """Sum up; returns the exit code, as of a check."""
        from grader.reports.terminal.self_check import count_words
        from grader.reports.theme import TERMINAL
        from grader.selfcheck.check import exit_code

        if not self._runs:
            return INTERRUPTED
        runs = "1 run" if self._runs == 1 else f"{self._runs} runs"
        words = f"At first {count_words(self._first)}, now {count_words(self._last)}."
        self._console.print(f"\n{runs}. {words}", style=TERMINAL.heading)
        return exit_code(self._last)
