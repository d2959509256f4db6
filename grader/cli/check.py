"""`grader check` and `grader watch`: a student's self-check, once or after every save."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.options import AssignmentId, CommandWithNames, Course, Output, Program, Show, files
from grader.cli.output import INTERRUPTED, Messages, add_step_summary, messages_of

if TYPE_CHECKING:
    from rich.console import Console

    from grader.api.check import WatchedRun
    from grader.model.results import TestResult
    from grader.reports.terminal.diff import DiffText
    from grader.selfcheck.check import SelfCheck

app = typer.Typer()


@app.command(cls=CommandWithNames)
def check(
    context: typer.Context,
    path: Program,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    show: Show = 3,
    save: Annotated[
        Path | None, typer.Option(help="Write what your program printed, a .txt file per test.", autocompletion=files)
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show every difference, not a screenful per test.")] = False,
    test: Annotated[
        list[str] | None,
        typer.Option("--test", metavar="NAME", help="Run only this test; * stands for any characters. Repeatable."),
    ] = None,
    last_failed: Annotated[
        bool, typer.Option("--last-failed", help="Run only the tests that failed the last time; all if none did.")
    ] = False,
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop after the first test that fails.")] = False,
    run_all: Annotated[
        bool, typer.Option("--run-all", help="Go on after two tests of a program that ran into the time limit.")
    ] = False,
    output: Output = "text",
) -> None:
    """Run the public tests on your own program."""
    from grader.api.check import prepare_check
    from grader.reports.terminal.diff import all_differences, first_screenful
    from grader.selfcheck.selection import chosen_tests

    prepared = prepare_check(path, course=course, assignment=assignment)
    messages = messages_of(context)
    messages.notes(prepared.assignment)
    chosen = chosen_tests(prepared, names=test or (), last_failed=last_failed, fail_fast=fail_fast, run_all=run_all)
    diff_text = all_differences if full else first_screenful
    raise typer.Exit(run_and_print(chosen, output, messages, show=show, save=save, diff_text=diff_text))


def run_and_print(
    check: "SelfCheck", output: str, messages: Messages, *, show: int, save: Path | None, diff_text: "DiffText"
) -> int:
    """Run the tests, print what comes out and save what was printed; returns the exit code."""
    from grader.reports.output_formats import output_format
    from grader.selfcheck.check import save_outputs
    from grader.selfcheck.running import write_check
    from grader.selfcheck.selection import remember_run

    settings = check.settings(show, diff_text)
    report = output_format(output).of_check(settings)
    run, ended = write_check(check, settings, report, sys.stdout, messages.progress("tests"))
    messages.tests(run.graded)
    add_step_summary(ended.summary)
    remember_run(check, run.graded.results)
    if save is not None:
        save_outputs(run.graded, save)
    return run.exit_code


@app.command()
def watch(
    context: typer.Context,
    path: Program,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    show: Show = 3,
) -> None:
    """Run the public tests again whenever you save. It shows what has changed; Ctrl-C ends."""
    from grader.api.check import prepare_check
    from grader.api.check import watch as watch_check
    from grader.reports.terminal.console import output_console

    prepared = prepare_check(path, course=course, assignment=assignment)
    messages_of(context).notes(prepared.assignment)
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
        from grader.reports.printed_report import CheckedProgram
        from grader.reports.terminal.self_check import check_text, print_changes
        from grader.reports.theme import TERMINAL

        if run.number == 1:
            settings = self._check.settings(self._show)
            report = check_text(settings)
            verdicts = (report.known(result.test, result.verdict) for result in run.graded.results)
            sys.stdout.write("".join((report.began(), *verdicts)))
            sys.stdout.write(report.ended(CheckedProgram(settings, run.graded)).printed)
            self._console.print("Waiting for changes; Ctrl-C ends.", style=TERMINAL.muted)
            self._first = run.graded.results
        else:
            print_changes(self._console, run.number, run.previous, run.graded.results, show=self._show)
        self._runs, self._last = run.number, run.graded.results

    def end(self) -> int:
        """Sum up; returns the exit code, as of a check."""
        from grader.reports.terminal.self_check import count_words
        from grader.reports.theme import TERMINAL
        from grader.selfcheck.running import exit_code

        if not self._runs:
            return INTERRUPTED
        runs = "1 run" if self._runs == 1 else f"{self._runs} runs"
        words = f"At first {count_words(self._first)}, now {count_words(self._last)}."
        self._console.print(f"\n{runs}. {words}", style=TERMINAL.heading)
        return exit_code(self._last)
