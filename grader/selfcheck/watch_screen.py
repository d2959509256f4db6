"""The output of `watch`: the first run in full, then only the changes."""

import sys
from collections.abc import Sequence

from rich.console import Console

from grader.model.results import TestResult
from grader.reports.printed_report import CheckedProgram, CheckSettings
from grader.reports.terminal.check_changes import count_words, print_changes
from grader.reports.terminal.self_check import check_text
from grader.reports.theme import TerminalStyle
from grader.selfcheck.running import INTERRUPTED, exit_code
from grader.selfcheck.watching import WatchedRun
from grader.text.language import told, told_plural


class WatchScreen:
    """The screen of `watch`, which shows the first run in full, then only the changes since the previous run."""

    def __init__(self, console: Console, settings: CheckSettings) -> None:
        self._console = console
        self._settings = settings
        self._runs = 0
        self._first: Sequence[TestResult] = ()
        self._last: Sequence[TestResult] = ()

    def show_run(self, run: WatchedRun) -> None:
        """Show a finished run."""
        if run.number == 1:
            report = check_text(self._settings)
            verdicts = (report.known(result.test, result.verdict) for result in run.graded.results)
            sys.stdout.write("".join((report.began(), *verdicts)))
            sys.stdout.write(report.ended(CheckedProgram(self._settings, run.graded)).printed)
            self._console.print(told("Waiting for changes; Ctrl-C ends."), style=TerminalStyle.MUTED)
            self._first = run.graded.results
        else:
            print_changes(self._console, self._settings, run.number, run.previous, run.graded)
        self._runs, self._last = run.number, run.graded.results

    def end(self) -> int:
        """Print a summary; return the exit code for a check."""
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
