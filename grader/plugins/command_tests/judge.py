"""Judges a command by the way it ended."""

from dataclasses import replace

from grader.judge.judge import judge_ending
from grader.model.ending import EndsBySignal
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.test import Test
from grader.plugins.command_tests import causes
from grader.plugins.command_tests.interaction import CommandRun
from grader.plugins.command_tests.report import report_in

_SIGNALLED = 128
"""A shell adds this to the number of the signal that ended a program."""


def judge_command(test: Test, command: CommandRun, outcome: Outcome) -> Judgement:
    """Judge the ending of a command; its output, such as tracebacks of failed tests, is left to the reader."""
    if outcome.in_build:
        return judge_ending(test, "", outcome)
    outcome = _as_expected(test, command, outcome)
    silent = replace(outcome, transcript="", errors="")
    judgement = judge_ending(test, "", silent)
    if judgement.verdict in (Verdict.EXIT_STATUS, Verdict.CRASH) and (report := report_in(outcome.transcript)):
        return judge_ending(test, "", replace(silent, error_report=report))
    match judgement.verdict:
        case Verdict.EXIT_STATUS:
            diagnosis = causes.failed(command.text, outcome.exit_code, test.ending.words)
        case Verdict.CRASH if outcome.signal is not None:
            diagnosis = causes.ended_by_signal(command.text, outcome.signal)
        case Verdict.TIMEOUT:
            diagnosis = causes.timed_out(command.text, outcome.wall_seconds)
        case _:
            return judgement
    return replace(judgement, diagnosis=diagnosis)


def _as_expected(test: Test, command: CommandRun, outcome: Outcome) -> Outcome:
    """Return the outcome with a signal as the exit status of a shell, or the reverse, if the test expects that.

    A list is run without a shell, so only the signal itself fits there.
    """
    changed = outcome
    if outcome.signal is not None and not command.is_line:
        changed = replace(outcome, ending=Termination.EXITED, exit_code=_SIGNALLED + outcome.signal, signal=None)
    elif command.is_line and isinstance(test.ending, EndsBySignal) and outcome.exit_code is not None:
        number = outcome.exit_code - _SIGNALLED
        changed = replace(outcome, ending=Termination.SIGNALLED, exit_code=None, signal=number)
    return changed if test.ending.fits(changed) else outcome
