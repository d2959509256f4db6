"""`grader check`: a student's self-check."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import (
    PATH,
    CommandWithNames,
    ExitCode,
    assignment,
    course,
    output_format,
    program,
    screen_language,
    show,
    test_names,
)
from grader.cli.output import Messages, add_step_summary

if TYPE_CHECKING:
    from grader.selfcheck.check import SelfCheck
    from grader.selfcheck.running import CheckRun


@click.command(cls=CommandWithNames)
@program
@assignment
@course
@show
@click.option("--save", type=PATH, metavar="FOLDER", help="Save your program's output, one .txt file per test.")
@click.option("--full", is_flag=True, help="Show every failing test, with all its differences.")
@test_names
@click.option("--last-failed", is_flag=True, help="Run only the tests that failed last time, or all tests if none did.")
@click.option("--fail-fast", is_flag=True, help="Stop after the first test that fails.")
@click.option("--run-all", is_flag=True, help="Keep going after two tests of a program reach the time limit.")
@click.option(
    "--shortest", is_flag=True, help="Show the shortest session that still makes the first failing test fail."
)
@output_format
@screen_language
@click.pass_obj
def check(
    messages: Messages,
    /,
    *,
    path: Path,
    assignment: str | None,
    course: Path | None,
    show: int,
    save: Path | None,
    full: bool,
    shortest: bool,
    output: str,
    **chosen_by: Any,
) -> ExitCode:
    """Run the public tests on your own program."""
    if shortest and output != "text":
        raise click.UsageError("--shortest only works with the text report; remove --format.")
    from grader.api.check import prepare_check
    from grader.selfcheck.choose_tests import chosen_tests

    prepared = prepare_check(path, course=course, assignment=assignment)
    messages.notes(prepared.assignment)
    chosen = chosen_tests(prepared, **chosen_by)
    run = run_and_print(chosen, output, messages, show=show, save=save, full=full)
    if shortest:
        _print_shorter(chosen, run, messages)
    return run.exit_code


def _print_shorter(check: "SelfCheck", run: "CheckRun", messages: Messages) -> None:
    from grader.cli.shortest import shortest_search
    from grader.reports.terminal.console import output_console, print_lines

    print_lines(output_console(), shortest_search().of_check(check, run.graded, messages.progress("")))


def run_and_print(
    check: "SelfCheck", output: str, messages: Messages, *, show: int, save: Path | None, full: bool
) -> "CheckRun":
    """Run the tests and print the report; save the program's output if `save` is given."""
    from grader.reports.output_formats import output_format
    from grader.selfcheck.check import save_outputs
    from grader.selfcheck.choose_tests import last_results, remember_run
    from grader.selfcheck.running import write_check
    from grader.text.language import told

    settings = replace(check.settings(show, full=full), before=last_results(check))
    report = output_format(output).of_check(settings)
    run, ended = write_check(check, settings, report, sys.stdout, messages.progress(told("tests")))
    messages.tests(run.graded)
    add_step_summary(ended.summary)
    remember_run(check, run.graded.results)
    if save is not None:
        save_outputs(run.graded, save)
    return run
