"""`grader check`, `grader watch` and `grader explain`: a student's self-check, and what the words in it mean."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import (
    PATH,
    CommandWithNames,
    ExitCode,
    assignment,
    course,
    output_format,
    screen_language,
    show,
)
from grader.cli.output import INTERRUPTED, Messages, add_step_summary

if TYPE_CHECKING:
    from rich.console import Console

    from grader.api.check import WatchedRun
    from grader.model.results import TestResult
    from grader.reports.terminal.diff import DiffText
    from grader.selfcheck.check import SelfCheck
    from grader.selfcheck.running import CheckRun

_program = click.argument("path", type=PATH, metavar="FILE|FOLDER", help="Your program, or the folder it is in.")


@click.command(cls=CommandWithNames)
@_program
@assignment
@course
@show
@click.option("--save", type=PATH, metavar="FOLDER", help="Write what your program printed, a .txt file per test.")
@click.option("--full", is_flag=True, help="Show every difference, not a screenful per test.")
@click.option(
    "--test",
    "tests",
    metavar="NAME",
    multiple=True,
    help="Run only this test; * stands for any characters. Repeatable.",
)
@click.option("--last-failed", is_flag=True, help="Run only the tests that failed the last time; all if none did.")
@click.option("--fail-fast", is_flag=True, help="Stop after the first test that fails.")
@click.option("--run-all", is_flag=True, help="Go on after two tests of a program that ran into the time limit.")
@click.option(
    "--shortest",
    is_flag=True,
    help="Show the shortest session in which the first failed test still fails.",
)
@output_format
@screen_language
@click.pass_obj
def check(
    messages: Messages,
    *,
    path: Path,
    assignment: str | None,
    course: Path | None,
    show: int,
    save: Path | None,
    full: bool,
    tests: Sequence[str],
    last_failed: bool,
    fail_fast: bool,
    run_all: bool,
    shortest: bool,
    output: str,
) -> ExitCode:
    """Run the public tests on your own program."""
    if shortest and output != "text":
        raise click.UsageError("--shortest is printed after the text report; leave out --format.")
    from grader.api.check import prepare_check
    from grader.reports.terminal.diff import all_differences, first_screenful
    from grader.selfcheck.choose_tests import chosen_tests

    prepared = prepare_check(path, course=course, assignment=assignment)
    messages.notes(prepared.assignment)
    chosen = chosen_tests(prepared, names=tests, last_failed=last_failed, fail_fast=fail_fast, run_all=run_all)
    diff_text = all_differences if full else first_screenful
    run = run_and_print(chosen, output, messages, show=show, save=save, diff_text=diff_text)
    if shortest:
        _print_shorter(chosen, run, messages)
    return run.exit_code


def _print_shorter(check: "SelfCheck", run: "CheckRun", messages: Messages) -> None:
    from grader.cli.shortest import shortest_search
    from grader.reports.terminal.console import output_console, print_lines

    print_lines(output_console(), shortest_search().of_check(check, run.graded, messages.progress("")))


def run_and_print(
    check: "SelfCheck", output: str, messages: Messages, *, show: int, save: Path | None, diff_text: "DiffText"
) -> "CheckRun":
    """Run the tests, print what comes out and save what was printed."""
    from grader.reports.output_formats import output_format
    from grader.selfcheck.check import save_outputs
    from grader.selfcheck.choose_tests import remember_run
    from grader.selfcheck.running import write_check
    from grader.text.language import told

    settings = check.settings(show, diff_text)
    report = output_format(output).of_check(settings)
    run, ended = write_check(check, settings, report, sys.stdout, messages.progress(told("tests")))
    messages.tests(run.graded)
    add_step_summary(ended.summary)
    remember_run(check, run.graded.results)
    if save is not None:
        save_outputs(run.graded, save)
    return run


@click.command(cls=CommandWithNames)
@_program
@assignment
@course
@show
@screen_language
@click.pass_obj
def watch(messages: Messages, *, path: Path, assignment: str | None, course: Path | None, show: int) -> ExitCode:
    """Run the public tests again whenever you save. It shows what has changed; Ctrl-C ends."""
    from grader.api.check import prepare_check
    from grader.api.check import watch as watch_check
    from grader.reports.terminal.console import output_console

    prepared = prepare_check(path, course=course, assignment=assignment)
    messages.notes(prepared.assignment)
    screen = _WatchScreen(output_console(), prepared, show)
    with suppress(KeyboardInterrupt):
        watch_check(prepared, screen.show_run)
    return screen.end()


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
        from grader.reports.terminal.check_changes import print_changes
        from grader.reports.terminal.self_check import check_text
        from grader.reports.theme import TerminalStyle
        from grader.text.language import told

        if run.number == 1:
            settings = self._check.settings(self._show)
            report = check_text(settings)
            verdicts = (report.known(result.test, result.verdict) for result in run.graded.results)
            sys.stdout.write("".join((report.began(), *verdicts)))
            sys.stdout.write(report.ended(CheckedProgram(settings, run.graded)).printed)
            self._console.print(told("Waiting for changes; Ctrl-C ends."), style=TerminalStyle.MUTED)
            self._first = run.graded.results
        else:
            print_changes(self._console, run.number, run.previous, run.graded.results, show=self._show)
        self._runs, self._last = run.number, run.graded.results

    def end(self) -> int:
        """Sum up; returns the exit code, as of a check."""
        from grader.reports.terminal.check_changes import count_words
        from grader.reports.theme import TerminalStyle
        from grader.selfcheck.running import exit_code
        from grader.text.language import told_plural

        if not self._runs:
            return INTERRUPTED
        summary = told_plural(
            self._runs,
            "{count} run. At first {first}, now {last}.",
            "{count} runs. At first {first}, now {last}.",
            first=count_words(self._first),
            last=count_words(self._last),
        )
        self._console.print(f"\n{summary}", style=TerminalStyle.HEADING)
        return exit_code(self._last)


@click.command()
@click.argument("word", required=False, help="A cause of failure, a rule, a file or a key; default: list them all.")
def explain(*, word: str | None) -> None:
    """Say what the documents say of a cause, a rule or a key."""
    from rich.console import Console
    from rich.markdown import Markdown

    from grader.api.explain import WordKind, explanations
    from grader.api.explain import explain as explain_word

    console = Console(highlight=False)
    if word is not None:
        for match in explain_word(word):
            gap = "\n\n" if match.kind in (WordKind.CAUSE, WordKind.FILE) else " "
            console.print(Markdown(f"`{match.word}` ({match.sort}):{gap}{match.text}"), "")
        return
    words: dict[str, list[str]] = {}
    for entry in explanations():
        words.setdefault(entry.sort, []).append(f"`{entry.word}`")
    for sort, names in words.items():
        console.print(Markdown(f"{sort}: {', '.join(dict.fromkeys(names))}"), "")
